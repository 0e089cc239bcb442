// Cards tapped into piles: each card lies in one pile, and the sums of the piles are shown at once, also without signal.
(() => {
  "use strict";
  const filled = (words, numbers) => words.replace(/\{(\w+)\}/g, (_all, name) => numbers[name]);

  // A card lies in one pile only, and a hand holds no more cards than it has.
  function place(box) {
    const grid = box.closest(".card-grid");
    const most = Number(grid.dataset.most || 0);
    const chosen = grid.querySelectorAll("input:checked");
    if (!box.checked) return;
    if (most === 1) {
      for (const other of chosen) other.checked = other === box;
    } else if (most && chosen.length > most) {
      box.checked = false;
    } else if (box.closest(".pile")) {
      for (const other of box.form.querySelectorAll(`.pile input[value="${box.value}"]`)) other.checked = other === box;
    }
  }

  // In each grid, a card that lies in another pile carries its owner's initial.
  function markOwners(form) {
    const holder = new Map();
    for (const box of form.querySelectorAll(".pile input:checked")) holder.set(box.value, box.closest(".pile"));
    for (const box of form.querySelectorAll(".pile input")) {
      const tile = box.closest(".tile");
      const owner = holder.get(box.value);
      const away = Boolean(owner) && owner !== box.closest(".pile");
      tile.classList.toggle("elsewhere", away);
      if (away && owner.dataset.initial) tile.dataset.owner = owner.dataset.initial; else delete tile.dataset.owner;
      box.setAttribute("aria-label", away && owner.dataset.name ? `${tile.title}, ${owner.dataset.name}` : tile.title);
    }
  }

  // Says whether a finished pile can come to this sum: whole fifteens, or an even number. The same cases are in
  // scorekeeper/web/deal_entry/pile_sums.py.
  function checked(arithmetic, sum, pile, leftShown) {
    const by = Number(arithmetic.modulus);
    const last = arithmetic.total % by;
    const rest = sum % by;
    const low = sum - rest;
    if (pile === "left") {
      return rest === last ? arithmetic.fits : filled(arithmetic.left, { sum, low: last, high: last + by });
    }
    if (rest === 0) return arithmetic.fits;
    if (by === 2) return filled(arithmetic.off, { sum });
    if (!last || leftShown) return filled(arithmetic.off, { sum, low, high: low + by });
    if (rest === last) return arithmetic.fitsLast;
    const lastLow = rest > last ? low + last : low + last - by;
    return filled(arithmetic.offLast, { sum, low, high: low + by, last_low: lastLow, last_high: lastLow + by });
  }

  function count(form) {
    const page = form.querySelector("[data-values]");
    if (!page) return;
    const values = JSON.parse(page.dataset.values);
    const worth = (card) => {
      const given = form.elements[`as-${card}`];
      return values[(given && given.value) || card.slice(0, -1)];
    };
    const sum = (boxes) => boxes.reduce((total, box) => total + worth(box.value), 0);
    const piles = [...form.querySelectorAll(".pile")].map((pile) => [pile, [...pile.querySelectorAll("input:checked")]]);
    const arithmetic = { ...page.dataset, total: sum([...piles[0][0].querySelectorAll("input")]) };
    const leftShown = piles.some(([pile, boxes]) => pile.dataset.pile === "left" && boxes.length);
    for (const [pile, boxes] of piles) {
      const numbers = {
        cards: boxes.length, coins: boxes.filter((box) => box.value.endsWith("O")).length, sum: sum(boxes), check: "",
      };
      if (numbers.sum >= (Number(page.dataset.modulus) || Infinity)) {
        numbers.check = checked(arithmetic, numbers.sum, pile.dataset.pile, leftShown);
      }
      for (const [name, number] of Object.entries(numbers)) pile.querySelector(`[data-sum=${name}]`).textContent = number;
    }
  }

  // Among the cards not shown yet, the few that decide most stand out, and those that decide nothing any more fade.
  function markMatters() {
    const cards = document.getElementById("matters");
    if (!cards || !cards.dataset.open) return;
    const matter = new Set(cards.dataset.cards.split(" "));
    const few = new Set(cards.dataset.few.split(" "));
    for (const box of document.querySelectorAll(".pile input")) {
      const { classList } = box.closest(".tile");
      const decides = matter.has(box.value) || box.checked || classList.contains("elsewhere");
      classList.toggle("faded", cards.dataset.open === "yes" && !decides);
      classList.toggle("matters", few.has(box.value) && !box.checked);
    }
  }

  function draw() {
    for (const form of document.querySelectorAll("form:has(.pile)")) {
      markOwners(form);
      count(form);
    }
    markMatters();
  }

  // A complete closing saves itself (`was_open` is "yes"), but not while cards are tapped into a pile: more may follow.
  let held = false;
  function hold(form, inPile) {
    const wasOpen = form && form.elements.was_open;
    if (!wasOpen || held === inPile || (inPile && wasOpen.value !== "yes")) return;
    held = inPile;
    wasOpen.value = held ? "no" : "yes";
  }
  document.addEventListener("click", (event) => {
    const button = event.target.closest("form:has(.pile) button");
    if (button) hold(button.form, false);
  }, true);

  document.addEventListener("change", (event) => {
    hold(event.target.form, Boolean(event.target.closest(".pile")));
    if (event.target.matches(".card-grid input")) place(event.target);
    if (event.target.closest("form:has(.pile)")) draw();
  }, true);
  document.addEventListener("htmx:afterSettle", draw);
  document.addEventListener("htmx:oobAfterSwap", (event) => { if (event.target.id === "matters") markMatters(); });
  draw();
})();
