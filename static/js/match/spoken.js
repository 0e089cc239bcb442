// What a screen reader says of news from other phones: each new entry, each that was undone, each yes and each dispute, and
// nothing that this phone has written itself; of that, what a form has written that led to another page.
(() => {
  "use strict";
  const texts = document.getElementById("since");
  /** @param {any} element */
  function onOneLine(element) {
    if (!element) return "";
    const words = element.cloneNode(true);
    // Cards that are drawn behind a sentence run together.
    for (const cards of words.querySelectorAll(".minis")) cards.remove();
    return words.textContent.replace(/\s+/g, " ").trim();
  }
  // Beginnings of the ids of entries that were sent from here after they had waited.
  const mine = new Set();
  document.addEventListener("waiting:arrived", ({ detail }) => { for (const id of detail) mine.add(id.slice(0, 8)); });

  /** @type {Shared["spoken"]["say"]} */
  function say(text) {
    const said = document.getElementById("said") || document.getElementById("since-said");
    // The same words again are news as well: a reader notices only what changes.
    if (said) said.textContent = said.textContent === text ? `${text}\u00a0` : text;
  }
  /** @param {string[]} sentences */
  const joined = (sentences) => sentences.filter(Boolean).map((one) => one.replace(/\.$/, "")).join(". ");
  // With what it made: the third sweep reads like the second.
  /** @param {Found} live @param {Found} line */
  function wordsOf(live, line) {
    const { side } = line.dataset;
    return [line.querySelector(".log-text") || line, side && live.querySelector(`.pill[data-side="${side}"]`)].map(onOneLine).filter(Boolean).join(". ");
  }
  /** @param {Found} live */
  function linesOf(live) {
    const drawn = live.querySelector("[data-holds]");
    const lines = [...live.querySelectorAll("[data-entry]")];
    return {
      deal: drawn ? drawn.dataset.deal : "",
      holds: drawn ? drawn.dataset.holds.split(" ") : [],
      words: new Map(lines.map((line) => [line.dataset.entry, wordsOf(live, line)])),
      noted: lines.filter((line) => line.matches(".log li, .said-last small")).map((line) => [line.dataset.entry, onOneLine(line.querySelector(".log-text") || line)]),
      outcome: onOneLine(live.querySelector(".winner, .last-deal")),
    };
  }

  // Returns what to call once the region is drawn anew.
  /** @type {Shared["spoken"]["listen"]} */
  function listen(live) {
    const before = linesOf(live);
    return () => {
      const now = linesOf(live);
      // What a line has made room for again was there before.
      /** @param {string} id */
      const isNew = (id) => !before.words.has(id) && !before.holds.includes(id);
      const added = [...now.words].filter(([id]) => isNew(id) && !mine.has(id)).map(([, words]) => words);
      const others = added.length + [...now.words.keys()].filter((id) => mine.has(id) && isNew(id)).length;
      // The log shows the newest: what a new entry pushes off its end is not undone.
      const kept = now.noted.length < before.noted.length ? before.noted : before.noted.slice(0, before.noted.length - others);
      // At the end of a match nothing stands there of what was noted, and nothing of it is undone.
      const isThere = Boolean(live.querySelector(".log, .said-last"));
      const undone = isThere && before.deal === now.deal ? kept.filter(([id]) => !now.words.has(id) && !mine.has(id)) : [];
      const sentences = [
        ...added.reverse(), ...undone.map(([, words]) => (texts ? texts.dataset.undone : "#").replace("#", words)),
        now.outcome !== before.outcome ? now.outcome : "",
      ];
      if (sentences.some(Boolean)) say(joined(sentences));
    };
  }

  // A form that leads to another page is known there by the id of its entry, and a yes by its place on the sheet.
  const WRITTEN = "written";
  const PAUSE = 700;
  /** @param {(...all: any[]) => any} act */
  function inTab(act) { try { return act(sessionStorage); } catch { return null; } }
  /** @param {string} id @param {string} path */
  const note = (id, path) => { if (id) inTab((tab) => tab.setItem(WRITTEN, JSON.stringify([id, path]))); };
  document.addEventListener("submit", ({ target: form, submitter }) => {
    const action = (submitter && submitter.getAttribute("formaction")) || form.getAttribute("action");
    if (action && form.getAttribute("method") === "post" && form.elements.id) note(form.elements.id.value, action);
  }, true);
  document.addEventListener("htmx:beforeOnLoad", ({ detail: { xhr, requestConfig: { formData, path } } }) => {
    if (xhr.getResponseHeader("HX-Redirect")) note(formData.get("id"), path);
  });
  function tellWritten() {
    const live = document.querySelector("[data-live]");
    const [id, path] = inTab((tab) => JSON.parse(tab.getItem(WRITTEN))) || [];
    inTab((tab) => tab.removeItem(WRITTEN));
    // A notice is said by itself (js/page/drawn.js).
    if (!live || !id || document.querySelector(".notice[data-said]")) return;
    const agreed = /\/accept$/.test(path) ? "#settlement [data-entry^=yes], #settlement [data-entry^=locked]" : "";
    const lines = [...live.querySelectorAll([`[data-entry="${CSS.escape(id.slice(0, 8))}"]`, agreed].filter(Boolean).join(", "))];
    const words = joined(lines.map((line) => wordsOf(live, line)));
    if (words) setTimeout(say, PAUSE, words);
  }
  tellWritten();

  scorekeeper.spoken = { listen, say };
})();
