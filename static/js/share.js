// Hands a text, a link or a picture on, by the phone's own sharing or the clipboard. Where neither is to be had, the link that was tapped leads on.
(() => {
  "use strict";
  const find = (name, root = document) => root.querySelectorAll(`[data-${name}]`);

  async function copy(text) {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    // A phone on the local network has no HTTPS, and without it no clipboard but this old one.
    const field = document.createElement("textarea");
    field.className = "visually-hidden";
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (!done) throw new Error("not copied");
  }

  function say(button) {
    const words = button.textContent;
    button.textContent = button.dataset.done;
    setTimeout(() => { button.textContent = words; }, 3000);
  }

  async function share(button, what, otherwise) {
    try {
      await navigator.share(what);
    } catch (error) {
      // Whoever changes their mind has not made a mistake.
      if (error.name !== "AbortError") await otherwise();
    }
  }

  async function copyOrGo(button, text) {
    try {
      await copy(text);
      say(button);
    } catch {
      if (button.href) location.assign(button.href);
    }
  }

  // Sharing must answer the tap itself: the picture is fetched before, as soon as the page is there.
  const pictures = new Map();
  async function fetchPicture(button) {
    try {
      const answer = await fetch(button.href);
      if (!answer.ok) return;
      const file = new File([await answer.blob()], button.dataset.picture, { type: "image/png" });
      if (navigator.canShare({ files: [file] })) pictures.set(button, file);
    } catch { /* The link still leads to the picture. */ }
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-words], [data-copy], [data-picture], [data-print]");
    if (!button) return;
    if ("words" in button.dataset) {
      event.preventDefault();
      const text = button.dataset.words;
      if (navigator.share) share(button, { text }, () => copyOrGo(button, text));
      else copyOrGo(button, text);
    } else if ("copy" in button.dataset) {
      const field = document.getElementById(button.dataset.copy);
      field.select();
      copyOrGo(button, field.value);
    } else if ("picture" in button.dataset) {
      if (!pictures.has(button)) return;
      event.preventDefault();
      share(button, { files: [pictures.get(button)] }, () => location.assign(button.href));
    } else {
      window.print();
    }
  });

  for (const button of [...find("copy"), ...find("print")]) button.hidden = false;
  if (navigator.canShare) for (const button of find("picture")) fetchPicture(button);
  for (const field of document.querySelectorAll("textarea[data-selected]")) field.select();
})();
