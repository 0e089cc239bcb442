// A menu is shut by Escape, and when somebody comes back to its page.
(() => {
  "use strict";
  /** @returns {Found[]} */
  const menus = () => [...document.querySelectorAll(".menu[open]")];
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    for (const menu of menus()) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });
  // A page that somebody comes back to is as it was left, and an open menu would lie over it.
  addEventListener("pagehide", () => { for (const menu of menus()) menu.open = false; });
})();
