// What a form's fields say about themselves: whether a field is ticked rather than typed, its state, and whether it was changed.
(() => {
  "use strict";
  /** @type {Shared["fields"]["isTick"]} */
  const isTick = (field) => field.type === "radio" || field.type === "checkbox";
  /** @type {Shared["fields"]["stateOf"]} */
  const stateOf = (field) => (isTick(field) ? field.checked : field.value);
  /** @type {Shared["fields"]["isChanged"]} */
  const isChanged = (field) => (isTick(field) ? field.checked !== field.defaultChecked
    : "defaultValue" in field ? field.value !== field.defaultValue
    : field.options && field.selectedIndex !== Math.max(0, [...field.options].findIndex((option) => option.defaultSelected)));

  // A field may be changed before the scripts are loaded. The first one in each form then reports its change again.
  document.addEventListener("DOMContentLoaded", () => {
    const early = [...document.forms].flatMap((form) => [...form.elements].filter(isChanged).slice(0, 1));
    setTimeout(() => early.forEach((field) => field.dispatchEvent(new Event("change", { bubbles: true }))));
  });

  scorekeeper.fields = { isTick, stateOf, isChanged };
})();
