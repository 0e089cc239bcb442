// Whether a request was answered, and by whom. When no answer comes, or somebody else answers, the page says so and shows
// what was typed unchanged.
(() => {
  "use strict";
  const HEADER = "X-Scorekeeper";
  const lost = document.getElementById("lost");
  const refused = document.getElementById("refused");

  // The login page of a Wi-Fi answers in the app's place; only the app's own answers have the header. A page without the
  // mark was drawn by a server that did not send the header yet.
  /** @type {Shared["answers"]["isOurs"]} */
  const isOurs = (answer) => !("marked" in document.documentElement.dataset)
    || (answer.headers ? answer.headers.get(HEADER) : answer.getResponseHeader(HEADER)) !== null;

  /** @type {Shared["answers"]["warn"]} */
  function warn(text) {
    const message = document.createElement("div");
    message.className = "warning";
    message.textContent = text;
    lost.replaceChildren(message);
    return message;
  }
  // A closing says it in its foot, where the thumb is: above, it would lie over the names.
  function warnOfNoAnswer() {
    const line = document.querySelector("#close-foot small");
    if (line) {
      Object.assign(line, { className: "bad", role: "alert", textContent: lost.dataset.text });
    } else if (!document.querySelector("[data-waits]")) warn(lost.dataset.text);
  }

  // Two quick taps may both be redirected to the same page. Only the first redirect is followed. From the sheet of a deal that
  // was closed, back leads to where its form was opened, not into the form.
  let leavingTo = "";
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    const { xhr, requestConfig: { path } } = event.detail;
    const address = xhr.getResponseHeader("HX-Redirect");
    if (!address) return;
    const isClosed = path.endsWith("/close");
    if (isClosed || address === leavingTo) event.preventDefault();
    if (isClosed && address !== leavingTo) location.replace(address);
    leavingTo = address;
  });
  window.addEventListener("pageshow", () => { leavingTo = ""; });

  document.addEventListener("htmx:sendError", warnOfNoAnswer);
  document.addEventListener("htmx:timeout", warnOfNoAnswer);
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, requestConfig } = event.detail;
    if (!isOurs(xhr)) {
      event.detail.shouldSwap = false;
      // A live page repeats its own GET requests, so only a post is worth a warning.
      if (requestConfig.verb === "post") warnOfNoAnswer();
    } else if (xhr.status < 400) {
      lost.replaceChildren();
      refused.replaceChildren();
    } else if (xhr.getResponseHeader("HX-Retarget")) {
      event.detail.shouldSwap = true;
    } else if (xhr.status >= 500) {
      warnOfNoAnswer();
    }
  });

  // What was tapped may be drawn anew before the answer comes, and then htmx finds no place for it. What was refused is
  // said all the same; a page older than the one that stands there is not shown. Such an event does not reach the document.
  /** @param {PageEvent} event */
  function placeForAnswer(event) {
    const told = event.detail;
    if (told.target) return;
    if (told.xhr.getResponseHeader("HX-Retarget") === "#refused") told.target = refused;
    else told.shouldSwap = false;
  }
  document.addEventListener("htmx:beforeRequest", ({ detail: { target } }) => {
    target.addEventListener("htmx:beforeSwap", placeForAnswer);
  });

  scorekeeper.answers = { isOurs, warn };
})();
