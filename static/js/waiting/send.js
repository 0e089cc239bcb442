// Sends the queue: in its order, up to fifty entries at once, from one page at a time where the browser has locks. Where
// it has none, two pages may send an entry twice; by its id it is written once.
(() => {
  "use strict";
  if (!scorekeeper.queue) return;
  const { isOurs } = scorekeeper.answers;
  const { saveDraft } = scorekeeper.drafts;
  const { noteDead, withNewestKey } = scorekeeper.keys;
  const { store, local } = scorekeeper;
  const queue = scorekeeper.queue;
  const { isWaiting, isHeld, isClosing, posts, read, changed, take } = queue;
  /** @param {Entry} entry */
  const isToSend = (entry) => isWaiting(entry) && !isHeld(entry);
  const AT_ONCE = 50;
  const PATIENCE = 15000;
  const PAUSES = [2000, 5000, 10000, 20000, 30000];
  const LONGEST_PAUSE = 60000;
  const BUSY = [429, 502, 503, 504];
  const TRIES_ALONE = 3;
  /** @type {{ again: boolean } | null} */
  let sending = null;
  let failures = 0;
  // The board is asked for with the undo of this phone's last act, once that is written.
  let undo = "";
  let timer = 0;
  // For how long the server has asked this phone to wait (429, 503), on whichever page; a clock may have gone back since.
  function toWait() {
    const left = local.read("busy") - Date.now();
    return left > LONGEST_PAUSE ? 0 : left;
  }
  // When the server fails at a batch, its entries are sent one by one to find the one at fault: the tries of each, by id.
  /** @type {Map<string, number>} */
  const tries = new Map();

  /** @type {Shared["send"]["send"]} */
  async function send() {
    if (sending) { sending.again = true; return; }
    clearTimeout(timer);
    if (toWait() > 0) { timer = setTimeout(send, toWait()); return; }
    sending = { again: false };
    try {
      if (navigator.locks) await navigator.locks.request("waiting", sendAll);
      else await sendAll();
      failures = 0;
      local.remove("busy");
    } catch (fault) {
      const asked = Math.min(fault.pause || 0, LONGEST_PAUSE);
      timer = setTimeout(send, Math.max(PAUSES[Math.min(failures, PAUSES.length - 1)], asked));
      failures += 1;
      sending.again = false;
      const isNews = !asked !== !local.read("busy");
      local.write("busy", asked && Date.now() + asked);
      if (isNews) document.dispatchEvent(new Event("waiting:changed"));
      if (!asked) dispatchEvent(new Event("signal:lost"));
    }
    const { again } = sending;
    sending = null;
    if (again) send();
    else if (!failures && queue.all().some(isToSend)) timer = setTimeout(send, PAUSES[0]);
  }
  /** @type {Shared["send"]["sendNow"]} */
  function sendNow() {
    failures = 0;
    if (queue.all().some(isToSend)) send();
  }
  // Sends a refused entry once more, because somebody asks for it.
  /** @type {Shared["send"]["retry"]} */
  async function retry(entry) {
    tries.delete(entry.id);
    await store.update({ ...entry, words: undefined, dead: undefined });
    await changed();
    send();
  }

  async function sendAll() {
    let sent = 0;
    if (await store.storeAgain()) await changed();
    try {
      for (;;) {
        const next = (await read()).filter(isToSend);
        if (!next.length || posts.size) break;
        const ofTable = next.filter((entry) => entry.table === next[0].table);
        // What was told after a closing hangs on what becomes of it.
        const most = tries.has(next[0].id) ? 1 : Math.min(AT_ONCE, ofTable.findIndex(isClosing) + 1 || AT_ONCE);
        const batch = ofTable.slice(0, most);
        sent += await sendBatch(batch);
      }
      await store.deleteAnswered();
    } finally {
      if (sent) await showSent();
    }
  }

  // Returns how many entries have an answer; throws where none has.
  /** @param {Entry[]} batch */
  async function sendBatch(batch) {
    let answers = null;
    try {
      answers = await push(batch);
    } catch (fault) {
      if (!fault.byEntry) throw fault;
      if (batch.length > 1) {
        for (const { id } of batch) tries.set(id, 0);
        return 0;
      }
      answers = answerAlone(batch[0], fault);
    }
    const done = batch.filter((entry) => answers.has(entry.id) && answers.get(entry.id).status !== "later");
    if (!done.length && answers.get(batch[0].id)?.dead) return 0;
    if (!done.length) throw new Error("Nothing was taken.");
    /** @param {Entry} entry */
    const isIn = (entry) => ["written", "known"].includes(answers.get(entry.id).status);
    take(...done.filter((entry) => isIn(entry) && answers.get(entry.id).kind !== "dealt_again"));
    for (const entry of done.filter((one) => isIn(one) && isClosing(one))) await followUp(entry, answers.get(entry.id));
    document.dispatchEvent(new CustomEvent("waiting:arrived", { detail: done.filter(isIn).map(({ id }) => id) }));
    await store.remove(...done.filter(isIn));
    undo = done.some((entry) => entry.id === queue.last && isIn(entry)) ? queue.last : "";
    for (const { id } of done) tries.delete(id);
    for (const entry of done.filter((one) => !isIn(one))) {
      const { words, status, dead } = answers.get(entry.id);
      // Of a dead link nothing is stored but the entry itself.
      if (entry.kind === "deal_closed" && !dead) draftAgain(entry, status === "stale");
      await store.update({ ...entry, words: words && words.length ? words : [status], dead });
    }
    return done.length;
  }
  // The answer to an entry that the server fails at when it is sent alone: refused, after a few tries.
  /** @type {(entry: Entry, fault: any) => Map<string, Answer>} */
  function answerAlone({ id }, fault) {
    tries.set(id, (tries.get(id) || 0) + 1);
    if (tries.get(id) < TRIES_ALONE && !fault.words) throw fault;
    const { broken } = document.getElementById("waiting").dataset;
    return new Map([[id, { status: "refused", words: fault.words || [broken || "500"] }]]);
  }
  // A refused closing becomes a form draft again, as it was typed.
  /** @param {Entry} entry @param {boolean} isStale */
  function draftAgain({ table, match, deal, fields, turn, drawn_from, counted, what }, isStale) {
    saveDraft(`/t/${table}/matches/${match}/deals/${deal}/close`, {
      values: { ...fields, step: undefined }, toldAt: turn, seq: drawn_from, heading: what, counted: (counted || []).join(" "), isStale,
    });
  }
  // A closing is written: what it was to settle is settled, and what the phone had shown otherwise is told (js/ahead/news.js).
  /** @param {Entry} entry @param {Answer} answer */
  async function followUp(entry, { kind, words }) {
    await queue.settle(entry);
    // Its opening had voided the deal: it was none, and what comes after it is of the deal before.
    if (kind === "dealt_again") await queue.renumber(entry);
    if (words && words.length) document.dispatchEvent(new CustomEvent("waiting:news", { detail: { table: entry.table, words: words.join(" ") } }));
  }
  async function showSent() {
    await changed();
    // Without htmx a page is loaded only as a whole.
    if (!window.htmx && document.getElementById("board")) location.reload();
    document.dispatchEvent(new CustomEvent("waiting:sent", { detail: undo }));
  }

  // Returns the answers by id. Throws where there is none; `byEntry` marks a failure that one entry may be the cause of.
  /** @type {(batch: Entry[]) => Promise<Map<string, Answer>>} */
  async function push(batch) {
    const gaveUp = new AbortController();
    const patience = setTimeout(() => gaveUp.abort(), PATIENCE);
    const { table } = batch[0];
    try {
      const entries = batch.map(({ id, match, kind, deal, fields, drawn_from, counted, at, by, instead_of, gives }) => (
        { id, match, kind, deal, fields, drawn_from, counted, at, by, instead_of, shown: gives && { points: gives.items, open: gives.open } }
      ));
      const answer = await fetch("/api/v1/entries", {
        method: "POST", headers: { "Content-Type": "application/json" }, signal: gaveUp.signal,
        body: JSON.stringify({ table, now: new Date(), entries }),
      });
      if (!isOurs(answer)) throw new Error("Somebody else answered.");
      if (BUSY.includes(answer.status)) {
        const seconds = Number.parseInt(answer.headers.get("Retry-After"), 10) || 1;
        throw Object.assign(new Error(answer.status), { pause: 1000 * seconds });
      }
      if (answer.status >= 500) throw Object.assign(new Error(answer.status), { byEntry: true });
      /** @type {{ answers?: Answer[], problems: { message: string }[] }} */
      const { answers, problems } = await answer.json();
      if (answers) return new Map(answers.map((one) => [one.id, one]));
      const words = problems.map((problem) => problem.message);
      const dead = answer.status === 404;
      if (!dead) throw Object.assign(new Error(answer.status), { byEntry: true, words });
      noteDead(table);
      scorekeeper.gone?.letGo(answer, true);
      // Where the table has a newer key, the entry is sent with that.
      /** @param {Entry} entry */
      const statusOf = (entry) => (withNewestKey(entry).table === table ? "refused" : "later");
      return new Map(batch.map((entry) => [entry.id, { status: statusOf(entry), words, dead }]));
    } finally {
      clearTimeout(patience);
    }
  }

  scorekeeper.send = { send, sendNow, retry };
})();
