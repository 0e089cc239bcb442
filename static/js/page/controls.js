// Controls that HTML does not have: a radio that can be cleared, plus and minus, a keypad of ranks, a change of sign.
(() => {
  "use strict";
  const change = (field) => field.dispatchEvent(new Event("change", { bubbles: true }));

  // A chosen radio that is tapped again is cleared: who won the item is not known after all.
  let checkedBefore = null;
  document.addEventListener("pointerdown", (event) => {
    const label = event.target.closest(".winner-grid .cell");
    const radio = label && label.querySelector("input[type=radio]");
    checkedBefore = radio && radio.checked ? radio : null;
  });
  document.addEventListener("click", (event) => {
    if (event.target !== checkedBefore) return;
    checkedBefore.checked = false;
    const unknown = checkedBefore.closest("fieldset").querySelector('input[type=radio][value=""]');
    if (unknown) unknown.checked = true;
    change(checkedBefore);
    checkedBefore = null;
  });

  document.addEventListener("click", (event) => {
    const step = event.target.closest(".step[data-step]");
    if (step) {
      const field = document.getElementById(step.dataset.for);
      field.value = Math.max(0, (Number.parseInt(field.value, 10) || 0) + Number(step.dataset.step));
      change(field);
    }
    const key = event.target.closest("[data-key][data-for]");
    if (key) {
      const field = document.getElementById(key.dataset.for);
      const ranks = field.value.split(" ").filter(Boolean);
      if (key.dataset.key) ranks.push(key.dataset.key); else ranks.pop();
      field.value = ranks.join(" ");
      change(field);
    }
    const sign = event.target.closest("[data-sign]");
    if (sign) {
      const field = document.getElementById(sign.dataset.sign);
      field.value = field.value.startsWith("-") ? field.value.slice(1) : `-${field.value}`;
      change(field);
    }
    const opener = event.target.closest(".show-cards[href]");
    if (opener) document.getElementById("show-cards").open = true;
  });

  // What the foot asks for may be in a fold.
  document.addEventListener("htmx:afterSettle", () => {
    const asked = document.querySelector("[data-asks]");
    const fold = asked && document.querySelector(`details[data-answers="${asked.dataset.asks}"]`);
    if (fold) fold.open = true;
  });
})();
