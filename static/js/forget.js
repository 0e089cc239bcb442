// Forgetting on this phone takes with it what was kept for no signal: everything, or the pages and drafts of one table.
// What waits to be sent goes only with everything: it stays listed until it is sent or removed.
(() => {
  "use strict";
  const begins = (key, ...starts) => starts.some((start) => key.startsWith(start));

  document.addEventListener("submit", (event) => {
    const { submitter } = event;
    if (!submitter || submitter.name !== "what") return;
    if (submitter.value === "all") {
      forgetAll();
      return;
    }
    // The page waits for it: what it has begun ends with it.
    event.preventDefault();
    const what = Object.assign(document.createElement("input"), { type: "hidden", name: "what", value: submitter.value });
    event.target.append(what);
    forgetTable(submitter.value, submitter.dataset.key).catch(() => {}).then(() => event.target.submit());
  });

  function forgetAll() {
    indexedDB.deleteDatabase("scorekeeper");
    for (const key of Object.keys(localStorage)) if (key === "keys" || begins(key, "draft:", "held:")) localStorage.removeItem(key);
    if ("caches" in window) caches.delete("pages");
  }

  // By the key of today, and by those that opened the table before on this phone (js/queue.js notes them).
  async function forgetTable(table, today) {
    const noted = JSON.parse(localStorage.getItem("keys") || "[]").filter((one) => one.table === table);
    const keys = [today, ...noted.map((one) => one.key)];
    for (const name of Object.keys(localStorage)) {
      if (keys.some((key) => begins(name, `draft:/t/${key}/`))) localStorage.removeItem(name);
    }
    if (!("caches" in window)) return;
    const pages = await caches.open("pages");
    for (const page of await pages.keys()) {
      const [, letter, key] = new URL(page.url).pathname.split("/");
      // The list of tables names this one.
      if (!letter || (["t", "w"].includes(letter) && keys.includes(key))) pages.delete(page);
    }
  }
})();
