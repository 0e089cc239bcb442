// Counts taps that wait into the zones and pills of a board, and takes out of them what was undone.
(() => {
  "use strict";
  if (!scorekeeper.queue) return;
  const { placeOf } = scorekeeper.entries;
  const { tappedIn } = scorekeeper.queue;

  // The taps of a side that no answer has shown yet, as little cards on its zone and as points in its pill; only in their own
  // deal. `isCounted` false draws the page without them.
  /** @type {Shared["counted"]["countTaps"]} */
  function countTaps(page = document, isCounted = true) {
    /** @param {Found} form @param {string} kind @param {string} side */
    const tapped = (form, kind, side) => {
      const { table, match, deal } = placeOf(form.getAttribute("action"));
      return isCounted ? tappedIn(table, match, deal).filter((entry) => entry.kind === kind && entry.fields.side[0] === side) : [];
    };
    const undone = undoneOn(page, isCounted);
    /** @param {string} kind @param {string} side */
    const takenBack = (kind, side) => undone.filter(({ dataset }) => dataset.side === side && kind in dataset).map(({ dataset }) => Number(dataset[kind]));
    for (const zone of page.querySelectorAll("button.sweep")) {
      const taps = tapped(zone.form, "swept", zone.value).map(({ fields }) => Number((fields.count || [1])[0]));
      const back = takenBack("swept", zone.value);
      const more = sum(taps) - sum(back);
      const cards = zone.querySelector(".dots");
      const made = Number(cards.dataset.made) + more;
      if (cards.dataset.shown !== String(made)) drawCards(cards, made);
      addPoints(page, zone.value, more * Number(zone.dataset.worth), taps.length + back.length);
    }
    for (const pad of page.querySelectorAll("form.pad")) {
      const side = pad.elements.side.value;
      const taps = tapped(pad, "points_noted", side).map(({ fields }) => Number(fields.points[0]));
      const back = takenBack("points_noted", side);
      addPoints(page, side, sum(taps) - sum(back), taps.length + back.length);
    }
  }
  /** @param {number[]} numbers */
  const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);
  // What the log of a board lists though it is undone, and no answer has shown that yet. It is struck through.
  /** @param {ParentNode} page @param {boolean} isCounted @returns {Found[]} */
  function undoneOn(page, isCounted) {
    const forms = [...page.querySelectorAll(".log form[action*='/undo/']")];
    if (!forms.length) return [];
    const { table, match } = placeOf(forms[0].getAttribute("action"));
    const undone = isCounted ? tappedIn(table, match, 0).filter(({ kind }) => kind === "voided").map(({ fields }) => fields.entry[0].slice(0, 8)) : [];
    const lines = forms.map((form) => form.closest("li"));
    for (const line of lines) line.classList.toggle("undone", undone.includes(line.dataset.entry));
    return lines.filter(({ dataset }) => undone.includes(dataset.entry));
  }
  /** @param {Found} cards @param {number} made */
  function drawCards(cards, made) {
    // @ts-expect-error A number is written as text.
    cards.dataset.shown = made;
    cards.replaceChildren(...Array.from({ length: made > 5 ? 1 : made }, () => document.createElement("i")));
    if (made > 5) cards.append(` × ${made}`);
  }
  /** @param {ParentNode} page @param {string} side @param {number} points @param {number} [taps] */
  function addPoints(page, side, points, taps = points) {
    for (const pill of page.querySelectorAll(`.pill[data-side="${side}"]`)) {
      const gained = Number(pill.dataset.gained) + points;
      pill.classList.toggle("none", !gained);
      pill.classList.toggle("sending", taps > 0);
      const number = pill.querySelector("b");
      const text = `${gained > 0 ? "+" : ""}${gained}`.replace("-", "−");
      if (number.textContent === text) continue;
      number.textContent = text;
      pill.classList.toggle("bump", points > 0);
    }
  }
  for (const change of ["waiting:changed", "posts:changed", "htmx:afterSettle"]) document.addEventListener(change, () => countTaps());

  scorekeeper.counted = { countTaps };
})();
