// The rare items of a closing, folded into one row: a tap on its cell gives nobody all of them that were not said, and another
// takes that back.
(() => {
  "use strict";
  const rowOf = () => document.getElementById("rare");
  /** @param {Found} row */
  const itemsOf = (row) => [...row.querySelectorAll(".grid-row")];
  const TAKEN = ".cell:has(.theirs, :checked)";

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[name=rare]");
    if (!button) return;
    event.preventDefault();
    const items = itemsOf(rowOf());
    const nobodys = items.map((item) => item.querySelector("[value=nobody]"));
    const isTakenBack = nobodys.every(({ checked }) => checked);
    const tapped = isTakenBack ? nobodys : nobodys.filter((_box, at) => !items[at].querySelector(TAKEN));
    for (const box of tapped) box.checked = !isTakenBack;
    const last = tapped.pop();
    if (last) last.dispatchEvent(new Event("change", { bubbles: true }));
  });

  // The row says what it holds: at once, as the server's answer may be far.
  function draw() {
    const row = rowOf();
    if (!row) return;
    const items = itemsOf(row);
    /** @param {Found} cell */
    const takerIn = (cell) => cell.querySelector("input").getAttribute("aria-label");
    const won = items.map((item) => {
      const takers = [...item.querySelectorAll(`${TAKEN}:not(.cell-nobody)`)].map(takerIn);
      return takers.length ? `${item.querySelector(".row-name").textContent}: ${takers.join(", ")}` : "";
    }).filter(Boolean);
    const isNobodys = !won.length && items.every((item) => item.querySelector(TAKEN));
    const state = document.getElementById("state-rare");
    state.textContent = won.join(", ") || (isNobodys ? state.dataset.nobody : state.dataset.open);
    document.getElementById("mark-rare").classList.toggle("theirs", isNobodys);
    row.querySelector("[name=rare]").setAttribute("aria-pressed", isNobodys);
  }
  for (const name of ["change", "htmx:afterSettle", "DOMContentLoaded"]) document.addEventListener(name, () => setTimeout(draw));
})();
