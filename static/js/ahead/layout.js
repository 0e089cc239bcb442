// The page of the opening, kept of one deal and shown for another: who deals again where it voids the deal.
(() => {
  "use strict";
  const form = document.getElementById("layout");
  if (!form || !scorekeeper.queue || document.documentElement.dataset.asOf === undefined) return;
  const { standOf, aheadOf, dealAt } = scorekeeper.stand;
  const { table, match, deal } = scorekeeper.entries.placeOf(form.getAttribute("action"));
  scorekeeper.queue.firstRead.then(() => {
    const ahead = aheadOf(table, match);
    const stand = standOf(table, match);
    const found = stand && dealAt(table, stand, ahead, deal);
    if (!found) return;
    form.elements.again.value = found.again;
    form.querySelectorAll(".voids").forEach((button, place) => { button.textContent = ahead.seats[found.seat].voids[place] || button.textContent; });
  });
})();
