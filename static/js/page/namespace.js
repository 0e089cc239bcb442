// How the scripts share names. Each file is one function, so its names are its own. What other files may use it puts on
// `scorekeeper`, under its own file name: page/fields.js fills `scorekeeper.fields`. A file uses only what files before it
// in the same bundle share (BUNDLES in scorekeeper/assets.py); tests/house/test_scripts.py checks that. The scripts beside
// the folders (early.js, piles.js, slots.js, share.js, forget.js) are files of their own and share nothing in this way.
window.scorekeeper = {};
// Some controls are typed into without scripts, and tapped with them.
document.documentElement.classList.add("scripted");
// What a page does without at first is a bundle of its own, which is loaded behind all that somebody waits for. On a bad
// signal it may take several tries.
(() => {
  "use strict";
  const { later } = document.currentScript.dataset;
  function load() {
    const script = Object.assign(document.createElement("script"), { src: later });
    script.dataset.added = "";
    script.onerror = () => {
      script.remove();
      document.dispatchEvent(new Event("later:lost"));
      setTimeout(load, 2000);
    };
    document.body.append(script);
  }
  if (later) addEventListener("load", load);
})();
