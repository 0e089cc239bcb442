// The closing of a round: one set of keys types into the row that is selected, as points or as the ranks of the cards left.
// Without this script every row has its own fields.
(() => {
  "use strict";
  const LETTERS = 6;
  let selected = "";
  let mode = "points";
  // The first digit typed into a row that was just chosen takes the place of the points that it held.
  let isFresh = false;
  // A sign that was tapped before it stays.
  let isSigned = false;

  const hands = () => [...document.querySelectorAll(".hand")];
  const panel = () => document.querySelector(".hand-panel");
  /** @param {string} side */
  const handOf = (side) => hands().find((hand) => hand.dataset.side === side);
  /** @param {Found} hand */
  const pointsOf = (hand) => hand.querySelector(".hand-points input");
  /** @param {Found} hand */
  const cardsOf = (hand) => hand.querySelector("[name^='left-']");
  /** @param {Found} hand */
  const stealsOf = (hand) => hand.querySelector("[name^='steals-']");
  /** @param {Found} hand */
  const ranksOf = (hand) => (cardsOf(hand) ? cardsOf(hand).value.toUpperCase().split(/\s+/).filter(Boolean) : []);
  /** @param {Found} hand */
  const isOut = (hand) => Boolean(hand.querySelector(".out :checked"));
  /** @param {Found} hand */
  const isTold = (hand) => isOut(hand) || pointsOf(hand).value !== "" || ranksOf(hand).length > 0;
  /** @param {Found} field @param {string} [name] */
  const tell = (field, name = "input") => field.dispatchEvent(new Event(name, { bubbles: true }));

  // What the fields hold, as the page shows it.
  function show() {
    const all = document.querySelector(".hands");
    if (!all) return;
    /** @type {Points} */
    const worth = JSON.parse(all.dataset.worth || "{}");
    for (const hand of hands()) {
      const ranks = ranksOf(hand);
      const sum = hand.querySelector(".left-sum");
      const isByCards = ranks.length > 0 && ranks.every((rank) => rank in worth);
      if (sum) {
        sum.hidden = !isByCards;
        sum.textContent = isByCards ? ranks.reduce((total, rank) => total + worth[rank], 0) : "";
      }
      const stolen = stealsOf(hand) ? Number(stealsOf(hand).value) * Number(all.dataset.steal) : 0;
      const told = hand.querySelector(".told-cards");
      const text = [ranks.join(" ").replaceAll("X", "★"), stolen ? `+${stolen}` : ""].filter(Boolean).join(" ");
      if (told && told.textContent !== text) told.textContent = text;
      hand.classList.toggle("selected", hand.dataset.side === selected);
    }
    const hand = handOf(selected);
    if (!hand || !panel()) return;
    panel().classList.toggle("is-out", isOut(hand));
    for (const keys of panel().querySelectorAll(".hand-keys")) keys.hidden = keys.dataset.keys !== mode;
    for (const button of panel().querySelectorAll("[data-mode]")) button.setAttribute("aria-pressed", button.dataset.mode === mode);
    const steals = stealsOf(hand);
    if (!steals) return;
    for (const step of panel().querySelectorAll(".step")) step.dataset.for = steals.id;
    panel().querySelector(".steals b").textContent = steals.value || "0";
  }

  /** @param {Found} hand */
  function select(hand) {
    selected = hand.dataset.side;
    isFresh = true;
    isSigned = false;
    if (ranksOf(hand).length) mode = "cards";
    else if (pointsOf(hand).value !== "") mode = "points";
    show();
    hand.scrollIntoView({ block: "nearest" });
  }
  // The next row, round the table, whose points are not told yet.
  function selectNext() {
    const all = hands();
    const from = all.indexOf(handOf(selected));
    const next = [...all.slice(from + 1), ...all.slice(0, from + 1)].find((hand) => !isTold(hand));
    if (next) select(next);
  }

  /** @param {Found} hand @param {string} key */
  function typeInto(hand, key) {
    const points = pointsOf(hand);
    const cards = cardsOf(hand);
    const ranks = ranksOf(hand);
    if (key === "sign") {
      points.value = points.value.startsWith("-") ? points.value.slice(1) : `-${points.value}`;
      isSigned = isFresh;
    }
    else if (mode === "cards") {
      if (key === "back") ranks.pop(); else ranks.push(key);
      cards.value = ranks.join(" ");
      points.value = "";
    } else {
      if (key === "back") points.value = points.value.slice(0, -1);
      else if (isFresh) points.value = (isSigned && points.value.startsWith("-") ? "-" : "") + key;
      else if (points.value.length < LETTERS) points.value = points.value.replace(/^(-?)0$/, "$1") + key;
      if (cards) cards.value = "";
    }
    if (key !== "sign") isFresh = false;
    show();
    tell(mode === "cards" && key !== "sign" ? cards : points);
  }

  document.addEventListener("click", ({ target }) => {
    const key = target.closest(".hand-panel [data-type]");
    const hand = handOf(selected);
    if (key && hand) {
      if (key.dataset.type === "next") { tell(pointsOf(hand), "change"); selectNext(); } else typeInto(hand, key.dataset.type);
    }
    const asked = target.closest(".hand-panel [data-mode]");
    if (asked) { mode = asked.dataset.mode; show(); }
    const who = target.closest(".hand-who");
    if (who) select(who.closest(".hand"));
  });
  document.addEventListener("focusin", ({ target }) => {
    if (target.matches(".hand-points input")) select(target.closest(".hand"));
  });

  // Whoever goes out has nothing left, and goes out in one way.
  document.addEventListener("change", ({ target }) => {
    if (!target.matches(".out input") || !target.checked) return;
    for (const other of document.querySelectorAll(".out :checked")) if (other !== target) other.checked = false;
    const hand = target.closest(".hand");
    pointsOf(hand).value = "";
    if (cardsOf(hand)) cardsOf(hand).value = "";
    if (selected === hand.dataset.side) selectNext();
  }, true);
  // Points that are typed on a keyboard take the place of cards that were tapped.
  document.addEventListener("input", ({ target }) => {
    if (!target.matches(".hand-points input") || target.value === "") return;
    const cards = cardsOf(target.closest(".hand"));
    if (cards) cards.value = "";
  }, true);
  for (const name of ["input", "change", "htmx:afterSettle"]) document.addEventListener(name, show);

  function begin() {
    for (const field of document.querySelectorAll(".hand-points input")) field.inputMode = "none";
    const all = hands();
    if (all.length) select(all.find((hand) => !isTold(hand)) || all[0]);
    scrollTo(0, 0);
  }
  document.addEventListener("DOMContentLoaded", begin);
  document.addEventListener("htmx:afterSettle", ({ target }) => { if (target.id === "content") begin(); });
})();
