// From a form to the entry that it writes. An entry has its id from the tap on, so that sent twice it is written once.
(() => {
  "use strict";
  const { tableOf } = scorekeeper.keys;
  const ADDRESS = /^\/t\/([^/]+)\/matches\/(\d+)\/(?:deals\/(\d+)\/(sweep|points|trump|declare|layout|penalty|close|dealt|again|adjust|credit|substitute|enter|leave)|undo\/([^/]+)|(end|resume|seats|note))$/;
  /** @type {Record<string, string>} */
  const KINDS = {
    sweep: "swept", points: "points_noted", trump: "trump_noted", declare: "declared", layout: "layout_noted", penalty: "penalised", close: "deal_closed",
    dealt: "dealt", again: "dealt_again", adjust: "adjusted", credit: "credited",
    substitute: "substituted", enter: "entered", leave: "left",
    end: "match_ended", resume: "match_resumed", seats: "seated", note: "match_noted",
  };
  const NOT_SENT = ["csrf_token", "id", "seq", "counted", "instead_of"];

  // crypto.randomUUID exists on https addresses only.
  /** @param {number} count */
  const hex = (count) => Array.from(crypto.getRandomValues(new Uint8Array(count)), (byte) => (byte % 16).toString(16)).join("");
  /** @type {Shared["entries"]["uuid"]} */
  const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;

  // Where a form that writes an entry belongs, or null for any other form. `table` is the key of the link.
  /** @type {Shared["entries"]["placeOf"]} */
  function placeOf(address) {
    const parts = ADDRESS.exec(new URL(address, location.href).pathname);
    if (!parts) return null;
    const [, table, match, deal, page, undone, ofMatch] = parts;
    return { table, match: Number(match), deal: Number(deal || 0), page: page || ofMatch, undone };
  }

  // The entry that a form would write, or null where it only asks.
  /** @type {Shared["entries"]["entryOf"]} */
  function entryOf(address, data) {
    const place = placeOf(address);
    if (!place) return null;
    const { table, match, deal, page, undone } = place;
    const saves = data.get("step") === "save";
    if ((page === "declare" && !saves && !data.get("knock")) || (page === "layout" && !saves && !data.get("told"))) return null;
    if (page === "close" && !saves && !data.get("others")) return null;
    /** @type {Fields} */
    const fields = {};
    for (const [name, value] of data) {
      if (!NOT_SENT.includes(name)) (fields[name] ||= []).push(String(value));
    }
    if (undone) fields.entry = [undone];
    return {
      id: data.get("id"), table, table_id: tableOf(table), match, kind: undone ? "voided" : KINDS[page], fields,
      deal, drawn_from: data.get("seq") ? Number(data.get("seq")) : null, at: new Date().toISOString(),
    };
  }
  /** @type {Shared["entries"]["dataOf"]} */
  function dataOf(form, button) {
    const data = new FormData(form);
    if (button && button.name) data.append(button.name, button.value);
    return data;
  }

  /** @param {string} text */
  const onOneLine = (text) => text.trim().replace(/\s+/g, " ");
  // What js/early.js stored is a form; what this bundle stored is an entry already.
  /** @type {Shared["entries"]["entryOfStored"]} */
  function entryOfStored(stored) {
    if (!stored.action) return stored;
    const data = new FormData();
    for (const [name, value] of stored.fields) data.append(name, value);
    const entry = entryOf(stored.action, data);
    return entry && { ...entry, what: onOneLine(stored.what), at: stored.at };
  }

  // What an entry is called in the list: the button of a tap, else the heading of its form or page.
  /** @type {Shared["entries"]["nameOf"]} */
  function nameOf(entry, form, button) {
    const pressed = button || (form && form.querySelector("button"));
    const label = pressed ? pressed.title || pressed.getAttribute("aria-label") || pressed.textContent : "";
    const heading = (form && form.dataset.heading) || document.querySelector("h1").textContent;
    const name = ["swept", "points_noted", "voided", "match_ended", "match_resumed"].includes(entry.kind) ? label
      : ["penalised", "dealt", "dealt_again", "credited", "left"].includes(entry.kind) ? `${heading} ${label}` : heading;
    return onOneLine(name);
  }

  // A closing names the entries that it has counted, so that the server does not ask about them again.
  /** @type {Shared["entries"]["countedIn"]} */
  const countedIn = (form) => ((form && form.dataset.counted) || "").split(" ").filter(Boolean);

  scorekeeper.entries = { uuid, placeOf, countedIn, entryOf, dataOf, entryOfStored, nameOf };
})();
