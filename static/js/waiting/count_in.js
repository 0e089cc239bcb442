// Counts entries that wait into the closing form of their deal.
(() => {
  "use strict";
  if (!scorekeeper.queue) return;
  const { placeOf, countedIn } = scorekeeper.entries;
  const { waitingIn, isDrawn } = scorekeeper.queue;
  const { tickOf, hasPlace, addTick } = scorekeeper.ticks;

  // A closing names the entries that it has counted, so that the server does not ask about them again. A form that was kept
  // ahead is drawn with none: there the notes of the board are counted as well (js/ahead/notes.js).
  /** @param {Found} form */
  function countIn(form) {
    const { table, match, deal } = placeOf(form.getAttribute("action"));
    const counted = new Set(countedIn(form));
    /** @type {any} */
    const ahead = scorekeeper.notes && scorekeeper.notes.of(form);
    // A board names entries by the beginnings of their ids.
    const marks = new Set([...counted].map((id) => id.slice(0, 8)));
    /** @param {Entry} entry */
    const isNew = (entry) => !marks.has(entry.id.slice(0, 8)) && !isDrawn(entry);
    const restored = JSON.parse(form.dataset.restored || "null");
    /** @param {Entry} entry */
    const isTyped = (entry) => Boolean(restored) && restored.fields.includes(numberOf(entry));
    /** @param {Entry & Noted} entry */
    const isIn = (entry) => isTyped(entry) && (entry.turn ? entry.turn <= restored.at : entry.seq <= restored.seq);
    // Whoever typed how many sweeps there were knew of those that another phone has noted since: the number is at least theirs.
    /** @param {Entry} entry */
    const isOfAnother = (entry) => entry.kind === "swept" && !entry.turn && isTyped(entry);
    const noted = new Map();
    const raised = new Set();
    for (const { entry, isDropped } of ahead || waitingIn(table, match, deal).map((one) => ({ entry: one }))) {
      const field = !isDropped && isOfAnother(entry) && numberOf(entry);
      if (field) noted.set(field, (noted.get(field) || 0) + howMany(entry));
      if (!isNew(entry) || !(isDropped || isIn(entry) || field || countOne(form, entry))) continue;
      counted.add(entry.id);
      if (field && !isIn(entry)) raised.add(field);
    }
    for (const name of raised) {
      const field = form.elements[name];
      if (field) field.value = Math.max(Number.parseInt(field.value, 10) || 0, noted.get(name));
    }
    form.dataset.counted = [...counted].join(" ");
    askWithout(counted);
    if (ahead) form.dispatchEvent(new Event("closing:counted", { bubbles: true }));
  }
  // What is counted already is no news when it arrives.
  /** @param {Set<string>} counted */
  function askWithout(counted) {
    const news = document.getElementById("meanwhile");
    if (!news || !counted.size) return;
    const from = new URL(news.dataset.from, location.href);
    from.searchParams.set("counted", [...counted].map((id) => id.slice(0, 8)).join(" "));
    news.dataset.from = from.pathname + from.search;
  }
  // The field to whose number a note adds.
  /** @param {Entry} entry */
  const numberOf = ({ kind, fields }) => ({ swept: `sweeps-${fields.side}`, points_noted: `points-${fields.side}` })[kind];
  /** @param {Entry} entry */
  const howMany = ({ fields }) => Number((fields.count || [1])[0]);
  // Returns whether the form has a place for the entry.
  /** @param {Found} form @param {Entry} entry */
  function countOne(form, entry) {
    const { kind, fields } = entry;
    if (kind === "swept") {
      const field = form.elements[numberOf(entry)];
      if (field) field.value = (Number.parseInt(field.value, 10) || 0) + howMany(entry);
      return Boolean(field);
    }
    if (kind === "points_noted") {
      const field = form.elements[`points-${fields.side[0]}`];
      if (field) field.value = Number(field.value) + Number(fields.points[0]);
      return Boolean(field);
    }
    if (kind === "penalised") return tick(form, "penalty", fields.penalty[0]);
    if (kind === "layout_noted") return countOpening(form, fields);
    if (kind === "trump_noted") return countTrump(form, fields.trump[0]);
    if (kind === "adjusted") return countAdjustment(form, fields);
    // Who dealt, and who made a sweep, is not asked for in a closing. What was dealt again is no part of its deal at all.
    if (kind === "dealt" || kind === "credited") return true;
    return kind === "declared" && countDeclaration(form, fields);
  }
  // The trumps stand in a row of suits, or are carried along where no points depend on them.
  /** @param {Found} form @param {string} suit */
  function countTrump(form, suit) {
    const { trump } = form.elements;
    if (trump) trump.value = suit;
    return Boolean(trump);
  }
  // An opening takes the place of one that the form holds.
  /** @param {Found} form @param {Fields} fields */
  function countOpening(form, fields) {
    const group = form.querySelector(".opening-cards");
    if (!group) return false;
    for (const box of group.querySelectorAll("[name=layout]")) box.checked = false;
    if (fields.told) return tick(form, "opening", fields.told[0]);
    group.hidden = false;
    return fields.cards.every((card) => tick(form, "layout", card));
  }
  /** @param {Found} form @param {Fields} fields */
  function countDeclaration(form, fields) {
    /** @type {any} */
    const declaration = { side: fields.side[0] };
    if (fields.batch) declaration.batch = Number(fields.batch[0]);
    for (const name of ["cards", "items"]) if (fields[name]) declaration[name] = fields[name];
    for (const card of declaration.cards || []) {
      const rank = (fields[`as-${card}`] || [""])[0];
      if (rank) (declaration.as ||= {})[card] = rank + card.slice(-1);
    }
    return tick(form, "declaration", JSON.stringify(declaration));
  }
  /** @param {Found} form @param {Fields} fields */
  function countAdjustment(form, { side, points, reason }) {
    return tick(form, "adjustment", JSON.stringify({ side: side[0], points: Number(points[0]), reason: reason[0] }));
  }
  // Ticks the box of this value; returns whether the form has one, or a place for one.
  /** @param {Found} form @param {string} name @param {string} value */
  function tick(form, name, value) {
    const box = tickOf(form, name, value);
    if (box) box.checked = true;
    else if (hasPlace(form, name)) addTick(form, name, value);
    else return false;
    return true;
  }

  const countAll = () => {
    const form = document.getElementById("closing");
    if (form) countIn(form);
  };
  document.addEventListener("waiting:tried", countAll);
  // Behind match/draft.js, which draws what was typed first.
  document.addEventListener("DOMContentLoaded", () => setTimeout(async () => {
    await scorekeeper.queue.firstRead;
    countAll();
  }));
})();
