// What this phone has stored of a table goes when its link is dead, and of a match when that is deleted: pages, drafts, what it
// knows of the deals to come. What waits to be sent stays. The server names what is gone by the beginnings of its addresses, and
// says how many matches a table has deleted (scorekeeper/web/base/gone.py).
(() => {
  "use strict";
  const { local } = scorekeeper;
  const { isChanged } = scorekeeper.fields;
  const root = document.documentElement;
  // A deleted match can be brought back for a day; then what was typed of it goes too.
  const DAY = 25 * 3600 * 1000;
  const HEARD = "gone:";
  const OF_MATCH = /^(\/[tw]\/[^/]+)\/matches\/(\d+)(?:\/|$)/;
  /** @param {string} path */
  const tableOf = (path) => (/^\/[tw]\/[^/]+/.exec(path) || [""])[0];
  /** @param {string} path @param {string} start */
  const isBelow = (path, start) => `${path}/`.startsWith(`${start}/`);

  /** @param {Request} page */
  const pathOf = ({ url }) => new URL(url).pathname;
  // The paths of the pages that this phone has.
  async function paths() {
    return "caches" in window ? (await (await caches.open("pages")).keys()).map(pathOf) : [];
  }
  /** @param {(path: string) => boolean} is */
  async function dropPages(is) {
    if (!("caches" in window)) return;
    const cache = await caches.open("pages");
    await Promise.all((await cache.keys()).filter((page) => is(pathOf(page))).map((page) => cache.delete(page)));
  }
  // The list of tables names each, and is stored anew.
  /** @param {string} path */
  const isList = (path) => path === "/" && location.pathname !== "/";
  /** @param {string[]} addresses */
  function storeAgain(addresses) {
    const worker = navigator.serviceWorker && navigator.serviceWorker.controller;
    if (worker) worker.postMessage({ keep: addresses });
  }
  /** @param {string} start */
  function dropTyped(start) {
    for (const name of local.names()) if (name.startsWith("draft:") && isBelow(name.slice(6), start)) local.remove(name);
    try {
      for (const name of Object.keys(sessionStorage)) if (isBelow(name.replace(/^\w+:/, ""), start)) sessionStorage.removeItem(name);
    } catch { /* Nothing is stored there. */ }
  }
  // What the phone knows of a table by itself, of one match or of all.
  /** @param {string} start */
  function dropKnown(start) {
    const key = tableOf(start).slice(3);
    const number = Number((OF_MATCH.exec(start) || [])[2]) || null;
    /** @param {any} one */
    const isOf = (one) => Boolean(one) && (!number || one.match === number || isBelow(one.address || "", start));
    for (const name of [`stand:${key}`, `ahead:${key}`, `page:${key}`]) if (isOf(local.read(name))) local.remove(name);
    // What was posted of a match and has had no answer is named again when the match comes back.
    for (const name of number ? ["done"] : ["done", "tried", "news"]) {
      /** @type {any[]} */
      const all = local.read(name) || [];
      const others = all.filter((one) => one.table !== key || !isOf(one));
      if (others.length < all.length) local.write(name, others);
    }
  }
  // All of a dead link, or of a match that is gone for good.
  /** @param {string} start */
  async function clear(start) {
    dropTyped(start);
    if (start.startsWith("/t/")) dropKnown(start);
    if (!OF_MATCH.test(start)) local.remove(HEARD + start);
    await dropPages((path) => isBelow(path, start) || isList(path));
    storeAgain(["/"]);
  }

  // Whoever is on the way to another page, by the new link perhaps, is not held back.
  let isLeft = false;
  addEventListener("beforeunload", () => { isLeft = true; });
  addEventListener("pageshow", () => { isLeft = false; });
  // A page that shows what is gone is loaded anew, and then says so; a form that somebody fills in stays with its words.
  function leave() {
    const live = document.querySelector("[data-live]");
    const isTyped = [...document.querySelectorAll("main form :is(input, select, textarea)")].some(isChanged);
    if (live && !isLeft && !isTyped && !document.querySelector("form[data-touched]:not([data-touched=''])")) location.reload();
  }
  // Takes in what an answer says of what is gone.
  /** @type {Shared["gone"]["letGo"]} */
  async function letGo(answer, stays = false) {
    /** @param {string} name */
    const header = (name) => (answer.headers ? answer.headers.get(name) : answer.getResponseHeader(name)) || "";
    const starts = header("Gone").split(" ").filter(Boolean);
    const isHere = starts.some((start) => isBelow(location.pathname, start));
    if (isHere && starts.some((start) => !OF_MATCH.test(start))) root.dataset.dead = "";
    await clearAll(starts, Number(header("Deletions")));
    if (isHere && !stays) leave();
  }

  // What cannot be cleared now, as the page is just leaving, is with the next page that says so.
  /** @param {string[]} starts @param {number} deletions */
  async function clearAll(starts, deletions) {
    try {
      for (const start of starts) {
        const [, table, number] = OF_MATCH.exec(start) || [];
        // Whether the match can come back is not said here.
        if (number) await dropMatches(table, [Number(number)]);
        else await clear(start);
      }
      await ask(deletions);
    } catch { /* The phone's store does not open. */ }
  }

  let isAsking = false;
  // Asks which of the matches that this phone has something of are deleted, once for each deletion.
  /** @param {number} deletions */
  async function ask(deletions) {
    const table = tableOf(location.pathname);
    const heard = local.read(HEARD + table) || {};
    const isNew = heard.deletions !== deletions || (heard.again && Date.now() > heard.again);
    if (!table || !deletions || isAsking || !isNew) return;
    isAsking = true;
    try {
      const drafts = local.names().filter((name) => name.startsWith("draft:")).map((name) => name.slice(6));
      const all = [...await paths(), ...drafts].map((path) => OF_MATCH.exec(path)).filter((found) => found && found[1] === table);
      const stored = [local.read(`stand:${table.slice(3)}`), local.read(`ahead:${table.slice(3)}`)].filter(Boolean).map(({ match }) => match);
      const numbers = new Set([...all.map((found) => Number(found[2])), ...stored]);
      /** @type {{ hidden: number[], gone: number[] }} */
      const known = { hidden: [], gone: [] };
      if (numbers.size) {
        const answer = await fetch(`${table}/deleted?${[...numbers].map((number) => `match=${number}`).join("&")}`);
        if (!answer.ok || !scorekeeper.answers.isOurs(answer)) return;
        Object.assign(known, await answer.json());
      }
      for (const number of known.gone) await clear(`${table}/matches/${number}`);
      if (known.hidden.length + known.gone.length) await dropMatches(table, [...known.hidden, ...known.gone]);
      local.write(HEARD + table, { deletions, again: known.hidden.length ? Date.now() + DAY : null });
    } catch { /* It is asked again with the next page. */ } finally { isAsking = false; }
  }
  // Their pages, and those of the table that may show them; what is shown now is newer. The board is stored again.
  /** @param {string} table @param {number[]} numbers */
  async function dropMatches(table, numbers) {
    for (const number of numbers) dropKnown(`${table}/matches/${number}`);
    const starts = numbers.map((number) => `${table}/matches/${number}`);
    const had = (await paths()).includes(table);
    await dropPages((path) => starts.some((start) => isBelow(path, start))
      || (isBelow(path, table) && !OF_MATCH.test(path) && path !== location.pathname) || isList(path));
    storeAgain(had && location.pathname !== table ? ["/", table] : ["/"]);
  }

  document.addEventListener("htmx:beforeSwap", ({ detail: { xhr } }) => { letGo(xhr); });
  // What a page was drawn with; a page from this phone says nothing new.
  const { gone, deletions, asOf } = root.dataset;
  if (asOf === undefined) clearAll((gone || "").split(" ").filter(Boolean), Number(deletions));

  scorekeeper.gone = { letGo };
})();
