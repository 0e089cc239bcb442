// Counts entries that wait into what the page shows: taps into the dots of a board, and everything into the closing form
// of its deal.
(() => {
  "use strict";
  if (!scorekeeper.queue) return;
  const { placeOf } = scorekeeper.entries;
  const { dealNow, waitingIn } = scorekeeper.queue;
  const place = (form) => placeOf(form.getAttribute("action"));

  function countDots() {
    for (const button of document.querySelectorAll("button.sweep")) {
      const { table, match, deal: drawnDeal } = place(button.form);
      const deal = dealNow(table, match, drawnDeal);
      const dots = button.querySelector(".dots");
      dots.dataset.drawn ??= dots.textContent;
      const drawn = deal === drawnDeal ? dots.dataset.drawn.split("●").length - 1 : 0;
      const isTap = ({ kind, fields }) => kind === "swept" && fields.side[0] === button.value;
      const taps = waitingIn(table, match, deal).filter(isTap);
      const text = "●".repeat(drawn + taps.length) || "○";
      if (dots.textContent !== text) dots.textContent = text;
    }
  }
  document.addEventListener("waiting:changed", countDots);
  document.addEventListener("htmx:afterSettle", countDots);

  // A closing names the entries that it has counted, so that the server does not ask about them again.
  const countedIn = (form) => ((form && form.dataset.counted) || "").split(" ").filter(Boolean);
  function countIn(form) {
    const { table, match, deal } = place(form);
    const counted = new Set(countedIn(form));
    for (const entry of waitingIn(table, match, deal)) {
      if (!counted.has(entry.id) && countOne(form, entry)) counted.add(entry.id);
    }
    form.dataset.counted = [...counted].join(" ");
  }
  // Returns whether the form has a place for the entry.
  function countOne(form, { kind, fields }) {
    if (kind === "swept") {
      const field = form.elements[`sweeps-${fields.side[0]}`];
      if (field) field.value = (Number.parseInt(field.value, 10) || 0) + Number((fields.count || [1])[0]);
      return Boolean(field);
    }
    if (kind === "penalised") return tick(form, "penalty", fields.penalty[0]);
    if (kind === "layout_noted") return countOpening(form, fields);
    return kind === "declared" && countDeclaration(form, fields);
  }
  // An opening takes the place of one that the form holds.
  function countOpening(form, fields) {
    const group = form.querySelector(".opening-cards");
    if (!group) return false;
    for (const box of group.querySelectorAll("[name=layout]")) box.checked = false;
    if (fields.told) return tick(form, "opening", fields.told[0]);
    group.hidden = false;
    return fields.cards.every((card) => tick(form, "layout", card, card));
  }
  function countDeclaration(form, fields) {
    const declaration = { side: fields.side[0] };
    if (fields.batch) declaration.batch = Number(fields.batch[0]);
    for (const name of ["cards", "items"]) if (fields[name]) declaration[name] = fields[name];
    for (const card of declaration.cards || []) {
      const rank = (fields[`as-${card}`] || [""])[0];
      if (rank) (declaration.as ||= {})[card] = rank + card.slice(-1);
    }
    const text = `${declaration.side}: ${(declaration.cards || declaration.items || []).join(" ")}`;
    return tick(form, "declaration", JSON.stringify(declaration), text);
  }
  // Ticks the box of this value; a missing one is added where there is a text for it.
  function tick(form, name, value, text) {
    const box = [...form.querySelectorAll(`[name="${name}"]`)].find((one) => one.value === value);
    if (box) { box.checked = true; return true; }
    const group = text && form.querySelector(name === "layout" ? ".opening-cards" : ".declarations");
    if (!group) return false;
    const label = document.createElement("label");
    label.className = "tick";
    const added = Object.assign(document.createElement("input"), { type: "checkbox", name, value, checked: true });
    label.append(added, Object.assign(document.createElement("span"), { textContent: text }));
    group.querySelector("legend").after(label);
    return true;
  }

  scorekeeper.counted = { countedIn, countIn };
})();
