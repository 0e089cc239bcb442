// What cannot be sent waits on this phone, and is sent in its order, once, when there is signal again.
// Every entry has its id from the tap on: sent twice, it is there once. Needs no service worker and no secure address.
(() => {
  "use strict";
  const list = document.getElementById("waiting");
  if (!list) return;
  const ADDRESS = /^\/t\/([^/]+)\/matches\/(\d+)\/(?:deals\/(\d+)\/(sweep|declare|layout|penalty|close)|undo\/([^/]+)|(end))$/;
  const KINDS = { sweep: "swept", declare: "declared", layout: "layout_noted", penalty: "penalised", close: "deal_closed", end: "match_ended" };
  const AT_ONCE = 50;
  const PATIENCE = 15000;
  const PAUSES = [2000, 5000, 10000, 20000, 30000];
  const LONGEST_PAUSE = 60000;
  const BUSY = [429, 502, 503, 504];
  const OPENS = 3000;
  const TRIES_ALONE = 3;
  const KEYS = 100;
  const SHOWN = 8000;
  const said = document.getElementById("waiting-said");
  const lost = document.getElementById("lost");
  let items = [];
  let onTheWay = 0;
  let sending = null;
  let failures = 0;
  let timer = 0;

  const attempt = (act) => { try { return act(); } catch { return null; /* The phone has no room, or allows none. */ } };

  function uuid() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 15) | 64;
    bytes[8] = (bytes[8] & 63) | 128;
    const text = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  }

  // The keys that this phone has opened, with the numbers of their tables, the newest last: what waited while a link was
  // renewed goes out with the new key. A key that leads nowhere any more is dead.
  let keys = [];
  // Another page of this phone may have opened another link meanwhile.
  function readKeys() {
    keys = attempt(() => JSON.parse(localStorage.getItem("keys"))) || keys;
  }
  function saveKeys() {
    keys = keys.slice(-KEYS);
    attempt(() => localStorage.setItem("keys", JSON.stringify(keys)));
  }
  const tableOf = (key) => (keys.find((one) => one.key === key) || {}).table;
  function noteKey() {
    const { tableId: table, key } = list.dataset;
    readKeys();
    if (!table || !key || tableOf(key)) return;
    keys.push({ key, table });
    saveKeys();
  }
  function noteDead(key) {
    readKeys();
    keys.filter((one) => one.key === key).forEach((one) => { one.dead = true; });
    saveKeys();
  }
  // An entry as it goes out now: with the newest key of its table.
  function current(entry) {
    const table = entry.table_id || tableOf(entry.table);
    const newest = table && keys.filter((one) => one.table === table && !one.dead).pop();
    if (!newest || newest.key === entry.table) return entry;
    return { ...entry, table: newest.key, words: entry.dead ? undefined : entry.words, dead: undefined };
  }

  // The store; where it fails, the small one, which takes a tap at once and is read again when a page opens. What neither
  // takes is there only as long as the page is open, and is never called kept.
  const memory = new Map();
  const unkept = new Set();
  const answered = new Set();
  let found = [];
  let opened = null;
  function open() {
    if (opened) return opened;
    const opening = new Promise((done, failed) => {
      setTimeout(failed, OPENS, new Error("The store does not open."));
      const asked = indexedDB.open("scorekeeper", 1);
      asked.onupgradeneeded = () => asked.result.createObjectStore("waiting", { keyPath: "n", autoIncrement: true });
      asked.onerror = () => failed(asked.error);
      asked.onsuccess = () => {
        asked.result.onclose = () => { opened = null; };
        asked.result.onversionchange = () => { asked.result.close(); opened = null; };
        done(asked.result);
      };
    });
    opened = opening;
    opening.catch(() => { if (opened === opening) opened = null; });
    return opening;
  }
  async function stored(mode, act) {
    const database = await open();
    return new Promise((done, failed) => {
      const change = database.transaction("waiting", mode, { durability: "strict" });
      const asked = act(change.objectStore("waiting"));
      change.oncomplete = () => done(asked.result);
      change.onerror = change.onabort = () => failed(change.error);
    });
  }
  const hold = (entry) => attempt(() => { localStorage.setItem(`held:${entry.id}`, JSON.stringify(entry)); return true; });
  const letGo = (id) => attempt(() => localStorage.removeItem(`held:${id}`));

  // Says whether the entry outlives this page.
  async function put(entry) {
    memory.set(entry.id, entry);
    let isKept = true;
    try {
      await stored("readwrite", (store) => store.put(entry));
      letGo(entry.id);
      if (memory.get(entry.id) === entry) memory.delete(entry.id);
    } catch {
      isKept = Boolean(hold(entry));
    }
    if (isKept) unkept.delete(entry.id);
    else unkept.add(entry.id);
    return isKept;
  }
  // What became of an entry that is stored already: where that cannot be noted, this page remembers it.
  async function note(entry) {
    memory.set(entry.id, entry);
    if (!entry.n) { await put(entry); return; }
    const isNoted = await stored("readwrite", (store) => store.put(entry)).then(() => true, () => false);
    if (isNoted && memory.get(entry.id) === entry) memory.delete(entry.id);
  }
  // What was answered is never sent again by this page, also where the store does not let go of it.
  async function remove(...entries) {
    for (const { id } of entries) {
      answered.add(id);
      memory.delete(id);
      unkept.delete(id);
      letGo(id);
    }
    await tidy();
  }
  async function tidy() {
    const done = found.filter((entry) => answered.has(entry.id));
    if (!done.length) return;
    await stored("readwrite", (store) => done.map((entry) => store.delete(entry.n))[0]).catch(() => {});
  }
  async function storeAgain() {
    const before = unkept.size;
    for (const id of [...unkept]) if (memory.has(id) && !(await put(memory.get(id)))) break;
    if (unkept.size < before) await changed();
  }
  async function read() {
    found = await stored("readonly", (store) => store.getAll()).catch(() => found);
    readKeys();
    const all = new Map(found.map((entry) => [entry.id, entry]));
    for (const [id, entry] of memory) all.set(id, { ...entry, n: entry.n || (all.get(id) || {}).n });
    items = [...all.values()].filter((entry) => !answered.has(entry.id)).map(current).sort((one, other) => one.turn - other.turn);
    return items;
  }
  // A tap keeps its place in the order also where it is kept later, as its answer failed to come.
  let lastTurn = 0;
  function turn() {
    lastTurn = Math.max(Date.now(), lastTurn + 1, ...items.map((entry) => entry.turn + 1));
    return lastTurn;
  }

  // Until what waits has been read, nobody knows what a tap would overtake.
  let hasBegun = false;
  const begun = Promise.resolve().then(read).then(() => { hasBegun = true; });

  const others = "BroadcastChannel" in window ? new BroadcastChannel("waiting") : null;
  if (others) others.onmessage = draw;

  // What a form would write, or nothing where it only asks.
  function entryOf(address, data) {
    const told = ADDRESS.exec(new URL(address, location.href).pathname);
    if (!told) return null;
    const [, table, match, deal, page, undone, end] = told;
    const saves = data.get("step") === "save";
    if ((page === "declare" && !saves) || (page === "layout" && !saves && !data.get("told"))) return null;
    if (page === "close" && !saves && !data.get("others")) return null;
    const fields = {};
    for (const [name, value] of data) {
      if (!["csrf_token", "id", "seq"].includes(name)) (fields[name] ||= []).push(String(value));
    }
    if (undone) fields.entry = [undone];
    return {
      id: data.get("id"), table, table_id: table === list.dataset.key ? list.dataset.tableId : tableOf(table), match: Number(match), kind: undone ? "voided" : KINDS[page || end], fields,
      deal: Number(deal || 0), drawn_from: data.get("seq") ? Number(data.get("seq")) : null, at: new Date().toISOString(),
    };
  }
  function dataOf(form, button) {
    const data = new FormData(form);
    if (button && button.name) data.append(button.name, button.value);
    return data;
  }

  // A deal whose closing waits is over for this phone: what is tapped after it belongs to the next one.
  function dealNow(key, match, deal, before = Infinity) {
    const { table } = current({ table: key });
    const closed = (entry) => entry.kind === "deal_closed" && entry.table === table && entry.match === match
      && !entry.words && entry.turn < before;
    while (items.some((entry) => closed(entry) && entry.deal === deal)) deal += 1;
    return deal;
  }

  // Puts an entry behind those that wait; says whether it outlives this page.
  async function keep(entry, what) {
    await begun;
    entry.what = what.trim().replace(/\s+/g, " ");
    entry.id ||= uuid();
    entry.turn ||= turn();
    answered.delete(entry.id);
    const before = items.find((one) => one.id === entry.id);
    if (before) entry.n = before.n;
    else if (entry.deal && entry.kind !== "deal_closed") entry.deal = dealNow(entry.table, entry.match, entry.deal, entry.turn);
    items = [...items.filter((one) => one !== before), entry];
    const isKept = await put(entry);
    await changed();
    if (lost) lost.replaceChildren();
    send();
    return isKept;
  }
  // What was on its way, or noted before this script was there, when its page went: it goes out behind what waits.
  async function takeHeld() {
    const held = (attempt(() => Object.keys(localStorage)) || []).filter((key) => key.startsWith("held:"))
      .map((key) => attempt(() => JSON.parse(localStorage.getItem(key)))).filter(Boolean)
      .sort((one, other) => one.at.localeCompare(other.at) || one.tap - other.tap).map(entryHeld).filter(Boolean);
    for (const entry of held) entry.turn ||= turn();
    await begun;
    await Promise.all(held.map((entry) => keep(entry, entry.what)));
  }
  function entryHeld(told) {
    if (!told.action) return told;
    const data = new FormData();
    for (const [name, value] of told.fields) data.append(name, value);
    const entry = entryOf(told.action, data);
    return entry && { ...entry, what: told.what, at: told.at };
  }

  const countedIn = (form) => ((form && form.dataset.counted) || "").split(" ").filter(Boolean);
  // What it is called in the list: the button of a tap, else the page's heading.
  function nameOf(entry, form, button) {
    const pressed = button || (form && form.querySelector("button"));
    const named = pressed ? pressed.getAttribute("aria-label") || pressed.textContent : "";
    if (["swept", "voided", "match_ended"].includes(entry.kind)) return named;
    const heading = document.querySelector("h1").textContent;
    return entry.kind === "penalised" ? `${heading} ${named}` : heading;
  }

  async function keepForm(form, button) {
    const data = dataOf(form, button);
    if (!button) data.append("step", "save");
    const entry = entryOf(form.getAttribute("action"), data);
    if (entry.kind === "deal_closed") entry.counted = countedIn(form);
    const what = nameOf(entry, form, button);
    entry.turn = turn();
    renew(form);
    // What is here only as long as this page is open stays on it, as it was typed.
    if (!(await keep(entry, what))) {
      // A board says so in its list; a form may be too long for anybody to see that.
      if (form.matches("[id]")) setTimeout((message) => message.remove(), SHOWN, window.warn(list.dataset.unkept));
      return;
    }
    form.dispatchEvent(new Event("kept", { bubbles: true }));
    // The board is there without signal only where a service worker keeps it.
    if (form.matches("[id]") && navigator.serviceWorker && navigator.serviceWorker.controller) location.assign(`/t/${entry.table}`);
  }
  // The next tap on the same button is another tap.
  function renew(form) {
    if (form && form.querySelector("button.sweep")) form.elements.id.value = uuid();
  }

  async function changed() {
    if (others) others.postMessage("");
    await draw();
  }

  const label = (name, number) => list.dataset[name].replace("#", number);
  async function draw() {
    await read();
    const settle = items.filter((entry) => entry.words).length;
    const waits = items.length - settle;
    const isUnkept = items.some((entry) => unkept.has(entry.id));
    const text = [waits && label("waits", waits), settle && label("settle", settle), isUnkept && list.dataset.stay].filter(Boolean).join(" · ");
    for (const hint of list.querySelectorAll("[data-kept]")) hint.hidden = !(waits || isUnkept) || (hint.dataset.kept === "no") !== isUnkept;
    list.hidden = !text;
    list.querySelector("summary").textContent = text;
    if (said.textContent !== text) said.textContent = text;
    list.querySelector("ul").replaceChildren(...items.map(row));
    countTaps();
  }
  function row(entry) {
    const line = list.querySelector("template").content.firstElementChild.cloneNode(true);
    line.querySelector(".what").textContent = entry.what;
    line.querySelector(".why").textContent = [...(entry.words || []), unkept.has(entry.id) ? list.dataset.unkept : ""].join(" ").trim();
    const page = `/t/${entry.table}/matches/${entry.match}/deals/${entry.deal}`;
    line.querySelector("a").href = entry.kind === "deal_closed" ? `${page}/close` : `/t/${entry.table}`;
    line.querySelector(".after").hidden = !entry.words;
    for (const name of line.querySelectorAll(".visually-hidden")) name.textContent = `: ${entry.what}`;
    line.querySelector("[data-again]").onclick = async () => {
      stumbled.delete(entry.id);
      await note({ ...entry, words: undefined, dead: undefined });
      await changed();
      send();
    };
    line.querySelector("[data-remove]").onclick = async () => {
      if (!confirm(`${list.dataset.remove} ${entry.what}`)) return;
      await remove(entry);
      await changed();
    };
    return line;
  }

  // Taps that wait are counted into the dots, and into the closing form of their deal.
  const waitingIn = (key, match, deal) => {
    const { table } = current({ table: key });
    return items.filter((entry) => !entry.words && entry.table === table && entry.match === match && entry.deal === deal);
  };
  function countTaps() {
    for (const button of document.querySelectorAll("button.sweep")) {
      const [, table, match, drawnDeal] = ADDRESS.exec(new URL(button.form.getAttribute("action"), location.href).pathname);
      const deal = dealNow(table, Number(match), Number(drawnDeal));
      const dots = button.querySelector(".dots");
      dots.dataset.drawn ??= dots.textContent;
      const drawn = deal === Number(drawnDeal) ? dots.dataset.drawn.split("●").length - 1 : 0;
      const taps = waitingIn(table, Number(match), deal).filter((entry) => entry.kind === "swept" && entry.fields.side[0] === button.value);
      const text = "●".repeat(drawn + taps.length) || "○";
      if (dots.textContent !== text) dots.textContent = text;
    }
  }
  function countIn(form) {
    const told = ADDRESS.exec(new URL(form.getAttribute("action"), location.href).pathname);
    const counted = new Set(countedIn(form));
    for (const entry of waitingIn(told[1], Number(told[2]), Number(told[3]))) {
      if (!counted.has(entry.id) && countOne(form, entry)) counted.add(entry.id);
    }
    form.dataset.counted = [...counted].join(" ");
  }
  function countOne(form, { kind, fields }) {
    if (kind === "swept") {
      const field = form.elements[`sweeps-${fields.side[0]}`];
      if (field) field.value = (Number.parseInt(field.value, 10) || 0) + Number((fields.count || [1])[0]);
      return Boolean(field);
    }
    if (kind === "penalised") return tick(form, "penalty", fields.penalty[0]);
    if (kind === "layout_noted") {
      return fields.told ? tick(form, "opening", fields.told[0]) : fields.cards.every((card) => tick(form, "layout", card, card));
    }
    if (kind !== "declared") return false;
    const told = { side: fields.side[0] };
    if (fields.batch) told.batch = Number(fields.batch[0]);
    for (const name of ["cards", "items"]) if (fields[name]) told[name] = fields[name];
    for (const card of told.cards || []) {
      const rank = (fields[`as-${card}`] || [""])[0];
      if (rank) (told.as ||= {})[card] = rank + card.slice(-1);
    }
    return tick(form, "declaration", JSON.stringify(told), `${told.side}: ${(told.cards || told.items || []).join(" ")}`);
  }
  function tick(form, name, value, text) {
    const box = [...form.querySelectorAll(`[name="${name}"]`)].find((one) => one.value === value);
    if (box) { box.checked = true; return true; }
    const home = text && form.querySelector(name === "layout" ? "fieldset:has([name=opening])" : ".declarations");
    if (!home) return false;
    const line = document.createElement("label");
    line.className = "tick";
    const made = Object.assign(document.createElement("input"), { type: "checkbox", name, value, checked: true });
    line.append(made, Object.assign(document.createElement("span"), { textContent: text }));
    home.querySelector("legend").after(line);
    return true;
  }

  // Sending: in order, one tab at a time where the browser can tell them apart; the ids make it harmless elsewhere.
  async function send() {
    if (sending) { sending.again = true; return; }
    sending = { again: false };
    clearTimeout(timer);
    try {
      if (navigator.locks) await navigator.locks.request("waiting", sendAll);
      else await sendAll();
      failures = 0;
    } catch (fault) {
      const pause = Math.max(PAUSES[Math.min(failures, PAUSES.length - 1)], fault.pause || 0);
      timer = setTimeout(send, Math.min(pause, LONGEST_PAUSE));
      failures += 1;
      sending.again = false;
    }
    const { again } = sending;
    sending = null;
    if (again) send();
    else if (!failures && items.some(isWaiting)) timer = setTimeout(send, PAUSES[0]);
  }
  const isWaiting = (entry) => !entry.words;
  // Entries of a push that the server stumbled over go alone, so that the one at fault is found: the number of their tries.
  const stumbled = new Map();

  async function sendAll() {
    let sent = 0;
    await storeAgain();
    try {
      for (;;) {
        const next = (await read()).filter(isWaiting);
        if (!next.length || onTheWay) break;
        const ofTable = next.filter((entry) => entry.table === next[0].table);
        const batch = ofTable.slice(0, stumbled.has(next[0].id) ? 1 : AT_ONCE);
        sent += await sendBatch(batch);
      }
      await tidy();
    } finally {
      if (sent) await show();
    }
  }
  // Says how many entries have got their answer; throws where there is none for any.
  async function sendBatch(batch) {
    let answers = null;
    try {
      answers = await post(batch);
    } catch (fault) {
      if (!fault.stumbles) throw fault;
      if (batch.length > 1) {
        for (const { id } of batch) stumbled.set(id, 0);
        return 0;
      }
      const [entry] = batch;
      stumbled.set(entry.id, (stumbled.get(entry.id) || 0) + 1);
      if (stumbled.get(entry.id) < TRIES_ALONE && !fault.words) throw fault;
      answers = new Map([[entry.id, { status: "refused", words: fault.words || [list.dataset.broken || "500"] }]]);
    }
    const told = batch.filter((entry) => answers.has(entry.id) && answers.get(entry.id).status !== "later");
    if (!told.length && answers.get(batch[0].id)?.dead) return 0;
    if (!told.length) throw new Error("Nothing was taken.");
    const isIn = (entry) => ["written", "known"].includes(answers.get(entry.id).status);
    await remove(...told.filter(isIn));
    for (const { id } of told) stumbled.delete(id);
    for (const entry of told.filter((one) => !isIn(one))) {
      const { words, status, dead } = answers.get(entry.id);
      giveBack(entry);
      await note({ ...entry, words: words && words.length ? words : [status], dead });
    }
    return told.length;
  }
  async function show() {
    await changed();
    document.dispatchEvent(new Event("waiting:sent"));
    const board = document.getElementById("board");
    if (!board) return;
    // Without htmx there is no part of a page, only the whole.
    if (!window.htmx) { location.reload(); return; }
    const { from, select } = board.dataset;
    htmx.ajax("GET", from || location.pathname, { source: board, target: board, swap: "innerHTML", select }).catch(() => {});
  }
  // A closing that cannot be saved as it stands is found in its form again, as it was typed.
  function giveBack({ kind, table, match, deal, fields, drawn_from, counted, what }) {
    if (kind !== "deal_closed") return;
    const draft = { values: { ...fields, step: undefined }, seq: drawn_from, heading: what, counted: (counted || []).join(" ") };
    try {
      localStorage.setItem(`draft:/t/${table}/matches/${match}/deals/${deal}/close`, JSON.stringify(draft));
    } catch { /* It stays in the list all the same. */ }
  }
  async function post(batch) {
    const gaveUp = new AbortController();
    const patience = setTimeout(() => gaveUp.abort(), PATIENCE);
    try {
      const entries = batch.map(({ id, match, kind, deal, fields, drawn_from, counted, at }) => ({ id, match, kind, deal, fields, drawn_from, counted, at }));
      const answer = await fetch("/api/v1/entries", {
        method: "POST", headers: { "Content-Type": "application/json" }, signal: gaveUp.signal,
        body: JSON.stringify({ table: batch[0].table, entries }),
      });
      if (!window.isOurs(answer)) throw new Error("Somebody else answered.");
      if (BUSY.includes(answer.status)) {
        throw Object.assign(new Error(answer.status), { pause: 1000 * Number.parseInt(answer.headers.get("Retry-After"), 10) || 0 });
      }
      if (answer.status >= 500) throw Object.assign(new Error(answer.status), { stumbles: true });
      const told = await answer.json();
      if (told.answers) return new Map(told.answers.map((one) => [one.id, one]));
      const words = told.problems.map((problem) => problem.message);
      const dead = answer.status === 404;
      if (dead) noteDead(batch[0].table);
      // What is wrong with the whole of a push may be the fault of one entry in it.
      else throw Object.assign(new Error(answer.status), { stumbles: true, words });
      // Where its table has a newer key, it goes out with that.
      return new Map(batch.map((entry) => [entry.id, { status: current(entry).table === entry.table ? "refused" : "later", words, dead }]));
    } finally {
      clearTimeout(patience);
    }
  }
  function sendNow() {
    failures = 0;
    if (items.some(isWaiting)) send();
  }

  // While something waits, or a tap is still on its way, the next one waits behind it: the order stands. Whatever writes an
  // entry goes out from here, also while htmx has not yet taken up a form that was just drawn.
  const pressed = new Set();
  const mustWait = () => !hasBegun || onTheWay || items.some(isWaiting) || navigator.onLine === false || !window.htmx;
  document.addEventListener("submit", (event) => {
    const form = event.target;
    const button = event.submitter;
    const address = form.getAttribute("action");
    const entry = address && entryOf(address, dataOf(form, button));
    if (!entry) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    // The same form pressed twice is one entry.
    if (pressed.has(entry.id)) return;
    if (mustWait()) keepForm(form, button);
    else postNow(event, entry);
  }, true);
  function postNow(event, entry) {
    const { target: form, submitter: button } = event;
    const values = { id: entry.id, ...(button && button.name ? { [button.name]: button.value } : {}) };
    const before = onTheWay;
    entry.turn = turn();
    entry.what = nameOf(entry, form, button).trim().replace(/\s+/g, " ");
    if (entry.kind === "deal_closed") entry.counted = countedIn(form);
    hold(entry);
    pressed.add(entry.id);
    renew(form);
    const swap = form.hasAttribute("hx-post") ? undefined : "none";
    htmx.ajax("POST", form.getAttribute("action"), { source: form, swap, values, event }).catch(() => {});
    if (onTheWay > before) return;
    pressed.delete(entry.id);
    keep(entry, entry.what);
  }

  const writes = (detail) => (detail.requestConfig.verb === "post" ? entryOf(detail.requestConfig.path, detail.requestConfig.formData) : null);
  const isAnswered = (xhr) => xhr.status > 0 && xhr.status < 500 && xhr.status !== 429 && window.isOurs(xhr);
  document.addEventListener("htmx:beforeSend", (event) => {
    const { xhr, requestConfig } = event.detail;
    const entry = writes(event.detail);
    if (!entry) return;
    const form = event.target.closest("form");
    const what = nameOf(entry, form, requestConfig.triggeringEvent && requestConfig.triggeringEvent.submitter);
    entry.turn = turn();
    if (entry.kind === "deal_closed") entry.counted = countedIn(form);
    onTheWay += 1;
    // Told by the request itself: the form may be gone from the page by now, and its events with it.
    xhr.addEventListener("loadend", async () => {
      onTheWay -= 1;
      pressed.delete(entry.id);
      if (isAnswered(xhr)) letGo(entry.id);
      else if (await keep(entry, what) && form && form.isConnected && entry.kind !== "swept") form.dispatchEvent(new Event("kept", { bubbles: true }));
      if (!onTheWay) sendNow();
    });
  });

  // What is kept is told by the list alone: "send it again" beside it would be wrong.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr } = event.detail;
    if (isAnswered(xhr) || event.detail.requestConfig.verb !== "post") return;
    if (writes(event.detail)) event.detail.shouldSwap = false;
    else if (xhr.status < 500 || formOf(event)) {
      event.detail.shouldSwap = false;
      failed(event);
    }
  });
  const formOf = (event) => {
    const { elt } = event.detail.requestConfig;
    const form = elt.closest("form") || document.querySelector("#closing, #declare, #layout");
    return form && /(close|declare|layout)$/.test(form.getAttribute("action") || "") ? form : null;
  };

  function failed(event) {
    if (!writes(event.detail)) offer(formOf(event));
  }
  document.addEventListener("htmx:sendError", failed);
  document.addEventListener("htmx:timeout", failed);

  // A form that cannot be judged without signal can be kept as it stands, to be judged when it arrives.
  function offer(form) {
    if (!form || !lost) return;
    window.warn(lost.dataset.text);
    const button = Object.assign(document.createElement("button"), { type: "button", className: "button wide", textContent: list.dataset.keep });
    button.onclick = () => keepForm(form, null);
    lost.firstElementChild.append(button);
  }

  document.addEventListener("htmx:afterSettle", countTaps);
  window.addEventListener("online", sendNow);
  window.addEventListener("focus", sendNow);
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") sendNow(); });
  // A page kept for going back, or for no signal, may be drawn again with ids that were used: it gets its own.
  window.addEventListener("pageshow", async () => {
    for (const form of document.querySelectorAll("form[action]")) {
      const { id } = form.elements;
      if (id && ADDRESS.test(new URL(form.getAttribute("action"), location.href).pathname)) id.value = uuid();
    }
    await draw();
    await tidy();
    if (items.some(isWaiting)) await send();
    const form = document.getElementById("closing");
    if (form) countIn(form);
  });
  window.addEventListener("beforeunload", (event) => { if (items.some((entry) => unkept.has(entry.id))) event.preventDefault(); });
  window.addEventListener("load", () => { if (navigator.serviceWorker) navigator.serviceWorker.register("/sw.js").catch(() => {}); });

  // From here on the taps are this script's.
  window.tapsAreHeld = false;
  noteKey();
  takeHeld();
})();
