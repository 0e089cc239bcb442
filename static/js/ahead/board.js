// The board of a match goes on without signal: a deal that was closed on this phone and is not written yet, or not shown yet,
// moves it to the next deal, with the totals as far as this phone can add them up, marked as its own.
(() => {
  "use strict";
  if (!scorekeeper.queue) return;
  const { standOf, readBoard, keepStand, aheadOf, closingsOf, playedDeal } = scorekeeper.stand;
  const { sumOf, isKnown } = scorekeeper.gives;
  const { uuid } = scorekeeper.entries;
  const { queue } = scorekeeper;
  const { isBusy } = scorekeeper.list;
  const board = () => document.getElementById("board");
  /** @param {string} text @param {...any} what */
  const fill = (text, ...what) => what.reduce((all, one) => all.replace("#", one), text);
  const keyHere = () => (/^\/t\/([^/]+)/.exec(location.pathname) || [])[1];
  /** @param {string} tag @param {any} fields @param {...(string | Node)} inside */
  const make = (tag, fields, ...inside) => {
    const made = Object.assign(document.createElement(tag), fields);
    made.append(...inside);
    return made;
  };
  /** @param {number} points */
  const written = (points) => String(points).replace("-", "−");
  /** @param {number} points */
  const signed = (points) => (points > 0 ? `+${points}` : written(points));

  // The board as the server drew it, from which each state of it here is drawn; and what stands there of it now.
  let drawn = "";
  let shown = "";
  // Whether play goes on behind the end that this phone has added up.
  let goesOn = "";

  // A board that the server has just drawn is noted, and what it shows needs not be remembered any more.
  function note() {
    const place = board();
    const held = place && place.querySelector("[data-holds]");
    if (!held || !keyHere() || "seen" in held.dataset) return;
    const key = keyHere();
    const stand = readBoard(place);
    const isKept = "asOf" in document.documentElement.dataset;
    if (isKept && takeNewer(place, standOf(key), stand)) return;
    held.dataset.seen = "";
    drawn = place.innerHTML;
    shown = "";
    keepStand(key, { ...stand, html: drawn, path: location.pathname, by: isKept ? (standOf(key, stand.match) || stand).by : document.getElementById("waiting").dataset.by || "" });
    /** @param {Entry} entry */
    const isShown = (entry) => entry.table === key && (entry.match < stand.match || (entry.match === stand.match
      && (stand.holds.includes(entry.id.slice(0, 8)) || (entry.deal && entry.deal < stand.deal))));
    const done = queue.done();
    // The page that wrote a closing may have gone before it could settle what that has settled.
    queue.settle(...done.filter(queue.isClosing));
    if (done.some(isShown)) queue.keepDone(done.filter((entry) => !isShown(entry)));
  }

  // What was put in the place of a board has buttons, and shows what waits.
  /** @param {Found} place */
  function takeUp(place) {
    if (window.htmx) htmx.process(place);
    if (scorekeeper.counted) scorekeeper.counted.countTaps();
    scorekeeper.at_once?.countTotals();
    if (scorekeeper.trumps) scorekeeper.trumps.press();
  }
  // The copy of a page is written a moment after the board is drawn (js/match/kept.js): a phone put away before that has an
  // older one, and shows the board in its place.
  /** @param {Found} place @param {Stand} known @param {Stand} stand */
  function takeNewer(place, known, stand) {
    const isNewer = known && known.html && known.path === location.pathname
      && (known.match > stand.match || (known.match === stand.match && known.seq > stand.seq));
    if (!isNewer) return false;
    drawn = known.html;
    shown = "";
    place.innerHTML = drawn;
    place.querySelector("[data-holds]").dataset.seen = "";
    takeUp(place);
    return true;
  }

  function moveOn() {
    note();
    const key = keyHere();
    const stand = key && board() && drawn ? standOf(key) : null;
    if (!stand || stand.isOver) return;
    const closings = closingsOf(key, stand);
    const state = JSON.stringify([closings.map(({ id, words, gives, turn }) => [id, words, gives, turn]), goesOn, dealerOf(key, stand)]);
    if (state === shown || (!shown && !closings.length && !dealerOf(key, stand))) return;
    shown = state;
    draw(key, stand, closings);
  }
  // Who deals, where what waits has changed that.
  /** @param {string} key @param {Stand} stand */
  function dealerOf(key, stand) {
    const ahead = aheadOf(key, stand.match);
    const first = ahead && ahead.deals.find(({ number }) => number === stand.deal);
    const played = first && playedDeal(key, stand, ahead);
    const number = stand.deal + closingsOf(key, stand).length;
    const plain = ahead && ahead.deals.find((deal) => deal.number === number);
    return played && plain && played.seat !== plain.seat ? played.seat + 1 : 0;
  }

  /** @param {string} key @param {Stand} stand @param {Entry[]} closings */
  function draw(key, stand, closings) {
    const place = board();
    const ahead = aheadOf(key, stand.match);
    const deal = playedDeal(key, stand, ahead);
    const number = stand.deal + closings.length;
    const from = `/matches/${stand.match}/deals/${stand.deal}/`;
    const copy = document.createElement("template");
    copy.innerHTML = closings.length ? drawn.replaceAll(from, `/matches/${stand.match}/deals/${number}/`) : drawn;
    const page = copy.content;
    page.querySelector("[data-holds]").dataset.seen = "";
    if (closings.length) {
      page.querySelector("[data-holds]").dataset.deal = `${stand.match}.${number}`;
      // What was tapped on the board before may have gone under the ids that it was drawn with.
      for (const { elements: { id } } of page.querySelectorAll("form")) if (id) id.value = uuid();
      clearDeal(page);
      // Who dealt is told of a deal that the server knows.
      const dealer = page.querySelector(".strip > a");
      if (dealer) dealer.replaceWith(make("p", {}, ...dealer.childNodes));
      drawTotals(page, stand, closings, ahead);
      drawLog(page, key, stand, closings, ahead);
    }
    if (ahead) drawDeal(page, deal, number, ahead);
    else drawNumber(page, number);
    if (closings.length && ahead) drawEnd(page, stand, closings, ahead, number);
    place.replaceChildren(page);
    takeUp(place);
  }
  // The deal that follows has nothing noted yet.
  /** @param {ParentNode} page */
  function clearDeal(page) {
    // @ts-expect-error A number is written as text.
    for (const cards of page.querySelectorAll(".dots")) { cards.dataset.made = 0; cards.replaceChildren(); delete cards.dataset.shown; }
    for (const row of page.querySelectorAll("[data-trump]")) row.dataset.trump = "";
    for (const pill of page.querySelectorAll(".pill[data-side]")) {
      // @ts-expect-error A number is written as text.
      pill.dataset.gained = 0;
      pill.classList.add("none");
      pill.querySelector("b").textContent = "0";
    }
    for (const old of page.querySelectorAll(".opened, .log [data-entry], .said-last [data-entry], .strip .notice[data-seconds], .tonight")) old.remove();
    // They are of the totals before; their place stays theirs, so that nothing moves.
    for (const old of page.querySelectorAll(".to-go, .tally")) old.classList.add("unknown");
    for (const undo of page.querySelectorAll(".between form:has(.undo)")) undo.replaceWith(make("span", { className: "act" }));
  }
  /** @param {Stand} stand @param {Entry[]} closings @param {string[]} sides */
  const addedTo = (stand, closings, sides) => {
    const given = closings.map(({ gives }) => gives).filter(Boolean);
    const sums = sumOf(sides, ...given);
    return Object.fromEntries(sides.map((side) => [side, (stand.totals[side] || 0) + sums[side]]));
  };
  /** @param {Entry[]} closings */
  const areKnown = (closings) => closings.every(({ gives }) => isKnown(gives));
  /** @param {ParentNode} page @param {Stand} stand @param {Entry[]} closings @param {Ahead} ahead */
  function drawTotals(page, stand, closings, ahead) {
    const totals = addedTo(stand, closings, Object.keys(stand.totals));
    for (const pill of page.querySelectorAll(".pill[data-side]")) {
      const total = pill.closest(".score-side").querySelector(".score-number");
      total.textContent = written(totals[pill.dataset.side]);
      total.classList.add("provisional");
      // Where taps count at once, they go on from here (js/waiting/at_once.js).
      if (total.dataset.total) Object.assign(total.dataset, { total: totals[pill.dataset.side], carried: "" });
      if (!areKnown(closings) && ahead) total.dataset.least = ahead.words.at_least;
    }
  }
  const TEXT = ".strip > :is(a, p) > span, .said-last > span";
  // Where nothing is kept of the match: which deal it is, and no second form of a deal that was closed.
  /** @param {ParentNode} page @param {number} number */
  function drawNumber(page, number) {
    const text = page.querySelector(TEXT);
    if (text) text.textContent = text.textContent.split(" · ")[0].replace(/\d+/, number);
    for (const link of page.querySelectorAll(".button[href$='/close']")) link.remove();
  }
  /** @param {ParentNode} page @param {DealAhead} deal @param {number} number @param {Ahead} ahead */
  function drawDeal(page, deal, number, ahead) {
    const text = page.querySelector(TEXT);
    const gold = [...page.querySelectorAll(".button[href$='/close']")];
    if (!deal) {
      const title = ahead.deals[0].title.replace(/\d+/, number);
      if (text) text.textContent = title;
      for (const link of gold) link.replaceWith(make("p", { className: "hint later", textContent: fill(ahead.words.later, title) }));
      return;
    }
    const seat = ahead.seats[deal.seat];
    if (!text) return;
    const about = deal.about ? [" ", make("small", { textContent: deal.about })] : [];
    text.replaceChildren([deal.title, seat.deals, seat.cuts, deal.trumps].filter(Boolean).join(" · "), ...about);
  }
  // What was closed here can be opened and changed until it is sent.
  /** @param {ParentNode} page @param {string} key @param {Stand} stand @param {Entry[]} closings @param {Ahead} ahead */
  function drawLog(page, key, stand, closings, ahead) {
    const log = page.querySelector(".log");
    if (!log || !ahead) return;
    const waiting = new Map(queue.all().map((entry) => [entry.id, entry]));
    const waits = (isBusy() && ahead.words.busy) || ahead.words.waits;
    const lines = closings.map((entry) => {
      const { title } = ahead.deals.find((deal) => deal.number === entry.deal) || { title: String(entry.deal) };
      const sums = entry.gives ? sumOf(ahead.sides, entry.gives) : {};
      const points = entry.gives ? `${isKnown(entry.gives) ? "" : `${ahead.words.at_least} `}${ahead.sides.map((side) => `${ahead.names[side]} ${signed(sums[side])}`).join(", ")}` : "";
      const words = points ? `${title}: ${points}` : title;
      const address = `/t/${key}/matches/${stand.match}/deals/${entry.deal}/close`;
      const kept = waiting.get(entry.id);
      return kept
        ? make("li", { className: "kept-deal" }, make("a", { className: "last-deal provisional", href: address, textContent: `${words} · ${kept.words ? ahead.words.settle : waits} · ${ahead.words.open}` }))
        : make("li", { className: "kept-deal" }, make("span", { className: "last-deal provisional", textContent: `${words} · ${ahead.words.sent}` }));
    });
    log.prepend(...lines.reverse());
  }
  // An end is claimed only where all points are known, and then as this phone's own.
  /** @param {ParentNode} page @param {Stand} stand @param {Entry[]} closings @param {Ahead} ahead @param {number} number */
  function drawEnd(page, stand, closings, ahead, number) {
    const { target, rounds, lowest, shared, by_wins: byWins } = ahead.ends;
    if (!areKnown(closings) || byWins) return;
    const totals = addedTo(stand, closings, ahead.sides);
    const all = Object.values(totals);
    const best = lowest ? Math.min(...all) : Math.max(...all);
    const isThere = (target !== null && Math.max(...all) >= target) || (rounds !== null && number > rounds);
    if (!isThere || (!shared && all.filter((total) => total === best).length > 1)) return;
    const { words } = ahead;
    const result = ahead.sides.map((side) => `${ahead.names[side]} ${written(totals[side])}`).join(", ");
    const end = make("section", { className: "provisional-end" }, make("p", { className: "ask", textContent: fill(words.ends, result) }));
    const at = page.querySelector(".strip, .between");
    if (goesOn !== String(number)) {
      const on = make("button", { type: "button", className: "button wide", textContent: words.go_on });
      on.dataset.goesOn = number;
      end.append(make("button", { type: "button", className: "button wide", disabled: true, textContent: words.rematch }), on);
      for (const rest of page.querySelectorAll(".sweeps, .tools, .button[href$='/close'], form:has(.sweep), form.pad")) rest.remove();
    }
    at.after(end);
  }
  document.addEventListener("click", ({ target }) => {
    const on = target.closest("[data-goes-on]");
    if (!on) return;
    goesOn = on.dataset.goesOn;
    moveOn();
  });

  for (const change of ["waiting:changed", "htmx:afterSettle", "page:replaced", "ahead:kept"]) document.addEventListener(change, moveOn);
  moveOn();
  queue.firstRead.then(moveOn);

  // What a kept copy of the page holds: never what is only this phone's own.
  scorekeeper.board = { drawnHtml: () => (shown ? drawn : "") };
})();
