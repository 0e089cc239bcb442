// Every form that writes an entry is submitted from here: posted at once, or queued where something waits already, a post
// has no answer yet, or there is no signal. So the order of the taps is preserved. Needs no service worker and no https.
(() => {
  "use strict";
  if (!scorekeeper.queue) return;
  const { isOurs, warn } = scorekeeper.answers;
  const { uuid, placeOf, countedIn, entryOf, dataOf, entryOfStored, nameOf } = scorekeeper.entries;
  const { putLocal, removeLocal, allLocal, deleteAnswered, isUnstored } = scorekeeper.store;
  const local = scorekeeper.local;
  const queue = scorekeeper.queue;
  const { send, sendNow } = scorekeeper.send;
  const SHOWN = 8000;
  const MOST_SENT = 200;
  // Forms to be filled in; any other has one tap, and the next tap is another.
  const FILLED_IN = ".acts,.new-match,.panel";
  const texts = document.getElementById("waiting").dataset;
  const lost = document.getElementById("lost");

  // The ids that forms were sent under, the newest last: js/waiting/noted.js knows such a form again.
  /** @param {string} id */
  const noteSent = (id) => local.write("sent", [...(local.read("sent") || []), id].slice(-MOST_SENT));
  document.addEventListener("htmx:beforeOnLoad", ({ target, detail: { xhr, requestConfig: { verb, formData, path } } }) => {
    const to = verb === "post" && xhr.getResponseHeader("HX-Redirect");
    if (!to) return;
    noteSent(formData.get("id"));
    // A closing that saved itself is no entry before it is written.
    if (!/\/deals\/.*saved/.test(to)) return;
    formData.set("step", "save");
    const entry = entryOf(path, formData);
    if (!entry) return;
    queue.take(complete(entry, target.closest("form")));
    queue.settle(entry);
  });

  /** @param {Entry} entry */
  async function add(entry) {
    if (entry.kind !== "swept" && entry.kind !== "points_noted") noteSent(entry.id);
    const isStored = await queue.add(entry);
    if (lost) lost.replaceChildren();
    send();
    return isStored;
  }
  // What was refused will never be in the match: the closing settles it, and does not name it, nor what a board had drawn,
  // of which there is only the beginning of its id.
  /** @param {Entry} entry @param {Found} form */
  function count(entry, form) {
    const refused = new Set(queue.all().filter(({ words }) => words).map(({ id }) => id));
    entry.settles = countedIn(form);
    entry.counted = entry.settles.filter((id) => id.length > 8 && !refused.has(id));
  }
  /** @param {Entry} entry @param {Found} form @param {Found} [button] */
  function complete(entry, form, button) {
    entry.turn = queue.nextTurn();
    entry.what = nameOf(entry, form, button);
    // A page of a table that may write says who holds the phone, nobody where it says no name.
    if (texts.key) entry.by = Number(texts.by) || null;
    if (entry.kind === "deal_closed") count(entry, form);
    // Pages that were kept know more of it (js/ahead/stand.js, js/ahead/form.js).
    if (form) form.dispatchEvent(new CustomEvent("waiting:complete", { bubbles: true, detail: { entry, button } }));
    return entry;
  }
  // The next tap on the same button is another tap.
  /** @param {any} form */
  function renewId(form) {
    if (form && form.matches("[action$='/sweep'], .pad")) form.elements.id.value = uuid();
  }
  // match/draft.js then forgets the form draft.
  /** @param {Found} form */
  const reportStored = (form) => form.dispatchEvent(new Event("waiting:stored", { bubbles: true }));

  // The same form pressed twice is one entry.
  const pressed = new Set();
  document.addEventListener("submit", (event) => {
    const { target: form, submitter: button } = event;
    const address = form.getAttribute("action");
    const entry = address && entryOf(address, dataOf(form, button));
    if (!entry) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (pressed.has(entry.id)) return;
    queue.last = entry.id;
    if (queue.mustWait()) queueForm(form, button);
    else postNow(event, entry);
  }, true);

  /** @type {Shared["submit"]["queueForm"]} */
  async function queueForm(form, button) {
    const data = dataOf(form, button);
    if (!button) data.append("step", "save");
    const entry = complete(entryOf(form.getAttribute("action"), data), form, button);
    renewId(form);
    const isPage = form.matches("[id]");
    if (!(await add(entry))) {
      // The form stays as it was typed. The list says so too, but may be out of sight above a long form. What the form has
      // still to ask fails too, and need not be said any more.
      form.dataset.waits = "";
      // @ts-expect-error What is to be removed is handed on.
      if (isPage) setTimeout((message) => message.remove(), SHOWN, warn(texts.unkept));
      return;
    }
    reportStored(form);
    if (isPage) leave(form, entry);
  }
  // Without signal the board opens only where a service worker has it.
  /** @param {Found} form @param {Entry} entry */
  function leave(form, { table }) {
    if (!navigator.serviceWorker || !navigator.serviceWorker.controller) return;
    location[form.matches("#closing") ? "replace" : "assign"](`/t/${table}`);
  }

  // By htmx.ajax, because htmx may not have taken up yet a form that was just drawn.
  /** @param {PageEvent} event @param {Entry} entry */
  function postNow(event, entry) {
    const { target: form, submitter: button } = event;
    const values = { id: entry.id, ...(button && button.name ? { [button.name]: button.value } : {}) };
    const before = queue.posts.size;
    pressed.add(entry.id);
    renewId(form);
    const swap = form.hasAttribute("hx-post") ? undefined : "none";
    htmx.ajax("POST", form.getAttribute("action"), { source: form, swap, values, event }).catch(() => {});
    if (queue.posts.size > before) return;
    pressed.delete(entry.id);
    add(complete(entry, form, button));
  }

  // The entry that a request of htmx writes, or null.
  /** @type {Shared["submit"]["writes"]} */
  const writes = ({ requestConfig: { verb, path, formData } }) => (verb === "post" ? entryOf(path, formData) : null);
  // Above 422 nothing is decided, and what was tapped waits on this phone: the table has moved (423), too much at once (429),
  // a fault (500 and more). So it does where the link is dead or the match is deleted: there may be a new link, and a match may
  // come back.
  /** @type {Shared["submit"]["isAnswered"]} */
  const isAnswered = (xhr) => xhr.status > 0 && xhr.status < 423 && isOurs(xhr) && !xhr.getResponseHeader("Gone");
  document.addEventListener("htmx:beforeSend", ({ target, detail }) => {
    const { xhr, requestConfig } = detail;
    const entry = writes(detail);
    if (!entry) return;
    const form = target.closest("form");
    // It outlives the phone, whichever way it is posted: where the answer is lost too, it is sent again under its id.
    putLocal(complete(entry, form, requestConfig.triggeringEvent && requestConfig.triggeringEvent.submitter));
    xhr.written = entry;
    queue.posts.add(xhr);
    const announce = () => document.dispatchEvent(new Event("posts:changed"));
    announce();
    xhr.addEventListener("readystatechange", () => { if (xhr.readyState === 4) xhr.written = null; });
    // By the request's own event: the form may be gone from the page by then, and its events with it.
    xhr.addEventListener("loadend", async () => {
      queue.posts.delete(xhr);
      announce();
      pressed.delete(entry.id);
      if (isAnswered(xhr)) { removeLocal(entry.id); if (xhr.status < 400 && entry.kind !== "deal_closed") queue.take(entry); }
      else if (await add(entry) && form && form.isConnected && entry.kind !== "swept") {
        reportStored(form);
        if (form.matches("[id]")) leave(form, entry);
      }
      if (!queue.posts.size) sendNow();
    });
  });

  // A post without an answer is queued, and the list says so: "send it again" beside it would be wrong.
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (!isAnswered(detail.xhr) && writes(detail)) detail.shouldSwap = false;
  });

  window.addEventListener("online", sendNow);
  window.addEventListener("focus", sendNow);
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") sendNow(); });
  // A page drawn from a cache may have form ids that were used already: each form gets a new one. A form that was filled in
  // and that somebody comes back to keeps its own, so that it is never written twice.
  const [came] = performance.getEntriesByType("navigation");
  window.addEventListener("pageshow", async ({ persisted }) => {
    const isBack = persisted || (came && came.type === "back_forward");
    for (const form of document.querySelectorAll("form[action]")) {
      const { id } = form.elements;
      if (id && placeOf(form.getAttribute("action")) && !(isBack && form.matches(FILLED_IN))) id.value = uuid();
    }
    await queue.refresh();
    await deleteAnswered();
    if (queue.hasWaiting()) await send();
    document.dispatchEvent(new Event("waiting:tried"));
  });
  window.addEventListener("beforeunload", (event) => { if (queue.all().some(isUnstored)) event.preventDefault(); });

  // Posts that had no answer when their page went, and taps that js/early.js stored: they are queued behind what waits.
  async function queueLocal() {
    const entries = allLocal().map(entryOfStored).filter(Boolean);
    for (const entry of entries) {
      entry.turn ||= queue.nextTurn();
      queue.last = entry.id;
    }
    await queue.firstRead;
    await Promise.all(entries.map(add));
  }
  // From here on js/early.js leaves the taps to this script. A form that it has stored a tap of has the id of that tap.
  window.tapsAreHeld = false;
  for (const form of document.forms) renewId(form);
  queueLocal();

  scorekeeper.submit = { queueForm, writes, isAnswered };
})();
