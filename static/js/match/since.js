// Has a page say since when it is, where it cannot hear its table: the stream is gone, a request failed, what is new has not
// come yet, or the page itself comes from this phone. js/match/live.js tells what it heard.
(() => {
  "use strict";
  const BEHIND = 1500;
  const GRACE = 1000;
  const { SILENCE, askedAt, drawAsHeard } = scorekeeper.dated;

  const isOfPhone = document.documentElement.dataset.asOf !== undefined;
  // When the page was last known to be true, when its table was last heard, and since when something newer is due.
  let trueAt = askedAt();
  let heardAt = trueAt;
  let behindSince = 0;
  let isLost = isOfPhone;
  // The server has answered, but cannot serve just now: there is signal, and the page says so by words of their own.
  let isBusy = false;
  const texts = document.getElementById("since");
  const forms = texts ? [texts.innerHTML, (texts.dataset.busy || "#").replace("#", "<bdi></bdi>")] : [];
  /** @param {boolean} busy */
  function setBusy(busy) {
    if (busy === isBusy || !texts) return;
    isBusy = busy;
    // The mark is drawn anew.
    drawAsHeard(null);
    texts.innerHTML = forms[Number(busy)];
  }
  let graceUntil = isOfPhone ? 0 : Date.now() + GRACE;
  let timer = 0;

  const said = Object.assign(document.createElement("p"), { id: "since-said", className: "visually-hidden" });
  said.setAttribute("aria-live", "polite");
  said.dataset.added = "";
  // Before all that is drawn: behind it, it would make a page of one screen longer.
  document.body.prepend(said);

  // The moment from which the page says since when it is.
  function oldFrom() {
    const moments = [heardAt + SILENCE, behindSince ? behindSince + BEHIND : Infinity];
    if (isLost) moments.push(0);
    return Math.max(graceUntil, Math.min(...moments));
  }
  function draw() {
    clearTimeout(timer);
    if (document.hidden) return;
    const left = oldFrom() - Date.now();
    if (left > 0) timer = setTimeout(draw, left);
    const words = drawAsHeard(left > 0 ? null : trueAt);
    if (words) speak(words);
  }
  // Once each time that the signal goes.
  let spoken = false;
  /** @param {string} text */
  function speak(text) {
    if (!spoken) said.textContent = text;
    spoken = true;
  }

  // The table was heard. `isBehind`: something newer than the page is due.
  /** @type {Shared["since"]["heard"]} */
  function heard(isBehind) {
    heardAt = Date.now();
    if (isBehind) behindSince ||= heardAt;
    else {
      trueAt = heardAt;
      behindSince = 0;
      isLost = false;
      setBusy(false);
      spoken = false;
    }
    draw();
  }
  /** @type {Shared["since"]["lost"]} */
  function lost(busy = false) {
    isLost = true;
    setBusy(busy);
    draw();
  }
  // A newer page, as of this moment, has taken the place of this one.
  /** @type {Shared["since"]["cameAt"]} */
  function cameAt(moment) {
    heardAt = trueAt = moment;
    isLost = false;
    setBusy(false);
    spoken = false;
    draw();
  }
  // For a page that is seen again, a moment to hear its table.
  function seenAgain() {
    if (document.hidden) return;
    if (Date.now() - heardAt > SILENCE) graceUntil = Date.now() + GRACE;
    draw();
  }

  for (const event of ["htmx:sendError", "htmx:timeout", "signal:lost", "offline"]) addEventListener(event, () => lost());
  document.addEventListener("htmx:beforeOnLoad", ({ detail: { xhr } }) => {
    const isOurs = scorekeeper.answers.isOurs(xhr);
    if (xhr.status >= 500 || !isOurs) lost(isOurs);
  });
  document.addEventListener("htmx:afterSettle", draw);
  document.addEventListener("visibilitychange", seenAgain);
  addEventListener("pageshow", seenAgain);
  draw();

  scorekeeper.since = { heard, lost, cameAt, trueAt: () => trueAt };
})();
