// Forgetting everything on this phone takes with it what was kept for no signal: pages, drafts, entries never sent.
(() => {
  "use strict";
  document.addEventListener("submit", (event) => {
    if (!event.submitter || event.submitter.value !== "all") return;
    indexedDB.deleteDatabase("scorekeeper");
    for (const name of Object.keys(localStorage)) if (name.startsWith("draft:")) localStorage.removeItem(name);
    if ("caches" in window) caches.delete("pages");
  });
})();
