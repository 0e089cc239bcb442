// Controls that HTML does not have: a radio that can be cleared, plus and minus, a change of sign.
(() => {
  "use strict";
  /** @param {Found} field */
  const change = (field) => field.dispatchEvent(new Event("change", { bubbles: true }));

  // A chosen radio that is tapped again is cleared: who won the item is not known after all.
  /** @type {Found | null} */
  let checkedBefore = null;
  document.addEventListener("pointerdown", (event) => {
    const label = event.target.closest(".cell, .rest");
    const radio = label && label.querySelector("input[type=radio]");
    checkedBefore = radio && radio.checked ? radio : null;
  });
  document.addEventListener("click", (event) => {
    if (event.target !== checkedBefore) return;
    checkedBefore.checked = false;
    change(checkedBefore);
    checkedBefore = null;
  });

  // What a row came to before the tap is old at once; the server's answer says what it comes to now.
  document.addEventListener("change", ({ target: field }) => {
    const row = field.closest(".cell") && field.closest(".grid-row");
    if (row) for (const settled of row.querySelectorAll(".theirs")) settled.classList.remove("theirs");
  });

  // Several sides may take one item, but nobody and a side cannot both.
  document.addEventListener("change", ({ target: box }) => {
    if (box.type !== "checkbox" || !box.checked || !box.closest(".cell")) return;
    for (const other of box.closest("fieldset").querySelectorAll(`[name="${box.name}"]:checked`)) {
      if ((other.value === "nobody") !== (box.value === "nobody")) other.checked = false;
    }
  }, true);

  document.addEventListener("click", (event) => {
    const step = event.target.closest(".step[data-step]");
    if (step) {
      const field = document.getElementById(step.dataset.for);
      const number = Math.max(0, (Number.parseInt(field.value, 10) || 0) + Number(step.dataset.step));
      // A field that shows its nought by itself is empty then, as if nobody had touched it.
      field.value = number || !field.placeholder ? number : "";
      change(field);
    }
    const sign = event.target.closest("[data-sign]");
    if (sign) {
      const field = document.getElementById(sign.dataset.sign);
      field.value = field.value.startsWith("-") ? field.value.slice(1) : `-${field.value}`;
      change(field);
    }
  });

  // What the foot asks for may be in a fold.
  document.addEventListener("htmx:afterSettle", () => {
    const asked = document.querySelector("[data-asks]");
    const fold = asked && document.querySelector(`details[data-answers="${asked.dataset.asks}"]`);
    if (fold) fold.open = true;
  });
})();
