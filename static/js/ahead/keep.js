// Keeps the closing form of a match ahead, once, and again when rules, seats or the app have changed: by the service worker,
// or where there is none (plain http on a home network) on this phone, for a page that is open when the signal goes. With it
// the pages that a table looks things up in.
(() => {
  "use strict";
  if (!scorekeeper.queue) return;
  const { standOf, aheadOf, keepAhead } = scorekeeper.stand;
  const { local } = scorekeeper;
  const { isOurs } = scorekeeper.answers;
  const { letGo } = scorekeeper.gone;
  const key = (/^\/t\/([^/]+)/.exec(location.pathname) || [])[1];
  const PAUSE = 5000;
  const worker = () => "caches" in window && navigator.serviceWorker && navigator.serviceWorker.controller;
  let isAsking = false;
  let timer = 0;

  // The data in the text of a kept page.
  /** @param {string} text */
  function dataIn(text) {
    const page = new DOMParser().parseFromString(text, "text/html");
    const held = page.getElementById("ahead");
    return held ? JSON.parse(held.dataset.ahead) : null;
  }
  async function keep() {
    clearTimeout(timer);
    const held = document.querySelector("#board [data-holds]");
    if (!held || !held.dataset.kept || !key || isAsking || !("seen" in held.dataset)) return;
    // The deal that the server plays; a board that has moved on shows another.
    const stand = standOf(key);
    if (!stand) return;
    const { match, deal } = stand;
    const known = aheadOf(key, match);
    if (known && known.key === held.dataset.kept && (known.isKept || !worker())) return;
    isAsking = true;
    const address = `/t/${key}/matches/${match}/deals/${deal}/ahead`;
    try {
      const answer = await fetch(address);
      letGo(answer);
      if (answer.headers.has("Gone")) return;
      if (!isOurs(answer) || !answer.ok) throw new Error(answer.status);
      const text = await answer.text();
      const data = dataIn(text);
      if (!data) return;
      const isKept = Boolean(worker());
      if (isKept) await store(address, text, data);
      else local.write(`page:${key}`, { address, text });
      keepAhead(key, { ...data, isKept });
      document.dispatchEvent(new Event("ahead:kept"));
    } catch {
      timer = setTimeout(keep, PAUSE);
    } finally { isAsking = false; }
  }
  // For the worker, which shows it without signal; the pages beside it are kept by the worker itself.
  /** @param {string} address @param {string} text @param {Ahead} data */
  async function store(address, text, data) {
    const pages = await caches.open("pages");
    const former = (await pages.keys()).filter(({ url }) => new URL(url).pathname.replace(/\d+\/ahead$/, "ahead") === address.replace(/\d+\/ahead$/, "ahead"));
    const headers = { "Content-Type": "text/html; charset=utf-8", "X-Scorekeeper": "kept", "As-Of": new Date().toISOString() };
    await pages.put(address, new Response(text, { headers }));
    for (const old of former) if (old.url !== new URL(address, location.href).href) await pages.delete(old);
    worker().postMessage({ keep: data.keep });
  }

  for (const event of ["htmx:afterSettle", "waiting:sent"]) document.addEventListener(event, keep);
  addEventListener("online", keep);
  if (navigator.serviceWorker) navigator.serviceWorker.addEventListener("controllerchange", keep);
  setTimeout(keep, 500);

  // Without a worker the open closing form goes on to the next deal by itself.
  document.addEventListener("waiting:stored", ({ target: form }) => {
    if (!form.matches("#closing") || worker()) return;
    const kept = local.read(`page:${key}`);
    const place = scorekeeper.entries.placeOf(form.getAttribute("action"));
    const data = aheadOf(key, place.match);
    const foot = document.getElementById("close-foot");
    if (!data || !foot) return;
    /** @param {number} number */
    const title = (number) => (data.deals.find((deal) => deal.number === number) || {}).title;
    const next = scorekeeper.stand.standOf(key, place.match);
    const number = next ? next.deal + scorekeeper.stand.closingsOf(key, next).length : place.deal + 1;
    for (const part of form.children) if (part !== foot && !part.contains(foot)) part.inert = true;
    const text = Object.assign(document.createElement("p"), { className: "foot-text" });
    text.append(Object.assign(document.createElement("b"), { textContent: data.words.saved.replace("#", title(place.deal) || place.deal) }));
    foot.replaceChildren(text);
    if (!kept || !title(number) || !kept.address.includes(`/matches/${place.match}/`)) return;
    const on = Object.assign(document.createElement("button"), { type: "button", className: "button gold", textContent: data.words.next.replace("#", title(number)) });
    on.onclick = () => {
      const [, from] = /\/deals\/(\d+)\/ahead$/.exec(kept.address);
      const html = kept.text.replaceAll(`/deals/${from}/`, `/deals/${number}/`);
      htmx.swap(document.getElementById("content"), html, { swapStyle: "innerHTML" }, { select: "#content > *" });
      for (const name of ["page:replaced", "waiting:tried"]) document.dispatchEvent(new Event(name));
      scrollTo(0, 0);
    };
    foot.append(on);
  });
  document.addEventListener("waiting:sent", () => { if (document.querySelector("#closing[data-kept]")) location.replace(`/t/${key}`); });
})();
