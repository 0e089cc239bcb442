// Where taps count at once they move the big number too, before an answer has come: by what the pill beside it has of them.
(() => {
  "use strict";
  /** @type {Shared["at_once"]["countTotals"]} */
  function countTotals(page = document) {
    for (const total of page.querySelectorAll(".score-number[data-total]")) {
      const pill = page.querySelector(`.pill[data-side="${total.dataset.side}"]`);
      if (!pill) continue;
      const tapped = Number(pill.querySelector("b").textContent.replace("−", "-"));
      const text = String(Number(total.dataset.total) + tapped).replace("-", "−");
      if (total.textContent !== text) total.textContent = text;
      total.classList.toggle("provisional", tapped !== 0 || "carried" in total.dataset);
    }
  }
  // Behind waiting/counted.js, which listens to the same.
  for (const change of ["waiting:changed", "posts:changed", "htmx:afterSettle"]) document.addEventListener(change, () => countTotals());
  countTotals();

  scorekeeper.at_once = { countTotals };
})();
