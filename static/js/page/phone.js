// What the phone itself does during a match: it buzzes at a tap, and its screen stays on.
(() => {
  "use strict";
  function buzz(milliseconds) {
    if (navigator.vibrate) navigator.vibrate(milliseconds);
  }
  document.addEventListener("change", (event) => {
    if (event.target.closest(".acts")) buzz(12);
  });
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.target.matches("form") && event.target.querySelector(".sweep")) buzz(30);
  });

  async function stayAwake() {
    if ("wakeLock" in navigator && document.visibilityState === "visible") {
      try { await navigator.wakeLock.request("screen"); } catch { /* The phone may refuse, for example to save its battery. */ }
    }
  }
  if (document.getElementById("board")) {
    document.addEventListener("visibilitychange", stayAwake);
    stayAwake();
  }
})();
