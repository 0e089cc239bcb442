// Draws since when a page is, in its bar, where the game's name stands; match/since.js says when. As long as that has not
// come, nobody hears the table, and the page says by itself that it is as it was loaded.
(() => {
  "use strict";
  const SILENCE = 19000;
  const HOST = ".bar > h1, .big-top > .quiet, .between > .said-last, .current > .quiet";
  const root = document.documentElement;
  const { asOf } = root.dataset;

  // When the server was asked for the page: on a slow signal it is no newer than that. One that this phone has kept says so
  // itself (data-as-of, templates/pwa/sw.js).
  /** @type {Shared["dated"]["askedAt"]} */
  function askedAt() {
    const [came] = performance.getEntriesByType("navigation");
    return asOf ? Date.parse(asOf) : performance.timeOrigin + (came ? came.requestStart : 0);
  }
  /** @param {number} moment */
  function words(moment) {
    const time = new Date(moment);
    /** @type {Intl.DateTimeFormatOptions} */
    const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
    const isToday = time.toDateString() === new Date().toDateString();
    return time.toLocaleString(root.lang, isToday ? clock : { ...clock, day: "numeric", month: "short" });
  }
  // The crossed-out wave and the words. A page has the address of the signs in every sign that it shows.
  /** @param {Found} texts */
  function markOf(texts) {
    const mark = Object.assign(document.createElement("span"), { className: "since" });
    const sign = document.querySelector("use[href*='marks']");
    if (sign) mark.innerHTML = `<svg class="icon" aria-hidden="true"><use href="${sign.getAttribute("href").split("#")[0]}#i-unheard"/></svg>`;
    mark.append(texts.content.cloneNode(true));
    return mark;
  }
  // Says that the page is as of this moment, or takes that away where there is none. Returns what it says.
  /** @param {number} moment */
  function draw(moment) {
    const texts = document.getElementById("since");
    const host = (asOf || document.querySelector("[data-live]")) && texts && document.querySelector(HOST);
    if (!host) return "";
    /** @type {any} */
    let mark = host.querySelector(".since");
    if (!mark && !moment) return "";
    host.classList.toggle("dated", Boolean(moment));
    root.classList.toggle("is-dated", Boolean(moment));
    if (!moment) { mark.remove(); return ""; }
    mark ||= host.appendChild(markOf(texts));
    mark.querySelector("bdi").textContent = words(moment);
    return mark.textContent.trim();
  }

  // Until match/since.js draws.
  let isHeard = false;
  function drawDeaf() {
    if (isHeard) return;
    draw(askedAt());
    document.addEventListener("htmx:afterSettle", drawDeaf);
  }
  document.addEventListener("later:lost", drawDeaf);
  setTimeout(drawDeaf, SILENCE);
  /** @type {Shared["dated"]["drawAsHeard"]} */
  function drawAsHeard(moment) {
    isHeard = true;
    return draw(moment);
  }

  scorekeeper.dated = { SILENCE, askedAt, drawAsHeard };
})();
