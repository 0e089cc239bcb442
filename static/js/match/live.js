// Shows what others at the table write, as soon as it is written. The live region of a page names the stream of versions
// (data-live) and the version that it shows (data-version). Until it shows the newest that it has heard of, it is fetched
// from the page's own address, or from data-from; data-select picks the part of the answer that the region holds.
(() => {
  "use strict";
  const { isOurs } = scorekeeper.answers;
  const { since } = scorekeeper;
  const { letGo } = scorekeeper.gone;
  const { listen, say } = scorekeeper.spoken;
  const { CONTROLS, STYLE, meaning, prepare } = scorekeeper.around;
  const PAUSE = 2000;
  const PATIENCE = 10000;
  const RECONNECTS = 3000;
  const TRY_STREAM_AGAIN = 60000;
  const OWN_FIRST = 1000;
  const GUARD = 400;
  const NOT_TAKEN = 4000;

  /** @type {EventSource | null} */
  let stream = null;
  let timer = 0;
  let pressed = false;
  // The newest version heard of; whether the region is fetched whatever it shows; whether it is being fetched; and what came
  // while a finger was down.
  let newest = "";
  let isWanted = false;
  let asking = false;
  /** @type {any} */
  let came = null;
  /** @type {(() => void) | null} */
  let restore = null;
  // What waited and is written: the entry whose undo the region is to show.
  let undo = "";
  // Requests of the page itself that have no answer yet, and since when news wait for those.
  const own = new Set();
  let heldSince = 0;

  // Drawn anew, a board says where a table is that has moved (423), once what was tapped waits on this phone.
  document.addEventListener("htmx:beforeSwap", ({ detail: { xhr } }) => {
    if (xhr.status !== 423 || !document.getElementById("board")) return;
    document.addEventListener("waiting:changed", () => location.reload(), { once: true });
  });

  const region = () => document.querySelector("[data-live]");
  const isBehind = () => Boolean(region()) && Boolean(newest) && newest !== region().dataset.version;
  // A version is the number of a match and of its newest entry.
  /** @param {string} one @param {string} other */
  function isOlder(one, other) {
    const [[match, head], [otherMatch, otherHead]] = [one, other].map((version) => String(version).split(".").map(Number));
    return match === otherMatch && head < otherHead;
  }

  /** @param {string} path @param {string} version @param {string} [undo] */
  function address(path, version, undo) {
    const url = new URL(path, location.href);
    // With an undo to show, the region is wanted also where nothing is newer.
    url.searchParams.set("v", undo ? "" : version);
    if (undo) url.searchParams.set("undo", undo);
    return url.pathname + url.search;
  }

  function stop() {
    if (stream) stream.close();
    stream = null;
    clearInterval(timer);
  }

  function connect() {
    stop();
    const live = region();
    if (!live || document.hidden) return;
    const mine = stream = new EventSource(address(live.dataset.live, live.dataset.version));
    /** @param {MessageEvent} event */
    const told = (event) => {
      if (event.data !== "-") hear(event.data);
      // The match that the page shows is deleted, or the table: its own address says which.
      else if (region() && region().dataset.version) want();
      else hear("");
    };
    mine.onmessage = told;
    mine.addEventListener("beat", told);
    let silent = 0;
    mine.onopen = () => { clearTimeout(silent); silent = 0; };
    mine.onerror = () => {
      if (mine !== stream) return;
      if (mine.readyState === EventSource.CLOSED) { poll(); return; }
      // A stream ends now and then, and the browser opens the next one by itself.
      silent ||= setTimeout(() => { if (mine === stream && mine.readyState !== EventSource.OPEN) since.lost(); }, RECONNECTS);
    };
  }

  // The server has no room for one more stream, or refuses it: ask every two seconds, and after a minute try for a stream again.
  function poll() {
    stop();
    const until = Date.now() + TRY_STREAM_AGAIN;
    timer = setInterval(() => { if (Date.now() > until) connect(); else want(); }, PAUSE);
    want();
  }

  /** @param {string} version */
  function hear(version) {
    if (version && !isOlder(version, newest)) newest = version;
    since.heard(isBehind());
    update();
  }
  function want() {
    isWanted = true;
    update();
  }
  // The answer to a tap has the news in it as well, so that comes first, if it comes soon.
  function update() {
    if (asking || came || !(isWanted || isBehind())) return;
    if (own.size) heldSince ||= Date.now();
    const wait = heldSince + OWN_FIRST - Date.now();
    if (wait > 0) { setTimeout(update, wait); return; }
    heldSince = 0;
    ask();
  }

  async function ask() {
    const live = region();
    if (!live) return;
    asking = true;
    isWanted = false;
    const heard = newest;
    const askedAt = Date.now();
    const shownUndo = undo;
    const gaveUp = new AbortController();
    const patience = setTimeout(() => gaveUp.abort(), PATIENCE);
    try {
      const answer = await fetch(address(live.dataset.from || location.href, live.dataset.version, undo), {
        headers: { "HX-Request": "true" }, signal: gaveUp.signal,
      });
      if (!isOurs(answer) || answer.status >= 500) throw Object.assign(new Error(answer.status), { isBusy: isOurs(answer) });
      const text = await answer.text();
      letGo(answer);
      if (undo === shownUndo) undo = "";
      const version = answer.headers.get("Table-Version");
      // What was asked for after it was heard of is as new, or newer.
      if (newest === heard) newest = version || live.dataset.version;
      came = { live, version, text, answer, askedAt };
    } catch (fault) {
      // Lost, refused by a server that is busy, or answered by the login page of a Wi-Fi: it is still to be shown.
      since.lost(Boolean(fault.isBusy));
      setTimeout(want, PAUSE);
    } finally {
      clearTimeout(patience);
      asking = false;
    }
    show();
  }

  // Nothing is swapped while a finger is down.
  function show() {
    if (!came || pressed) return;
    const { live, version, text, answer, askedAt } = came;
    came = null;
    const leadsTo = answer.headers.get("HX-Redirect");
    const place = answer.headers.get("HX-Retarget");
    if (leadsTo) location.replace(leadsTo);
    else if (place) htmx.swap(place, text, { swapStyle: "innerHTML" });
    else if (live === region() && answer.status === 204) live.dataset.version = version || live.dataset.version;
    else if (live === region() && !(version && isOlder(version, live.dataset.version))) {
      if (version) live.dataset.version = version;
      if (scorekeeper.queue) scorekeeper.queue.forgetTaken(askedAt);
      restore = remember(live);
      prepare(live);
      htmx.swap(live, text, { swapStyle: STYLE }, { select: live.dataset.select, contextElement: live });
    }
    since.heard(isBehind());
    update();
  }

  document.addEventListener("htmx:beforeSend", ({ detail: { xhr } }) => {
    own.add(xhr);
    xhr.addEventListener("loadend", () => {
      own.delete(xhr);
      if (!own.size) heldSince = 0;
      update();
    });
  });
  // An answer that comes late takes nothing back that is shown already.
  document.addEventListener("htmx:beforeSwap", ({ target, detail }) => {
    const version = target === region() && detail.xhr.getResponseHeader("Table-Version");
    if (version && isOlder(version, target.dataset.version)) detail.shouldSwap = false;
  });
  document.addEventListener("htmx:afterSwap", ({ target, detail }) => {
    if (restore) restore();
    restore = null;
    // The answer to a tap shows the version that it made.
    const version = detail.xhr && target === region() && detail.xhr.getResponseHeader("Table-Version");
    if (!version) return;
    target.dataset.version = version;
    hear(version);
  });
  // js/waiting/send.js: what waited has been written.
  document.addEventListener("waiting:sent", ({ detail }) => {
    undo = detail;
    want();
  });

  let lifted = 0;
  document.addEventListener("pointerdown", () => { clearTimeout(lifted); pressed = true; }, true);
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, () => { lifted = setTimeout(() => { pressed = false; show(); }, 300); }, true);
  }

  /** @param {DOMRect} box @param {PointerEvent} point */
  function holds(box, point) {
    return point.clientX >= box.left && point.clientX <= box.right && point.clientY >= box.top && point.clientY <= box.bottom;
  }

  // What fetches its inside as it unfolds fetches it anew, also where the fold itself was not drawn anew.
  /** @param {Found} fold */
  function unfold(fold) {
    if (fold.open) setTimeout(() => fold.dispatchEvent(new Event("toggle")));
    else fold.open = true;
  }

  // Remembers what a swap would lose: the notice with its undo, what is unfolded, the focus, the place of each control.
  // Returns the function that restores it.
  /** @param {Found} live */
  function remember(live) {
    const named = [...live.querySelectorAll("details[id][open]")].map((one) => one.id);
    const unfolded = [...live.querySelectorAll("details:not([id])")].map((one) => one.open);
    /** @type {any} */
    const had = live.contains(document.activeElement) && document.activeElement;
    const focused = had ? meaning(had) : null;
    const places = [...live.querySelectorAll(CONTROLS)].map((one) => [one.getBoundingClientRect(), meaning(one)]);
    const speak = listen(live);
    const notice = live.querySelector(".strip .notice[data-seconds]");
    if (notice) notice.remove();
    return () => {
      if (notice && live.querySelector(".strip:not(:has(.notice[data-seconds]))")) live.querySelector(".strip").append(notice);
      live.querySelectorAll("details[id]").forEach((one) => { if (named.includes(one.id)) unfold(one); });
      live.querySelectorAll("details:not([id])").forEach((one, index) => { if (unfolded[index]) one.open = true; });
      const again = focused && [...live.querySelectorAll(CONTROLS)].find((one) => meaning(one) === focused);
      if (again && !live.contains(document.activeElement)) again.focus({ preventScroll: true });
      guard(live, places);
      speak();
    };
  }

  // For a moment after a swap, a tap counts only where its control was before: a finger already on its way must not hit a
  // control that has just moved under it.
  /** @param {Found} live @param {any[][]} places */
  function guard(live, places) {
    const until = performance.now() + GUARD;
    /** @param {any} event */
    function check(event) {
      if (performance.now() > until) return document.removeEventListener("click", check, true);
      const control = event.target.closest(CONTROLS);
      if (!event.detail || !control || !live.contains(control)) return;
      const did = meaning(control);
      if (places.some(([box, what]) => what === did && holds(box, event))) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      /** @type {DOMStringMap} */
      const { moved } = (document.getElementById("since") || { dataset: {} }).dataset;
      if (!moved) return;
      const notice = Object.assign(document.createElement("div"), { className: "notice not-taken", textContent: moved });
      notice.dataset.added = "";
      (live.querySelector(".strip, .said-last") || live).append(notice);
      setTimeout(() => notice.remove(), NOT_TAKEN);
      say(moved);
    }
    document.addEventListener("click", check, true);
  }

  // A page swapped in whole has a region of its own.
  document.addEventListener("htmx:afterSettle", (event) => { if (event.target.id === "content") connect(); });

  document.addEventListener("visibilitychange", connect);
  addEventListener("online", connect);
  addEventListener("pageshow", ({ persisted }) => { if (persisted) connect(); });
  addEventListener("pagehide", stop);
  // On a bad signal the page itself is loaded first.
  setTimeout(connect, 300);
})();
