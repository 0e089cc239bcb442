// Saves all parts of a large table, one after the other. A part that does not come ends it: the next tap goes on there.
(() => {
  "use strict";
  const tools = document.querySelector("[data-save-all]");
  const button = tools.querySelector("button");
  const rows = document.querySelector("[data-saved]");
  const fault = document.getElementById("not-saved");
  const saved = new Set();

  /** @param {Found} link @param {string} words */
  const say = (link, words) => { link.querySelector("[data-state]").textContent = words; };

  /** @param {Found} link */
  async function save(link) {
    say(link, rows.dataset.saving);
    const answer = await fetch(link.href);
    if (!answer.ok) throw new Error(link.href);
    const address = URL.createObjectURL(await answer.blob());
    const file = Object.assign(document.createElement("a"), { href: address, download: link.getAttribute("download") });
    file.click();
    // Some browsers read the file only a while after the tap.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    saved.add(link);
    say(link, rows.dataset.saved);
  }

  button.addEventListener("click", async () => {
    fault.hidden = true;
    button.disabled = true;
    const links = [...rows.querySelectorAll("a[download]")];
    // Once all are saved, the button saves them all again.
    if (links.every((link) => saved.has(link))) saved.clear();
    for (const link of links.filter((one) => !saved.has(one))) {
      try {
        await save(link);
      } catch {
        say(link, "");
        link.before(fault);
        fault.hidden = false;
        break;
      }
    }
    button.disabled = false;
  });
  tools.hidden = false;
})();
