// Primes in slots: a card picked by a tap opens the next empty slot, lies in one slot only, and is shown as its side's in the
// pickers of the others.
(() => {
  "use strict";
  const SLOT = "[name='slot']";
  const NOTICED = 700;
  /** @param {any} what @param {ParentNode} [root] */
  const all = (what, root = document) => [...root.querySelectorAll(what)];
  /** @param {Found} slot */
  const picksOf = (slot) => document.querySelector(`.picks[data-slot="${slot.value}"]`);
  /** @param {Found} picks */
  const chosenIn = (picks) => picks.querySelector(".tile input:checked, .segment input:checked:not([value=''])");
  /** @param {Found} slot */
  const faceOf = (slot) => slot.parentElement.querySelector(".face");
  /** @param {Found} slot */
  const isFilled = (slot) => Boolean(chosenIn(picksOf(slot))) || "filled" in faceOf(slot).dataset;
  /** @param {Element | null} element */
  const sideOf = (element) => element.closest("[data-side]");
  /** @param {Found} pick */
  const codeOf = (pick) => `${Number.parseInt(pick.value, 10)}${pick.closest(".picks").dataset.slot.slice(-1)}`;

  // By the arrow keys somebody goes through the cards of a slot, which must not close it.
  let isTap = false;
  // When a slot was opened by a pick, and not by a tap on it.
  let openedAt = -NOTICED;
  // The page is moved only where the cards to pick are out of sight.
  /** @param {Found} picks */
  function reveal(picks) {
    const { top, bottom } = picks.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) picks.scrollIntoView({ block: "nearest" });
  }
  document.addEventListener("pointerdown", () => { isTap = true; });
  document.addEventListener("keydown", () => { isTap = false; });
  document.addEventListener("change", (event) => {
    const field = event.target;
    if (field.matches(SLOT)) {
      openedAt = -NOTICED;
      reveal(picksOf(field));
      // Where the address is the question, an open slot is no part of it.
      if (!field.form) event.stopPropagation();
    }
    const picks = field.closest(".picks");
    if (!picks) return;
    if (field.checked) leaveOthers(field, picks);
    markTaken();
    if (isTap && field.checked && field.value) openNext(picks.dataset.slot);
  }, true);

  // A card lies in one slot, and a slot holds one card.
  /** @param {Found} field @param {Found} picks */
  function leaveOthers(field, picks) {
    for (const other of all(".tile input:checked")) {
      const isOfSlot = other.closest(".picks") === picks;
      if (other === field || !field.closest(".tile") || (!isOfSlot && codeOf(other) !== codeOf(field))) continue;
      other.checked = false;
      const unknown = other.closest(".picks").querySelector("input[value='']");
      if (unknown && !isOfSlot) unknown.checked = true;
    }
  }

  /** @param {string} name */
  function openNext(name) {
    const slots = all(SLOT);
    const here = slots.findIndex((slot) => slot.value === name);
    const next = [...slots.slice(here + 1), ...slots.slice(0, here)].find((slot) => !isFilled(slot));
    if (next) next.checked = true; else slots[here].checked = false;
    openedAt = performance.now();
    (next || slots[here]).focus({ preventScroll: true });
    if (next) reveal(picksOf(next));
  }

  // Which side has a card: it was picked, it follows from what was picked, or it was told before.
  function markTaken() {
    const owners = new Map();
    for (const slot of all(SLOT)) {
      const pick = picksOf(slot).querySelector(".tile input:checked");
      const card = pick ? codeOf(pick) : faceOf(slot).dataset.card;
      if (card) owners.set(card, sideOf(slot));
    }
    for (const field of all(".picks .tile input")) {
      const tile = field.closest(".tile");
      const told = tile.dataset.owner && document.querySelector(`[data-side="${tile.dataset.owner}"]`);
      const owner = owners.get(codeOf(field)) || told;
      const isOthers = Boolean(owner) && owner !== sideOf(field);
      tile.className = [...tile.classList].filter((name) => name !== "owned" && !name.startsWith("side-")).join(" ");
      field.setAttribute("aria-label", isOthers ? `${tile.title}, ${sideName(owner)}` : tile.title);
      if (isOthers) tile.classList.add("owned", [...owner.classList].find((name) => name.startsWith("side-")));
    }
  }
  /** @param {Found} side */
  function sideName(side) {
    const typed = side.querySelector(".prime-head input");
    return typed ? typed.value || typed.placeholder : side.getAttribute("aria-label");
  }

  // What a pick comes to is written into the words that stand there. A screen reader reads on from them: taken away and drawn
  // anew, they would lead it out of the cards.
  /** @param {any} old @param {any} now */
  function write(old, now) {
    if (old.nodeName !== now.nodeName) { old.replaceWith(now); return; }
    if (old.nodeType !== Node.ELEMENT_NODE) {
      if (old.data !== now.data) old.data = now.data;
      return;
    }
    for (const name of old.getAttributeNames()) if (!now.hasAttribute(name)) old.removeAttribute(name);
    for (const name of now.getAttributeNames()) old.setAttribute(name, now.getAttribute(name));
    const [stand, come] = [[...old.childNodes], [...now.childNodes]];
    if (stand.length !== come.length) old.replaceChildren(...come);
    else stand.forEach((child, place) => write(child, come[place]));
  }
  document.addEventListener("htmx:oobBeforeSwap", ({ target, detail }) => {
    const drawn = detail.fragment.firstElementChild;
    if (!drawn || !target.matches(".prime-side .face, .prime-side .prime-total")) return;
    detail.shouldSwap = false;
    write(target, drawn);
  });

  // What follows from a pick may fill the slot that it opened, and all the others.
  document.addEventListener("htmx:afterSettle", () => {
    const open = document.querySelector(`${SLOT}:checked`);
    const slots = all(SLOT);
    if (!slots.length) return;
    markTaken();
    if (!open || openedAt < 0 || !isFilled(open)) return;
    if (slots.every(isFilled) || performance.now() - openedAt < NOTICED) openNext(open.value);
  });
  markTaken();

  // The way back stands outside the form, where htmx would let the browser send the form as well.
  document.addEventListener("click", (event) => {
    if (window.htmx && event.target.closest("button.back[form]")) event.preventDefault();
  });
  // Opened from a closing the slots take the place of its form, under the same address. For the way back they are a page of
  // their own: it leads to the form, as their own button does.
  const isOpened = () => Boolean(document.querySelector("#closing [name='slots_of'][value='form']"));
  const isOwn = () => Boolean(history.state && history.state.slots);
  let wasOpened = isOpened();
  document.addEventListener("htmx:afterSettle", () => {
    if (isOpened() === wasOpened) return;
    wasOpened = isOpened();
    if (wasOpened) history.pushState({ slots: true }, "");
    else if (isOwn()) history.back();
  });
  addEventListener("popstate", () => {
    if (!isOwn() && isOpened()) document.querySelector(".bar .back").click();
    // Forward, or from a page loaded anew: there are no slots.
    if (isOwn() && !isOpened()) history.back();
  });
  if (isOwn() && !wasOpened) history.back();
})();
