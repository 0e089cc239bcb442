// Posts the taps that js/early.js has stored as their forms would have been. A page loads it where its other scripts have
// failed to load; if this one fails too, they stay stored for the next page.
(async () => {
  "use strict";
  const held = Object.keys(localStorage).filter((key) => key.startsWith("held:"))
    .map((key) => ({ key, ...JSON.parse(localStorage[key]) })).filter((tap) => tap.action)
    .sort((one, other) => one.at.localeCompare(other.at) || one.tap - other.tap);
  for (const { key, action, fields } of held) {
    const token = document.querySelector("[name=csrf_token]").value;
    const answer = await fetch(action, { method: "POST", body: new URLSearchParams([...fields, ["csrf_token", token]]) });
    // It stays stored for the next page, also where the link is dead, and above 422: the table has moved (423), too much at once (429), a fault.
    if (!answer.headers.has("X-Scorekeeper") || answer.headers.has("Gone") || answer.status > 422) return;
    localStorage.removeItem(key);
  }
  if (held.length) location.reload();
})();
