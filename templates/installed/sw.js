// Pages already seen open without signal. Pages come from the network first, and from this phone where that takes too
// long; files that name their content come from this phone. What is posted, asked by a program, or streamed never passes here.
"use strict";
const FILES = {{ files|tojson }};
const KEPT = "files-{{ version }}";
const PAGES = "pages";
const MOST = 80;
const PATIENCE = 3000;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("files-") && name !== KEPT;
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name)))).then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin || request.headers.has("HX-Request")) return;
  if (url.pathname.startsWith("/static/")) event.respondWith(file(request));
  else if (request.mode === "navigate") event.respondWith(page(event, url));
});

async function file(request) {
  return (await caches.match(request)) || fetch(request);
}

async function page(event, url) {
  const address = url.pathname + url.search;
  const cache = await caches.open(PAGES);
  const fetched = fetch(event.request).then((answer) => keep(cache, address, answer));
  // What comes late is kept all the same.
  event.waitUntil(fetched.catch(() => {}));
  const kept = await cache.match(address) || await cache.match(address, { ignoreSearch: true });
  try {
    const answer = await (kept ? Promise.race([fetched, late()]) : fetched);
    return kept && answer.status >= 502 ? kept : answer;
  } catch {
    return kept || (await caches.match("/offline")) || Response.error();
  }
}

const late = () => new Promise((_done, failed) => { setTimeout(failed, PATIENCE, new Error("late")); });

async function keep(cache, address, answer) {
  const isPage = (answer.headers.get("Content-Type") || "").startsWith("text/html");
  if (answer.ok && isPage && !answer.redirected) {
    await cache.put(address, answer.clone());
    const addresses = await cache.keys();
    await Promise.all(addresses.slice(0, Math.max(0, addresses.length - MOST)).map((one) => cache.delete(one)));
  }
  if (answer.status === 404 || answer.status === 410) await cache.delete(address);
  return answer;
}
