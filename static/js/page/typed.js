// The draft of a form that is marked with data-typed: the names of a new table, a declaration that is half chosen. What
// was typed is there again after a reload or a way round, without a word, until the form is saved.
(() => {
  "use strict";
  const { isTick, stateOf } = scorekeeper.fields;
  const { store, stored, drop } = scorekeeper.room;
  // What is not saved in a day was given up.
  const OLDEST = 24 * 3600 * 1000;
  // A choice may bring other choices with it, and each time the server draws the form anew: game, rules, how many play.
  const MOST_DRAWN = 4;
  const typedForm = () => document.querySelector("form[data-typed]");
  /** @param {Found} form */
  const path = (form) => new URL(form.getAttribute("action"), location.href).pathname;
  const NOT_TYPED = ["hidden", "submit"];
  /** @param {Found} form */
  const fieldsOf = (form) => [...form.elements].filter(({ name, type }) => name && !NOT_TYPED.includes(type));
  // Under another address of the same form another game was chosen: only who plays is kept.
  const OF_PEOPLE = /^(?:player-|team-|table_name$|shape$)/;

  /** @type {any} */
  let draft = null;
  let drawn = 0;

  /** @param {Found} form */
  function save(form) {
    // Seats that are not on the page just now keep their names.
    const values = { ...((stored(path(form)) || {}).values || {}) };
    for (const field of fieldsOf(form)) values[field.name] = [];
    for (const field of fieldsOf(form)) if (!isTick(field) || field.checked) values[field.name].push(field.value);
    const open = [...form.querySelectorAll("details")].map((fold) => fold.open);
    store(path(form), { values, open, search: location.search });
  }

  // Returns whether the field took another state by that: another game has other rules.
  /** @param {Found} field @param {any} values */
  function take(field, values) {
    /** @type {any} */
    const before = stateOf(field);
    if (isTick(field)) field.checked = values.includes(field.value);
    else if (values.length) field.value = values[0];
    if (!isTick(field) && values.length && field.value !== values[0]) field.value = before;
    return stateOf(field) !== before;
  }
  /** @param {Found} form */
  function fill(form) {
    const isSame = draft.search === location.search;
    const known = fieldsOf(form).filter(({ name }) => draft.values[name] && (isSame || OF_PEOPLE.test(name)));
    const changed = known.filter((field) => take(field, draft.values[field.name]));
    if (isSame) form.querySelectorAll("details").forEach((fold, place) => { fold.open ||= Boolean(draft.open[place]); });
    drawn += 1;
    if (drawn < MOST_DRAWN && changed.some((field) => field.matches(".redraw"))) {
      setTimeout(() => form.dispatchEvent(new Event("redraw")));
      return;
    }
    draft = null;
    if (!changed.length) return;
    // The foot says who plays, or what a declaration scores.
    const texts = changed.filter((field) => !isTick(field));
    setTimeout(() => {
      for (const field of texts) field.dispatchEvent(new CustomEvent("input", { bubbles: true, detail: "restored" }));
      form.dispatchEvent(new CustomEvent("change", { bubbles: true, detail: "restored" }));
    });
  }
  function begin() {
    const form = typedForm();
    if (!form) return;
    const found = stored(path(form));
    const [{ type } = {}] = performance.getEntriesByType("navigation");
    // An answer of the server to this very form holds what was typed until then.
    const isAnswer = "posted" in form.dataset && type !== "reload";
    if (!found || isAnswer || Date.now() - found.at > OLDEST) return;
    draft = found;
    fill(form);
  }
  for (const name of ["DOMContentLoaded", "page:replaced"]) document.addEventListener(name, begin);
  document.addEventListener("htmx:afterSettle", () => {
    const form = typedForm();
    if (form && draft) fill(form);
  });
  for (const lost of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
    document.addEventListener(lost, () => { draft = null; });
  }

  for (const name of ["input", "change"]) {
    document.addEventListener(name, ({ target, detail }) => {
      const form = typedForm();
      if (!form || !form.contains(target) || detail === "restored") return;
      // While the form is drawn anew with what was typed before, what is typed now takes the place of that.
      if (draft && !isTick(target)) draft.values[target.name] = [target.value];
      else if (!draft) save(form);
    });
  }
  /** @param {Found} form */
  const forget = (form) => { if (form) drop(path(form)); };
  // Saved, or stored as an entry that waits (waiting/submit.js). A new table drops its draft once it is there
  // (match/drafts.js).
  document.addEventListener("htmx:beforeOnLoad", ({ detail }) => {
    if (detail.xhr.getResponseHeader("HX-Redirect")) forget(typedForm());
  });
  document.addEventListener("waiting:stored", ({ target }) => { if (target === typedForm()) forget(target); });
})();
