// Shows what others at the table write, as soon as it is written. The live region of a page names the stream of versions
// (data-live) and the version that it shows (data-version). On a newer one the region is fetched from the page's own
// address, or from data-from; data-select picks the part of the answer that the region holds.
(() => {
  "use strict";
  const { isOurs } = scorekeeper.answers;
  const PAUSE = 2000;
  const TRY_STREAM_AGAIN = 60000;
  const GUARD = 400;

  let stream = null;
  let timer = 0;
  let pressed = false;
  let due = false;
  let wanted = "";
  let asking = false;
  let restore = null;
  // Requests of the page that are not for news.
  const others = new Set();

  const region = () => document.querySelector("[data-live]");

  function address(path, version) {
    const url = new URL(path, location.href);
    url.searchParams.set("v", version);
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
    stream = new EventSource(address(live.dataset.live, live.dataset.version));
    stream.onmessage = (event) => {
      wanted = event.data;
      due = true;
      askIfDue();
    };
    stream.onerror = () => { if (stream && stream.readyState === EventSource.CLOSED) poll(); };
  }

  // The server has no room for one more stream: ask every two seconds, and after a minute try for a stream again.
  function poll() {
    stop();
    const until = Date.now() + TRY_STREAM_AGAIN;
    wanted = "";
    timer = setInterval(() => { if (Date.now() > until) connect(); else ask(); }, PAUSE);
    ask();
  }

  // Nothing is swapped while a finger is down, or while another request of the page has no answer yet.
  function ask() {
    const live = region();
    due = Boolean(live) && (asking || pressed || others.size > 0);
    if (!live || due) return;
    asking = true;
    htmx.ajax("GET", address(live.dataset.from || location.href, live.dataset.version), {
      source: live, target: live, swap: "innerHTML", select: live.dataset.select,
    }).catch(() => {}).finally(() => { asking = false; askIfDue(); });
  }

  // Drops the answer that is on its way, and asks again later.
  function giveWay() {
    if (!asking) return;
    due = true;
    htmx.trigger(region(), "htmx:abort");
  }

  // A page already shows what it has written itself.
  function askIfDue() {
    if (due && region() && region().dataset.version !== wanted) ask();
  }

  document.addEventListener("htmx:beforeSend", (event) => {
    const { xhr } = event.detail;
    const live = region();
    if (!live) return;
    if (event.target !== live) {
      // The answer to a tap comes first, and has the news in it as well.
      others.add(xhr);
      giveWay();
    }
    xhr.addEventListener("loadend", () => {
      others.delete(xhr);
      // Lost, given way to a tap, refused by a server that is busy, or answered by the login page of a Wi-Fi: what was to be
      // shown is still to be shown.
      if (event.target === live && !(xhr.status && xhr.status < 500 && isOurs(xhr))) {
        setTimeout(() => { due = true; askIfDue(); }, PAUSE);
        return;
      }
      const version = xhr.getResponseHeader("Table-Version");
      if (version && region()) region().dataset.version = version;
      askIfDue();
    });
  });

  for (const silent of ["htmx:sendError", "htmx:timeout"]) {
    // Nobody tapped for this request, so nobody is warned, and it is sent again.
    document.addEventListener(silent, (event) => { if (event.target === region()) event.stopImmediatePropagation(); }, true);
  }

  document.addEventListener("pointerdown", () => {
    pressed = true;
    giveWay();
  }, true);
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, () => setTimeout(() => { pressed = false; askIfDue(); }, 300), true);
  }

  // What a control does: the same before and after its region is swapped.
  const CONTROLS = "a[href], button, summary";
  function meaning(control) {
    return control && [control.tagName, control.href || (control.form && control.form.action), control.value].join(" ");
  }

  function holds(box, point) {
    return point.clientX >= box.left && point.clientX <= box.right && point.clientY >= box.top && point.clientY <= box.bottom;
  }

  // Remembers what a swap would lose: the notice with its undo, what is unfolded, the focus, the place of each control.
  // Returns the function that restores it.
  function remember(live) {
    const unfolded = [...live.querySelectorAll("details")].map((one) => one.open);
    const focused = live.contains(document.activeElement) ? meaning(document.activeElement) : null;
    const places = [...live.querySelectorAll(CONTROLS)].map((one) => [one.getBoundingClientRect(), meaning(one)]);
    const newsBefore = news(live);
    const notice = live.querySelector(".strip .notice[data-seconds]");
    if (notice) notice.remove();
    return () => {
      if (notice && live.querySelector(".strip")) live.querySelector(".strip").append(notice);
      live.querySelectorAll("details").forEach((one, index) => { if (unfolded[index]) one.open = true; });
      const again = focused && [...live.querySelectorAll(CONTROLS)].find((one) => meaning(one) === focused);
      if (again) again.focus({ preventScroll: true });
      guard(live, places);
      const said = document.getElementById("said");
      if (said && news(live) !== newsBefore) said.textContent = news(live);
    };
  }

  function news(live) {
    const newest = live.querySelector(".log-text") || live.querySelector(".last-deal, .winner");
    return newest ? newest.textContent.replace(/\s+/g, " ").trim() : "";
  }

  // For a moment after a swap, a tap counts only where its control was before: a finger already on its way must not hit a
  // control that has just moved under it.
  function guard(live, places) {
    const until = performance.now() + GUARD;
    function check(event) {
      if (performance.now() > until) return document.removeEventListener("click", check, true);
      const control = event.target.closest(CONTROLS);
      if (!event.detail || !control || !live.contains(control)) return;
      const did = meaning(control);
      if (places.some(([box, what]) => what === did && holds(box, event))) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    }
    document.addEventListener("click", check, true);
  }

  document.addEventListener("htmx:beforeSwap", (event) => {
    const live = region();
    const mine = event.target === live && event.detail.requestConfig.verb === "get";
    if (mine && event.detail.xhr.status === 200 && event.detail.shouldSwap) restore = remember(live);
  });
  document.addEventListener("htmx:afterSwap", () => {
    if (restore) restore();
    restore = null;
  });
  // A page swapped in whole has a region of its own.
  document.addEventListener("htmx:afterSettle", (event) => { if (event.target.id === "content") connect(); });

  document.addEventListener("visibilitychange", connect);
  addEventListener("online", connect);
  addEventListener("pagehide", stop);
  // On a bad signal the page itself is loaded first.
  setTimeout(connect, 300);
})();
