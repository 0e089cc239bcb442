// Says since when a page is, in its bar, where the page cannot hear its table: the stream is gone, a request failed, what is
// new has not come yet, or the page itself comes from this phone (data-as-of, templates/pwa/sw.js). js/match/live.js and
// js/match/taken_over.js tell what they heard.
(() => {
  "use strict";
  const SILENCE = 19000;
  const BEHIND = 1500;
  const GRACE = 1000;
  const HOST = ".bar > h1, .big-top > .quiet, .between > .said-last";
  const texts = document.getElementById("since");

  const loaded = () => performance.timeOrigin + (performance.getEntriesByType("navigation")[0] || { responseEnd: performance.now() }).responseEnd;
  const { asOf } = document.documentElement.dataset;
  // When the page was last known to be true, when its table was last heard, and since when something newer is due.
  let trueAt = asOf === undefined ? loaded() : Date.parse(asOf);
  let heardAt = trueAt;
  let behindSince = 0;
  let isLost = asOf !== undefined;
  let graceUntil = asOf === undefined ? Date.now() + GRACE : 0;
  let timer = 0;

  const said = Object.assign(document.createElement("p"), { id: "since-said", className: "visually-hidden" });
  said.setAttribute("role", "status");
  said.dataset.added = "";
  // Before all that is drawn: behind it, it would make a page of one screen longer.
  document.body.prepend(said);

  const region = () => document.querySelector("[data-live]");
  // The moment from which the page says since when it is.
  function oldFrom() {
    const moments = [heardAt + SILENCE, behindSince ? behindSince + BEHIND : Infinity];
    if (isLost) moments.push(0);
    return Math.max(graceUntil, Math.min(...moments));
  }

  function words(moment) {
    const time = new Date(moment);
    const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
    const isToday = time.toDateString() === new Date().toDateString();
    return time.toLocaleString(document.documentElement.lang, isToday ? clock : { ...clock, day: "numeric", month: "short" });
  }
  // The crossed-out wave and the words. A page has the address of the signs in every sign that it shows.
  function markOf() {
    const mark = Object.assign(document.createElement("span"), { className: "since" });
    const sign = document.querySelector("use[href*='marks']");
    if (sign) {
      const [signs] = sign.getAttribute("href").split("#");
      mark.innerHTML = `<svg class="icon" aria-hidden="true"><use href="${signs}#i-unheard"/></svg>`;
    }
    mark.append(texts.content.cloneNode(true));
    return mark;
  }
  function draw() {
    clearTimeout(timer);
    if (!texts || !region() || document.hidden) return;
    const host = document.querySelector(HOST);
    const left = oldFrom() - Date.now();
    const mark = host && host.querySelector(".since");
    if (left > 0) timer = setTimeout(draw, left);
    if (!host || (left > 0 && !mark)) return;
    host.classList.toggle("dated", left <= 0);
    document.documentElement.classList.toggle("is-dated", left <= 0);
    if (left > 0) { mark.remove(); return; }
    const drawn = mark || host.appendChild(markOf());
    drawn.querySelector("bdi").textContent = words(trueAt);
    speak(drawn.textContent.trim());
  }
  // Once each time that the signal goes.
  let spoken = false;
  function speak(text) {
    if (!spoken) said.textContent = text;
    spoken = true;
  }

  // The table was heard. `isBehind`: something newer than the page is due.
  function heard(isBehind) {
    heardAt = Date.now();
    if (isBehind) behindSince ||= heardAt;
    else {
      trueAt = heardAt;
      behindSince = 0;
      isLost = false;
      spoken = false;
    }
    draw();
  }
  function lost() {
    isLost = true;
    draw();
  }
  // For a page that is seen again, a moment to hear its table.
  function seenAgain() {
    if (document.hidden) return;
    if (Date.now() - heardAt > SILENCE) graceUntil = Date.now() + GRACE;
    draw();
  }

  for (const event of ["htmx:sendError", "htmx:timeout", "signal:lost", "offline"]) addEventListener(event, lost);
  document.addEventListener("htmx:beforeOnLoad", ({ detail: { xhr } }) => {
    if (xhr.status >= 500 || !scorekeeper.answers.isOurs(xhr)) lost();
  });
  document.addEventListener("htmx:afterSettle", draw);
  document.addEventListener("visibilitychange", seenAgain);
  addEventListener("pageshow", seenAgain);
  draw();

  scorekeeper.since = { heard, lost, trueAt: () => trueAt };
})();
