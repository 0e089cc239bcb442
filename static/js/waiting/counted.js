// Counts taps that wait into the zones and pills of a board.
(() => {
  "use strict";
  if (!scorekeeper.queue) return;
  const { placeOf } = scorekeeper.entries;
  const { dealNow, tappedIn } = scorekeeper.queue;
  const place = (form) => placeOf(form.getAttribute("action"));

  // The taps of a side that wait, as little cards on its zone and as points in its pill, before the server has answered.
  function countTaps() {
    for (const zone of document.querySelectorAll("button.sweep")) {
      const { table, match, deal: drawnDeal } = place(zone.form);
      const deal = dealNow(table, match, drawnDeal);
      const isTap = ({ kind, fields }) => kind === "swept" && fields.side[0] === zone.value;
      const taps = tappedIn(table, match, deal).filter(isTap).reduce((all, { fields }) => all + Number((fields.count || [1])[0]), 0);
      const cards = zone.querySelector(".dots");
      const made = (deal === drawnDeal ? Number(cards.dataset.made) : 0) + taps;
      if (cards.dataset.shown !== String(made)) drawCards(cards, made);
      addPoints(zone.value, taps * Number(zone.dataset.worth));
    }
    for (const pad of document.querySelectorAll("form.pad")) {
      const { table, match, deal } = place(pad);
      const side = pad.elements.side.value;
      const taps = tappedIn(table, match, dealNow(table, match, deal)).filter(({ kind, fields }) => kind === "points_noted" && fields.side[0] === side);
      addPoints(side, taps.reduce((sum, { fields }) => sum + Number(fields.points[0]), 0), taps.length);
    }
  }
  function drawCards(cards, made) {
    cards.dataset.shown = made;
    cards.replaceChildren(...Array.from({ length: made > 5 ? 1 : made }, () => document.createElement("i")));
    if (made > 5) cards.append(` × ${made}`);
  }
  function addPoints(side, points, taps = points) {
    for (const pill of document.querySelectorAll(`.pill[data-side="${side}"]`)) {
      const gained = Number(pill.dataset.gained) + points;
      pill.classList.toggle("none", !gained);
      pill.classList.toggle("sending", taps > 0);
      const number = pill.querySelector("b");
      const text = gained ? `${gained > 0 ? "+" : ""}${gained}` : "0";
      if (number.textContent === text) continue;
      number.textContent = text;
      pill.classList.toggle("bump", points > 0);
    }
  }
  for (const change of ["waiting:changed", "posts:changed", "htmx:afterSettle"]) document.addEventListener(change, countTaps);
})();
