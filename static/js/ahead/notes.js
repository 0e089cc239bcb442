// What is noted of the deal of a closing form that was kept ahead: by the board that this phone has seen last, by what the
// server has taken since, and by what waits; in their order, as entries that a form counts (js/waiting/count_in.js).
(() => {
  "use strict";
  if (scorekeeper.notes) return;
  const { placeOf } = scorekeeper.entries;
  const { standOf, aheadOf, entriesOf, redealOf } = scorekeeper.stand;

  // A board names entries by the beginnings of their ids.
  /** @param {string} id */
  const mark = (id) => id.slice(0, 8);
  // A note of the board as the form of its kind would have told it.
  /** @param {string} kind @param {any} payload */
  function fieldsOf(kind, { side, count, points, item, reason, cards, items, batch, as, layout, layout_result: told, trump }) {
    if (kind === "swept") return { side: [side], count: [String(count)] };
    if (kind === "points_noted") return { side: [side], points: [String(points)] };
    if (kind === "trump_noted") return { trump: [trump || ""] };
    if (kind === "penalised") return { penalty: [`${item}:${side}`] };
    if (kind === "adjusted") return { side: [side], points: [String(points)], reason: [reason] };
    if (kind === "layout_noted") return told ? { told: [told] } : { cards: layout };
    const given = Object.entries(as || {}).map(([card, value]) => [`as-${card}`, [value.slice(0, -1)]]);
    return Object.fromEntries([["side", [side]], ...(batch ? [["batch", [String(batch)]]] : []), ...(cards ? [["cards", cards]] : []), ...(items ? [["items", items]] : []), ...given]);
  }
  /** @type {Shared["notes"]["boardNotes"]} */
  const boardNotes = (stand) => stand.noted.map(([id, seq, kind, payload]) => ({ id, seq, kind, fields: fieldsOf(kind, payload) }));

  // All that is noted of a deal. What was dealt again, or taken back, is counted without being filled in.
  /** @param {string} key @param {number} match @param {number} deal */
  function notesOf(key, match, deal) {
    const stand = standOf(key, match);
    const ahead = aheadOf(key, match);
    if (!stand) return [];
    const entries = entriesOf(key, match);
    const noted = deal === stand.deal ? boardNotes(stand) : [];
    const known = new Set(noted.map(({ id }) => id));
    /** @param {Entry} entry */
    const isKnown = (entry) => known.has(mark(entry.id)) || stand.holds.includes(mark(entry.id));
    const later = entries.filter((entry) => entry.deal === deal && entry.kind !== "deal_closed" && !isKnown(entry));
    const all = [...noted, ...later];
    const undone = new Map(entries.filter(({ kind }) => kind === "voided").map((entry) => [mark(entry.fields.entry[0]), entry]));
    const lastVoid = all.reduce((last, entry, place) => (redealOf(entry, ahead) ? place : last), -1);
    const found = all.map((entry, place) => ({
      entry, isDropped: undone.has(mark(entry.id)) || (place <= lastVoid && entry.kind !== "adjusted"),
    }));
    const undoings = all.filter(({ id }) => undone.has(mark(id))).map(({ id }) => ({ entry: undone.get(mark(id)), isDropped: true }));
    return [...found, ...undoings];
  }
  /** @type {Shared["notes"]["of"]} */
  function of(form) {
    if (!document.getElementById("ahead")) return null;
    const { table, match, deal } = placeOf(form.getAttribute("action"));
    return notesOf(table, match, deal);
  }

  scorekeeper.notes = { of, boardNotes };
})();
