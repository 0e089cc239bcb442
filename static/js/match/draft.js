// The form draft of a closing: what was changed is stored on this phone until it is saved, so that it survives a reload,
// a dead battery or a closed tab.
(() => {
  "use strict";
  const { isTick, stateOf, isChanged } = scorekeeper.fields;
  const { store, stored, drop } = scorekeeper.room;
  const { NAMES, meaning, ticksOf, tickOf, wordsOf, addTick } = scorekeeper.ticks;
  const SHOWN = 8000;
  const HEARD = 1500;
  // Fields that the page fills in by itself.
  const NOT_TYPED = new Set(["csrf_token", "id", "seq", "was_open", "answer_for", "ticked", "slot", "slots_of"]);
  /** @param {Found} form */
  const path = (form) => new URL(form.getAttribute("action"), location.href).pathname;
  const closingForm = () => document.getElementById("closing");
  const heading = () => closingForm().dataset.heading;

  // What only this tab needs to know: that the draft was typed in it, and what was left by starting over.
  /** @param {(...all: any[]) => any} act */
  function inTab(act) { try { return act(sessionStorage); } catch { return null; } }
  /** @param {Found} form */
  const typedHere = (form) => `typed:${path(form)}`;
  /** @param {Found} form */
  const left = (form) => `left:${path(form)}`;

  // Leaving the page asks first when the phone could not store the draft and the form is not saved.
  let isUnstored = false;
  addEventListener("beforeunload", (event) => { if (isUnstored) event.preventDefault(); });
  // First of all listeners: page/answers.js leaves the page in its own.
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    if (event.detail.xhr.getResponseHeader("HX-Redirect")) isUnstored = false;
  }, true);

  // Ticks that the form was first drawn with are of the journal, and come and go with it. All others were added here.
  let noted = new Set();
  /** @param {{ name: string, value: string }} box */
  const nameOf = (box) => `${box.name} ${meaning(box.value)}`;
  /** @param {Found} form */
  const several = (form) => NAMES.flatMap((name) => ticksOf(form, name));
  /** @param {Found} form */
  const addedHere = (form) => several(form).filter((box) => !noted.has(nameOf(box)));
  // A fold is known by its first field.
  /** @param {Found} form */
  const foldsOf = (form) => [...form.querySelectorAll("details")];
  /** @param {Found} fold */
  const foldName = (fold) => fold.id || (fold.querySelector("[name]") || {}).name;

  // What a draft knows of: what was noted until then is in its numbers (js/waiting/count_in.js). Where nobody has typed since it
  // came back, or what was noted meanwhile is not counted in yet, that is no more than it was before. Where the deal was closed
  // after it was typed, it is of the form as it was before that, as long as the form goes on from there.
  document.addEventListener("closing:counted", ({ target }) => { target.dataset.hasCounted = ""; });
  /** @param {Found} form @param {Draft | null} former @param {boolean} isTyped */
  function knownTo(form, former, isTyped) {
    const seq = form.elements.seq.value;
    const drawnAs = former && String(former.seq) === seq ? former.heading : heading();
    const isCounted = !document.getElementById("ahead") || "hasCounted" in form.dataset;
    if (former && !(isTyped && isCounted)) return { heading: drawnAs, toldAt: former.toldAt, seq: former.seq, isStale: former.isStale };
    return { heading: drawnAs, toldAt: Date.now(), seq };
  }

  /** @param {Found} form @param {boolean} [isTyped] */
  function save(form, isTyped = true) {
    const fields = [...form.elements].filter((field) => field.name && field.type !== "submit" && !NOT_TYPED.has(field.name));
    // The server may draw the form again with what was typed: those fields no longer differ from their default, so their
    // names are collected in data-touched.
    const before = (form.dataset.touched || "").split(" ").filter(Boolean);
    const own = addedHere(form);
    const touched = new Set([...before, ...[...fields.filter(isChanged), ...own].map((field) => field.name)]);
    if (!touched.size) return;
    form.dataset.touched = [...touched].join(" ");
    /** @type {Fields} */
    const values = {};
    for (const name of touched) {
      const filled = fields.filter((field) => field.name === name && (!isTick(field) || field.checked));
      values[name] = filled.map((field) => field.value);
    }
    const former = stored(path(form));
    const addedBefore = (former && former.added) || [];
    const wordsBefore = new Map(addedBefore.map(([name, value, words]) => [nameOf({ name, value }), words]));
    /** @type {Draft} */
    const draft = {
      values, ...knownTo(form, former, isTyped), counted: form.dataset.counted || "",
      seen: several(form).map(nameOf), noted: [...noted],
      // The page of the prime's slots carries a declaration without its words.
      added: own.map((box) => [
        box.name, box.value, box.closest("label") ? wordsOf(box) : wordsBefore.get(nameOf(box)),
      ]),
      open: foldsOf(form).filter((fold) => fold.open).map(foldName),
    };
    isUnstored = !store(path(form), draft);
    inTab((tab) => tab.setItem(typedHere(form), "yes"));
    if (isUnstored && !form.querySelector(".unkept")) {
      const text = document.getElementById("waiting").dataset.unkept || "";
      form.prepend(Object.assign(document.createElement("p"), { className: "warning unkept", textContent: text }));
    }
  }

  // The page has a tick for each card whose owner was said before it was drawn: the others get theirs here.
  /** @param {Found} form @param {Fields} values */
  function drawTold(form, values) {
    const told = document.getElementById("told");
    for (const [name, cards] of Object.entries(values)) {
      if (!told || !name.startsWith("told-")) continue;
      const pile = form.querySelector(`.pile[data-pile="${CSS.escape(name.slice(5))}"]`);
      for (const card of cards) {
        const tile = pile && pile.querySelector(`input[value="${CSS.escape(card)}"]`);
        if (!tile || tickOf(form, name, card)) continue;
        const tick = Object.assign(document.createElement("input"), { type: "checkbox", name, value: card });
        const label = Object.assign(document.createElement("label"), { className: "tick" });
        label.append(tick, `${tile.closest(".tile").title}: ${pile.dataset.name}`);
        told.append(label);
        told.hidden = false;
      }
    }
  }
  // What was added here, and the server cannot know of: a declaration, say. Returns the ticks.
  /** @param {Found} form @param {Draft} draft */
  function drawAdded(form, { values, added = [] }) {
    const missing = added.filter(([name, value]) => (values[name] || []).includes(value) && !tickOf(form, name, value));
    for (const [name, value, words] of missing) addTick(form, name, value, words || undefined);
    return missing.map(([name, value]) => tickOf(form, name, value));
  }

  // How much is filled in: a row is one thing, and of cards each is.
  /** @param {Found} field */
  const isCard = (field) => field.matches(".tile input, .told input");
  /** @param {Found} field */
  const thing = (field) => (isCard(field) ? field : field.closest("fieldset, .field, .tick") || field);

  // The sweeps that were noted in play: a closing that came late takes none of them back, and is told of them.
  const NOTED = /^sweeps-/;
  /** @param {Draft} draft */
  function tellLate({ seq }) {
    const news = document.getElementById("meanwhile");
    if (!news) return;
    news.dataset.from = news.dataset.from.replace(/seq=\d+/, `seq=${seq}`);
    news.dataset.version = news.dataset.version.replace(/\d+$/, seq);
  }
  // Returns what came back, as the things that differ from the form as it was drawn.
  /** @param {Found} form @param {Draft} draft */
  function restore(form, draft) {
    const early = new Set([...form.elements].filter(isChanged).map((field) => field.name));
    const seen = draft.seen && new Set(draft.seen);
    const isLate = draft.isStale && !document.getElementById("ahead");
    drawTold(form, draft.values);
    const things = new Set(drawAdded(form, draft).map(thing));
    for (const field of form.elements) {
      const values = draft.values[field.name];
      if (!values || early.has(field.name)) continue;
      // Another phone noted it since.
      if (seen && NAMES.includes(field.name) && !seen.has(nameOf(field))) continue;
      const before = stateOf(field);
      const meanings = values.map(meaning);
      if (isTick(field)) field.checked = meanings.includes(meaning(field.value));
      else if (isLate && NOTED.test(field.name)) field.value = Math.max(Number(field.defaultValue), Number(values[0]));
      else if (values.length) field.value = values[0];
      if (before !== stateOf(field)) things.add(thing(field));
    }
    for (const fold of foldsOf(form)) if ((draft.open || []).includes(foldName(fold))) fold.open = true;
    form.dataset.touched = Object.keys(draft.values).join(" ");
    if (!things.size) return things;
    if (isLate) tellLate(draft);
    if (draft.counted) form.dataset.counted = draft.counted;
    // The deal was closed after the draft was typed: with the draft's seq the server sees that, and shows both.
    if (draft.heading !== heading()) form.elements.seq.value = draft.seq;
    else if (!document.getElementById("ahead")) forgetArrived(form);
    // A form that was kept ahead is drawn without what the numbers of the draft hold already (js/waiting/count_in.js).
    else form.dataset.restored = JSON.stringify({ at: draft.toldAt || 0, seq: Number(draft.seq), fields: Object.keys(draft.values) });
    // A closing saves itself at the tap that completes it. Nobody has tapped now: if it is complete, it waits for its
    // button.
    savesItself = form.elements.was_open.value;
    form.elements.was_open.value = "no";
    setTimeout(() => form.dispatchEvent(new CustomEvent("change", { bubbles: true, detail: "restored" })));
    return things;
  }

  // What was counted while it waited, and has arrived since, is in the form as it was drawn.
  /** @param {Found} form */
  async function forgetArrived(form) {
    const { queue } = scorekeeper;
    if (!queue) return;
    await queue.firstRead;
    const inQueue = new Set(queue.all().map(({ id }) => id));
    form.dataset.counted = (form.dataset.counted || "").split(" ").filter((id) => inQueue.has(id)).join(" ");
  }

  let savesItself = "";
  document.addEventListener("htmx:afterSettle", () => {
    const form = closingForm();
    if (!savesItself || !form) return;
    if (!form.querySelector(".foot [value=save]")) form.elements.was_open.value = savesItself;
    savesItself = "";
  });

  // In a place of its own under the bar, which it keeps: nothing lies below it, and nothing moves when it goes.
  /** @param {string} words @param {string} label @param {(...all: any[]) => any} act */
  function tell(words, label, act) {
    const place = document.getElementById("restored");
    const notice = document.getElementById("draft").content.firstElementChild.cloneNode(true);
    const button = notice.querySelector("button");
    notice.querySelector("span").textContent = words;
    button.textContent = label;
    button.onclick = act;
    place.className = "kept-place";
    place.replaceChildren(notice);
    setTimeout(() => notice.remove(), SHOWN);
    // A reader is still busy with the page that has just come; what the form says of the deal comes first.
    const said = document.getElementById("said");
    setTimeout(() => { said.textContent = [words, said.textContent].filter(Boolean).join(". "); }, HEARD);
  }
  const texts = () => document.getElementById("draft").dataset;
  /** @param {Found} form @param {number} count */
  function tellRestored(form, count) {
    const { one, several: more, again } = texts();
    tell(count === 1 ? one : more.replace("#", count), again, () => {
      inTab((tab) => tab.setItem(left(form), JSON.stringify(stored(path(form)))));
      forget(form);
      location.reload();
    });
  }
  /** @param {Found} form @param {Draft} draft */
  function tellLeft(form, draft) {
    const { begun, undo } = texts();
    tell(begun, undo, () => {
      store(path(form), draft);
      location.reload();
    });
  }
  const hide = () => document.getElementById("restored")?.replaceChildren();

  /** @param {Found} form */
  function begin(form) {
    const draft = document.querySelector(".stale") ? null : stored(path(form));
    const [{ type } = {}] = performance.getEntriesByType("navigation");
    noted = new Set(several(form).map(nameOf));
    // A page that answers a post, where the scripts came late: it holds what the draft does, and what the button added.
    if ("posted" in form.dataset && draft && draft.noted) {
      noted = new Set(draft.noted);
      form.dataset.touched = Object.keys(draft.values).join(" ");
      if (type !== "reload") { save(form); return; }
    }
    const before = inTab((tab) => JSON.parse(tab.getItem(left(form))));
    inTab((tab) => tab.removeItem(left(form)));
    if (before && !draft) tellLeft(form, before);
    if (!draft) return;
    const { size } = restore(form, draft);
    const isHere = inTab((tab) => tab.getItem(typedHere(form)));
    // Whoever comes back to what this tab shows all the time need not be told.
    if (size && (type === "reload" || document.wasDiscarded || !isHere)) tellRestored(form, size);
  }
  /** @param {Found} form */
  function forget(form) {
    isUnstored = false;
    drop(path(form));
    inTab((tab) => tab.removeItem(typedHere(form)));
  }

  // A button of the form (the answer to a question, say) has the server draw it again with more in it: what the button
  // filled in is stored as if it had been typed.
  /** @param {Found} form */
  const valuesOf = (form) => {
    const values = new Map();
    for (const field of form.elements) {
      if (!field.name || field.type === "submit" || (isTick(field) && !field.checked)) continue;
      values.set(field.name, `${values.get(field.name) || ""} ${field.value}`);
    }
    return values;
  };
  /** @type {{ form: Found, values: Map<string, any>, touched: string } | null} */
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
      if (!form || !(event.target === form || form.contains(event.target))) return;
      const isTyped = event.detail !== "restored";
      if (isTyped) hide();
      save(form, isTyped);
    });
  }
  document.addEventListener("toggle", ({ target }) => {
    const form = closingForm();
    if (form && form.contains(target) && form.dataset.touched) save(form);
  }, true);
  // waiting/submit.js: the form is stored as an entry that waits.
  document.addEventListener("waiting:stored", (event) => { if (event.target === closingForm()) forget(event.target); });
  for (const name of ["DOMContentLoaded", "page:replaced"]) {
    document.addEventListener(name, () => {
      const form = closingForm();
      if (form) begin(form);
    });
  }
})();
