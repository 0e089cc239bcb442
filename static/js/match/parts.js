// The answer to a tap in a closing form has every part that a tap can change. What it has not changed stays where it is: each
// part that is drawn anew takes a slow phone as long as a whole screen of rows.
(() => {
  "use strict";
  const FILLED_IN = "input, select, textarea";
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (!detail.serverResponse.includes("hx-swap-oob") || !document.getElementById("closing")) return;
    const answer = document.createElement("template");
    answer.innerHTML = detail.serverResponse;
    for (const part of [...answer.content.children]) {
      if (!part.matches("[id][hx-swap-oob=true]")) continue;
      const drawn = document.getElementById(part.id);
      const how = part.getAttribute("hx-swap-oob");
      part.removeAttribute("hx-swap-oob");
      // The foot is always drawn: what looks at an answer hears of it by that. What somebody fills in differs from its markup.
      const isAsItWas = drawn && part.id !== "close-foot" && !part.querySelector(FILLED_IN) && part.isEqualNode(drawn);
      if (isAsItWas) part.remove();
      else part.setAttribute("hx-swap-oob", how);
    }
    detail.serverResponse = answer.innerHTML;
  });
})();
