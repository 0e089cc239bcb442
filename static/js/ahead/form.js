// The closing form of a deal without signal. A page that was kept ahead becomes that of the deal in its address; the foot of any
// closing form says what this phone can add up, marked as its own, and has the way to keep and send it.
(() => {
  "use strict";
  const { placeOf, dataOf, countedIn, uuid } = scorekeeper.entries;
  const { standOf, aheadOf, keepAhead, closingsOf, dealAt } = scorekeeper.stand;
  const { gives, sumOf, isKnown } = scorekeeper.gives;
  const { boardNotes } = scorekeeper.notes;
  const { saveDraft } = scorekeeper.drafts;
  const { writes, isAnswered } = scorekeeper.submit;
  const local = scorekeeper.local;
  const TRIED = "tried";
  const MOST_TRIED = 20;
  /** @param {string} value */
  const meaning = (value) => (value.startsWith("{") ? JSON.stringify(Object.entries(JSON.parse(value)).sort()) : value);
  const closing = () => document.getElementById("closing");
  /** @param {Found} form */
  const here = (form) => placeOf(form.getAttribute("action"));
  /** @param {string} text @param {...any} what */
  const fill = (text, ...what) => what.reduce((all, one) => all.replace("#", one), text);
  /** @param {string} tag @param {any} fields @param {...(string | Node)} inside */
  const make = (tag, fields, ...inside) => {
    const made = Object.assign(document.createElement(tag), fields);
    made.append(...inside);
    return made;
  };

  // Whether the page was kept ahead; whether the form cannot ask the server: it has no signal, or an earlier deal waits here.
  const isAhead = () => Boolean(document.getElementById("ahead"));
  let isDeaf = false;
  // What the board showed from which the form goes on, by the beginnings of ids: another page may see a newer board since.
  let drawn = new Set();

  // What the page says of its deal: the page was drawn for another one, and its addresses name the right one already.
  function become() {
    const form = closing();
    const held = document.getElementById("ahead");
    if (!form || !held) return;
    const data = JSON.parse(held.dataset.ahead);
    const { table, match, deal } = here(form);
    if (!aheadOf(table, match)) keepAhead(table, { ...data, isKept: true });
    const stand = standOf(table, match);
    const found = dealAt(table, stand || { match, deal: data.deals[0].number }, data, deal);
    if (!found) { sayInstead(fill(data.words.later, titleOf(data, deal)), table); return; }
    for (const title of document.querySelectorAll("h1 bdi")) title.textContent = found.closing;
    document.title = document.title.replace(/^[^·]+/, `${found.closing} `);
    form.dataset.heading = found.closing;
    if (!form.elements.id.value || !form.dataset.became) form.elements.id.value = uuid();
    form.dataset.became = "";
    // All that the board shows is counted in (js/waiting/count_in.js).
    if (stand) form.elements.seq.value = stand.seq;
    drawn = new Set(stand ? [...stand.noted.map(([id]) => id), ...stand.holds] : []);
    const news = document.getElementById("meanwhile");
    if (news) {
      news.dataset.version = `${match}.${form.elements.seq.value}`;
      news.dataset.from = news.dataset.from.replace(/seq=\d+/, `seq=${form.elements.seq.value}`);
    }
    sayDeal(form, found, data);
    isDeaf = true;
    drawFoot(form);
  }
  /** @param {Ahead} data @param {number} number */
  const titleOf = (data, number) => (data.deals.find((one) => one.number === number) || { title: data.deals[0].title.replace(/\d+/, number) }).title;
  // In the place of a form that this phone does not have.
  /** @param {string} words @param {string} table */
  function sayInstead(words, table) {
    const form = closing();
    const text = make("p", { className: "ask", textContent: words });
    form.replaceWith(text, make("a", { className: "button wide", href: `/t/${table}`, textContent: document.querySelector(".back").getAttribute("aria-label") }));
  }
  // Who deals and cuts, the round, and the trumps that turn.
  /** @param {Found} form @param {DealAhead & { again?: number }} found @param {Ahead} data */
  function sayDeal(form, found, data) {
    const seat = data.seats[found.seat];
    const lead = form.querySelector(":scope > .lead");
    if (lead && found.round) lead.textContent = found.round;
    if (form.elements.again) form.elements.again.value = found.again;
    const trumps = form.querySelector(".trumps-fixed");
    if (trumps && found.trump) {
      /** @type {any} */
      const [use] = trumps.getElementsByTagName("use");
      use.setAttribute("href", use.getAttribute("href").replace(/#.*$/, `#${found.trump}`));
      use.parentNode.setAttribute("class", `suit-sign suit-${found.trump}`);
      trumps.querySelector("b").textContent = found.suit;
      Object.assign(trumps.querySelector("input"), { value: found.trump, ariaLabel: found.suit });
    }
    const cut = form.querySelector(".cut");
    if (cut && seat.cut) {
      cut.querySelector("input").value = seat.cutter;
      cut.querySelector("span").replaceChildren(seat.cut, " ", make("small", { className: "hint", textContent: found.lifted || "" }));
    }
  }

  // What the form comes to by itself.
  /** @param {Found} form @param {Found} [button] */
  function fieldsOf(form, button) {
    /** @type {Fields} */
    const fields = {};
    for (const [name, value] of dataOf(form, button)) (fields[name] ||= []).push(String(value));
    return fields;
  }
  /** @param {string} table @param {number} match @param {number} deal @param {Ahead} data */
  const sideThatDeals = (table, match, deal, data) => {
    const found = dealAt(table, standOf(table, match) || { match, deal: data.deals[0].number }, data, deal);
    return found ? data.seats[found.seat].side : "";
  };
  // What the notes of the board give, by the server, where the form holds these very notes and no other.
  /** @param {Fields} fields @param {Place} place @param {Ahead} data */
  function notedOn(fields, { table, match, deal }, data) {
    const stand = standOf(table, match);
    if (!stand || stand.deal !== deal || !Object.keys(data.by_itself.rows).length || fields.penalty) return null;
    const told = (fields.declaration || []).length + (fields.adjustment || []).length;
    const notes = boardNotes(stand);
    const others = notes.filter(({ kind }) => kind === "declared" || kind === "adjusted");
    const opening = notes.find(({ kind }) => kind === "layout_noted");
    const layout = opening ? opening.fields.told || opening.fields.cards : [];
    const said = [...(fields.opening || []).filter(Boolean), ...(fields.layout || [])];
    if (told !== others.length || layout.slice().sort().join() !== said.sort().join() || !others.every((note) => isIn(fields, note))) return null;
    /** @param {string} side */
    const swept = (side) => notes.filter((note) => note.kind === "swept" && note.fields.side[0] === side).reduce((sum, note) => sum + Number(note.fields.count[0]), 0);
    return Object.fromEntries(data.sides.map((side) => [side, (stand.gained[side] || 0) - swept(side) * data.by_itself.sweep]));
  }
  /** @type {(fields: Fields, note: Pick<Entry, "kind" | "fields">) => boolean} */
  function isIn(fields, { kind, fields: { side, points, reason, batch, cards, items } }) {
    if (kind === "adjusted") return (fields.adjustment || []).some((text) => meaning(text) === meaning(JSON.stringify({ side: side[0], points: Number(points[0]), reason: reason[0] })));
    return (fields.declaration || []).some((text) => {
      const one = JSON.parse(text);
      return one.side === side[0] && String(one.batch || "") === (batch || [""])[0] && String(one.cards || "") === String(cards || "") && String(one.items || "") === String(items || "");
    });
  }
  // Null where this phone does not know the rules of the match.
  /** @param {Fields} fields @param {Place} place */
  function givenBy(fields, place) {
    const data = aheadOf(place.table, place.match);
    if (!data) return null;
    try {
      return gives(fields, data, sideThatDeals(place.table, place.match, place.deal, data), notedOn(fields, place, data));
    } catch { return null; }
  }

  // The foot without signal.
  /** @param {Ahead} data @param {Points} points */
  const inWords = (data, points) => data.sides.map((side) => String(points[side]).replace("-", "−")).join(data.sides.length === 2 ? "–" : ", ");
  /** @param {Found} form */
  function drawFoot(form) {
    const place = here(form);
    const data = aheadOf(place.table, place.match);
    const foot = document.getElementById("close-foot");
    // A form that was kept is told no more.
    if (!data || !foot || "kept" in form.dataset) return;
    const fields = fieldsOf(form);
    const given = givenBy(fields, place);
    const { words } = data;
    const sums = given && sumOf(data.sides, given);
    // While numbers of some sides are not typed yet, those of the others alone say nothing.
    const isTyped = given && !given.open.some((item) => item in data.by_itself.numbers || item === "points");
    const line = make("b", { className: "provisional", textContent: isTyped ? `${words.entered}: ${isKnown(given) ? "" : `${words.at_least} `}${inWords(data, sums)}` : words.entered });
    /** @param {[string, { field: string }]} row */
    const isLeft = ([item, row]) => given.open.includes(item) && !(fields[row.field] || []).some(Boolean);
    const own = data.by_itself.own.rows;
    const unsaid = new Map(given ? Object.entries({ ...data.by_itself.rows, ...own }).filter(isLeft) : []);
    const isOwnOpen = [...unsaid.keys()].some((item) => item in own);
    const left = [...new Set([...unsaid.values()].map(({ name, folded }) => (folded ? words.rare : name)))];
    const open = given ? given.open.filter((item) => !unsaid.has(item)) : [];
    /** @param {string} item */
    const nameOf = (item) => (data.by_itself.rows[item] || {}).name;
    const rows = open.map(nameOf).filter(Boolean);
    const parts = !isTyped ? [inAll(place, data, null)] : [
      left.length && fill(words.to_say, left.length > 3 ? left.length : left.join(", ")),
      open.length && (rows.length ? fill(words.with_signal, rows.join(", ")) : words.rest_with_signal),
      inAll(place, data, given),
    ].filter(Boolean);
    const text = make("p", { className: "foot-text" }, line, make("small", { textContent: parts.join(" · ") }));
    const button = !isOwnOpen && isWhole(form, fields, left) && make("button", { type: "button", className: "button gold keeps", textContent: form.dataset.changes ? words.change : words.send });
    const shown = foot.querySelector(":scope > .keeps");
    if (button && shown?.isEqualNode(button)) {
      // It stays: a thumb may lie on it just now, and would lift from one that is gone.
      while (foot.firstChild !== shown) foot.firstChild.remove();
      shown.before(text);
    } else foot.replaceChildren(text, ...(button ? [button] : []));
    document.getElementById("close-question")?.replaceChildren();
  }
  // The totals with this deal, where all before it is known here; beside each hand of a round those with what is typed there.
  /** @param {Place} place @param {Ahead} data @param {Given} given */
  function inAll(place, data, given) {
    const stand = standOf(place.table, place.match);
    if (!stand) return "";
    const before = closingsOf(place.table, stand).filter(({ deal }) => deal < place.deal);
    if (before.length !== place.deal - stand.deal) return "";
    const earlier = before.map((entry) => entry.gives);
    if (earlier.some((one) => !one)) return "";
    const each = given ? [given, ...earlier] : earlier;
    const sums = sumOf(data.sides, ...earlier);
    const now = sumOf(data.sides, ...(given ? [given] : []));
    const totals = Object.fromEntries(data.sides.map((side) => [side, (stand.totals[side] || 0) + sums[side] + now[side]]));
    for (const side of data.sides) {
      const after = document.getElementById(`after-${side}`);
      if (!after) continue;
      const total = (stand.totals[side] || 0) + sums[side];
      after.replaceChildren(make("span", { className: earlier.length ? "provisional" : "", textContent: total }), ...(given ? [" → ", make("b", { className: "provisional", textContent: totals[side] })] : []));
    }
    if (!given) return " ";
    return fill(data.words.totals || "#", `${each.every(isKnown) ? "" : `${data.words.at_least} `}${inWords(data, totals)}`);
  }
  // Whether all is told: each row has its taker, or what was counted or shown stands for it.
  const EVIDENCE = /^(?:count|pile|told|rest|best|sevens|left|card_points|points|left_points|went_out|out_at_once|winner|bid|bidder)/;
  /** @param {Found} form @param {Fields} fields @param {string[]} left */
  function isWhole(form, fields, left) {
    const isTold = Object.entries(fields).some(([name, values]) => EVIDENCE.test(name) && values.some(Boolean));
    const rows = [...form.querySelectorAll(".hand")];
    const isOfRounds = rows.length > 0;
    if (isOfRounds) return rows.every((hand) => hand.querySelector(".out :checked") || [...hand.querySelectorAll("[name^='points-'], [name^='left_points-'], [name^='left-']")].some(({ value }) => value));
    return isTold || (left.length === 0 && Boolean(form.querySelector(".cell :checked")));
  }

  document.addEventListener("click", ({ target }) => {
    const button = target.closest("#close-foot .keeps");
    if (button) scorekeeper.submit.queueForm(closing(), null);
  });

  // What a form has counted that the board, from which it goes on, did not show.
  /** @param {string[]} counted */
  const countedSince = (counted) => counted.filter((id) => id.length > 8 && !drawn.has(id.slice(0, 8)));
  // js/waiting/submit.js asks for what only the form knows, when it is made an entry.
  document.addEventListener("waiting:complete", ({ target: form, detail: { entry, button } }) => {
    if (form !== closing()) return;
    const place = here(form);
    entry.gives = givenBy(entry.fields || fieldsOf(form, button), place);
    if (isAhead()) entry.counted = countedSince(entry.counted);
    if (changed) entry.turn = changed.turn;
    const before = toldBefore(form, entry.id);
    if (before.length) entry.instead_of = before;
  });
  /** @type {Entry | null} */
  let changed = null;

  // Posts that save the deal if it is complete, until their answer has come: where it is lost, or the phone dies before it,
  // the deal may be written. What is told of the deal later goes under another id, and names those of before.
  /** @returns {Entry[]} */
  const tried = () => local.read(TRIED) || [];
  /** @type {(of: Place) => (one: Entry) => boolean} */
  const isOf = ({ table, match, deal }) => (one) => one.table === table && one.match === match && one.deal === deal;
  // The ids under which this phone has told of the deal before: closings that wait, too, were held when a page went, or
  // have arrived without this page having seen it.
  /** @param {Found} form @param {string} id */
  function toldBefore(form, id) {
    const ofDeal = isOf(here(form));
    const { queue, store } = scorekeeper;
    const closings = [...queue.all(), ...queue.done(), ...store.allLocal()].filter((one) => queue.isClosing(one) && ofDeal(one));
    const ids = [...closings.flatMap((one) => [one.id, ...(one.instead_of || [])]), ...tried().filter(ofDeal).map((one) => one.id)];
    return [...new Set(ids)].filter((one) => one !== id);
  }
  /** @param {HtmxDetail} detail */
  const isJudged = (detail) => detail.requestConfig.verb === "post" && (placeOf(detail.requestConfig.path) || {}).page === "close" && !writes(detail);
  /** @param {HtmxDetail} detail */
  const maySave = (detail) => isJudged(detail) && detail.requestConfig.formData.get("was_open") === "yes";
  document.addEventListener("htmx:beforeSend", ({ detail }) => {
    if (!maySave(detail)) return;
    const { xhr, requestConfig: { path, formData } } = detail;
    const place = placeOf(path);
    const ofDeal = isOf(place);
    const id = formData.get("id");
    const others = () => tried().filter((one) => one.id !== id);
    local.write(TRIED, [...others(), { ...place, id }].slice(-MOST_TRIED));
    xhr.addEventListener("loadend", () => {
      if (isAnswered(xhr)) local.write(TRIED, xhr.getResponseHeader("HX-Redirect") ? tried().filter((one) => !ofDeal(one)) : others());
    });
  });
  document.addEventListener("htmx:sendError", lose);
  document.addEventListener("htmx:timeout", lose);
  document.addEventListener("htmx:responseError", ({ detail }) => { if (detail.xhr.status >= 500) lose({ detail }); });
  /** @param {{ detail: HtmxDetail }} event */
  function lose({ detail }) {
    const form = closing();
    if (!form || !isJudged(detail)) return;
    if (maySave(detail)) form.elements.id.value = uuid();
    isDeaf = true;
    drawFoot(form);
  }

  // A form that is ahead of the server is not judged by it: it would know no such deal, or would close this one before the
  // taps that still wait are written.
  /** @param {Found} form */
  function isAheadOfServer(form) {
    const { table, match, deal } = here(form);
    const stand = standOf(table, match);
    const { all, isWaiting, isHeld } = scorekeeper.queue;
    /** @param {Entry} entry */
    const isBefore = (entry) => isWaiting(entry) && !isHeld(entry) && entry.table === table && entry.match === match;
    if (aheadOf(table, match) && !form.matches("[data-closed]") && all().some(isBefore)) return true;
    return isAhead() && (changed || scorekeeper.queue.hasWaiting() || (stand && deal > stand.deal + closingsOf(table, stand).length));
  }
  document.addEventListener("htmx:beforeRequest", (event) => {
    const form = closing();
    if (!form || !event.detail.requestConfig || event.detail.requestConfig.verb !== "post" || !form.contains(event.target)) return;
    if (!isAheadOfServer(form)) return;
    event.preventDefault();
    isDeaf = true;
    // A button that saves (all that is left, say) keeps the form as it would have been written.
    if (writes(event.detail)) scorekeeper.submit.queueForm(form, event.detail.elt);
    else drawFoot(form);
  });
  document.addEventListener("htmx:configRequest", ({ target, detail }) => {
    const form = closing();
    if (!form || !target.closest("#closing")) return;
    if (isAhead()) detail.parameters.counted = countedSince(countedIn(form)).join(" ");
    const before = toldBefore(form, form.elements.id.value);
    if (before.length) detail.parameters.instead_of = before.join(" ");
  });
  document.addEventListener("htmx:afterSettle", () => { if (closing() && document.querySelector("#close-foot:not(:has(.provisional))")) isDeaf = false; });
  for (const name of ["input", "change", "closing:counted"]) {
    document.addEventListener(name, ({ target }) => {
      const form = closing();
      if (form && isDeaf && (target === form || form.contains(target))) setTimeout(drawFoot, 0, form);
    });
  }

  // A deal that was closed here and waits is opened again as it was told; it is changed, as long as nobody has answered it.
  async function takeUp() {
    const form = closing();
    if (!form || !isAhead()) return;
    await scorekeeper.queue.firstRead;
    const { table, match, deal } = here(form);
    const stand = standOf(table, match);
    const mine = scorekeeper.queue.all().filter((entry) => entry.kind === "deal_closed" && entry.match === match && entry.deal === deal && entry.table === table).pop();
    if (!mine && stand && deal < stand.deal + closingsOf(table, stand).length) {
      const data = aheadOf(table, match);
      sayInstead(fill(data.words.written, titleOf(data, deal)), table);
      return;
    }
    if (!mine) { drawFoot(form); return; }
    changed = mine;
    form.dataset.changes = mine.id;
    const path = new URL(form.getAttribute("action"), location.href).pathname;
    if (!scorekeeper.room.stored(path)) {
      saveDraft(path, { values: { ...mine.fields, step: undefined }, toldAt: mine.turn, seq: mine.drawn_from, heading: form.dataset.heading, counted: [...mine.counted || []].join(" ") });
      location.reload();
      return;
    }
    drawFoot(form);
  }
  become();
  takeUp();
  document.addEventListener("page:replaced", () => {
    changed = null;
    isDeaf = false;
    become();
    takeUp();
  });
  document.addEventListener("waiting:stored", ({ target }) => { if (target === closing()) target.dataset.kept = ""; });
  document.addEventListener("waiting:sent", () => {
    const form = closing();
    if (form && isDeaf && !("kept" in form.dataset) && !isAheadOfServer(form)) form.dispatchEvent(new Event("change", { bubbles: true }));
  });
})();
