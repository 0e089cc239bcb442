// The prime's slots: a card picked by a tap opens the next empty slot, and is marked where another side could pick it too.
(() => {
  "use strict";
  const SLOT = "[name='slot']";
  const picksOf = (slot) => document.querySelector(`.picks[data-slot="${slot.value}"]`);
  const chosenIn = (picks) => (picks.querySelector("input:checked") || { value: "" }).value;
  const isFilled = (slot) => Boolean(chosenIn(picksOf(slot))) || "filled" in slot.parentElement.querySelector(".slot-face").dataset;

  // By the arrow keys somebody goes through the cards of a slot, which must not close it.
  let isTap = false;
  document.addEventListener("pointerdown", () => { isTap = true; });
  document.addEventListener("keydown", () => { isTap = false; });
  document.addEventListener("change", ({ target: field }) => {
    const picks = field.closest(".picks");
    if (!picks) return;
    markTaken();
    if (!isTap || !field.value) return;
    const slots = [...document.querySelectorAll(SLOT)];
    const here = slots.findIndex((slot) => slot.value === picks.dataset.slot);
    const next = [...slots.slice(here + 1), ...slots.slice(0, here)].find((slot) => !isFilled(slot));
    if (!next) return;
    next.checked = true;
    next.focus({ preventScroll: true });
  });

  // A card is the best of one side only.
  function markTaken() {
    for (const { dataset: { slot }, elements } of document.querySelectorAll(".picks")) {
      const others = [...document.querySelectorAll(`.picks[data-slot$="${slot.slice(-2)}"]`)];
      const theirs = new Set(others.filter((picks) => picks.dataset.slot !== slot).map(chosenIn));
      for (const field of elements) {
        const tile = field.closest(".tile");
        if (tile) tile.classList.toggle("taken", theirs.has(field.value));
      }
    }
  }
  document.addEventListener("htmx:afterSettle", () => { if (document.querySelector(SLOT)) markTaken(); });
})();
