// Some choices (game, preset, number of players) change which fields a form has: the server draws the form again, with all
// that was typed. What is typed while the new form is on its way is copied into it.
(() => {
  "use strict";
  document.addEventListener("change", ({ target: field }) => {
    if (field.matches(".redraw")) field.form.dispatchEvent(new Event("redraw"));
  });

  const FORM = "form[hx-trigger=redraw]";
  const typed = (form) => new Map([...form.querySelectorAll("input[type=text][id]")].map((field) => [field.id, field.value]));
  let sent = new Map();
  let typedSince = [];
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.target.matches(FORM)) sent = typed(event.target);
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.target.matches(FORM)) typedSince = [...typed(event.target)].filter(([id, value]) => sent.get(id) !== value);
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const [id, value] of typedSince.splice(0)) {
      const field = document.getElementById(id);
      if (field) field.value = value;
    }
  });
})();
