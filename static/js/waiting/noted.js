// A form that was sent and is seen again, because somebody came back to it, says so and is not sent a second time. Another
// like it can be noted from there; of a closing there is only one, so that leads to its sheet.
(() => {
  "use strict";
  const texts = document.getElementById("noted");
  if (!scorekeeper.queue || !texts) return;
  const { read } = scorekeeper.local;
  const { uuid } = scorekeeper.entries;
  const list = document.getElementById("waiting");
  /** @param {string} tag @param {any} fields */
  const make = (tag, fields) => Object.assign(document.createElement(tag), fields);

  function mark() {
    const sent = read("sent") || [];
    for (const form of document.querySelectorAll("main form[action]")) {
      const { id } = form.elements;
      if (id && sent.includes(id.value) && !("noted" in form.dataset)) say(form);
    }
  }

  /** @param {Found} form */
  function say(form) {
    const foot = form.querySelector(":scope > .foot") || form;
    const kept = [...form.children].filter((one) => one !== foot && !one.matches(".bar"));
    /** @type {any[]} */
    const steps = [...(foot === form ? form.querySelectorAll("button:not([type=button])") : foot.children)].filter((one) => !one.hidden);
    const text = make("p", { className: "foot-text" });
    text.append(make("b", { textContent: texts.content.textContent }));
    const line = [text, wayOn(form)];
    /** @param {boolean} isNoted */
    const show = (isNoted) => {
      for (const one of kept) one.inert = isNoted;
      for (const one of steps) one.hidden = isNoted;
    };
    show(true);
    form.dataset.noted = "";
    foot.append(...line);
    line[1].onclick = () => {
      if (line[1].href) return;
      form.elements.id.value = uuid();
      delete form.dataset.noted;
      show(false);
      for (const one of line) one.remove();
    };
  }
  /** @param {Found} form */
  function wayOn(form) {
    const [, deal] = /^(.*)\/close$/.exec(form.getAttribute("action")) || [];
    if (!deal) return make("button", { type: "button", className: "button", textContent: texts.dataset.another });
    const { textContent } = list.querySelector("template").content.querySelector("a").firstChild;
    return make("a", { className: "button", href: deal, textContent });
  }

  // By whatever way it would be sent: a button, the return key, a field that asks at each change.
  /** @param {{ target: any }} event */
  const isNoted = ({ target }) => Boolean(target.closest("[data-noted]"));
  addEventListener("submit", (event) => {
    if (!isNoted(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
  document.addEventListener("htmx:beforeRequest", (event) => { if (isNoted(event)) event.preventDefault(); });

  addEventListener("pageshow", mark);
  // A page that is loaded anew by the way back was shown before this script came.
  mark();
})();
