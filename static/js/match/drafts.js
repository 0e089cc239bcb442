// What is kept on this phone of a closing that was begun: the form (match/draft.js) or a refused entry writes it, and the sheet
// of a deal that was saved drops it.
(() => {
  "use strict";
  const local = scorekeeper.local;
  const PREFIX = "draft:";
  /** @type {Shared["drafts"]["saveDraft"]} */
  const saveDraft = (address, draft) => local.write(PREFIX + address, { ...draft, at: Date.now() });
  /** @param {string} address */
  const removeDraft = (address) => local.remove(PREFIX + address);

  document.addEventListener("DOMContentLoaded", () => {
    // The table was just opened: js/page/typed.js has kept its names until now.
    if (document.querySelector("[data-new]")) removeDraft("/tables/new");
    if (!new URLSearchParams(location.search).has("saved")) return;
    const deal = location.pathname.replace(/\/versions$/, "");
    const closed = `${deal}/close`;
    removeDraft(closed);
    // The service worker has the pages of the form as it was before, and would show them on a slow signal.
    if (!("caches" in window)) return;
    caches.open("pages").then((pages) => { for (const page of [closed, `${deal}/prime`]) pages.delete(page); });
  });

  scorekeeper.drafts = { saveDraft };
})();
