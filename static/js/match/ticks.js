// Ticks of a closing form that the server has not drawn: of entries that wait (waiting/count_in.js), and of its draft
// (match/draft.js). What is ticked is added to the deal, so it stands where the server would draw it.
(() => {
  "use strict";
  // The fields whose ticks come and go. A page has the others from the start.
  /** @type {Record<string, string>} */
  const PLACES = { declaration: "#declared-list > .opened-row", adjustment: ".adjustments", layout: ".opening-cards .choices" };
  const NAMES = Object.keys(PLACES);

  // The server writes the names of a declaration in another order than this phone.
  /** @type {Shared["ticks"]["meaning"]} */
  const meaning = (value) => (value.startsWith("{") ? JSON.stringify(Object.entries(JSON.parse(value)).sort()) : value);
  /** @type {Shared["ticks"]["ticksOf"]} */
  const ticksOf = (form, name) => [...form.querySelectorAll(`[name="${CSS.escape(name)}"]`)];
  /** @type {Shared["ticks"]["tickOf"]} */
  const tickOf = (form, name, value) => ticksOf(form, name).find((one) => meaning(one.value) === meaning(value));

  /** @param {Element | null} element */
  const textIn = (element) => (element ? element.textContent.trim() : "");
  // What is written beside a tick, to be drawn again after a reload.
  /** @type {Shared["ticks"]["wordsOf"]} */
  function wordsOf(box) {
    const label = box.closest("label");
    const said = label && label.querySelector(".said");
    if (!said) return { text: textIn(label && (label.querySelector(".visually-hidden") || label)) };
    return { text: textIn(said), points: box.dataset.points, spoken: box.getAttribute("aria-label") };
  }
  /** @param {string} card */
  const tileOf = (card) => document.querySelector(`.tile:has([value="${CSS.escape(card)}"])`);
  /** @param {string} card */
  const titleOf = (card) => (tileOf(card) || { title: card }).title;
  // Where nothing was stored of the words: what the page itself knows of cards and items.
  /** @param {Found} form @param {string} name @param {string} value */
  function wordsFor(form, name, value) {
    if (name === "layout") return { text: titleOf(value) };
    const told = JSON.parse(value);
    if (name === "adjustment") return { text: `${told.points}: ${told.reason}` };
    /** @param {string} code */
    const item = (code) => textIn((tickOf(form, "new_item", code) || document.body).parentElement.querySelector(".item-name")) || code;
    return { text: told.items ? told.items.map(item).join(", ") : (told.cards || []).map(titleOf).join(", ") };
  }

  const template = () => document.getElementById("declared");
  /** @param {Found} form @param {string} name */
  const placeOf = (form, name) => (name === "declaration" && !template() ? null : form.querySelector(PLACES[name]));
  /** @type {Shared["ticks"]["hasPlace"]} */
  const hasPlace = (form, name) => name in PLACES && Boolean(placeOf(form, name));
  // Adds a tick of this value. Where the page has no place for it, it is carried unseen.
  /** @type {Shared["ticks"]["addTick"]} */
  function addTick(form, name, value, words = wordsFor(form, name, value)) {
    const place = placeOf(form, name);
    if (place && name === "declaration") {
      place.append(declaredTick(value, words));
      addUp();
      return;
    }
    const added = Object.assign(document.createElement("input"), { type: "checkbox", name, value, checked: true });
    if (!place) { added.hidden = true; form.append(added); return; }
    const label = document.createElement("label");
    label.className = name === "adjustment" ? "tick inside" : "tick";
    label.append(added, Object.assign(document.createElement("span"), { textContent: words.text }));
    place.append(label);
    place.closest("fieldset").hidden = false;
  }
  /** @type {(value: string, words: TickWords) => Found} */
  function declaredTick(value, { text, points, spoken }) {
    const { side } = JSON.parse(value);
    const tick = template().content.querySelector(`[data-side="${CSS.escape(side)}"]`).closest("label").cloneNode(true);
    const box = tick.querySelector("input");
    Object.assign(box, { value, checked: true });
    box.dataset.points = points || "";
    box.setAttribute("aria-label", spoken || text);
    tick.querySelector(".said").textContent = text;
    tick.querySelector("b").textContent = points || "✓";
    return tick;
  }
  // The points that each side has declared, in one row; a declaration that only this phone knows of has no points yet.
  function addUp() {
    const row = document.getElementById("declared-row");
    if (!row) return;
    const boxes = [...row.querySelectorAll("[name=declaration]")];
    row.hidden = !boxes.length;
    for (const cell of row.querySelectorAll("[data-told]")) {
      const its = boxes.filter((box) => box.checked && box.dataset.side === cell.dataset.told);
      const sum = its.reduce((all, { dataset: { points } }) => all + Number(points), 0);
      cell.hidden = !its.length;
      cell.querySelector("b").textContent = its.every((box) => box.dataset.points) ? `${sum < 0 ? "−" : "+"}${Math.abs(sum)}` : "✓";
    }
  }
  // After match/draft.js, which ticks by what it has stored.
  for (const name of ["change", "closing:counted"]) document.addEventListener(name, () => setTimeout(addUp));

  scorekeeper.ticks = { NAMES, meaning, ticksOf, tickOf, wordsOf, hasPlace, addTick };
})();
