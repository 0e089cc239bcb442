// A page that was kept leads to the deal that is played by now: its links to a page of that deal are marked so (data-of-deal).
(() => {
  "use strict";
  if (!scorekeeper.queue || document.documentElement.dataset.asOf === undefined) return;
  const { standOf, closingsOf } = scorekeeper.stand;
  scorekeeper.queue.firstRead.then(() => {
    for (const link of document.querySelectorAll("a[data-of-deal]")) {
      const [, key, match] = /^\/t\/([^/]+)\/matches\/(\d+)/.exec(link.getAttribute("href")) || [];
      const stand = standOf(key, Number(match));
      if (stand) link.setAttribute("href", link.getAttribute("href").replace(/(\/deals\/)\d+/, `$1${stand.deal + closingsOf(key, stand).length}`));
    }
  });
})();
