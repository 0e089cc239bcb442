// Draws the queue in #waiting: what waits, what was refused and why, with buttons to send it again or to remove it.
(() => {
  "use strict";
  if (!scorekeeper.queue) return;
  const { remove, isUnstored } = scorekeeper.store;
  const { all, isWaiting, isHeld, isClosing, changed, posts, renumber } = scorekeeper.queue;
  const { retry, sendNow } = scorekeeper.send;
  const { aheadOf } = scorekeeper.stand;
  const { read, write } = scorekeeper.local;
  const list = document.getElementById("waiting");
  const said = Object.assign(document.createElement("p"), { id: "waiting-said", className: "visually-hidden" });
  said.setAttribute("aria-live", "polite");
  said.dataset.added = "";
  list.after(said);
  const texts = list.dataset;
  const LATE = 3000;
  const STILL = 15000;

  // The server has answered last, and asks to wait: so the phone has signal.
  /** @type {Shared["list"]["isBusy"]} */
  const isBusy = () => read("busy") > Date.now() - STILL;
  // From another network it may not be asked.
  addEventListener("online", () => { write("busy", 0); sendNow(); });

  // A post that has had no answer for a while waits as well, long before it is given up and queued.
  function late() {
    const written = [...posts].map((xhr) => xhr.written).filter((entry) => entry && Date.now() - Date.parse(entry.at) >= LATE);
    return written.filter(({ id }) => !all().some((entry) => entry.id === id));
  }

  let waited = 0;
  let arrived = 0;
  /** @param {string} text */
  function say(text) {
    if (said.textContent !== text) said.textContent = text;
  }

  // What waits behind a closing that is to settle.
  /** @param {Entry[]} held */
  function behind(held) {
    const data = aheadOf(held[0].table, held[0].match);
    return (data ? data.words.behind : texts.waits).replace("#", held.length);
  }

  // What was refused or removed is not noted (js/waiting/noted.js).
  /** @param {string[]} ids */
  function forgetSent(ids) {
    /** @type {string[]} */
    const sent = read("sent") || [];
    if (sent.some((id) => ids.includes(id))) write("sent", sent.filter((id) => !ids.includes(id)));
  }

  function draw() {
    forgetSent(all().filter((entry) => !isWaiting(entry)).map(({ id }) => id));
    const onTheirWay = late();
    const entries = [...onTheirWay, ...all()];
    const held = entries.filter((entry) => isWaiting(entry) && isHeld(entry));
    const waits = entries.filter(isWaiting).length - held.length;
    const refused = entries.length - waits - held.length;
    const mustStay = entries.some(isUnstored);
    const few = (texts.few || "#").replace("#", entries.length);
    const isSaidBusy = Boolean(texts.busy) && isBusy();
    const kept = mustStay ? "no" : isSaidBusy ? "busy" : "yes";
    const text = [
      waits && (isSaidBusy ? `${texts.few.replace("#", waits)} · ${texts.busy}` : waits === 1 ? texts.one : texts.waits.replace("#", waits)), refused && texts.settle.replace("#", refused), held.length && behind(held), mustStay && texts.stay,
    ].filter(Boolean).join(" · ");
    for (const hint of list.querySelectorAll("[data-kept]")) {
      hint.hidden = !(waits || mustStay) || hint.dataset.kept !== kept;
    }
    list.hidden = !text;
    list.querySelector("summary").dataset.short = few;
    list.querySelector("summary > span").textContent = text;
    say(waits > waited && !mustStay ? `${text}. ${list.querySelector(`[data-kept=${kept}]`).textContent}` : text);
    waited = waits;
    list.querySelector("ul").replaceChildren(...entries.map((entry) => line(entry, onTheirWay.includes(entry))));
  }

  /** @param {Entry} entry @param {boolean} isOnItsWay */
  function line(entry, isOnItsWay) {
    const item = list.querySelector("template").content.firstElementChild.cloneNode(true);
    item.querySelector(".what").textContent = entry.what;
    item.querySelector(".why").textContent = [...(entry.words || []), isUnstored(entry) ? texts.unkept : ""].join(" ").trim();
    const page = `/t/${entry.table}/matches/${entry.match}/deals/${entry.deal}`;
    item.querySelector("a").href = entry.kind === "deal_closed" ? `${page}/close` : `/t/${entry.table}`;
    item.querySelector(".after").hidden = isWaiting(entry) && !isClosing(entry);
    item.querySelector("[data-again]").hidden = isWaiting(entry);
    for (const name of item.querySelectorAll(".visually-hidden")) name.textContent = `: ${entry.what}`;
    item.querySelector("[data-again]").onclick = () => retry(entry);
    item.querySelector("[data-remove]").hidden = isOnItsWay;
    item.querySelector("[data-remove]").onclick = async () => {
      if (!confirm(`${texts.remove} ${entry.what}`)) return;
      await remove(entry);
      if (isClosing(entry)) await renumber(entry);
      forgetSent([entry.id]);
      await changed();
    };
    return item;
  }

  document.addEventListener("waiting:changed", draw);
  document.addEventListener("waiting:arrived", ({ detail }) => { arrived += detail.length; });
  document.addEventListener("waiting:sent", () => {
    if (arrived && texts.arrived) say(texts.arrived.replace("#", arrived));
    arrived = 0;
  });
  // Draws, and once more when a post that has no answer is late.
  function drawAndLater() {
    draw();
    if (posts.size) setTimeout(draw, LATE + 50);
  }
  document.addEventListener("posts:changed", drawAndLater);
  // The queue may have been read, and a tap posted, before this script was there.
  drawAndLater();

  scorekeeper.list = { isBusy };
})();
