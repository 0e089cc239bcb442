// The row of trumps on the board shows also a tap that waits: the last one counts, and the next on the same suit takes it back.
(() => {
  "use strict";
  if (!scorekeeper.queue) return;
  const { placeOf } = scorekeeper.entries;

  function press() {
    const row = document.querySelector(".trumps-now");
    if (!row) return;
    const { table, match, deal } = placeOf(row.querySelector("form").getAttribute("action"));
    const waiting = scorekeeper.queue.waitingIn(table, match, deal).filter(({ kind }) => kind === "trump_noted");
    const last = waiting.pop();
    const trump = last ? last.fields.trump[0] : row.dataset.trump;
    for (const button of row.querySelectorAll("[data-suit]")) {
      const { suit } = button.dataset;
      button.value = suit === trump ? "" : suit;
      button.setAttribute("aria-pressed", suit === trump);
    }
  }
  for (const name of ["waiting:changed", "htmx:afterSettle"]) document.addEventListener(name, press);
  press();

  scorekeeper.trumps = { press };
})();
