// "Forget tables": deletes what this phone has stored for use without signal, either all of it, or the pages and form
// drafts of one table. Entries that wait to be sent are deleted only with everything.
(() => {
  "use strict";
  /** @param {string} key @param {...string} starts */
  const startsWithAny = (key, ...starts) => starts.some((start) => key.startsWith(start));

  document.addEventListener("submit", (event) => {
    const { submitter } = event;
    if (!submitter || submitter.name !== "what") return;
    if (submitter.value === "all") {
      forgetAll();
      return;
    }
    // Deleting goes on only while this page is open, so the form is submitted after it.
    event.preventDefault();
    const field = Object.assign(document.createElement("input"), { type: "hidden", name: "what", value: submitter.value });
    event.target.append(field);
    forgetTable(submitter.value, submitter.dataset.keys.split(" ")).catch(() => {}).then(() => event.target.submit());
  });

  function forgetAll() {
    indexedDB.deleteDatabase("scorekeeper");
    for (const key of Object.keys(localStorage)) {
      if (["keys", "sent", "done", "tried", "news", "aloud", "buzz"].includes(key) || startsWithAny(key, "draft:", "held:", "stand:", "ahead:", "page:", "gone:")) localStorage.removeItem(key);
    }
    if ("caches" in window) caches.delete("pages");
  }

  // A table is found under its key of today and under its earlier ones, which js/waiting/keys.js has noted on this phone.
  /** @param {string} table @param {string[]} today */
  async function forgetTable(table, today) {
    /** @type {{ table: string, key: string }[]} */
    // @ts-expect-error The text is a list of our own.
    const opened = JSON.parse(localStorage.getItem("keys") || "[]").filter((one) => one.table === table);
    const keys = [...today, ...opened.map((one) => one.key)];
    for (const name of Object.keys(localStorage)) {
      if (keys.some((key) => startsWithAny(name, `draft:/t/${key}/`, `draft:/w/${key}/`) || [`stand:${key}`, `ahead:${key}`, `page:${key}`, `gone:/t/${key}`, `gone:/w/${key}`].includes(name))) localStorage.removeItem(name);
    }
    for (const name of ["done", "tried", "news"]) {
      // @ts-expect-error The text is a list of our own.
      const others = JSON.parse(localStorage.getItem(name) || "[]").filter((one) => !keys.includes(one.table));
      localStorage.setItem(name, JSON.stringify(others));
    }
    if (!("caches" in window)) return;
    const pages = await caches.open("pages");
    for (const page of await pages.keys()) {
      const [, letter, key] = new URL(page.url).pathname.split("/");
      // The list of tables has no letter, and names this table.
      if (!letter || (["t", "w"].includes(letter) && keys.includes(key))) pages.delete(page);
    }
  }
})();
