// Where entries wait: in IndexedDB; where that fails, in localStorage, which takes an entry at once and is read when a page
// opens; where both fail, in this page's memory, for as long as it is open.
(() => {
  "use strict";
  const local = scorekeeper.local;
  const OPENS = 3000;
  const PREFIX = "held:";
  /** @type {Map<string, Entry>} */
  const memory = new Map();
  // Ids of entries that are in this page's memory only, and of those that the server has answered.
  /** @type {Set<string>} */
  const unstored = new Set();
  /** @type {Set<string>} */
  const answered = new Set();
  /** @type {Entry[]} */
  let read = [];
  /** @type {Promise<IDBDatabase> | null} */
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
  /** @param {IDBTransactionMode} mode @param {(...all: any[]) => any} act */
  async function inDatabase(mode, act) {
    const database = await open();
    return new Promise((done, failed) => {
      const change = database.transaction("waiting", mode, { durability: "strict" });
      const asked = act(change.objectStore("waiting"));
      change.oncomplete = () => done(asked.result);
      change.onerror = change.onabort = () => failed(change.error);
    });
  }

  /** @type {Shared["store"]["putLocal"]} */
  const putLocal = (entry) => local.write(PREFIX + entry.id, entry);
  /** @type {Shared["store"]["removeLocal"]} */
  const removeLocal = (id) => local.remove(PREFIX + id);
  // Entries of this file and taps of js/early.js, in their order. Two taps of one millisecond differ in `tap`.
  /** @type {Shared["store"]["allLocal"]} */
  const allLocal = () => local.names().filter((name) => name.startsWith(PREFIX)).map(local.read).filter(Boolean)
    .sort((one, other) => one.at.localeCompare(other.at) || one.tap - other.tap);

  // Stores an entry; returns whether it outlives this page.
  /** @type {Shared["store"]["put"]} */
  async function put(entry) {
    memory.set(entry.id, entry);
    let isStored = true;
    try {
      await inDatabase("readwrite", (store) => store.put(entry));
      removeLocal(entry.id);
      if (memory.get(entry.id) === entry) memory.delete(entry.id);
    } catch {
      isStored = putLocal(entry);
    }
    if (isStored) unstored.delete(entry.id);
    else unstored.add(entry.id);
    return isStored;
  }
  // Stores what became of an entry that is stored already; where that fails, this page remembers it.
  /** @type {Shared["store"]["update"]} */
  async function update(entry) {
    memory.set(entry.id, entry);
    if (!entry.n) { await put(entry); return; }
    const isStored = await inDatabase("readwrite", (store) => store.put(entry)).then(() => true, () => false);
    if (isStored && memory.get(entry.id) === entry) memory.delete(entry.id);
  }
  // An answered entry is never sent again by this page, even where the database fails to delete it.
  /** @type {Shared["store"]["remove"]} */
  async function remove(...entries) {
    for (const { id } of entries) {
      answered.add(id);
      memory.delete(id);
      unstored.delete(id);
      removeLocal(id);
    }
    await deleteAnswered();
  }
  /** @type {Shared["store"]["deleteAnswered"]} */
  async function deleteAnswered() {
    const done = read.filter((entry) => answered.has(entry.id));
    if (!done.length) return;
    await inDatabase("readwrite", (store) => done.map((entry) => store.delete(entry.n))[0]).catch(() => {});
  }
  // Tries to store what is in memory only; returns whether any of it is stored now.
  /** @type {Shared["store"]["storeAgain"]} */
  async function storeAgain() {
    const before = unstored.size;
    for (const id of [...unstored]) if (memory.has(id) && !(await put(memory.get(id)))) break;
    return unstored.size < before;
  }

  /** @type {Shared["store"]["load"]} */
  async function load() {
    read = await inDatabase("readonly", (store) => store.getAll()).catch(() => read);
  }
  // All entries without an answer, as they were loaded last, or newer from memory.
  /** @type {Shared["store"]["all"]} */
  function all() {
    const entries = new Map(read.map((entry) => [entry.id, entry]));
    for (const [id, entry] of memory) entries.set(id, { ...entry, n: entry.n || (entries.get(id) || {}).n });
    return [...entries.values()].filter((entry) => !answered.has(entry.id));
  }
  // An entry that is sent again, from a page drawn anew, has no answer yet.
  /** @type {Shared["store"]["forgetAnswer"]} */
  const forgetAnswer = (id) => answered.delete(id);
  /** @type {Shared["store"]["isUnstored"]} */
  const isUnstored = (entry) => unstored.has(entry.id);

  scorekeeper.store = {
    putLocal, removeLocal, allLocal, put, update, remove, deleteAnswered, storeAgain, load, all, forgetAnswer, isUnstored,
  };
})();
