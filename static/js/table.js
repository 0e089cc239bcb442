// What a form cannot do by itself. Every page works without this file; with it, a tap answers at once.
(() => {
  "use strict";

  const isTick = (field) => field.type === "radio" || field.type === "checkbox";
  const isChanged = (field) => (isTick(field) ? field.checked !== field.defaultChecked
    : "defaultValue" in field ? field.value !== field.defaultValue
    : field.options && field.selectedIndex !== Math.max(0, [...field.options].findIndex((option) => option.defaultSelected)));
  Object.assign(window, { isTick, isChanged });

  // What was tapped before the page's scripts were there is answered too.
  document.addEventListener("DOMContentLoaded", () => {
    const early = [...document.forms].flatMap((form) => [...form.elements].filter(isChanged).slice(0, 1));
    setTimeout(() => early.forEach((field) => field.dispatchEvent(new Event("change", { bubbles: true }))));
  });

  // Changing the game, the way it is played or the number of players draws the form anew, with all that was typed.
  document.addEventListener("change", (event) => {
    const field = event.target;
    if (field.matches(".redraw")) {
      field.form.dispatchEvent(new Event("redraw"));
    }
  });

  // What is typed while the new form is on its way goes over into it.
  const typed = (form) => new Map([...form.querySelectorAll("input[type=text][id]")].map((field) => [field.id, field.value]));
  let sent = new Map();
  let since = [];
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.target.matches("form[hx-trigger=redraw]")) sent = typed(event.target);
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!event.target.matches("form[hx-trigger=redraw]")) return;
    since = [...typed(event.target)].filter(([id, value]) => sent.get(id) !== value);
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const [id, value] of since.splice(0)) {
      const field = document.getElementById(id);
      if (field) field.value = value;
    }
  });

  // A tapped radio that is tapped again is taken back: "we do not know after all".
  let checkedBefore = null;
  document.addEventListener("pointerdown", (event) => {
    const label = event.target.closest(".winner-grid .cell");
    const radio = label && label.querySelector("input[type=radio]");
    checkedBefore = radio && radio.checked ? radio : null;
  });
  document.addEventListener("click", (event) => {
    if (event.target === checkedBefore) {
      checkedBefore.checked = false;
      const unknown = checkedBefore.closest("fieldset").querySelector('input[type=radio][value=""]');
      if (unknown) unknown.checked = true;
      checkedBefore.dispatchEvent(new Event("change", { bubbles: true }));
      checkedBefore = null;
    }
  });

  document.addEventListener("click", (event) => {
    const step = event.target.closest(".step[data-step]");
    if (step) {
      const field = document.getElementById(step.dataset.for);
      field.value = Math.max(0, (Number.parseInt(field.value, 10) || 0) + Number(step.dataset.step));
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }
    const key = event.target.closest("[data-key][data-for]");
    if (key) {
      const field = document.getElementById(key.dataset.for);
      const ranks = field.value.split(" ").filter(Boolean);
      if (key.dataset.key) ranks.push(key.dataset.key); else ranks.pop();
      field.value = ranks.join(" ");
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }
    const sign = event.target.closest("[data-sign]");
    if (sign) {
      const field = document.getElementById(sign.dataset.sign);
      field.value = field.value.startsWith("-") ? field.value.slice(1) : `-${field.value}`;
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }
    const opener = event.target.closest(".show-cards[href]");
    if (opener) document.getElementById("show-cards").open = true;
  });

  // The time of an entry, and the day of a match, as this phone tells them.
  function localTimes(root) {
    for (const time of root.querySelectorAll("time[datetime]")) {
      const moment = new Date(time.dateTime);
      if (Number.isNaN(moment.getTime())) continue;
      time.textContent = "date" in time.dataset
        ? moment.toLocaleDateString(document.documentElement.lang, { dateStyle: "medium" })
        : moment.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    }
  }

  // Pages that are drawn by the server alone (a picture, a text) tell the day by this phone's clock too.
  document.cookie = `minutes=${-new Date().getTimezoneOffset()}; path=/; max-age=31536000; samesite=lax`;

  function fadeToasts(root) {
    for (const toast of root.querySelectorAll(".toast[data-seconds]")) {
      setTimeout(() => toast.remove(), Number(toast.dataset.seconds) * 1000);
    }
  }

  function drawn(root) {
    localTimes(root);
    fadeToasts(root);
  }

  // A screen reader hears of the sentences of [data-said] those that are new, once, when the tapping pauses.
  const said = document.getElementById("said");
  const sentences = () => JSON.parse((document.querySelector("[data-said]") || { dataset: { said: "[]" } }).dataset.said);
  let known = sentences();
  let pause = 0;
  function announce() {
    clearTimeout(pause);
    pause = setTimeout(() => {
      const now = sentences();
      const fresh = now.filter((sentence) => !known.includes(sentence));
      known = now;
      if (said && fresh.length) said.textContent = fresh.join(" ");
    }, 700);
  }

  function buzz(milliseconds) {
    if (navigator.vibrate) navigator.vibrate(milliseconds);
  }
  document.addEventListener("change", (event) => {
    if (event.target.closest(".acts")) buzz(12);
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    drawn(event.target);
    announce();
  });
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.target.matches("form") && event.target.querySelector(".sweep")) buzz(30);
  });
  drawn(document);

  // An answer that never came, or that is not ours, must not pass in silence; what was typed stands as it is. Ours are
  // marked, so that the login page of a Wi-Fi is not taken for one; a page that does not say so is of a server before that.
  window.isOurs = (answer) => !("marked" in document.documentElement.dataset)
    || (answer.headers ? answer.headers.get("X-Scorekeeper") : answer.getResponseHeader("X-Scorekeeper")) !== null;
  const lost = document.getElementById("lost");
  const refused = document.getElementById("refused");
  window.warn = (text) => {
    const message = document.createElement("div");
    message.className = "warning";
    message.textContent = text;
    lost.replaceChildren(message);
    return message;
  };
  const unanswered = () => window.warn(lost.dataset.text);
  // The page is left once: the second of two quick taps is led to the same sheet, and would only begin the way anew.
  let leaving = "";
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    const to = event.detail.xhr.getResponseHeader("HX-Redirect");
    if (!to) return;
    if (to === leaving) event.preventDefault();
    leaving = to;
  });
  window.addEventListener("pageshow", () => { leaving = ""; });
  document.addEventListener("htmx:sendError", unanswered);
  document.addEventListener("htmx:timeout", unanswered);
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, requestConfig } = event.detail;
    if (!window.isOurs(xhr)) {
      event.detail.shouldSwap = false;
      // What an open page asks by itself it asks again.
      if (requestConfig.verb === "post") unanswered();
    } else if (xhr.status < 400) {
      lost.replaceChildren();
      refused.replaceChildren();
    } else if (xhr.getResponseHeader("HX-Retarget")) {
      event.detail.shouldSwap = true;
    } else if (xhr.status >= 500) {
      unanswered();
    }
  });

  // The screen stays awake while the table plays.
  async function stayAwake() {
    if ("wakeLock" in navigator && document.visibilityState === "visible") {
      try { await navigator.wakeLock.request("screen"); } catch { /* The phone may refuse, for example to save its battery. */ }
    }
  }
  if (document.getElementById("board")) {
    document.addEventListener("visibilitychange", stayAwake);
    stayAwake();
  }
})();
