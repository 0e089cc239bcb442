// The cards of a question about several are one answer, which the question's own button sends: a single tick is none yet.
(() => {
  "use strict";
  for (const name of ["input", "change"]) {
    document.addEventListener(name, (event) => { if (event.target.closest(".group")) event.stopPropagation(); }, true);
  }
  // The same question drawn again, because something else was entered meanwhile, keeps its ticks.
  const ticks = () => [...document.querySelectorAll(".group [name='ticked']")];
  /** @type {string[]} */
  let ticked = [];
  document.addEventListener("htmx:beforeSwap", () => { ticked = ticks().filter((box) => box.checked).map((box) => box.value); });
  document.addEventListener("htmx:afterSettle", () => { for (const box of ticks()) box.checked ||= ticked.includes(box.value); });
})();
