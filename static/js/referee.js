// Sends the address of a question, where this phone can share or copy; the page itself works without.
(() => {
  "use strict";
  const shares = Boolean(navigator.share);
  const copies = Boolean(navigator.clipboard);

  function reveal() {
    for (const button of document.querySelectorAll("[data-share]")) button.hidden = !(shares || copies);
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-share]");
    if (!button) return;
    try {
      if (shares) {
        await navigator.share({ title: document.title, url: location.href });
      } else {
        await navigator.clipboard.writeText(location.href);
        button.textContent = button.dataset.done;
      }
    } catch { /* Whoever changes their mind has not made a mistake. */ }
  });

  document.addEventListener("htmx:afterSettle", reveal);
  reveal();
})();
