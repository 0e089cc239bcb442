// What is done to every part of a page once it is drawn: times in the table's time zone, else the phone's, notices that
// go away, and new sentences read out by a screen reader.
(() => {
  "use strict";
  // A phone that does not know the table's zone shows its own.
  const { lang, dataset: { zone } } = document.documentElement;
  let timeZone = zone || undefined;
  try { Intl.DateTimeFormat(lang, { timeZone }); } catch { timeZone = undefined; }
  /** @param {ParentNode} root */
  function localTimes(root) {
    for (const time of root.querySelectorAll("time[datetime]")) {
      const moment = new Date(time.dateTime);
      if (Number.isNaN(moment.getTime())) continue;
      /** @type {Intl.DateTimeFormatOptions} */
      const shown = "date" in time.dataset ? { dateStyle: "medium" } : { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
      time.textContent = moment.toLocaleString(lang, { ...shown, timeZone });
    }
  }

  /** @param {ParentNode} root */
  function removeNotices(root) {
    for (const notice of root.querySelectorAll("[data-seconds]")) {
      setTimeout(() => notice.remove(), Number(notice.dataset.seconds) * 1000);
    }
  }

  /** @param {ParentNode} root */
  function drawn(root) {
    localTimes(root);
    removeNotices(root);
  }

  // [data-said] lists sentences. Those that were not there before are announced once, after a pause in the tapping; those of
  // a notice also where the page came with it, which a live region by itself does not say.
  const PAUSE = 700;
  /** @returns {string[]} */
  const sentences = () => JSON.parse((document.querySelector("[data-said]") || { dataset: { said: "[]" } }).dataset.said);
  let known = document.querySelector(".notice[data-said]") ? [] : sentences();
  let timer = 0;
  function announce() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const now = sentences();
      const fresh = now.filter((sentence) => !known.includes(sentence));
      known = now;
      const said = document.getElementById("said");
      if (said && fresh.length) said.textContent = fresh.join(" ");
    }, PAUSE);
  }

  document.addEventListener("htmx:afterSettle", (event) => {
    drawn(event.target);
    announce();
  });
  drawn(document);
  announce();
})();
