// The copies of pages that this phone keeps for a place without signal (templates/pwa/sw.js). An open page keeps itself as it
// is drawn; where it was shown from its copy because the answer was slow, the answer takes its place when it comes.
(() => {
  "use strict";
  const { isChanged } = scorekeeper.fields;
  const PAUSE = 1000;
  const address = () => location.pathname + location.search;
  const region = () => document.querySelector("[data-live]");
  const canKeep = "caches" in window && navigator.serviceWorker;
  let timer = 0;
  let isKept = true;

  // A page whose region is only a part of it holds a form, and is kept as the server drew it.
  const isWhole = () => region() && region().querySelector("h1, .between, .score");

  // Without what waits, what is open for a moment, and what this page has added to itself.
  function drawnHtml() {
    const page = document.documentElement.cloneNode(true);
    page.classList.remove("scripted", "is-dated");
    delete page.dataset.asOf;
    for (const passing of page.querySelectorAll(".since, .notice[data-seconds], .over-bar, [data-added]")) passing.remove();
    for (const part of page.querySelectorAll("#refused, #lost, #waiting ul, #waiting summary > span, [role=status]:empty")) part.replaceChildren();
    for (const said of page.querySelectorAll("#said")) said.textContent = "";
    for (const dated of page.querySelectorAll(".dated")) dated.classList.remove("dated");
    for (const open of page.querySelectorAll("details[open]")) open.open = false;
    page.querySelector("#waiting")?.setAttribute("hidden", "");
    const pristine = scorekeeper.board.drawnHtml();
    if (pristine) page.querySelector("#board").innerHTML = pristine;
    for (const held of page.querySelectorAll("[data-seen]")) delete held.dataset.seen;
    scorekeeper.counted?.countTaps(page, false);
    scorekeeper.at_once?.countTotals(page);
    return `<!doctype html>\n${page.outerHTML}`;
  }
  /** @param {Response} copy */
  const momentOf = (copy) => Date.parse(copy.headers.get("As-Of"));
  // Only a page that the worker keeps is renewed: others may hold what must not stay on a phone.
  async function keep() {
    clearTimeout(timer);
    timer = 0;
    if (isKept || !isWhole() || "dead" in document.documentElement.dataset || document.querySelector("[data-noted]")) return;
    isKept = true;
    const html = drawnHtml();
    const asOf = new Date(scorekeeper.since.trueAt()).toISOString();
    const pages = await caches.open("pages");
    const [place, stored] = await Promise.all([address(), pages.match(address())]);
    // An answer that came late may be newer than the page, and wait to take its place.
    if (!stored || momentOf(stored) > Date.parse(asOf)) return;
    const headers = { "Content-Type": "text/html; charset=utf-8", "X-Scorekeeper": "kept", "As-Of": asOf };
    await pages.put(place, new Response(html, { headers }));
  }
  function keepSoon() {
    isKept = false;
    timer ||= setTimeout(keep, PAUSE);
  }

  // Nothing changes under a finger, beside a field that is being filled in, or under a panel that is open.
  let pressed = false;
  const isFilledIn = () => [...document.querySelectorAll("main form :is(input, select, textarea)")].some(isChanged);
  const isBusy = () => pressed || isFilledIn() || document.activeElement?.matches("input, select, textarea")
    || document.querySelector("main details[open]:not(.waiting), dialog[open], form[data-touched]:not([data-touched=''])");
  let waits = 0;
  const versionAtFirst = region()?.dataset.version;
  // The live updates were quicker, and have something newer perhaps.
  const isOvertaken = () => region()?.dataset.version !== versionAtFirst;
  async function takePlace() {
    clearTimeout(waits);
    if (isOvertaken()) return;
    if (isBusy()) { waits = setTimeout(takePlace, 500); return; }
    const came = await (await caches.open("pages")).match(address());
    const text = came && await came.text();
    if (!text || !window.htmx || isOvertaken() || !(momentOf(came) > scorekeeper.since.trueAt())) return;
    // A finger may have come while the copy was read.
    if (isBusy()) { takePlace(); return; }
    htmx.swap(document.getElementById("content"), text, { swapStyle: "innerHTML" }, { select: "#content > *" });
    document.documentElement.removeAttribute("data-as-of");
    scorekeeper.since.cameAt(momentOf(came));
    // Drafts, and what waits, belong into the new form too.
    for (const name of ["page:replaced", "waiting:tried"]) document.dispatchEvent(new Event(name));
  }

  if (!canKeep) return;
  let lifted = 0;
  document.addEventListener("pointerdown", () => { clearTimeout(lifted); pressed = true; }, true);
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => { lifted = setTimeout(() => { pressed = false; }, 300); }, true);
  navigator.serviceWorker.addEventListener("message", ({ data }) => { if (data && data.came === address()) takePlace(); });
  navigator.serviceWorker.startMessages();
  // The answer may have come before this script was there.
  const { asOf } = document.documentElement.dataset;
  if (asOf !== undefined && navigator.serviceWorker.controller) navigator.serviceWorker.controller.postMessage({ came: address() });
  document.addEventListener("htmx:afterSettle", keepSoon);
  const keepNow = () => { if (region()) isKept = false; keep().catch(() => {}); };
  document.addEventListener("visibilitychange", () => { if (document.hidden) keepNow(); });
  addEventListener("pagehide", keepNow);
})();
