// Counts taps that wait into the zones and pills of a board.
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
    for (const zone of page.querySelectorAll("button.sweep")) {
      const taps = tapped(zone.form, "swept", zone.value).reduce((all, { fields }) => all + Number((fields.count || [1])[0]), 0);
      const cards = zone.querySelector(".dots");
      const made = Number(cards.dataset.made) + taps;
      if (cards.dataset.shown !== String(made)) drawCards(cards, made);
      addPoints(page, zone.value, taps * Number(zone.dataset.worth));
    }
    for (const pad of page.querySelectorAll("form.pad")) {
      const side = pad.elements.side.value;
      const taps = tapped(pad, "points_noted", side);
      addPoints(page, side, taps.reduce((sum, { fields }) => sum + Number(fields.points[0]), 0), taps.length);
    }
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
