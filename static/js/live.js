// What the others at the table write shows itself. Without this file a page shows it when it is loaded again.
//
// A region says where news comes from (data-live) and which version it shows (data-version). News is fetched from the
// page's own address, or from data-from; data-select picks the part of it that the region holds.
(() => {
  "use strict";
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

  // No room for one more stream: ask now and then, and after a while try for a stream again.
  function poll() {
    stop();
    const until = Date.now() + TRY_STREAM_AGAIN;
    wanted = "";
    timer = setInterval(() => { if (Date.now() > until) connect(); else ask(); }, PAUSE);
    ask();
  }

  // Nothing is swapped while a thumb is down, or while the page itself waits for an answer.
  function ask() {
    const live = region();
    due = Boolean(live) && (asking || pressed || others.size > 0);
    if (!live || due) return;
    asking = true;
    htmx.ajax("GET", address(live.dataset.from || location.href, live.dataset.version), {
      source: live, target: live, swap: "innerHTML", select: live.dataset.select,
    }).catch(() => {}).finally(() => { asking = false; askIfDue(); });
  }

  // The answer that is on its way comes to nothing; it is asked for again.
  function giveWay() {
    if (!asking) return;
    due = true;
    htmx.trigger(region(), "htmx:abort");
  }

  // What the page has written itself it shows already.
  function askIfDue() {
    if (due && region() && region().dataset.version !== wanted) ask();
  }

  document.addEventListener("htmx:beforeSend", (event) => {
    const { xhr } = event.detail;
    const live = region();
    if (!live) return;
    if (event.target !== live) {
      // What the thumb asked for comes first, and shows the news as well.
      others.add(xhr);
      giveWay();
    }
    xhr.addEventListener("loadend", () => {
      others.delete(xhr);
      // Somebody else answered, as the login page of a Wi-Fi does: what is shown stays, and is asked for again.
      if (event.target === live && xhr.status && !window.isOurs(xhr)) setTimeout(() => { due = true; askIfDue(); }, PAUSE);
      const version = xhr.getResponseHeader("Table-Version");
      if (version && region()) region().dataset.version = version;
      askIfDue();
    });
  });

  for (const silent of ["htmx:sendError", "htmx:timeout"]) {
    // The page asked, not the thumb: it asks again by itself.
    document.addEventListener(silent, (event) => { if (event.target === region()) event.stopImmediatePropagation(); }, true);
  }

  document.addEventListener("pointerdown", () => {
    pressed = true;
    giveWay();
  }, true);
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, () => setTimeout(() => { pressed = false; askIfDue(); }, 300), true);
  }

  // What a control does, whatever drawing it stands in.
  const CONTROLS = "a[href], button, summary";
  function meaning(control) {
    return control && [control.tagName, control.href || (control.form && control.form.action), control.value].join(" ");
  }

  function holds(box, point) {
    return point.clientX >= box.left && point.clientX <= box.right && point.clientY >= box.top && point.clientY <= box.bottom;
  }

  // Keep what the reader has before them: the toast with its undo, what is unfolded, the focus, the place of each control.
  function keep(live) {
    const unfolded = [...live.querySelectorAll("details")].map((one) => one.open);
    const focused = live.contains(document.activeElement) ? meaning(document.activeElement) : null;
    const places = [...live.querySelectorAll(CONTROLS)].map((one) => [one.getBoundingClientRect(), meaning(one)]);
    const told = news(live);
    const toast = live.querySelector(".toast");
    if (toast) toast.remove();
    return () => {
      if (toast) (live.querySelector(".now-slot") || live).append(toast);
      live.querySelectorAll("details").forEach((one, index) => { if (unfolded[index]) one.open = true; });
      const again = focused && [...live.querySelectorAll(CONTROLS)].find((one) => meaning(one) === focused);
      if (again) again.focus({ preventScroll: true });
      guard(live, places);
      const said = document.getElementById("said");
      if (said && news(live) !== told) said.textContent = news(live);
    };
  }

  function news(live) {
    const newest = live.querySelector(".log-text") || live.querySelector(".last-deal, .winner");
    return newest ? newest.textContent.replace(/\s+/g, " ").trim() : "";
  }

  // A thumb already on its way must not hit what has just slid under it.
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
    if (mine && event.detail.xhr.status === 200 && event.detail.shouldSwap) restore = keep(live);
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
  // First the page itself, on a bad signal; then its news.
  addEventListener("load", () => setTimeout(connect, 700));
})();
