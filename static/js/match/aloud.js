// What this phone does only where somebody has asked for it on the page of the table: it says each new score aloud, in the
// language of the page, and buzzes at a tap. Neither holds anything up.
(() => {
  "use strict";
  const { read, write, remove } = scorekeeper.local;
  const speech = window.speechSynthesis;
  const BUZZ = 10;
  const TAPS = ".sweep, .tap, button.cell, :is(.cell, .count-cell, .tile, .slot) :is(input, button), .keypad button, .hand-keys button";
  /** @param {string} name */
  const isAsked = (name) => Boolean(read(name));

  // A voice of the same place if there is one, else of the same language: some browsers take their own otherwise.
  /** @param {string} lang */
  function voiceFor(lang) {
    const voices = speech.getVoices().map((voice) => ({ voice, of: voice.lang.replace("_", "-") }));
    const found = voices.find(({ of }) => of === lang) || voices.find(({ of }) => of.split("-")[0] === lang.split("-")[0]);
    return found ? found.voice : null;
  }
  // The newest wins: what is still being said is old.
  /** @param {string} text */
  function say(text) {
    if (document.hidden) return;
    if (speech.speaking || speech.pending) speech.cancel();
    const words = new SpeechSynthesisUtterance(text);
    words.lang = document.documentElement.lang;
    words.voice = voiceFor(words.lang);
    speech.speak(words);
  }
  const buzz = () => navigator.vibrate(BUZZ);

  // The sentences of the page's live region, which are of taps here and of news from other phones. A page that is swapped in
  // whole brings another region.
  /** @type {Found | null} */
  let region = null;
  const watcher = new MutationObserver(() => {
    const text = region.textContent.trim();
    if (text && isAsked("aloud")) say(text);
  });
  function watch() {
    const said = document.getElementById("said");
    if (!said || said === region) return;
    watcher.disconnect();
    region = said;
    watcher.observe(region, { childList: true, characterData: true, subtree: true });
  }
  if (speech) {
    watch();
    document.addEventListener("htmx:afterSettle", watch);
    document.addEventListener("page:replaced", watch);
    document.addEventListener("visibilitychange", () => { if (document.hidden) speech.cancel(); });
    // Browsers speak on a page only after a tap on it, and iPhones only if that tap has made them speak.
    const unlock = () => {
      if (!isAsked("aloud")) return;
      document.removeEventListener("click", unlock, true);
      speech.speak(new SpeechSynthesisUtterance(""));
    };
    document.addEventListener("click", unlock, true);
  }

  // A tap on a label is followed by one on its field, which counts.
  document.addEventListener("click", ({ target }) => {
    if (target.closest(TAPS) && navigator.vibrate && isAsked("buzz")) buzz();
  }, true);

  // The switches, each with what it does by itself; off where the phone cannot do it, or cannot keep that it is asked to.
  /** @type {Record<string, { can: boolean, act: (row: Found) => void }>} */
  const wishes = {
    aloud: { can: Boolean(speech), act: (row) => say(row.querySelector("[data-sample]").textContent) },
    buzz: { can: Boolean(navigator.vibrate), act: buzz },
  };
  for (const field of document.querySelectorAll(".wish input")) {
    const { can, act } = wishes[field.name];
    const row = field.closest(".wish");
    const words = row.querySelector("small");
    if (!can) words.textContent = words.dataset.cannot;
    field.disabled = !can;
    field.checked = can && isAsked(field.name);
    field.onchange = () => {
      if (!field.checked) remove(field.name);
      else if (write(field.name, true)) act(row);
      else {
        field.checked = false;
        words.textContent = words.dataset.unkept;
      }
    };
  }
})();
