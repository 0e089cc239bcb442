// Pages already seen open without signal. Pages come from the network first, and from this phone where that takes too
// long; files that name their content come from this phone. Posts, requests by scripts and streams never pass here.
"use strict";
const FILES = {{ files|tojson }};
const FILE_CACHE = "files-{{ version }}";
const PAGES = "pages";
const MOST = 80;
const MOST_NAMED = 12;
const PATIENCE = 3000;
// The header of every answer of the app. The login page of a Wi-Fi, which may answer any request, does not have it.
const MARK = "X-Scorekeeper";
// Its value on a page that is shown once, such as a question before the board.
const ONCE = "once";
// What is needed at a table without signal. Never what holds an owner's key, or a form that opens or forgets something.
const NEEDED = /^\/(?:$|[tw]\/|rules|prime|captures)/;
const NEVER = /\/(?:owner|new)$/;
const isNeeded = (url) => NEEDED.test(url.pathname) && !NEVER.test(url.pathname);

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(FILE_CACHE).then((cache) => Promise.all(FILES.map((address) => take(cache, address)))).then(() => self.skipWaiting()));
});

async function take(cache, address) {
  // On a bad signal one of many requests may fail: it is asked once more before the worker gives up.
  const answer = await fetch(address).catch(() => fetch(address));
  if (!answer.ok || !isFile(answer, address)) throw new Error(address);
  await cache.put(address, answer);
}
const isHtml = (answer) => (answer.headers.get("Content-Type") || "").startsWith("text/html");
const isFile = (answer, address) => (address.startsWith("/static/") ? !isHtml(answer) && !answer.redirected : answer.headers.has(MARK));

self.addEventListener("activate", (event) => { event.waitUntil(tidy().then(() => self.clients.claim())); });

// The files of the version before stay for one more update, because pages stored before it need them.
async function tidy() {
  const former = (await caches.keys()).filter((name) => name.startsWith("files-") && name !== FILE_CACHE);
  await Promise.all(former.slice(0, -1).map((name) => caches.delete(name)));
  const cache = await caches.open(PAGES);
  await forget(cache, (url) => !isNeeded(url));
}

async function forget(cache, which) {
  const pages = await cache.keys();
  await Promise.all(pages.filter((request) => which(new URL(request.url))).map((request) => cache.delete(request)));
}

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
  const stored = await cache.match(address) || await cache.match(address, { ignoreSearch: true });
  const fetched = fetch(event.request).then((answer) => judged(cache, url, answer, stored));
  // An answer that comes late is stored all the same.
  event.waitUntil(fetched.catch(() => {}));
  try {
    return await (stored ? Promise.race([fetched, late()]) : fetched);
  } catch {
    return stored || (await caches.match("/offline")) || Response.error();
  }
}

// Keeps pages that a page names, where they are not kept yet; one after the other, behind what somebody waits for. A page
// that sees this worker wait for the one before tells it to take over.
self.addEventListener("message", (event) => {
  if (event.data && event.data.over) event.waitUntil(self.skipWaiting());
  const addresses = event.data && Array.isArray(event.data.keep) ? event.data.keep.slice(0, MOST_NAMED) : [];
  // A page that was on its way while this worker woke up is not its own yet.
  event.waitUntil(self.clients.claim().then(() => keep(addresses.map(String))).catch(() => {}));
});

async function keep(addresses) {
  const cache = await caches.open(PAGES);
  for (const address of addresses) {
    const url = new URL(address, self.location.origin);
    if (url.origin !== self.location.origin || !isNeeded(url)) continue;
    if (!(await cache.match(url.pathname + url.search))) await judged(cache, url, await fetch(url.pathname + url.search));
  }
}

const late = () => new Promise((_done, failed) => { setTimeout(failed, PATIENCE, new Error("late")); });

// Returns what to show: the answer, or the stored page where the answer is a fault or is not the app's.
async function judged(cache, url, answer, stored) {
  const address = url.pathname + url.search;
  const isOurs = answer.type === "opaqueredirect" ? !stored || await leadsToUs(address) : answer.headers.has(MARK);
  const isLasting = !answer.redirected && answer.headers.get(MARK) !== ONCE;
  if (isOurs && answer.ok && isHtml(answer) && isLasting && isNeeded(url)) {
    await cache.put(address, answer.clone());
    const addresses = await cache.keys();
    await Promise.all(addresses.slice(0, Math.max(0, addresses.length - MOST)).map((request) => cache.delete(request)));
  }
  if (isOurs && [403, 404, 410].includes(answer.status)) {
    await cache.delete(address);
    // A dead link takes all its pages with it.
    if (/^\/[tw]\/[^/]+$/.test(url.pathname)) await forget(cache, (other) => `${other.pathname}/`.startsWith(`${url.pathname}/`));
    return answer;
  }
  return stored && (!isOurs || answer.status >= 500) ? stored : answer;
}

// The browser follows a redirect of a page by itself and hides where it leads, so that is looked up first.
async function leadsToUs(address) {
  const answer = await fetch(address, { redirect: "follow" }).catch(() => null);
  return Boolean(answer) && answer.headers.has(MARK);
}
