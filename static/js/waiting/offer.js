// A form that the server judges before it is saved: a closing, a declaration, an opening. Without signal it can be queued as
// it stands, to be judged on arrival.
(() => {
  "use strict";
  if (!scorekeeper.submit) return;
  const { warn } = scorekeeper.answers;
  const { queueForm, writes, isAnswered } = scorekeeper.submit;
  const lost = document.getElementById("lost");

  /** @param {PageEvent} event */
  function judgedForm(event) {
    const { elt } = event.detail.requestConfig;
    const form = elt.closest("form") || document.querySelector("#closing, #declare, #layout");
    return form && /(close|declare|layout)$/.test(form.getAttribute("action") || "") ? form : null;
  }
  /** @param {PageEvent} event */
  function offer(event) {
    const form = judgedForm(event);
    // The foot of a closing has the way by itself (js/ahead/form.js), where this phone knows the rules of the match.
    if (writes(event.detail) || !form || !lost || "waits" in form.dataset || form.querySelector(".keeps, #close-foot .provisional")) return;
    // Where the thumb is; a form without such a foot has it in the words above.
    const foot = form.querySelector("#close-foot, #prime-foot");
    if (!foot) warn(lost.dataset.text);
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "button gold wide keeps", textContent: form.dataset.keep });
    button.onclick = () => queueForm(form, null);
    (foot || lost.firstElementChild).append(button);
  }
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, requestConfig } = event.detail;
    if (isAnswered(xhr) || requestConfig.verb !== "post" || writes(event.detail)) return;
    if (xhr.status >= 500 && !judgedForm(event)) return;
    event.detail.shouldSwap = false;
    offer(event);
  });
  document.addEventListener("htmx:sendError", offer);
  document.addEventListener("htmx:timeout", offer);
})();
