// A pack of cards is one stop of the Tab key, and the arrows go from card to card, as the cards lie.
(() => {
  "use strict";
  const CARD = ".card-grid .tile input[type=checkbox]";
  /** @param {ParentNode} grid */
  const cardsOf = (grid) => [...grid.querySelectorAll(CARD)];
  /** @param {Found} grid @param {Found} card */
  function stopAt(grid, card) {
    for (const one of cardsOf(grid)) one.tabIndex = one === card ? 0 : -1;
  }
  function settle() {
    for (const grid of document.querySelectorAll(".card-grid")) {
      const cards = cardsOf(grid);
      const here = cards.find((card) => card === document.activeElement);
      stopAt(grid, here || cards.find((card) => card.checked) || cards[0]);
    }
  }

  // The card that is nearest above or below, in the next row first.
  /** @param {Found[]} cards @param {Found} from @param {number} way */
  function acrossFrom(cards, from, way) {
    /** @param {Found} card */
    const box = (card) => card.closest(".tile").getBoundingClientRect();
    const { left, top } = box(from);
    /** @param {Found} card */
    const far = (card) => (box(card).top - top) * way * 1000 + Math.abs(box(card).left - left);
    return cards.filter((card) => (box(card).top - top) * way > 1).sort((one, other) => far(one) - far(other))[0];
  }

  document.addEventListener("keydown", (event) => {
    const from = event.target;
    if (!from.matches(CARD) || event.altKey || event.ctrlKey || event.metaKey) return;
    const grid = from.closest(".card-grid");
    const cards = cardsOf(grid);
    const place = cards.indexOf(from);
    /** @type {Record<string, () => any>} */
    const ways = {
      ArrowLeft: () => cards[place - 1], ArrowRight: () => cards[place + 1],
      ArrowUp: () => acrossFrom(cards, from, -1), ArrowDown: () => acrossFrom(cards, from, 1),
      Home: () => cards[0], End: () => cards[cards.length - 1],
    };
    if (!ways[event.key]) return;
    event.preventDefault();
    const to = ways[event.key]();
    if (to) to.focus();
  });
  document.addEventListener("focusin", ({ target }) => { if (target.matches(CARD)) stopAt(target.closest(".card-grid"), target); });
  document.addEventListener("htmx:afterSettle", settle);
  settle();
})();
