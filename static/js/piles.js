// Cards tapped into piles: each card lies in one pile, and the sums of the piles are shown at once, also without signal.
(() => {
  "use strict";
  /** @param {string} words @param {Record<string, string | number>} numbers */
  const filled = (words, numbers) => words.replace(/\{(\w+)\}/g, (_all, name) => numbers[name]);

  /** @param {Found} form @param {string} card */
  const boxesOf = (form, card) => [...form.querySelectorAll(".pile .tile input")].filter((box) => box.value === card);
  /** @param {Found} box */
  const pileOf = (box) => box.closest(".pile");
  /** @param {Found} box */
  const change = (box) => box.dispatchEvent(new Event("change", { bubbles: true }));

  // A card lies in one pile only, and a hand holds no more cards than it has.
  /** @param {Found} box */
  function place(box) {
    const grid = box.closest(".card-grid");
    const most = Number(grid.dataset.most || 0);
    const chosen = grid.querySelectorAll("input:checked");
    if (!box.checked) return;
    if (most === 1) {
      for (const other of chosen) other.checked = other === box;
    } else if (most && chosen.length > most) {
      box.checked = false;
      const full = box.form.querySelector("[data-full]");
      if (full) full.textContent = full.dataset.full;
      return;
    }
    if (pileOf(box)) {
      for (const other of boxesOf(box.form, box.value)) {
        if (other === box || !other.checked) continue;
        other.checked = false;
        sayMoved(box, other);
      }
    }
  }
  // Another side's card moves over, and one tap takes it back.
  /** @param {Found} box @param {any} from */
  function sayMoved(box, from) {
    const template = document.getElementById("moved");
    if (!template) return;
    for (const before of document.querySelectorAll(".moved")) before.remove();
    const notice = template.content.firstElementChild.cloneNode(true);
    notice.classList.add("moved");
    const words = { card: box.closest(".tile").title, name: pileOf(from).dataset.name };
    notice.querySelector("span").textContent = filled(template.closest("[data-moved]").dataset.moved, words);
    notice.querySelector("button").onclick = () => { notice.remove(); from.checked = true; box.checked = false; change(from); };
    template.after(notice);
    setTimeout(() => notice.remove(), 8000);
  }

  // The pile that the rest of the pack belongs to, if it was said whose it is.
  /** @param {Found} form */
  const restOf = (form) => form.querySelector(`.of-cards[data-pile="${(form.querySelector("[data-rest] :checked") || {}).value}"]`);

  // In each grid, a card that lies in another pile is filled in its side's colour.
  /** @param {Found} form */
  function markOwners(form) {
    const holder = new Map();
    for (const box of form.querySelectorAll(".pile .tile input:checked")) holder.set(box.value, pileOf(box));
    const rest = restOf(form);
    for (const box of form.querySelectorAll(".pile .tile input")) {
      const tile = box.closest(".tile");
      const owner = holder.get(box.value) || rest;
      const away = owner && !box.checked;
      tile.className = tile.className.replace(/ (?:owned|side-\d+|lying|played)\b/g, "");
      if (away) tile.classList.add("owned");
      if (away && owner.dataset.look) tile.classList.add(owner.dataset.look);
      box.spoken ||= box.getAttribute("aria-label");
      box.setAttribute("aria-label", owner ? `${box.spoken}, ${owner.dataset.name}` : box.spoken);
    }
  }

  // Says whether a finished pile can come to this sum: whole fifteens, or an even number. The same cases are in
  // scorekeeper/web/deal_entry/pile_sums.py.
  /** @param {any} arithmetic @param {number} sum @param {string} pile @param {boolean} leftShown @returns {[string, boolean]} */
  function checked(arithmetic, sum, pile, leftShown) {
    const by = Number(arithmetic.modulus);
    const over = arithmetic.total % by;
    const rest = sum % by;
    const low = sum - rest;
    if (pile === "left") {
      const words = rest === over ? arithmetic.leftFits : arithmetic.left;
      return [filled(words, { sum, low: over, high: over + by }), rest === over];
    }
    if (rest === 0) {
      const number = sum / by;
      const words = by > 2 && number === 1 ? arithmetic.fitsOne : arithmetic.fits;
      return [filled(words, { sum, count: JSON.parse(arithmetic.numbers)[number - 1] || number }), true];
    }
    const numbers = { sum, low, last: low + over, high: low + by };
    if (!over || leftShown) return [filled(arithmetic.off, numbers), false];
    return rest === over ? [filled(arithmetic.fitsLast, numbers), true] : [filled(arithmetic.offLast, numbers), false];
  }

  /** @param {Found} form */
  function count(form) {
    const page = form.querySelector("[data-values]");
    if (!page) return;
    const values = JSON.parse(page.dataset.values);
    /** @param {string} card */
    const worth = (card) => {
      const given = form.elements[`as-${card}`];
      return values[(given && given.value) || card.slice(0, -1)];
    };
    /** @param {Found[]} boxes */
    const sum = (boxes) => boxes.reduce((total, box) => total + worth(box.value), 0);
    const rest = restOf(form);
    const given = new Set([...form.querySelectorAll(".of-cards .tile input:checked")].map((box) => box.value));
    /** @type {[Found, Found[]][]} */
    const piles = [...form.querySelectorAll(".of-cards")].map((pile) => [pile, [...pile.querySelectorAll(".tile input")].filter((box) => box.checked || (pile === rest && !given.has(box.value)))]);
    const arithmetic = { ...page.dataset, total: sum([...piles[0][0].querySelectorAll(".tile input")]) };
    const leftShown = piles.some(([pile, boxes]) => pile.dataset.pile === "left" && boxes.length);
    for (const [pile, boxes] of piles) {
      /** @type {Record<string, number>} */
      const numbers = { cards: boxes.length, coins: boxes.filter((box) => box.value.endsWith("O")).length, sum: sum(boxes) };
      const told = form.querySelector(`.foot [data-pile="${pile.dataset.pile}"]`) || pile;
      for (const [name, num] of Object.entries(numbers)) {
        const place = told.querySelector(`[data-sum=${name}]`);
        if (place) place.textContent = filled(num === 1 ? place.dataset.one : place.dataset.several, { num });
      }
      const check = told.querySelector(".check");
      if (check) {
        const begun = numbers.sum >= (Number(page.dataset.modulus) || Infinity);
        const [words, fits] = begun ? checked(arithmetic, numbers.sum, pile.dataset.pile, leftShown) : ["", false];
        check.textContent = words;
        check.classList.toggle("bad", !fits);
      }
      const shown = form.querySelector(`[data-cards-of="${pile.dataset.pile}"]`);
      if (shown) shown.textContent = boxes.length;
    }
  }

  // What lies in a pile, in short on its tab.
  /** @param {Found} form */
  function list(form) {
    for (const short of form.querySelectorAll("[data-listed]")) {
      const boxes = [...form.querySelectorAll(`.pile[data-pile="${short.dataset.listed}"] .tile input:checked`)];
      short.textContent = boxes.length === 1 ? boxes[0].closest(".tile").title : boxes.map((box) => box.closest(".tile").querySelector(".tile-index").textContent).join(" ");
    }
  }

  // Among the cards not shown yet, the few that decide most stand out.
  function markMatters() {
    const cards = document.getElementById("matters");
    if (!cards || !cards.dataset.open) return;
    const few = new Set(cards.dataset.few.split(" "));
    for (const box of document.querySelectorAll(".pile .tile input")) {
      const tile = box.closest(".tile");
      tile.classList.toggle("matters", few.has(box.value) && !box.checked && !tile.classList.contains("owned"));
    }
  }

  function draw() {
    for (const form of document.querySelectorAll("form:has(.pile)")) {
      markOwners(form);
      count(form);
      list(form);
    }
    markMatters();
  }

  // A complete closing saves itself (`was_open` is "yes"), but not while cards are tapped into a pile: more may follow.
  let held = false;
  /** @param {Found} form @param {any} inPile */
  function hold(form, inPile) {
    const wasOpen = form && form.elements.was_open;
    if (!wasOpen || held === inPile || (inPile && wasOpen.value !== "yes")) return;
    held = inPile;
    wasOpen.value = held ? "no" : "yes";
  }
  // A question with its answer: the choice is made where it belongs.
  document.addEventListener("click", (event) => {
    const answer = event.target.closest("[data-choose]");
    if (!answer) return;
    const field = answer.form.elements[answer.dataset.choose];
    field.value = answer.value;
    change(field);
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("form:has(.pile) button");
    if (button) hold(button.form, false);
  }, true);

  // Whoever has declared is asked for the next batch, unless one was chosen.
  /** @param {Found} side */
  function goOn(side) {
    const batch = side.form.elements.batch;
    if (!batch || !batch.dataset.next || batch.dataset.chosen) return;
    batch.value = JSON.parse(batch.dataset.next)[side.value];
  }
  document.addEventListener("change", (event) => {
    if (event.target.id === "batch") event.target.dataset.chosen = "yes";
    if (event.target.name === "side") goOn(event.target);
    hold(event.target.form, Boolean(event.target.closest(".pile .tile")));
    if (event.target.matches(".card-grid input")) {
      const wasTapped = event.target.checked;
      place(event.target);
      // One card too many is refused here, and says so: nothing has changed that the server could answer.
      if (wasTapped && !event.target.checked) event.stopPropagation();
    }
    if (event.target.closest("form:has(.pile)")) draw();
  }, true);
  // Once for all the parts of an answer.
  let isDue = false;
  document.addEventListener("htmx:afterSettle", () => {
    if (!isDue) queueMicrotask(() => { isDue = false; draw(); });
    isDue = true;
  });
  document.addEventListener("htmx:oobAfterSwap", (event) => { if (event.target.id === "matters") markMatters(); });
  draw();
})();
