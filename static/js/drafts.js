// A closing that is being typed survives a reload, a dead battery, a closed tab: what was changed is kept on this phone.
(() => {
  "use strict";
  const PREFIX = "draft:";
  const OURS = new Set(["csrf_token", "id", "seq", "was_open", "answer_for"]);
  const key = (form) => PREFIX + new URL(form.getAttribute("action"), location.href).pathname;
  const closing = () => document.getElementById("closing");

  function attempt(act) {
    try { return act(); } catch { return null; /* No room, or the phone allows none: the page itself still works. */ }
  }

  const { isTick, isChanged } = window;

  function save(form) {
    const fields = [...form.elements].filter((field) => field.name && field.type !== "submit" && !OURS.has(field.name));
    // What the page was drawn with after an answer is as much typed as what was changed since.
    const touched = new Set([...(form.dataset.touched || "").split(" "), ...fields.filter(isChanged).map((field) => field.name)].filter(Boolean));
    if (!touched.size) return;
    form.dataset.touched = [...touched].join(" ");
    const values = {};
    for (const name of touched) values[name] = fields.filter((field) => field.name === name && (!isTick(field) || field.checked)).map((field) => field.value);
    const draft = { values, seq: form.elements.seq.value, heading: heading(), counted: form.dataset.counted || "" };
    isUnkept = !attempt(() => { localStorage.setItem(key(form), JSON.stringify(draft)); return true; });
    if (isUnkept && !form.querySelector(".unkept")) {
      const text = document.getElementById("waiting").dataset.unkept || "";
      form.prepend(Object.assign(document.createElement("p"), { className: "warning unkept", textContent: text }));
    }
  }
  // What the phone cannot keep is not left without a word, unless it has been saved.
  let isUnkept = false;
  addEventListener("beforeunload", (event) => { if (isUnkept) event.preventDefault(); });
  document.addEventListener("htmx:beforeOnLoad", (event) => { if (event.detail.xhr.getResponseHeader("HX-Redirect")) isUnkept = false; });
  const heading = () => document.querySelector("h1").textContent.trim().replace(/\s+/g, " ");

  function restore(form) {
    const draft = attempt(() => JSON.parse(localStorage.getItem(key(form))));
    if (!draft || document.querySelector(".stale")) return;
    let differs = false;
    const early = new Set([...form.elements].filter(isChanged).map((field) => field.name));
    for (const field of form.elements) {
      const values = draft.values[field.name];
      if (!values || early.has(field.name)) continue;
      const before = isTick(field) ? field.checked : field.value;
      if (isTick(field)) field.checked = values.includes(field.value);
      else if (values.length) field.value = values[0];
      differs ||= before !== (isTick(field) ? field.checked : field.value);
    }
    form.dataset.touched = Object.keys(draft.values).join(" ");
    if (!differs) return;
    if (draft.counted) form.dataset.counted = draft.counted;
    // Typed for a deal that was closed meanwhile: the version it was typed on says so, and both are shown.
    if (draft.heading !== heading()) form.elements.seq.value = draft.seq;
    // Nobody tapped now: what is settled waits for its button.
    form.elements.was_open.value = "no";
    const notice = document.getElementById("draft").content.firstElementChild.cloneNode(true);
    notice.querySelector("button").onclick = () => { forget(form); location.reload(); };
    form.before(notice);
    setTimeout(() => form.dispatchEvent(new Event("change", { bubbles: true })));
  }
  function forget(form) {
    isUnkept = false;
    attempt(() => localStorage.removeItem(key(form)));
  }

  for (const name of ["input", "change"]) {
    document.addEventListener(name, (event) => {
      const form = closing();
      if (form && (event.target === form || form.contains(event.target))) save(form);
    });
  }
  document.addEventListener("kept", (event) => { if (event.target === closing()) forget(event.target); });
  document.addEventListener("DOMContentLoaded", () => {
    const form = closing();
    if (form) restore(form);
    const saved = new URLSearchParams(location.search).has("saved");
    if (!saved) return;
    const closed = `${location.pathname}/close`;
    attempt(() => localStorage.removeItem(PREFIX + closed));
    // What the service worker would show while the signal is slow is the form as it was before.
    attempt(() => caches.open("pages").then((pages) => pages.delete(closed)));
  });
})();
