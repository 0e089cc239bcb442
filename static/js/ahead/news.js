// What a deal came to where this phone had shown something else: told once there is signal, on whatever page of the table is
// open then or next, until somebody has seen it.
(() => {
  "use strict";
  if (!scorekeeper.queue) return;
  const { local } = scorekeeper;
  const MOST = 5;
  const key = (/^\/t\/([^/]+)/.exec(location.pathname) || [])[1];
  /** @returns {{ table: string, words: string }[]} */
  const all = () => local.read("news") || [];

  document.addEventListener("waiting:news", ({ detail }) => {
    local.write("news", [...all(), detail].slice(-MOST));
    show();
  });
  function show() {
    const [first] = all().filter(({ table }) => table === key);
    const place = document.querySelector("#board .strip, #board .between, #content > .bar");
    const shown = document.querySelector(".came-otherwise");
    if (!first || !place || (shown && shown.firstElementChild.textContent === first.words)) return;
    if (shown) shown.remove();
    const notice = Object.assign(document.createElement("div"), { className: "notice came-otherwise" });
    notice.setAttribute("role", "status");
    notice.dataset.added = "";
    const seen = Object.assign(document.createElement("button"), { type: "button", className: "link", textContent: "✕" });
    const words = scorekeeper.stand.aheadOf(key, (scorekeeper.stand.standOf(key) || {}).match);
    seen.setAttribute("aria-label", words ? words.words.seen : "✕");
    seen.onclick = () => {
      local.write("news", all().filter((one) => one.words !== first.words));
      notice.remove();
      show();
    };
    notice.append(Object.assign(document.createElement("span"), { textContent: first.words }), seen);
    place.append(notice);
  }
  for (const event of ["htmx:afterSettle", "waiting:sent", "page:replaced"]) document.addEventListener(event, show);
  show();
})();
