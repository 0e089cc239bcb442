// JSON in localStorage. The phone may have no room, or allow nothing to be stored: then `read` returns null, and `write`
// returns false.
(() => {
  "use strict";
  /** @param {(...all: any[]) => any} act */
  const attempt = (act) => { try { return act(); } catch { return null; } };

  scorekeeper.local = {
    read: (name) => attempt(() => JSON.parse(localStorage.getItem(name))),
    write: (name, value) => Boolean(attempt(() => { localStorage.setItem(name, JSON.stringify(value)); return true; })),
    remove: (name) => attempt(() => localStorage.removeItem(name)),
    names: () => attempt(() => Object.keys(localStorage)) || [],
  };
})();
