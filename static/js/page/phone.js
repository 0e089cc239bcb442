// What the phone itself does: its screen stays on during a match, and it keeps pages for a place without signal: those
// seen, and those that a page leads to before they are asked for.
(() => {
  "use strict";
  async function stayAwake() {
    if ("wakeLock" in navigator && document.visibilityState === "visible") {
      try { await navigator.wakeLock.request("screen"); } catch { /* The phone may refuse, for example to save its battery. */ }
    }
  }
  if (document.getElementById("board")) {
    document.addEventListener("visibilitychange", stayAwake);
    stayAwake();
  }

  // A new worker asks once to take over, and while the one before is at work (keeping pages, say) a browser may leave it
  // waiting for minutes, Chromium for five. So a page asks until it has.
  /** @param {ServiceWorkerRegistration} registration */
  function handOver(registration) {
    if (registration.waiting) registration.waiting.postMessage({ over: true });
    if (registration.waiting || registration.installing) setTimeout(handOver, 1000, registration);
  }

  async function keepPages() {
    const registration = await navigator.serviceWorker.register("/sw.js");
    registration.addEventListener("updatefound", () => handOver(registration));
    handOver(registration);
    const { active } = await navigator.serviceWorker.ready;
    const links = [...document.querySelectorAll("a[data-kept], .tools a")].map((link) => link.getAttribute("href"));
    active.postMessage({ keep: ["/", ...links] });
  }
  // A page of a match runs this once it is loaded (js/later.js), any other before.
  const keep = () => { keepPages().catch(() => {}); };
  if (!navigator.serviceWorker) return;
  if (document.readyState === "complete") keep();
  else addEventListener("load", keep);
})();
