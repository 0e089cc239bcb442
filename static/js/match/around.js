// What has the focus stays in its place while its region is drawn anew around it. Taken away and focused again, its name would
// be read again with every tap and all news, and whoever reads on from there would begin anew.
(() => {
  "use strict";
  const STYLE = "around";
  const CONTROLS = "a[href], button, summary";
  // What a control does: the same before and after its region is drawn.
  /** @type {Shared["around"]["meaning"]} */
  function meaning(control) {
    const form = control.closest("form");
    const leadsTo = control.getAttribute("href") || (form && form.getAttribute("action"));
    // Of folds each opens its own.
    const fold = control.matches("summary") && control.closest("details");
    return [control.tagName, leadsTo, control.value, fold ? fold.id : ""].join(" ");
  }
  /** @param {Found} old @param {Found} now */
  function takeAttributes(old, now) {
    // What is unfolded stays so.
    for (const name of old.getAttributeNames()) if (name !== "open" && !now.hasAttribute(name)) old.removeAttribute(name);
    for (const name of now.getAttributeNames()) {
      if (old.getAttribute(name) !== now.getAttribute(name)) old.setAttribute(name, now.getAttribute(name));
    }
  }

  // What was undone takes its button with it: whoever pressed that goes on among what is noted.
  const NOTED = ".log, .strip, .between";
  let isGone = false;
  document.addEventListener("htmx:afterSwap", ({ target }) => {
    const noted = isGone && target.querySelector(".log, .said-last");
    isGone = false;
    if (!noted) return;
    noted.tabIndex = -1;
    noted.focus({ preventScroll: true });
  });

  // Returns whether it could be done: the control is there again, in the same parts of the page.
  /** @param {Found} live @param {ParentNode} fresh */
  function drawAround(live, fresh) {
    /** @type {any} */
    const focused = document.activeElement;
    if (!focused || focused === live || !live.contains(focused) || !focused.matches(CONTROLS)) return false;
    const did = meaning(focused);
    const twin = [...fresh.querySelectorAll(CONTROLS)].find((one) => meaning(one) === did);
    isGone = !twin && Boolean(focused.closest(NOTED));
    if (!twin) return false;
    /** @type {any[][]} */
    const pairs = [];
    let old = focused;
    /** @type {any} */
    let now = twin;
    while (old !== live && now && now !== fresh && old.tagName === now.tagName) {
      pairs.push([old, now]);
      [old, now] = [old.parentNode, now.parentNode];
    }
    if (old !== live || now !== fresh) return false;
    for (const [kept, drawn] of pairs) {
      const around = [...drawn.parentNode.childNodes];
      const at = around.indexOf(drawn);
      for (const sibling of [...kept.parentNode.childNodes]) if (sibling !== kept) sibling.remove();
      kept.before(...around.slice(0, at));
      kept.after(...around.slice(at + 1));
      takeAttributes(kept, drawn);
    }
    if (focused.innerHTML !== twin.innerHTML) focused.replaceChildren(...twin.childNodes);
    return true;
  }

  // htmx knows of other ways to swap by the region's attribute. Where nothing stays, all of it is drawn anew here as well: htmx
  // itself takes leave of each element that goes, for which a slow phone needs longer than for what comes.
  htmx.defineExtension(STYLE, {
    handleSwap(style, target, fragment) {
      if (style !== STYLE) return false;
      if (!drawAround(target, fragment)) target.replaceChildren(...fragment.childNodes);
      return [target];
    },
  });
  /** @type {Shared["around"]["prepare"]} */
  const prepare = (live) => live.setAttribute("hx-ext", STYLE);
  document.addEventListener("htmx:beforeSwap", ({ target, detail }) => {
    if (!target.matches("[data-live]")) return;
    prepare(target);
    detail.swapOverride = STYLE;
  });

  scorekeeper.around = { CONTROLS, STYLE, meaning, prepare };
})();
