// The keys that this phone has opened, with the numbers of their tables, the newest last. A link may be renewed while
// entries wait: they are then sent with the new key. A key that no longer opens a table is dead.
(() => {
  "use strict";
  const { read, write } = scorekeeper.local;
  const MOST = 100;
  // The table that this page may write in.
  /** @type {DOMStringMap} */
  const { key: ownKey, tableId: ownTable } = (document.getElementById("waiting") || { dataset: {} }).dataset;
  /** @type {{ key: string, table: string, dead?: boolean }[]} */
  let keys = [];

  // Another page of this phone may have opened another link meanwhile.
  /** @type {Shared["keys"]["readKeys"]} */
  function readKeys() {
    keys = read("keys") || keys;
  }
  function saveKeys() {
    keys = keys.slice(-MOST);
    write("keys", keys);
  }
  /** @param {string} key */
  const known = (key) => (keys.find((one) => one.key === key) || {}).table;
  /** @type {Shared["keys"]["tableOf"]} */
  const tableOf = (key) => (key === ownKey ? ownTable : known(key));
  /** @type {Shared["keys"]["noteDead"]} */
  function noteDead(key) {
    readKeys();
    keys.filter((one) => one.key === key).forEach((one) => { one.dead = true; });
    saveKeys();
  }

  // The entry as it is sent now. Why it was refused under a dead key does not matter under a new one.
  /** @type {Shared["keys"]["withNewestKey"]} */
  function withNewestKey(entry) {
    const table = entry.table_id || tableOf(entry.table);
    const newest = table && keys.filter((one) => one.table === table && !one.dead).pop();
    if (!newest || newest.key === entry.table) return entry;
    return { ...entry, table: newest.key, words: entry.dead ? undefined : entry.words, dead: undefined };
  }

  readKeys();
  if (ownKey && ownTable && !known(ownKey)) {
    keys.push({ key: ownKey, table: ownTable });
    saveKeys();
  }
  scorekeeper.keys = { readKeys, tableOf, noteDead, withNewestKey };
})();
