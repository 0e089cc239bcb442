// JSON in localStorage. The phone may have no room, or allow nothing to be stored: then `write` returns false, and only this
// page knows the value. `read` returns null where there is none; `names` are those of what is stored.
(() => {
  "use strict";
  /** @param {(...all: any[]) => any} act */
  const attempt = (act) => { try { return act(); } catch { return null; } };
  /** @type {Map<string, string>} */
  const unstored = new Map();

  /** @type {Shared["local"]["read"]} */
  const read = (name) => attempt(() => JSON.parse(unstored.get(name) ?? localStorage.getItem(name)));
  /** @type {Shared["local"]["write"]} */
  function write(name, value) {
    const text = JSON.stringify(value);
    const isStored = Boolean(attempt(() => { localStorage.setItem(name, text); return true; }));
    if (isStored) unstored.delete(name);
    else unstored.set(name, text);
    return isStored;
  }
  /** @type {Shared["local"]["remove"]} */
  function remove(name) {
    unstored.delete(name);
    attempt(() => localStorage.removeItem(name));
  }
  const names = () => attempt(() => Object.keys(localStorage)) || [];

  scorekeeper.local = { read, write, remove, names };
})();
