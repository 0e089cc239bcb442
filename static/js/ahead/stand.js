// What this phone knows of a table without signal: the board as the server drew it last, and the page that it keeps ahead for
// the deals to come. Both lie in localStorage, where every page of the phone finds them at once.
(() => {
  "use strict";
  if (scorekeeper.stand) return;
  const { read, write } = scorekeeper.local;

  // The board of a match: its deal, totals, what is noted of the deal, and the newest entries that it shows.
  /** @type {Shared["stand"]["readBoard"]} */
  function readBoard(board) {
    const { dataset } = board.querySelector("[data-holds]");
    const [match, deal] = dataset.deal.split(".").map(Number);
    /** @type {Points} */
    const totals = {};
    /** @type {Points} */
    const gained = {};
    for (const pill of board.querySelectorAll(".pill[data-side]")) {
      const { side } = pill.dataset;
      const total = pill.closest(".score-side").querySelector(".score-number");
      // Where taps count at once, the number has them already.
      totals[side] = Number(total.dataset.settled || total.textContent.replace("−", "-"));
      gained[side] = Number(pill.dataset.gained);
    }
    const [, seq] = board.dataset.version.split(".").map(Number);
    return {
      match, deal, seq, totals, gained, noted: JSON.parse(dataset.notes || "[]"), holds: dataset.holds.split(" "),
      isOver: !dataset.kept,
    };
  }
  /** @type {Shared["stand"]["standOf"]} */
  const standOf = (key, match) => {
    const found = read(`stand:${key}`);
    return found && (!match || found.match === match) ? found : null;
  };
  /** @type {Shared["stand"]["keepStand"]} */
  const keepStand = (key, stand) => write(`stand:${key}`, stand);
  /** @type {Shared["stand"]["aheadOf"]} */
  const aheadOf = (key, match) => {
    const found = read(`ahead:${key}`);
    return found && found.match === match ? found : null;
  };
  /** @type {Shared["stand"]["keepAhead"]} */
  const keepAhead = (key, ahead) => write(`ahead:${key}`, ahead);

  // What the server has taken and no board has shown yet (js/waiting/queue.js).
  /** @param {string} key @param {number} match */
  const doneOf = (key, match) => scorekeeper.queue.done().filter((entry) => entry.table === key && entry.match === match);
  /** @type {Shared["stand"]["entriesOf"]} */
  const entriesOf = (key, match) => {
    const waiting = scorekeeper.queue.all().filter((entry) => entry.table === key && entry.match === match);
    const ids = new Set(waiting.map(({ id }) => id));
    return [...doneOf(key, match).filter(({ id }) => !ids.has(id)), ...waiting];
  };

  // An opening, or a word, by which a deal is dealt again: who deals then, "same" or "next"; null for anything else.
  /** @type {Shared["stand"]["redealOf"]} */
  function redealOf({ kind, fields }, ahead) {
    if (kind === "dealt_again") return (fields.who || ["same"])[0];
    if (kind !== "layout_noted" || !ahead) return null;
    if (fields.told) return fields.told[0] === "redeal" && ahead.redeals.length ? ahead.redeals[0].who : null;
    return (ahead.redeals.find((rule) => voids(rule, fields.cards || [])) || { who: null }).who;
  }
  /** @param {Ahead["redeals"][0]} rule @param {string[]} layout */
  function voids({ at_least: least, cards }, layout) {
    if (cards) return layout.filter((card) => cards.includes(card)).length >= least;
    const ranks = layout.map((card) => card.slice(0, -1));
    return ranks.some((rank) => ranks.filter((one) => one === rank).length >= least);
  }

  // The closings of this phone that the board does not show yet, from the deal of the board on, each on the next number.
  /** @type {Shared["stand"]["closingsOf"]} */
  function closingsOf(key, stand) {
    const found = [];
    const all = entriesOf(key, stand.match).filter(({ kind }) => kind === "deal_closed");
    for (let deal = stand.deal; ; deal += 1) {
      const closing = all.filter((entry) => entry.deal === deal).pop();
      if (!closing) return found;
      found.push(closing);
    }
  }
  // The deal that is played by what this phone knows, with the seat that deals it; null where none is kept ahead.
  /** @type {Shared["stand"]["playedDeal"]} */
  function playedDeal(key, stand, ahead) {
    return dealAt(key, stand, ahead, stand.deal + closingsOf(key, stand).length);
  }
  /** @type {Shared["stand"]["dealAt"]} */
  function dealAt(key, stand, ahead, number) {
    const deal = ahead && ahead.deals.find((one) => one.number === number);
    if (!deal) return null;
    const entries = entriesOf(key, stand.match);
    // Who comes or leaves here plays from the next deal on, with which nobody can go on before the server has said how.
    const changed = entries.find(({ kind }) => ["substituted", "entered", "left", "seated"].includes(kind));
    if (changed && number > Math.max(changed.deal, stand.deal)) return null;
    /** @param {number} place */
    const of = (place) => entries.filter((entry) => entry.deal === place);
    const first = ahead.deals.find((one) => one.number === stand.deal);
    if (!first) return deal;
    // Whose turn it is, and who really deals: a deal that is dealt again keeps its number, and the dealers after it follow.
    let turn = first.seat;
    let dealt = turn;
    for (let place = stand.deal; place <= number; place += 1) {
      dealt = turn;
      for (const entry of of(place)) {
        const again = redealOf(entry, ahead);
        if (again === "next") { turn = (turn + 1) % ahead.seats.length; dealt = turn; }
        const seat = entry.kind === "dealt" ? ahead.seats.findIndex(({ player }) => String(player) === (entry.fields.player || [])[0]) : -1;
        if (seat < 0) continue;
        dealt = seat;
        if (!entry.fields.once) turn = seat;
      }
      turn = (turn + 1) % ahead.seats.length;
    }
    return { ...deal, seat: dealt, again: 1 + of(number).filter((entry) => redealOf(entry, ahead)).length };
  }

  // A page that was kept may be older than the board that was seen last, which knows who holds the phone.
  document.addEventListener("waiting:complete", ({ detail: { entry } }) => {
    const stand = "asOf" in document.documentElement.dataset && standOf(entry.table, entry.match);
    if (stand && stand.by !== undefined) entry.by = stand.by ? Number(stand.by) : null;
  });

  scorekeeper.stand = {
    readBoard, standOf, keepStand, aheadOf, keepAhead, entriesOf, redealOf, closingsOf, playedDeal, dealAt,
  };
})();
