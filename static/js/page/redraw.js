// Some choices (game, preset, number of players) change which fields a form has: the server draws the form again, with all
// that was entered. What is typed or chosen while the new form is on its way is carried into it.
(() => {
  "use strict";
  const { isTick, stateOf } = scorekeeper.fields;
  const FORM = "form[hx-trigger=redraw]";
  /** @param {Found} form */
  const redraw = (form) => form.dispatchEvent(new Event("redraw"));
  document.addEventListener("change", ({ target: field }) => {
    if (field.matches(".redraw")) redraw(field.form);
  });

  /** @param {Found} field */
  const nameOf = (field) => isTick(field) ? `${field.name}=${field.value}` : field.name;
  /** @param {Found} form */
  const fieldsOf = (form) => [...form.elements].filter((field) => field.name && field.type !== "hidden" && field.type !== "submit");
  // Of radios only the chosen one: the new form may not have it, and then keeps its own.
  /** @param {Found} form */
  const entered = (form) => new Map(
    fieldsOf(form).filter((field) => field.type !== "radio" || field.checked).map((field) => [nameOf(field), stateOf(field)]),
  );

  let sent = new Map();
  let enteredSince = new Map();
  /** @type {string[]} */
  let unfolded = [];
  let scrolled = 0;
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.target.matches(FORM)) sent = entered(event.target);
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.target.matches(FORM)) {
      scrolled = scrollY;
      unfolded = [...event.target.querySelectorAll("details[id][open]")].map((fold) => fold.id);
      enteredSince = new Map([...entered(event.target)].filter(([name, state]) => sent.get(name) !== state));
    }
  });
  // What was unfolded stays so: nothing moves because of a choice above or below it.
  document.addEventListener("htmx:afterSwap", () => {
    for (const fold of unfolded.map((id) => document.getElementById(id))) if (fold) fold.open = true;
    if (unfolded.length) scrollTo(0, scrolled);
    unfolded = [];
  });
  // Returns whether the field could take the state: another game has other presets.
  /** @param {Found} field @param {any} state */
  function take(field, state) {
    /** @type {any} */
    const before = stateOf(field);
    if (isTick(field)) field.checked = state;
    else field.value = state;
    if (stateOf(field) !== state) field.value = before;
    return stateOf(field) !== before;
  }
  document.addEventListener("htmx:afterSettle", () => {
    if (!enteredSince.size) return;
    const form = document.querySelector(FORM);
    const changed = fieldsOf(form).filter((field) => enteredSince.has(nameOf(field)) && take(field, enteredSince.get(nameOf(field))));
    enteredSince = new Map();
    if (changed.some((field) => field.matches(".redraw"))) redraw(form);
  });
})();
