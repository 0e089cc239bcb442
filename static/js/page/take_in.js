// Sends the files of a table that are chosen: at once, all parts one after the other, the first matches first. A part that
// does not arrive is sent again by the button, under the same id, and the parts behind it follow.
(() => {
  "use strict";
  const { isOurs, warn } = scorekeeper.answers;
  const PROGRESS = "/tables/import/";
  const lost = document.getElementById("lost");
  /** @typedef {{ file: File, id: string }} Part */
  /** @type {{ parts: Part[], at: number, to: string } | null} */
  let under = null;

  /** @returns {Found} */
  const theForm = () => document.getElementById("take-in");
  // crypto.randomUUID exists on https addresses only.
  const digit = () => (crypto.getRandomValues(new Uint8Array(1))[0] % 16).toString(16);
  const uuid = () => "xxxxxxxx-xxxx-4xxx-axxx-xxxxxxxxxxxx".replace(/x/g, digit);

  // The number of the first match in a file; what cannot be read comes last, and the server says why.
  /** @param {File} file */
  async function firstMatch(file) {
    try {
      return Number(JSON.parse(await file.text()).matches[0].number);
    } catch {
      return Infinity;
    }
  }
  /** @param {File[]} files */
  async function inOrder(files) {
    const numbers = new Map();
    for (const file of files) numbers.set(file, files.length > 1 ? await firstMatch(file) : 0);
    return files.sort((one, other) => (numbers.get(one) < numbers.get(other) ? -1 : Number(numbers.get(one) > numbers.get(other))));
  }

  // Posts, and returns where the answer leads, and its page where it leads nowhere.
  /** @param {string} to @param {FormData} data */
  async function post(to, data) {
    data.set("csrf_token", theForm().elements.csrf_token.value);
    const answer = await fetch(to, { method: "POST", body: data, headers: { "HX-Request": "true" } });
    if (!isOurs(answer) || answer.status >= 500) throw new Error(answer.status);
    return { leads: answer.headers.get("HX-Redirect"), isRefused: !answer.ok, place: answer.headers.get("HX-Retarget"), text: await answer.text() };
  }

  /** @param {string} words @param {Found | null} [far] */
  function say(words, far) {
    const [line, bar] = [theForm().querySelector("[role=status]"), theForm().querySelector("progress")];
    line.hidden = bar.hidden = !words;
    line.textContent = words;
    if (far) { bar.max = far.max; bar.value = far.value; } else bar.removeAttribute("value");
  }
  /** @param {Part[]} parts @param {number} at */
  const partWords = (parts, at) => (parts.length > 1 ? theForm().dataset.part.replace("##", parts.length).replace("#", at + 1) : theForm().dataset.sending);

  // Sends one part, and returns where to go from there; null where it was refused, which is then shown.
  /** @param {Part} part @param {string} to @param {boolean} isLast @param {string} words @param {boolean} isAlone */
  async function sendPart({ file, id }, to, isLast, words, isAlone) {
    const data = new FormData();
    data.set("id", id);
    data.set("file", file);
    if (!isLast) data.set("more", "yes");
    let answer = await post(to, data);
    const progress = answer.leads;
    // One file alone has a page that shows how far it is.
    while (!isAlone && !answer.isRefused && progress?.startsWith(PROGRESS) && (answer.leads === progress || !answer.leads)) {
      const next = new FormData();
      if (!isLast) next.set("more", "yes");
      answer = await post(progress, next);
      const drawn = new DOMParser().parseFromString(answer.text, "text/html");
      const far = drawn.querySelector("progress");
      if (far) say(`${words}: ${drawn.querySelector("[data-far]").textContent}`, far);
    }
    if (!answer.isRefused) return answer.leads;
    const whole = answer.place === "main";
    htmx.swap(document.querySelector(whole ? "main" : "#refused"), answer.text, { swapStyle: whole ? "outerHTML" : "innerHTML" }, { select: whole ? "main" : ".error" });
    return null;
  }

  async function sendAll() {
    const button = theForm().querySelector("button");
    button.hidden = true;
    lost.replaceChildren();
    try {
      while (under && under.at < under.parts.length) {
        const { parts, at, to } = under;
        const words = partWords(parts, at);
        say(words);
        const next = await sendPart(parts[at], to, at === parts.length - 1, words, parts.length === 1);
        if (!next) { under = null; prepare(); return; }
        under = { parts, at: at + 1, to: next };
      }
      if (under) location.assign(under.to);
    } catch {
      say("");
      button.hidden = false;
      warn(lost.dataset.text);
    }
  }

  document.addEventListener("change", async (event) => {
    /** @type {any} */
    const { target } = event;
    if (!target.matches("#take-in [type=file]") || !target.files.length) return;
    const files = await inOrder([...target.files]);
    const parts = files.map((file, place) => ({ file, id: place ? uuid() : theForm().elements.id.value }));
    under = { parts, at: 0, to: theForm().action };
    await sendAll();
  });
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("#take-in")) return;
    event.preventDefault();
    if (under) sendAll();
    else theForm().elements.file.click();
  });
  function prepare() {
    if (!theForm()) return;
    theForm().elements.file.multiple = true;
    theForm().querySelector("button").hidden = !under;
  }
  // A page that somebody comes back to has the file chosen, and nothing under way.
  addEventListener("pageshow", ({ persisted }) => { if (persisted) location.reload(); });
  prepare();
})();
