// The queue: the entries that wait, in the order in which they were tapped. Each change is announced by the event
// "waiting:changed"; other pages of this phone read the queue again too. Without #waiting a page has no queue.
(() => {
  "use strict";
  if (!document.getElementById("waiting")) return;
  const { readKeys, withNewestKey } = scorekeeper.keys;
  const { uuid } = scorekeeper.entries;
  const { store, local } = scorekeeper;
  const LASTS = 15000;
  const MOST_DONE = 60;
  /** @type {Entry[]} */
  let entries = [];

  // An entry with words was refused: they say why, and it is not sent again by itself.
  /** @type {Shared["queue"]["isWaiting"]} */
  const isWaiting = (entry) => !entry.words;
  /** @type {Shared["queue"]["hasWaiting"]} */
  const hasWaiting = () => entries.some(isWaiting);
  /** @type {Shared["queue"]["isClosing"]} */
  const isClosing = ({ kind }) => kind === "deal_closed";
  // What was told of a match after a closing of it that is to settle waits until somebody has settled that.
  /** @type {Shared["queue"]["isHeld"]} */
  const isHeld = (entry) => entries.some((one) => one.words && isClosing(one) && one.turn < entry.turn
    && one.table === entry.table && one.match === entry.match && one.deal !== entry.deal);
  // Posts that have no answer yet; while there are any, the queue is not sent. What each writes is its `written`, until the
  // answer, which shows it, has come.
  /** @type {Shared["queue"]["posts"]} */
  const posts = new Set();

  /** @type {Shared["queue"]["read"]} */
  async function read() {
    await store.load();
    readKeys();
    entries = store.all().map(withNewestKey).sort((one, other) => one.turn - other.turn);
    return entries;
  }
  /** @type {Shared["queue"]["refresh"]} */
  async function refresh() {
    await read();
    document.dispatchEvent(new Event("waiting:changed"));
  }
  const otherPages = "BroadcastChannel" in window ? new BroadcastChannel("waiting") : null;
  if (otherPages) otherPages.onmessage = refresh;
  /** @type {Shared["queue"]["changed"]} */
  async function changed() {
    if (otherPages) otherPages.postMessage("");
    await refresh();
  }

  // The place in the order, taken at the tap: an entry may be queued later, when its post has failed.
  let lastTurn = 0;
  /** @type {Shared["queue"]["nextTurn"]} */
  function nextTurn() {
    lastTurn = Math.max(Date.now(), lastTurn + 1, ...entries.map((entry) => entry.turn + 1));
    return lastTurn;
  }

  // Until the queue has been read, nobody knows whether a tap must wait behind it.
  let isRead = false;
  /** @type {Shared["queue"]["firstRead"]} */
  const firstRead = Promise.resolve().then(read).then(() => { isRead = true; });
  /** @type {Shared["queue"]["mustWait"]} */
  const mustWait = () => !isRead || posts.size > 0 || hasWaiting() || navigator.onLine === false || !window.htmx;

  // While the closing of a deal waits, what is tapped after it belongs to the next deal.
  /** @param {string} key @param {number} match @param {number} deal @param {number} [before] */
  function dealNow(key, match, deal, before = Infinity) {
    const { table } = withNewestKey({ table: key });
    /** @param {Entry} entry */
    const closes = (entry) => isClosing(entry) && entry.table === table && entry.match === match && entry.turn < before;
    const all = [...done(), ...entries];
    while (all.some((entry) => closes(entry) && entry.deal === deal)) deal += 1;
    return deal;
  }
  /** @type {Shared["queue"]["waitingIn"]} */
  function waitingIn(key, match, deal) {
    const { table } = withNewestKey({ table: key });
    return entries.filter((entry) => isWaiting(entry) && entry.table === table && entry.match === match && entry.deal === deal);
  }

  // What the page was drawn with: it names its newest entries by the beginnings of their ids.
  /** @type {Shared["queue"]["isDrawn"]} */
  function isDrawn({ id }) {
    const drawn = document.querySelector("[data-holds]");
    return Boolean(drawn) && drawn.dataset.holds.split(" ").includes(id.slice(0, 8));
  }
  // Entries that the server has taken, until the page is drawn with them.
  /** @type {Entry[]} */
  let taken = [];
  /** @type {Shared["queue"]["take"]} */
  function take(...entries) {
    taken = [...taken.filter(({ takenAt }) => takenAt > Date.now() - LASTS), ...entries.map((entry) => ({ ...entry, takenAt: Date.now() }))];
    keepDone([...done(), ...entries]);
  }
  // The same on this phone, for pages that open without signal, until a board of its own has shown them (js/ahead/stand.js).
  /** @type {Shared["queue"]["done"]} */
  const done = () => local.read("done") || [];
  /** @type {Shared["queue"]["keepDone"]} */
  const keepDone = (all) => local.write("done", all.slice(-MOST_DONE));
  // A page that was asked for later is drawn with them, also where it names newer ones only.
  /** @type {Shared["queue"]["forgetTaken"]} */
  const forgetTaken = (before) => { taken = taken.filter(({ takenAt }) => takenAt > before); };
  // What was tapped of a deal and the page does not show yet: it waits, is on its way, or was taken.
  /** @type {Shared["queue"]["tappedIn"]} */
  function tappedIn(key, match, deal) {
    const sent = [...posts].map((xhr) => xhr.written).filter(Boolean);
    const tapped = [...taken, ...sent].filter((entry) => entry.match === match && entry.deal === deal);
    const byId = new Map([...tapped, ...waitingIn(key, match, deal)].map((entry) => [entry.id, entry]));
    return [...byId.values()].filter((entry) => !isDrawn(entry));
  }

  // Refused entries that a closing has counted, and closings of its deal that were refused, are settled by it.
  /** @type {(closing: Entry) => (one: Entry) => boolean} */
  const isSettledBy = ({ id, table, match, deal, counted, settles }) => (one) => one.words && one.table === table && one.match === match
    && ((settles || counted || []).includes(one.id) || (isClosing(one) && one.deal === deal && one.id !== id));
  /** @type {Shared["queue"]["settle"]} */
  async function settle(...closings) {
    const settled = entries.filter((one) => closings.some((closing) => isSettledBy(closing)(one)));
    if (!settled.length) return;
    await store.remove(...settled);
    await changed();
  }

  // A closing does not count, or is gone: what was told of later deals is of the deal before.
  /** @type {Shared["queue"]["renumber"]} */
  async function renumber({ table, match, deal, turn }) {
    const later = entries.filter((entry) => entry.table === table && entry.match === match && entry.deal > deal && entry.turn > turn);
    for (const entry of later) await store.update({ ...entry, deal: entry.deal - 1 });
  }

  // Queues an entry; returns whether it outlives this page.
  /** @type {Shared["queue"]["add"]} */
  async function add(entry) {
    await firstRead;
    entry.id ||= uuid();
    entry.turn ||= nextTurn();
    store.forgetAnswer(entry.id);
    const before = entries.find((one) => one.id === entry.id);
    // What is told of a deal anew takes the place, and the turn, of what was told of it here and has not been written.
    const former = entries.filter((one) => (entry.instead_of || []).includes(one.id) || (isClosing(entry) && isSettledBy(entry)(one)));
    for (const one of former) if (isClosing(one)) entry.turn = Math.min(entry.turn, one.turn);
    if (before) entry.n = before.n;
    else if (entry.deal && !isClosing(entry)) entry.deal = dealNow(entry.table, entry.match, entry.deal, entry.turn);
    entries = [...entries.filter((one) => one !== before), entry];
    const isStored = await store.put(entry);
    if (isStored) await store.remove(...former);
    await changed();
    return isStored;
  }

  scorekeeper.queue = {
    all: () => entries,
    isWaiting, hasWaiting, isHeld, isClosing, done, keepDone, posts, read, refresh, changed, nextTurn, firstRead, mustWait, waitingIn, isDrawn, take, forgetTaken, tappedIn, add, settle, renumber,
  };
})();
