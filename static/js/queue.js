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
  const said = document.getElementById("waiting-said");
  const lost = document.getElementById("lost");
  const memory = new Map();
  let items = [];
  let onTheWay = 0;
  let sending = null;
  let failures = 0;
  let timer = 0;

  function uuid() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 15) | 64;
    bytes[8] = (bytes[8] & 63) | 128;
    const text = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  }

  // The store. Where the phone has none (or it is full), what waits is kept as long as the page is open.
  let opened = null;
  function open() {
    opened ||= new Promise((done, failed) => {
      const asked = indexedDB.open("scorekeeper", 1);
      asked.onupgradeneeded = () => asked.result.createObjectStore("waiting", { keyPath: "n", autoIncrement: true });
      asked.onerror = () => { opened = null; failed(asked.error); };
      asked.onsuccess = () => {
        asked.result.onversionchange = () => { asked.result.close(); opened = null; };
        done(asked.result);
      };
    });
    return opened;
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
  async function put(entry) {
    try { await stored("readwrite", (store) => store.put(entry)); } catch { memory.set(entry.id, entry); }
  }
  async function remove(entry) {
    memory.delete(entry.id);
    if (entry.n) await stored("readwrite", (store) => store.delete(entry.n)).catch(() => {});
  }
  async function read() {
    const found = await stored("readonly", (store) => store.getAll()).catch(() => []);
    items = [...found, ...memory.values()].sort((one, other) => one.turn - other.turn);
    return items;
  }
  // A tap keeps its place in the order also where it is kept later, as its answer failed to come.
  let lastTurn = 0;
  function turn() {
    lastTurn = Math.max(Date.now(), lastTurn + 1, ...items.map((entry) => entry.turn + 1));
    return lastTurn;
  }

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
      id: data.get("id"), table, match: Number(match), kind: undone ? "voided" : KINDS[page || end], fields,
      deal: Number(deal || 0), drawn_from: data.get("seq") ? Number(data.get("seq")) : null, at: new Date().toISOString(),
    };
  }
  function dataOf(form, button) {
    const data = new FormData(form);
    if (button && button.name) data.append(button.name, button.value);
    return data;
  }

  // A deal whose closing waits is over for this phone: what is tapped after it belongs to the next one.
  function dealNow(table, match, deal, before = Infinity) {
    const closed = (entry) => entry.kind === "deal_closed" && entry.table === table && entry.match === match
      && !entry.words && entry.turn < before;
    while (items.some((entry) => closed(entry) && entry.deal === deal)) deal += 1;
    return deal;
  }

  async function keep(entry, what) {
    entry.what = what.trim().replace(/\s+/g, " ");
    entry.id ||= uuid();
    entry.turn ||= turn();
    const before = items.find((one) => one.id === entry.id);
    if (before) entry.n = before.n;
    else if (entry.deal && entry.kind !== "deal_closed") entry.deal = dealNow(entry.table, entry.match, entry.deal, entry.turn);
    items = [...items.filter((one) => one !== before), entry];
    await put(entry);
    await changed();
    if (lost) lost.replaceChildren();
    send();
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
    if (form.querySelector("button.sweep")) form.elements.id.value = uuid();
    await keep(entry, what);
    form.dispatchEvent(new Event("kept", { bubbles: true }));
    // The board is there without signal only where a service worker keeps it.
    if (form.matches("[id]") && navigator.serviceWorker && navigator.serviceWorker.controller) location.assign(`/t/${entry.table}`);
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
    const text = [waits && label("waits", waits), settle && label("settle", settle)].filter(Boolean).join(" · ");
    list.hidden = !text;
    list.querySelector("summary").textContent = text;
    if (said.textContent !== text) said.textContent = text;
    list.querySelector("ul").replaceChildren(...items.map(row));
    countTaps();
  }
  function row(entry) {
    const line = list.querySelector("template").content.firstElementChild.cloneNode(true);
    line.querySelector(".what").textContent = entry.what;
    line.querySelector(".why").textContent = (entry.words || []).join(" ");
    const page = `/t/${entry.table}/matches/${entry.match}/deals/${entry.deal}`;
    line.querySelector("a").href = entry.kind === "deal_closed" ? `${page}/close` : `/t/${entry.table}`;
    line.querySelector(".after").hidden = !entry.words;
    for (const name of line.querySelectorAll(".visually-hidden")) name.textContent = `: ${entry.what}`;
    line.querySelector("[data-again]").onclick = async () => {
      await put({ ...entry, words: undefined });
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
  const waitingIn = (table, match, deal) =>
    items.filter((entry) => !entry.words && entry.table === table && entry.match === match && entry.deal === deal);
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
    } catch {
      timer = setTimeout(send, PAUSES[Math.min(failures, PAUSES.length - 1)]);
      failures += 1;
      sending.again = false;
    }
    const { again } = sending;
    sending = null;
    if (again) send();
    else if (!failures && items.some((entry) => !entry.words)) timer = setTimeout(send, PAUSES[0]);
  }
  async function sendAll() {
    let sent = 0;
    for (;;) {
      const next = (await read()).filter((entry) => !entry.words);
      if (!next.length || onTheWay) break;
      const batch = next.filter((entry) => entry.table === next[0].table).slice(0, AT_ONCE);
      const answers = await post(batch);
      for (const entry of batch) {
        const answer = answers.get(entry.id);
        if (answer.status === "written" || answer.status === "known") await remove(entry);
        else {
          giveBack(entry);
          await put({ ...entry, words: answer.words.length ? answer.words : [answer.status] });
        }
      }
      sent += batch.length;
    }
    if (!sent) return;
    await changed();
    document.dispatchEvent(new Event("waiting:sent"));
    const board = document.getElementById("board");
    if (!board) return;
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
      if (answer.status >= 500 || answer.status === 429) throw new Error(answer.status);
      const told = await answer.json();
      if (told.answers) return new Map(told.answers.map((one) => [one.id, one]));
      const words = told.problems.map((problem) => problem.message);
      return new Map(batch.map((entry) => [entry.id, { status: "refused", words }]));
    } finally {
      clearTimeout(patience);
    }
  }
  function sendNow() {
    failures = 0;
    if (items.some((entry) => !entry.words)) send();
  }

  // While something waits, or a tap is still on its way, the next one waits behind it: the order stands.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    const button = event.submitter;
    const address = form.getAttribute("action");
    const entry = address && entryOf(address, dataOf(form, button));
    if (!entry) return;
    if (onTheWay || items.some((one) => !one.words) || navigator.onLine === false) {
      event.preventDefault();
      event.stopImmediatePropagation();
      keepForm(form, button);
    } else if (!form.hasAttribute("hx-post")) {
      event.preventDefault();
      const values = button && button.name ? { [button.name]: button.value } : {};
      htmx.ajax("POST", address, { source: form, swap: "none", values }).catch(() => {});
    }
  }, true);

  const writes = (detail) => (detail.requestConfig.verb === "post" ? entryOf(detail.requestConfig.path, detail.requestConfig.formData) : null);
  document.addEventListener("htmx:beforeSend", (event) => {
    const { xhr, requestConfig } = event.detail;
    const entry = writes(event.detail);
    if (!entry) return;
    const form = event.target.closest("form");
    const what = nameOf(entry, form, requestConfig.triggeringEvent && requestConfig.triggeringEvent.submitter);
    entry.turn = turn();
    if (entry.kind === "deal_closed") entry.counted = countedIn(form);
    // The next tap on the same button is another tap.
    if (form && form.querySelector("button.sweep")) form.elements.id.value = uuid();
    onTheWay += 1;
    // Told by the request itself: the form may be gone from the page by now, and its events with it.
    xhr.addEventListener("loadend", async () => {
      onTheWay -= 1;
      if (xhr.status === 0 || xhr.status >= 500) {
        await keep(entry, what);
        if (form && form.isConnected && entry.kind !== "swept") form.dispatchEvent(new Event("kept", { bubbles: true }));
      }
      if (!onTheWay) sendNow();
    });
  });

  function failed(event) {
    if (!writes(event.detail)) offer(event.target.closest("form") || document.querySelector("#closing, #declare, #layout"));
  }
  document.addEventListener("htmx:sendError", failed);
  document.addEventListener("htmx:timeout", failed);
  document.addEventListener("htmx:responseError", (event) => { if (event.detail.xhr.status >= 500) failed(event); });

  // A form that cannot be judged without signal can be kept as it stands, to be judged when it arrives.
  function offer(form) {
    if (!form || !lost || !/(close|declare|layout)$/.test(form.getAttribute("action") || "")) return;
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
    if (items.some((entry) => !entry.words)) await send();
    const form = document.getElementById("closing");
    if (form) countIn(form);
  });
  window.addEventListener("load", () => { if (navigator.serviceWorker) navigator.serviceWorker.register("/sw.js").catch(() => {}); });
})();
