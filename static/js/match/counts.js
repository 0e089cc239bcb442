// The numbers of an opened row: of what the whole pack has, the last side's number follows from the others', as it is typed.
// A keypad of the page's own keeps the phone's keyboard from covering the rows.
(() => {
  "use strict";
  const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "⌫", "✓"];
  const PAUSE = 300;
  const FIELD = ".count-fields input";
  const TYPING = ".count-fields, .keypad";
  // Says the number that a key has made, and has the names of the keys that are signs.
  const said = document.getElementById("said");
  let timer = 0;
  // On the way to 10 stands a 1: while somebody types, the form is judged and not saved, however complete it is. A closing
  // saves itself (`was_open` is "yes") only at ✓, or once the numbers are left.
  let isTyping = false;
  document.addEventListener("htmx:configRequest", ({ target, detail }) => {
    if (isTyping && target.closest("#closing")) detail.parameters.was_open = "no";
  });
  for (const name of ["pointerdown", "click"]) {
    document.addEventListener(name, ({ target }) => { if (!target.closest(TYPING)) isTyping = false; }, true);
  }
  document.addEventListener("focusout", ({ target, relatedTarget: next }) => {
    if (target.matches(FIELD) && !(next && next.closest(TYPING))) isTyping = false;
  });
  // The browser itself says so when a field is left, before it is.
  document.addEventListener("change", ({ target, isTrusted }) => {
    if (isTrusted && target.matches(FIELD)) isTyping = false;
  }, true);

  /** @param {Found} field */
  const change = (field) => field.dispatchEvent(new Event("change", { bubbles: true }));
  // The form is judged after a pause in the typing.
  /** @param {Found} field */
  function judgeSoon(field) {
    clearTimeout(timer);
    timer = setTimeout(() => change(field), PAUSE);
  }

  // A side's number follows once all others are typed; a number that was typed before gives way to a newer one.
  /** @param {Found} field */
  function derive(field) {
    const group = field.closest(".count-fields");
    const total = Number(group.dataset.inPack);
    const others = [...group.querySelectorAll("input")].filter((one) => one !== field);
    field.classList.remove("derived");
    const follows = others.find((one) => one.classList.contains("derived"))
      || (others.filter((one) => !one.value).length === 1 ? others.find((one) => !one.value) : others.length === 1 && others[0]);
    const typed = [field, ...others.filter((one) => one !== follows)];
    if (!follows || typed.some((one) => !one.value)) {
      if (follows && follows.classList.contains("derived")) { follows.value = ""; follows.classList.remove("derived"); }
      return;
    }
    const rest = total - typed.reduce((sum, one) => sum + Number(one.value), 0);
    const isTooMany = rest < 0;
    follows.value = isTooMany ? "" : rest;
    follows.classList.toggle("derived", !isTooMany);
    group.classList.toggle("too-many", isTooMany);
  }

  // What is refused is said of the fields as well, to whoever comes back to them.
  function mark() {
    for (const group of document.querySelectorAll(".count-fields")) {
      const row = group.closest(".grid-row");
      const isWrong = group.matches(".too-many") || Boolean(row && row.querySelector(".state.bad"));
      for (const field of group.querySelectorAll("input")) {
        if (isWrong) field.setAttribute("aria-invalid", "true"); else field.removeAttribute("aria-invalid");
        if (isWrong && row) field.setAttribute("aria-describedby", "close-head"); else field.removeAttribute("aria-describedby");
      }
    }
  }
  document.addEventListener("htmx:afterSettle", mark);
  mark();

  // The first digit typed into a field that was just chosen takes the place of what it held.
  let isFresh = false;
  /** @param {Found} field @param {string} key */
  function typeKey(field, key) {
    isTyping = true;
    if (key === "⌫") field.value = field.value.slice(0, -1);
    else if (!isFresh && field.value.length < field.maxLength) field.value += key;
    else field.value = key;
    isFresh = false;
    derive(field);
    judgeSoon(field);
    if (said) said.textContent = field.value || said.dataset.back;
  }

  function keypad() {
    const keys = document.createElement("div");
    keys.className = "keypad";
    keys.append(...KEYS.map((key) => Object.assign(document.createElement("button"), { type: "button", className: "key", textContent: key })));
    for (const [sign, name] of [["⌫", "back"], ["✓", "next"]]) {
      const key = [...keys.children].find((one) => one.textContent === sign);
      if (said) key.setAttribute("aria-label", said.dataset[name]);
    }
    return keys;
  }
  // The field that the keypad types into: the one tapped last, or the first that is empty.
  /** @type {Found | null} */
  let current = null;
  /** @param {Found} field */
  function select(field) {
    if (current) current.classList.remove("typing");
    current = field;
    isFresh = true;
    if (current) current.classList.add("typing");
  }
  document.addEventListener("toggle", ({ target: row }) => {
    if (!row.matches || !row.matches(".opener")) return;
    const fields = [...row.querySelectorAll(FIELD)];
    if (!row.open || !fields.length) return;
    if (!row.querySelector(".keypad")) row.querySelector(".opened-row").append(keypad());
    begin(fields);
    row.querySelector(".opened-row").scrollIntoView({ block: "nearest" });
  }, true);
  /** @param {Found[]} fields */
  function begin(fields) {
    for (const field of fields) field.inputMode = "none";
    select(fields.find((field) => !field.value && field.offsetParent) || fields[0]);
  }
  // A page of numbers has one keypad for all of them, always open.
  const place = document.querySelector("[data-keypad]");
  if (place) {
    place.append(keypad());
    begin([...document.querySelectorAll(FIELD)]);
  }
  function nextField() {
    const fields = [...document.querySelectorAll(FIELD)].filter((field) => field.offsetParent);
    select(fields.find((field) => !field.value) || fields[(fields.indexOf(current) + 1) % fields.length]);
  }
  document.addEventListener("focusin", ({ target }) => { if (target.matches(FIELD)) select(target); });
  document.addEventListener("click", ({ target }) => {
    const key = target.closest(".keypad .key");
    if (!key) return;
    if (key.textContent !== "✓") { if (current) typeKey(current, key.textContent); return; }
    isTyping = false;
    if (current) { clearTimeout(timer); change(current); }
    const row = key.closest(".opener");
    if (!row) { nextField(); return; }
    // A number that cannot be stays in sight.
    if (row.querySelector(".too-many")) return;
    row.open = false;
    row.querySelector("summary").focus({ preventScroll: true });
  });

  // Letters and signs cannot be typed.
  document.addEventListener("input", ({ target: field }) => {
    if (!field.matches(FIELD)) return;
    isTyping = true;
    const digits = field.value.replace(/\D/g, "");
    if (digits !== field.value) field.value = digits;
    derive(field);
    judgeSoon(field);
  }, true);
})();
