// The notice with its undo is of this phone's last act alone: what an older answer brings after a newer tap is not shown.
(() => {
  "use strict";
  const { queue } = scorekeeper;
  if (!queue) return;
  function removeOlder() {
    for (const notice of document.querySelectorAll(".strip .notice[data-seconds]")) {
      if (!notice.querySelector(`[action*="/undo/${queue.last}"]`)) notice.remove();
    }
  }
  for (const change of ["waiting:changed", "posts:changed", "htmx:afterSwap"]) document.addEventListener(change, removeOlder);
  removeOlder();
})();
