// From a form to the entry that it writes. An entry has its id from the tap on, so that sent twice it is written once.
(() => {
  "use strict";
  const { tableOf } = scorekeeper.keys;
  const ADDRESS = /^\/t\/([^/]+)\/matches\/(\d+)\/(?:deals\/(\d+)\/(sweep|points|declare|layout|penalty|close)|undo\/([^/]+)|(end))$/;
  const KINDS = {
    sweep: "swept", points: "points_noted", declare: "declared", layout: "layout_noted", penalty: "penalised", close: "deal_closed", end: "match_ended",
  };
  const NOT_SENT = ["csrf_token", "id", "seq"];

  // crypto.randomUUID exists on https addresses only.
  const hex = (count) => Array.from(crypto.getRandomValues(new Uint8Array(count)), (byte) => (byte % 16).toString(16)).join("");
  const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;

  // Where a form that writes an entry belongs, or null for any other form. `table` is the key of the link.
  function placeOf(address) {
    const parts = ADDRESS.exec(new URL(address, location.href).pathname);
    if (!parts) return null;
    const [, table, match, deal, page, undone, end] = parts;
    return { table, match: Number(match), deal: Number(deal || 0), page: page || end, undone };
  }

  // The entry that a form would write, or null where it only asks.
  function entryOf(address, data) {
    const place = placeOf(address);
    if (!place) return null;
    const { table, match, deal, page, undone } = place;
    const saves = data.get("step") === "save";
    if ((page === "declare" && !saves && !data.get("knock")) || (page === "layout" && !saves && !data.get("told"))) return null;
    if (page === "close" && !saves && !data.get("others")) return null;
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
  function dataOf(form, button) {
    const data = new FormData(form);
    if (button && button.name) data.append(button.name, button.value);
    return data;
  }

  const onOneLine = (text) => text.trim().replace(/\s+/g, " ");
  // What js/early.js stored is a form; what this bundle stored is an entry already.
  function entryOfStored(stored) {
    if (!stored.action) return stored;
    const data = new FormData();
    for (const [name, value] of stored.fields) data.append(name, value);
    const entry = entryOf(stored.action, data);
    return entry && { ...entry, what: onOneLine(stored.what), at: stored.at };
  }

  // What an entry is called in the list: the button of a tap, else the heading of its form or page.
  function nameOf(entry, form, button) {
    const pressed = button || (form && form.querySelector("button"));
    const label = pressed ? pressed.title || pressed.getAttribute("aria-label") || pressed.textContent : "";
    const heading = (form && form.dataset.heading) || document.querySelector("h1").textContent;
    const name = ["swept", "points_noted", "voided", "match_ended"].includes(entry.kind) ? label
      : entry.kind === "penalised" ? `${heading} ${label}` : heading;
    return onOneLine(name);
  }

  scorekeeper.entries = { uuid, placeOf, entryOf, dataOf, entryOfStored, nameOf };
})();
