// What is done to every part of a page once it is drawn: times in the table's time zone, else the phone's, notices that go away, and new
// sentences read out by a screen reader.
(() => {
  "use strict";
  // A phone that does not know the table's zone shows its own.
  function knownZone() {
    const timeZone = document.documentElement.dataset.zone || undefined;
    try {
      return new Intl.DateTimeFormat("en", { timeZone }) && timeZone;
    } catch {
      return undefined;
    }
  }
  const timeZone = knownZone();
  /** @param {ParentNode} root */
  function localTimes(root) {
    for (const time of root.querySelectorAll("time[datetime]")) {
      const moment = new Date(time.dateTime);
      if (Number.isNaN(moment.getTime())) continue;
      time.textContent = "date" in time.dataset
        ? moment.toLocaleDateString(document.documentElement.lang, { dateStyle: "medium", timeZone })
        : moment.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone });
    }
  }
  // The server draws pictures and texts by itself: these cookies tell it the phone's time zone.
  document.cookie = `zone=${Intl.DateTimeFormat().resolvedOptions().timeZone || ""}; path=/; max-age=31536000; samesite=lax`;
  document.cookie = `minutes=${-new Date().getTimezoneOffset()}; path=/; max-age=31536000; samesite=lax`;

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
