// What a closing gives each side by itself, as far as this phone can add it up: each thing that was told has its points, and
// what depends on others (a line that gives way to another, a prime by its cards, a bid) stays open until there is signal.
(() => {
  "use strict";
  if (scorekeeper.gives) return;
  const NOBODY = "nobody";
  /** @param {string} text */
  const number = (text) => (/^[-−]?\d+$/.test(String(text).trim()) ? Number(String(text).trim().replace("−", "-")) : null);

  // `fields` are those of the closing, `ahead` is what the phone keeps of the match, `dealer` the side that deals; `noted` is
  // what the server made of the notes that the form still holds, by side, or null. Returns the points by item, and what is open.
  /** @type {Shared["gives"]["gives"]} */
  function gives(fields, ahead, dealer, noted) {
    const { sides, by_itself: own } = ahead;
    /** @type {Given["items"]} */
    const items = {};
    /** @type {string[]} */
    const open = [];
    /** @param {string} name */
    const one = (name) => (fields[name] || [""])[0];
    /** @param {string} item @param {string} side @param {number} points */
    const give = (item, side, points) => {
      items[item] ||= {};
      if (sides.includes(side)) items[item][side] = (items[item][side] || 0) + points;
    };
    /** @param {string} name */
    const isFilled = (name) => (fields[name] || []).some(Boolean);

    // Points alone, or numbers that are told for each side.
    const numbers = fields.bare ? { points: 1 } : own.numbers;
    for (const [name, worth] of Object.entries(numbers)) countNumbers(name, worth);
    /** @param {string} name @param {number} worth */
    function countNumbers(name, worth) {
      for (const side of sides) {
        const told = one(`${name}-${side}`);
        const isOut = name === "left_points" && Object.keys(own.once).some((field) => one(field) === side);
        const ranks = name === "left_points" ? one(`left-${side}`).toUpperCase().split(/\s+/).filter(Boolean) : [];
        if (isOut && name === "left_points") give(name, side, 0);
        else if (ranks.length && ranks.every((rank) => rank in own.ranks)) give(name, side, ranks.reduce((sum, rank) => sum + own.ranks[rank], 0));
        else if (number(told) !== null) give(name, side, number(told) * worth);
        else if (name !== "steals") open.push(name);
      }
    }
    if (fields.bare) return { items, open: addAgreed() };
    for (const [name, worth] of Object.entries(own.once)) if (isFilled(name)) give(name, one(name), worth);

    for (const [item, row] of Object.entries(own.rows)) countRow(item, row);
    /** @param {Ahead["by_itself"]["rows"][string]} row */
    function takersOf(row) {
      const told = (fields[row.field] || []).filter(Boolean);
      if (told.length) return told;
      const others = one("others");
      return others ? [row.rare ? NOBODY : others] : [];
    }
    /** @param {string} item @param {Ahead["by_itself"]["rows"][string]} row */
    function countRow(item, row) {
      const takers = takersOf(row);
      const isNobodys = takers.length === 1 && takers[0] === NOBODY;
      if (!takers.length) {
        if (own.most && mostPoints(item)) return;
        open.push(item);
        return;
      }
      const isSure = row.unless.every((other) => { const its = takersOf(own.rows[other]); return its.length === 1 && its[0] === NOBODY; });
      if (isNobodys) items[item] ||= {};
      else if (row.points === null || !isSure || isFilled("three_killed")) open.push(item);
      else for (const side of takers) give(item, side, row.points);
    }
    // The lines of the table's own.
    const lines = own.own;
    for (const [item, row] of Object.entries(lines.rows)) {
      const takers = takersOf(row);
      if (!takers.length) open.push(item);
      for (const side of takers) give(item, side, row.points);
    }
    for (const [item, worth] of Object.entries(lines.counted)) {
      for (const side of sides) give(item, side, (number(one(`${item}-${side}`)) || 0) * worth);
    }
    // The side with the most card points, where all are known and one is ahead.
    /** @param {string} item */
    function mostPoints(item) {
      const told = sides.map((side) => number(one(`card_points-${side}`)));
      if (told.some((points) => points === null) || isFilled("three_killed")) return false;
      const most = Math.max(...told);
      if (told.filter((points) => points === most).length > 1) return false;
      give(item, sides[told.indexOf(most)], own.most);
      return true;
    }
    // A deal of tricks that is told in another way has nothing that gives points by itself.
    if (!Object.keys(own.rows).length && !Object.keys(numbers).length) open.push("");

    if (own.sweep) for (const side of sides) give("sweeps", side, (number(one(`sweeps-${side}`)) || 0) * own.sweep);
    if (noted) for (const side of sides) give("", side, noted[side] || 0);
    else countNotes();
    function countNotes() {
      for (const text of fields.declaration || []) {
        /** @type {{ side: string, items?: string[] }} */
        const { side, items: said } = JSON.parse(text);
        if (said && said.every((item) => item in own.declared)) give("", side, said.reduce((sum, item) => sum + own.declared[item], 0));
        else open.push("declaration");
      }
      if (isFilled("opening") && one("opening") in own.openings) give("", dealer, own.openings[one("opening")]);
      else if (isFilled("opening")) open.push("opening");
      if (isFilled("layout")) open.push("opening");
    }
    if (isFilled("penalty")) open.push("penalty");

    function addAgreed() {
      for (const text of fields.adjustment || []) {
        const { side, points } = JSON.parse(text);
        give("", side, points);
      }
      return open;
    }
    return { items, open: [...new Set(noted ? open : addAgreed())] };
  }

  // The points of each side, of a closing or of several.
  /** @type {Shared["gives"]["sumOf"]} */
  function sumOf(sides, ...all) {
    /** @param {string} side */
    const of = (side) => all.reduce((sum, { items }) => sum + Object.values(items).reduce((part, points) => part + (points[side] || 0), 0), 0);
    return Object.fromEntries(sides.map((side) => [side, of(side)]));
  }
  /** @type {Shared["gives"]["isKnown"]} */
  const isKnown = (given) => Boolean(given) && !given.open.length;

  scorekeeper.gives = { gives, sumOf, isKnown };
})();
