// The cards of a question about several are one answer, which the question's own button sends: a single tick is none yet.
(() => {
  "use strict";
  for (const name of ["input", "change"]) {
    document.addEventListener(name, (event) => { if (event.target.closest(".group")) event.stopPropagation(); }, true);
  }
})();
