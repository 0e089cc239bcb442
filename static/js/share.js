// Shares a text, a picture or the address of the page, by the phone's own sharing or the clipboard; copies a field; prints.
// Where the phone can neither share nor copy, the link that was tapped is followed.
(() => {
  "use strict";
  /** @param {string} name */
  const find = (name) => document.querySelectorAll(`[data-${name}]`);

  // Asynchronous also where it does not wait: what it throws is a rejection.
  /** @param {string} text */
  // deno-lint-ignore require-await
  async function copy(text) {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    // navigator.clipboard exists on https addresses only; a phone on the local network may have opened http.
    const field = document.createElement("textarea");
    field.className = "visually-hidden";
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (!done) throw new Error("not copied");
  }

  /** @param {Found} button */
  function showDone(button) {
    if (button.matches(".share")) {
      // A button as wide as its icon has no room for words: they stand above it.
      const words = document.createElement("span");
      words.textContent = button.dataset.done;
      button.append(words);
      setTimeout(() => words.remove(), 3000);
      return;
    }
    const label = [...button.childNodes];
    button.textContent = button.dataset.done;
    setTimeout(() => button.replaceChildren(...label), 3000);
  }

  /** @param {any} what @param {() => unknown} otherwise */
  async function share(what, otherwise) {
    try {
      await navigator.share(what);
    } catch (error) {
      // AbortError: somebody closed the phone's list of apps.
      if (error.name !== "AbortError") await otherwise();
    }
  }

  /** @param {Found} button @param {string} text */
  async function copyOrGo(button, text) {
    try {
      await copy(text);
      showDone(button);
    } catch {
      if (button.href) location.assign(button.href);
    }
  }

  // A browser shares only in direct answer to a tap, so the picture is fetched before, as soon as the page is loaded.
  const pictures = new Map();
  /** @param {Found} button */
  async function fetchPicture(button) {
    try {
      const answer = await fetch(button.href);
      if (!answer.ok) return;
      const file = new File([await answer.blob()], button.dataset.picture, { type: "image/png" });
      if (navigator.canShare({ files: [file] })) pictures.set(button, file);
    } catch { /* The link still leads to the picture. */ }
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-words], [data-share], [data-copy], [data-picture], [data-print]");
    if (!button) return;
    if ("words" in button.dataset) {
      event.preventDefault();
      const text = button.dataset.words;
      if (navigator.share) share({ text }, () => copyOrGo(button, text));
      else copyOrGo(button, text);
    } else if ("share" in button.dataset) {
      const url = location.href;
      if (navigator.share) share({ title: document.title, url }, () => copyOrGo(button, url));
      else copyOrGo(button, url);
    } else if ("copy" in button.dataset) {
      const field = document.getElementById(button.dataset.copy);
      field.select();
      copyOrGo(button, field.value);
    } else if ("picture" in button.dataset) {
      if (!pictures.has(button)) return;
      event.preventDefault();
      share({ files: [pictures.get(button)] }, () => location.assign(button.href));
    } else {
      window.print();
    }
  });

  // Buttons that do nothing without a script are hidden until there is one.
  function reveal() {
    for (const button of [...find("copy"), ...find("print")]) button.hidden = false;
    for (const button of find("share")) button.hidden = !(navigator.share || navigator.clipboard);
  }
  document.addEventListener("htmx:afterSettle", reveal);
  reveal();
  if (navigator.canShare) for (const button of find("picture")) fetchPicture(button);
  for (const field of document.querySelectorAll("textarea[data-selected]")) field.select();
})();
