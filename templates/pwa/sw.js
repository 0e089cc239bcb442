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
// Since when a page is that this phone keeps. A page says so that was shown from here: its html element has data-as-of.
const AS_OF = "As-Of";
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

// The files of the version before stay for one more update, because pages stored before it need them. A page of two updates
// ago goes with its files: without its script, what is tapped on it would be lost.
async function tidy() {
  const former = (await caches.keys()).filter((name) => name.startsWith("files-") && name !== FILE_CACHE);
  const cache = await caches.open(PAGES);
  await forget(cache, (url) => !isNeeded(url));
  const gone = (await Promise.all(former.slice(0, -1).map(drop))).flat();
  const found = await Promise.all(gone.map((address) => caches.match(address)));
  const lost = gone.filter((_address, n) => !found[n]);
  if (lost.length) await Promise.all((await cache.keys()).map((request) => forgetIfItNeeds(cache, request, lost)));
}

// Deletes the files of a version; returns their addresses.
async function drop(name) {
  const files = await (await caches.open(name)).keys();
  await caches.delete(name);
  return files.map((request) => new URL(request.url).pathname).filter((address) => address.startsWith("/static/"));
}

async function forgetIfItNeeds(cache, request, files) {
  const page = await cache.match(request);
  const text = page ? await page.text() : "";
  if (files.some((address) => text.includes(address))) await cache.delete(request);
}

async function forget(cache, which) {
  const pages = await cache.keys();
  await Promise.all(pages.filter((request) => which(new URL(request.url))).map((request) => cache.delete(request)));
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== self.location.origin || request.headers.has("HX-Request")) return;
  // A form that a browser posts by itself is not kept: without signal there is a page that says so, and leads back.
  if (request.method === "POST" && request.mode === "navigate") event.respondWith(fetch(request).catch(() => unsent()));
  if (request.method !== "GET") return;
  if (url.pathname.startsWith("/static/")) event.respondWith(file(request));
  else if (request.mode === "navigate") event.respondWith(page(event, url));
});

async function file(request) {
  return (await caches.match(request)) || fetch(request);
}

async function unsent() {
  const kept = await caches.match("/offline");
  if (!kept) return Response.error();
  const html = (await kept.text()).replace(/<html\b/, "<html data-unsent");
  return new Response(html, { headers: { "Content-Type": "text/html; charset=utf-8" } });
}

// The form that closes a deal, and those that note something of it, are kept of one deal of a match and shown for any: the
// addresses in them become those of the deal that is asked for. A correction is of its own deal alone.
const OF_DEAL = /^(\/[tw]\/[^/]+\/matches\/\d+\/deals\/)(\d+)\/(close|declare|layout|penalty|adjust)$/;
async function ofDeal(cache, url, exact) {
  const [, match, deal, form] = OF_DEAL.exec(url.pathname) || [];
  const as = url.searchParams.get("as") === "points" ? "points" : null;
  if (!match) return exact;
  if (exact && (form !== "close" || (await exact.clone().text()).includes("data-closed"))) return exact;
  const kind = form === "close" ? "ahead" : form;
  const keys = await cache.keys();
  const isSuch = ({ pathname, searchParams }) => new RegExp(`^${escaped(match)}\\d+/${kind}$`).test(pathname) && searchParams.get("as") === as;
  const found = keys.filter((request) => isSuch(new URL(request.url))).pop();
  if (!found) return exact;
  const [, drawn] = /\/deals\/(\d+)\//.exec(found.url);
  const stored = await cache.match(found);
  const html = (await stored.text()).replaceAll(`/deals/${drawn}/`, `/deals/${deal}/`);
  return new Response(html, { status: stored.status, headers: stored.headers });
}
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
// The referee of another game is another page.
const GAMES = /^\/(?:prime|captures)$/;
async function found(cache, url) {
  const address = url.pathname + url.search;
  const exact = await cache.match(address) || (GAMES.test(url.pathname) && url.search ? undefined : await cache.match(address, { ignoreSearch: true }));
  return ofDeal(cache, url, exact);
}

async function page(event, url) {
  const address = url.pathname + url.search;
  const cache = await caches.open(PAGES);
  const stored = await found(cache, url);
  let isShown = false;
  came.delete(address);
  const fetched = fetch(event.request).then((answer) => judged(cache, url, answer, Boolean(stored))).then(async (answer) => {
    if (answer && isShown) await tellThatCame(address, event.resultingClientId);
    return answer;
  });
  // An answer that comes late is stored all the same, and takes the place of the page that is shown meanwhile.
  event.waitUntil(fetched.catch(() => {}));
  const answer = await (stored ? Promise.race([fetched, late()]) : fetched).catch(() => null);
  if (answer) return answer;
  isShown = true;
  return (stored && dated(stored)) || (await caches.match("/offline")) || Response.error();
}

// Pages whose answer came after they had been shown from here, until they have asked for it.
const came = new Set();
async function tellThatCame(address, id) {
  came.add(address);
  const client = await self.clients.get(id);
  if (client) client.postMessage({ came: address });
}

// The stored page, which says since when it is.
async function dated(stored) {
  const moment = new Date(stored.headers.get(AS_OF) || stored.headers.get("Date"));
  const asOf = Number.isNaN(moment.getTime()) ? "" : moment.toISOString();
  const html = await stored.text();
  return new Response(html.replace(/<html\b(?![^>]*data-as-of)/, `<html data-as-of="${asOf}"`), { status: stored.status, headers: stored.headers });
}

// Keeps pages that a page names, where they are not kept yet; one after the other, behind what somebody waits for. A page
// that sees this worker wait for the one before tells it to take over.
self.addEventListener("message", (event) => {
  if (event.data && event.data.over) event.waitUntil(self.skipWaiting());
  if (event.data && came.delete(event.data.came)) event.source.postMessage({ came: event.data.came });
  const addresses = event.data && Array.isArray(event.data.keep) ? event.data.keep.slice(0, MOST_NAMED) : [];
  // A page that was on its way while this worker woke up is not its own yet.
  event.waitUntil(self.clients.claim().then(() => keep(addresses.map(String))).catch(() => {}));
});

async function keep(addresses) {
  const cache = await caches.open(PAGES);
  for (const address of addresses) {
    const url = new URL(address, self.location.origin);
    if (url.origin !== self.location.origin || !isNeeded(url)) continue;
    if (!(await cache.match(url.pathname + url.search))) await judged(cache, url, await fetch(url.pathname + url.search), false);
  }
}

const late = () => new Promise((_done, failed) => { setTimeout(failed, PATIENCE, new Error("late")); });

// Returns the answer; null where it is a fault, or is not the app's, and a stored page can be shown in its place.
async function judged(cache, url, answer, stored) {
  const address = url.pathname + url.search;
  const isOurs = answer.type === "opaqueredirect" ? !stored || await leadsToUs(address) : answer.headers.has(MARK);
  const isLasting = !answer.redirected && answer.headers.get(MARK) !== ONCE;
  if (isOurs && answer.ok && isHtml(answer) && isLasting && isNeeded(url)) {
    const headers = new Headers(answer.headers);
    headers.set(AS_OF, new Date().toISOString());
    // The body is unpacked here.
    for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
    await cache.put(address, new Response(answer.clone().body, { status: answer.status, headers }));
    const addresses = await cache.keys();
    await Promise.all(addresses.slice(0, Math.max(0, addresses.length - MOST)).map((request) => cache.delete(request)));
  }
  if (isOurs && [403, 404, 410].includes(answer.status)) {
    await cache.delete(address);
    await letGo(cache, answer);
    return answer;
  }
  if (isOurs) await letGo(cache, answer);
  return stored && (!isOurs || answer.status >= 500) ? null : answer;
}

// What an answer names as gone, a dead link or a match, takes all its pages with it (js/match/gone.js).
async function letGo(cache, answer) {
  const starts = (answer.headers.get("Gone") || "").split(" ").filter(Boolean);
  if (starts.length) await forget(cache, ({ pathname }) => starts.some((start) => `${pathname}/`.startsWith(`${start}/`)));
}

// The browser follows a redirect of a page by itself and hides where it leads, so that is looked up first.
async function leadsToUs(address) {
  const answer = await fetch(address, { redirect: "follow" }).catch(() => null);
  return Boolean(answer) && answer.headers.has(MARK);
}
