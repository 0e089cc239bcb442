// The keypad of the pad: figures are written into one field, and the button of a side sends them.
(() => {
  "use strict";
  const FIGURES = 3;
  const fieldNow = () => /** @type {Found} */ (document.querySelector(".any-number [name=points]"));
  // News draw the board anew: what is typed goes on in the field that takes its place.
  let typed = "";
  document.addEventListener("input", ({ target }) => { if (target === fieldNow()) typed = target.value; });
  for (const change of ["htmx:afterSwap", "htmx:afterSettle"]) {
    document.addEventListener(change, () => {
      const field = fieldNow();
      if (field) Object.assign(field, { value: typed, inputMode: "none" });
    });
  }

  document.addEventListener("click", ({ target }) => {
    const key = target.closest(".any-number [data-figure]");
    if (!key) return;
    const field = fieldNow();
    const sign = field.value.startsWith("-") ? "-" : "";
    const digits = field.value.slice(sign.length);
    const { figure } = key.dataset;
    if (figure === "-") field.value = (sign ? "" : "-") + digits;
    else if (figure === "back") field.value = field.value.slice(0, -1);
    else if (digits.length < FIGURES) field.value = sign + digits.replace(/^0/, "") + figure;
    typed = field.value;
  });
  // A number that was sent is done: the panel closes, also where no answer comes. On the window, because the queue
  // (js/waiting/submit.js) lets nobody behind it hear of what it posts.
  window.addEventListener("submit", ({ target }) => {
    /** @type {any} */
    const form = target;
    const panel = form.closest(".any-number");
    if (!panel) return;
    setTimeout(() => {
      typed = "";
      panel.open = false;
      fieldNow().value = "";
    });
  }, true);
  document.addEventListener("toggle", ({ target }) => {
    if (target.matches(".any-number")) fieldNow().inputMode = "none";
  }, true);
  document.addEventListener("keydown", ({ key }) => {
    const panel = key === "Escape" && document.querySelector(".any-number[open]");
    if (panel) panel.open = false;
  });
})();
