// On the page that stands in the place of one that this phone does not have: goes to that one as soon as there is signal.
(() => {
  "use strict";
  if (!document.querySelector("[data-away]")) return;
  const { isOurs } = scorekeeper.answers;
  const PAUSE = 3000;
  let timer = 0;

  async function goBack() {
    clearTimeout(timer);
    try {
      const answer = await fetch(location.href, { headers: { "HX-Request": "true" }, cache: "no-store" });
      if (isOurs(answer) && answer.status < 500) { location.reload(); return; }
    } catch { /* Still without signal. */ }
    timer = setTimeout(goBack, PAUSE);
  }
  // The table that this page is of opens from this phone.
  const [table] = /^\/[tw]\/[^/]+/.exec(location.pathname) || [];
  const back = document.querySelector("[data-to-table]");
  if (table && back) Object.assign(back, { href: table, hidden: false });
  // What was not sent is never sent by itself.
  if ("unsent" in document.documentElement.dataset) return;
  timer = setTimeout(goBack, PAUSE);
  addEventListener("online", goBack);
  document.addEventListener("waiting:sent", goBack);
})();
