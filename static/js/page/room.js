// How much room form drafts take on a phone, in one place: the newest few, none longer than an honest one.
(() => {
  "use strict";
  const PREFIX = "draft:";
  const MOST = 30;
  const LONGEST = 50000;
  /** @param {(...all: any[]) => any} act */
  const attempt = (act) => { try { return act(); } catch { return null; } };
  /** @param {string} name */
  const read = (name) => attempt(() => JSON.parse(localStorage.getItem(name)));

  // Returns whether the draft is stored. `at` is when that was.
  /** @type {Shared["room"]["store"]} */
  function store(address, draft) {
    // The link of this page is dead: what is typed is not saved, and stays only as long as the page is open.
    if ("dead" in document.documentElement.dataset) return false;
    const text = JSON.stringify({ ...draft, at: Date.now() });
    if (text.length > LONGEST) return false;
    return Boolean(attempt(() => { localStorage.setItem(PREFIX + address, text); return true; }));
  }
  /** @type {Shared["room"]["stored"]} */
  const stored = (address) => read(PREFIX + address);
  /** @type {Shared["room"]["drop"]} */
  const drop = (address) => attempt(() => localStorage.removeItem(PREFIX + address));

  /** @param {string} name */
  const ageOf = (name) => (read(name) || {}).at || 0;
  /** @type {string[]} */
  const names = attempt(() => Object.keys(localStorage).filter((name) => name.startsWith(PREFIX))) || [];
  if (names.length > MOST) {
    /** @type {any[][]} */
    const byAge = names.map((name) => [ageOf(name), name]).sort(([one], [other]) => other - one);
    for (const [, name] of byAge.slice(MOST)) attempt(() => localStorage.removeItem(name));
  }

  scorekeeper.room = { store, stored, drop };
})();
