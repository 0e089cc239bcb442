// The form draft of a closing: what was changed is stored on this phone until it is saved, so that it survives a reload,
// a dead battery or a closed tab.
(() => {
  "use strict";
  const { isTick, stateOf, isChanged } = scorekeeper.fields;
  const { saveDraft, draftOf, removeDraft } = scorekeeper.drafts;
  // Fields that the page fills in by itself.
  const NOT_TYPED = new Set(["csrf_token", "id", "seq", "was_open", "answer_for", "ticked", "slot", "slots_of"]);
  const path = (form) => new URL(form.getAttribute("action"), location.href).pathname;
  const closingForm = () => document.getElementById("closing");
  const heading = () => closingForm().dataset.heading;

  // Leaving the page asks first when the phone could not store the draft and the form is not saved.
  let isUnstored = false;
  addEventListener("beforeunload", (event) => { if (isUnstored) event.preventDefault(); });
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    if (event.detail.xhr.getResponseHeader("HX-Redirect")) isUnstored = false;
  });

  function save(form) {
    const fields = [...form.elements].filter((field) => field.name && field.type !== "submit" && !NOT_TYPED.has(field.name));
    // The server may draw the form again with what was typed: those fields no longer differ from their default, so their
    // names are collected in data-touched.
    const before = (form.dataset.touched || "").split(" ").filter(Boolean);
    const touched = new Set([...before, ...fields.filter(isChanged).map((field) => field.name)]);
    if (!touched.size) return;
    form.dataset.touched = [...touched].join(" ");
    const values = {};
    for (const name of touched) {
      const filled = fields.filter((field) => field.name === name && (!isTick(field) || field.checked));
      values[name] = filled.map((field) => field.value);
    }
    const draft = { values, seq: form.elements.seq.value, heading: heading(), counted: form.dataset.counted || "" };
    isUnstored = !saveDraft(path(form), draft);
    if (isUnstored && !form.querySelector(".unkept")) {
      const text = document.getElementById("waiting").dataset.unkept || "";
      form.prepend(Object.assign(document.createElement("p"), { className: "warning unkept", textContent: text }));
    }
  }

  // The page has a tick for each card whose owner was said before it was drawn: the others get theirs here.
  function drawTold(form, values) {
    const told = document.getElementById("told");
    for (const [name, cards] of Object.entries(values)) {
      if (!told || !name.startsWith("told-")) continue;
      const pile = form.querySelector(`.pile[data-pile="${CSS.escape(name.slice(5))}"]`);
      for (const card of cards) {
        const tile = pile && pile.querySelector(`input[value="${CSS.escape(card)}"]`);
        if (!tile || form.querySelector(`[name="${CSS.escape(name)}"][value="${CSS.escape(card)}"]`)) continue;
        const tick = Object.assign(document.createElement("input"), { type: "checkbox", name, value: card });
        const label = Object.assign(document.createElement("label"), { className: "tick" });
        label.append(tick, `${tile.closest(".tile").title}: ${pile.dataset.name}`);
        told.append(label);
        told.hidden = false;
      }
    }
  }

  function restore(form) {
    const draft = draftOf(path(form));
    if (!draft || document.querySelector(".stale")) return;
    let differs = false;
    const early = new Set([...form.elements].filter(isChanged).map((field) => field.name));
    drawTold(form, draft.values);
    for (const field of form.elements) {
      const values = draft.values[field.name];
      if (!values || early.has(field.name)) continue;
      const before = stateOf(field);
      if (isTick(field)) field.checked = values.includes(field.value);
      else if (values.length) field.value = values[0];
      differs ||= before !== stateOf(field);
    }
    form.dataset.touched = Object.keys(draft.values).join(" ");
    if (!differs) return;
    if (draft.counted) form.dataset.counted = draft.counted;
    // The deal was closed after the draft was typed: with the draft's seq the server sees that, and shows both.
    if (draft.heading !== heading()) form.elements.seq.value = draft.seq;
    // A closing saves itself at the tap that completes it. Nobody has tapped now, so it waits for its button.
    form.elements.was_open.value = "no";
    const notice = document.getElementById("draft").content.firstElementChild.cloneNode(true);
    notice.querySelector("button").onclick = () => { forget(form); location.reload(); };
    form.before(notice);
    setTimeout(() => form.dispatchEvent(new Event("change", { bubbles: true })));
  }
  function forget(form) {
    isUnstored = false;
    removeDraft(path(form));
  }

  // A button of the form (the answer to a question, say) has the server draw it again with more in it: what the button
  // filled in is stored as if it had been typed.
  const valuesOf = (form) => {
    const values = new Map();
    for (const field of form.elements) {
      if (!field.name || field.type === "submit" || (isTick(field) && !field.checked)) continue;
      values.set(field.name, `${values.get(field.name) || ""} ${field.value}`);
    }
    return values;
  };
  let drawnBefore = null;
  document.addEventListener("htmx:beforeSwap", () => {
    const form = closingForm();
    drawnBefore = form && { form, values: valuesOf(form), touched: form.dataset.touched || "" };
  });
  document.addEventListener("htmx:afterSettle", () => {
    const form = closingForm();
    if (!form || !drawnBefore || form === drawnBefore.form) return;
    const { values, touched } = drawnBefore;
    drawnBefore = null;
    const filled = [...valuesOf(form)].filter(([name, value]) => !NOT_TYPED.has(name) && values.get(name) !== value);
    form.dataset.touched = [...new Set([...touched.split(" "), ...filled.map(([name]) => name)])].join(" ").trim();
    save(form);
  });

  for (const name of ["input", "change"]) {
    document.addEventListener(name, (event) => {
      const form = closingForm();
      if (form && (event.target === form || form.contains(event.target))) save(form);
    });
  }
  // waiting/submit.js: the form is stored as an entry that waits.
  document.addEventListener("waiting:stored", (event) => { if (event.target === closingForm()) forget(event.target); });
  document.addEventListener("DOMContentLoaded", () => {
    const form = closingForm();
    if (form) restore(form);
  });
})();
