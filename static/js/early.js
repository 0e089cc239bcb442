// Loaded before the board is drawn. A tap that comes before the other scripts are loaded is stored on this phone under an
// id of its own: two quick taps are two, and none is lost with the page. js/waiting/submit.js sends what was stored, and
// sets `window.tapsAreHeld` to false once it takes the taps itself.
(() => {
  "use strict";
  const TAP = /\/(?:sweep|points|undo\/[^/]+|end)$/;
  window.tapsAreHeld = true;
  let taps = 0;

  // crypto.randomUUID exists on https addresses only.
  const digit = () => (crypto.getRandomValues(new Uint8Array(1))[0] % 16).toString(16);
  const uuid = () => "xxxxxxxx-xxxx-4xxx-axxx-xxxxxxxxxxxx".replace(/x/g, digit);
  addEventListener("submit", (event) => {
    /** @type {any} */
    const { target: form, submitter: button } = event;
    const action = form.getAttribute("action") || "";
    if (!window.tapsAreHeld || !TAP.test(action.split("?")[0])) return;
    // A page that was kept is drawn with the same id each time.
    if (form.querySelector(".sweep, .tap")) form.elements.id.value = uuid();
    const fields = [...new FormData(form)].filter(([name]) => name !== "csrf_token");
    if (button?.name) fields.push([button.name, button.value]);
    const what = button ? button.title || button.ariaLabel || button.textContent : "";
    // Two taps may fall into one millisecond.
    const tap = { action, fields, what, at: new Date(), tap: ++taps };
    // Where the phone cannot store it, the browser submits the form as without any script.
    try { localStorage.setItem(`held:${form.elements.id.value}`, JSON.stringify(tap)); } catch { return; }
    event.preventDefault();
    form.querySelector(".dots")?.append(document.createElement("i"));
  }, true);

  // When the other scripts fail to load, js/held.js posts what was stored. It is a file, so that no page carries its bytes.
  addEventListener("error", ({ target }) => {
    // @ts-expect-error What fails to load has an address.
    if (!window.tapsAreHeld || !/\/match\./.test(target.src)) return;
    window.tapsAreHeld = false;
    document.body.append(Object.assign(document.createElement("script"), { src: "/static/js/held.js" }));
  }, true);
})();
