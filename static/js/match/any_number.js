// The keypad of the pad: figures are written into one field, and the button of a side sends them.
(() => {
  "use strict";
  const FIGURES = 3;
  // The first digit takes the place of a number that was sent before.
  let isFresh = true;

  document.addEventListener("click", ({ target }) => {
    const key = target.closest(".any-number [data-figure]");
    if (!key) return;
    const field = key.closest("form").elements.points;
    const sign = field.value.startsWith("-") ? "-" : "";
    const digits = isFresh ? "" : field.value.slice(sign.length);
    const typed = key.dataset.figure;
    if (typed === "-") field.value = (sign ? "" : "-") + field.value.slice(sign.length);
    else if (typed === "back") field.value = field.value.slice(0, -1);
    else if (digits.length < FIGURES) field.value = sign + digits.replace(/^0/, "") + typed;
    if (typed !== "-") isFresh = false;
  });
  // A number that was sent is done: the panel closes, also where no answer comes.
  document.addEventListener("submit", ({ target }) => {
    const panel = target.closest(".any-number");
    if (!panel) return;
    isFresh = true;
    setTimeout(() => {
      panel.open = false;
      panel.querySelector("[name=points]").value = "";
    });
  });
  document.addEventListener("toggle", ({ target }) => {
    const field = target.matches(".any-number") && target.querySelector("[name=points]");
    if (field) field.inputMode = "none";
  }, true);
})();
