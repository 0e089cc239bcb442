"""What has no room on a page: what is wider than the screen, and words that their box cuts or that run out of it."""

from __future__ import annotations

from playwright.sync_api import Page

STICKS_OUT = """(view) => {
  const { document } = view;
  const root = document.documentElement;
  const wide = root.clientWidth;
  const styles = (one) => view.getComputedStyle(one);
  const classes = (one) => [...one.classList].map((name) => "." + name).join("");
  const named = (one) => one.localName + (one.id && "#" + one.id) + classes(one);
  const found = new Set();

  /* What would make the page scroll sideways: the innermost boxes that stand over its edge. */
  const isHeld = (one) => {
    for (let around = one.parentElement; around && around !== document.body; around = around.parentElement) {
      if (styles(around).overflowX !== "visible") return true;
    }
    return false;
  };
  if (root.scrollWidth > wide) {
    const over = [...document.body.querySelectorAll("*:not(svg *)")].filter((one) => {
      const box = one.getBoundingClientRect();
      return box.right > wide + .5 && box.width > 1 && one.checkVisibility() && !isHeld(one);
    });
    const inner = over.filter((one) => !over.some((other) => other !== one && one.contains(other)));
    const names = inner.slice(0, 3).map((one) => `${named(one.parentElement)} > ${named(one)}`);
    found.add(`${root.scrollWidth} of ${wide} pixels: ${names.join(", ")}`);
  }

  const isDrawn = (style) => style.backgroundColor !== "rgba(0, 0, 0, 0)" || parseFloat(style.borderLeftWidth) > 0;
  /* WebKit counts the lines of a clamp in the boxes within it, too. */
  const isClamped = (box) => [box, box.parentElement].some((one) => styles(one).webkitLineClamp !== "none");
  const isOfLines = (style) => !/^(inline-)?(flex|grid)$/.test(style.display);
  const walk = document.createTreeWalker(document.body, 4);
  while (walk.nextNode()) {
    const of = walk.currentNode.parentElement;
    const words = walk.currentNode.data.replace(/\\s+/g, " ").trim();
    if (!words || of.closest("script, style, svg, select, textarea, [hidden], .visually-hidden, .skip")) continue;
    if (!of.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    const rects = [...range.getClientRects()].filter((one) => one.width > .5);
    if (!rects.length) continue;
    const text = {
      left: Math.min(...rects.map((one) => one.left)), right: Math.max(...rects.map((one) => one.right)),
      top: Math.min(...rects.map((one) => one.top)), bottom: Math.max(...rects.map((one) => one.bottom)),
    };
    /* Letters are higher than their line where lines are close. */
    const loose = parseFloat(styles(of).fontSize) * .3 + 1;
    let isFirst = true;
    let isOut = false;
    for (let box = of; box && box !== document.body; box = box.parentElement) {
      const style = styles(box);
      if (style.display === "inline" || style.display === "contents") continue;
      if (isOut && style.position === "static") continue;
      isOut = false;
      if (/auto|scroll/.test(style.overflowX + style.overflowY)) break;
      const cuts = style.overflowX !== "visible";
      if (isFirst || cuts || isDrawn(style)) {
        const edge = box.getBoundingClientRect();
        const beside = Math.max(edge.left - text.left, text.right - edge.right);
        const below = Math.max(edge.top - text.top, text.bottom - edge.bottom);
        const said = `“${words.slice(0, 40)}” ${cuts ? "is cut by" : "runs out of"} ${named(box)}`;
        const isSideways = style.writingMode !== "horizontal-tb";
        const [along, across] = isSideways ? [below, beside] : [beside, below];
        if (along > 1.5 && !(cuts && style.textOverflow === "ellipsis" && isOfLines(style))) {
          found.add(`${said} by ${Math.round(along)}`);
        }
        if (across > loose && !(cuts && isClamped(box))) {
          found.add(`${said}, ${Math.round(across)} across`);
        }
        if (cuts) {
          text.left = Math.max(text.left, edge.left); text.right = Math.min(text.right, edge.right);
          text.top = Math.max(text.top, edge.top); text.bottom = Math.min(text.bottom, edge.bottom);
        }
        isFirst = false;
      }
      if (style.position === "fixed") break;
      isOut = style.position === "absolute";
    }
  }
  return [...found];
}"""
"""Names what sticks out of the page of a window, and each text that is cut without an ellipsis or runs out of its box.

What scrolls inside itself may be as wide as it likes, and what stays in a box of a class for readers is not looked at.
"""
SIZES = {"narrow": (320, 640), "upright": (360, 640), "sideways": (640, 360), "letters of double size": (180, 320)}
"""The screens that everything has to fit. Letters of double size leave as much room as a page of half the width."""
LONG_NAMES = (
    "Guillermowashingtonmaximilianoetcheverry",
    "María de los Ángeles Fernández Etchegara",
    "عبد الرحمن بن عبد العزيز بن محمد السعودي",
    "Constantinopolitanischerdudelsackpfeifer",
    "Íñigo de la Santísima Trinidad y Guevara",
    "Donaudampfschifffahrtselektrizitätenhaup",
)
"""Names of as many letters as a name may have: of one word, of many, and from right to left."""


def sticks_out(page: Page) -> dict[str, list[str]]:
    """Return what has no room on the page, by the size of the screen; the screen is as before then."""
    found = {}
    before = page.viewport_size
    for name, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        if told := page.evaluate(f"({STICKS_OUT})(window)"):
            found[name] = told
    if before:
        page.set_viewport_size(before)
    return found
