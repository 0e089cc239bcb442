"""Pages as they stand, without their scripts: the same markup, to be laid out by more than one engine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from typing import Any

from playwright.sync_api import Page

from ..browser.conftest import Phone
from ..pictures.studio import DRAWN, THEMES, UPRIGHT, Scheme, Size, Studio

FREEZE = """() => {
  const copy = document.documentElement.cloneNode(true);
  const asked = "input, textarea, option, details";
  const copies = copy.querySelectorAll(asked);
  document.querySelectorAll(asked).forEach((field, at) => {
    if (field.matches("[type=checkbox], [type=radio]")) copies[at].toggleAttribute("checked", field.checked);
    else if (field.matches("input")) copies[at].setAttribute("value", field.value);
    else if (field.matches("textarea")) copies[at].textContent = field.value;
    else if (field.matches("option")) copies[at].toggleAttribute("selected", field.selected);
  });
  for (const one of copy.querySelectorAll("script, noscript, [rel=manifest]")) one.remove();
  for (const one of copy.querySelectorAll("[autofocus]")) one.removeAttribute("autofocus");
  return "<!doctype html>" + copy.outerHTML;
}"""
"""The markup of a page, with what was typed and chosen written into it."""
IS_LARGE = "() => parseFloat(getComputedStyle(document.documentElement).fontSize) > 20"
MEASURE = """() => [...document.querySelectorAll("iframe")].map((frame) => {
  const all = [...frame.contentDocument.body.querySelectorAll("*:not(svg *)")];
  const place = new Map(all.map((one, at) => [one, at]));
  return all.map((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    const isDrawn = right - left > 1 && bottom - top > 1 && one.checkVisibility({ visibilityProperty: true });
    const isOfWords = getComputedStyle(one).display === "inline";
    const classes = [...one.classList].map((name) => "." + name).join("");
    const words = (one.textContent || "").replace(/\\s+/g, " ").trim().slice(0, 30);
    return {
      name: one.localName + (one.id ? "#" + one.id : "") + classes, words,
      parent: place.get(one.parentElement) ?? -1, box: isDrawn && !isOfWords ? [left, top, right, bottom] : null,
    };
  });
})"""
"""The boxes of all that stands in the frames of a page, frame by frame. A box that is not drawn is null.

So is one that stands in a line as words do: its place is where the lines break, and one that breaks elsewhere makes the
box around it higher or lower by a whole line.
"""
FURTHEST = 6
"""Pixels by which an edge may stand elsewhere: letters are as wide as each engine rounds them."""


@dataclass(frozen=True)
class State:
    """A page at a size: its name is that of its picture."""

    name: str
    size: Size
    markup: str


class Freezer(Studio):
    """Goes the way of the pictures, and keeps the markup of each in place of the picture."""

    def __init__(self, *told: Any) -> None:
        super().__init__(*told)
        self.states: list[State] = []

    def take(
        self,
        phone: Phone,
        name: str,
        *sizes: Size,
        themes: tuple[Scheme, ...] = THEMES,
        whole: bool = False,
        forced: bool = False,
    ) -> None:
        """Keep the page as it is, in each size. Colours and the rest of a long page move no box."""
        if forced or name.endswith("-all"):
            return
        page = phone.page
        for width, height in sizes or (UPRIGHT,):
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(DRAWN)
            self._shoot(page, f"{name}-{width}x{height}", whole=whole)
        page.set_viewport_size({"width": UPRIGHT[0], "height": UPRIGHT[1]})

    def _shoot(self, page: Page, name: str, *, whole: bool) -> None:
        if name.startswith("failed-"):
            return
        size = page.viewport_size
        assert size is not None
        # Letters of double size leave as much room as a page of half the width.
        part = 2 if page.evaluate(IS_LARGE) else 1
        self.states.append(State(name, (size["width"] // part, size["height"] // part), page.evaluate(FREEZE)))
        self.taken.append(name)


def frames(states: list[State], addresses: list[str]) -> str:
    """Return a page that shows these states beside each other, each in a frame of its size."""
    return "<!doctype html><meta charset='utf-8'><link rel='icon' href='data:,'>" + "".join(
        f"<iframe src='{address}' style='border: 0; width: {state.size[0]}px; height: {state.size[1]}px'></iframe>"
        for state, address in zip(states, addresses, strict=True)
    )


Boxes = list[dict[str, Any]]


def differences(one: Boxes, other: Boxes) -> Iterator[str]:
    """Name each box that the engines draw elsewhere, but not what goes along with the box around it or before it."""
    assert [box["name"] for box in one] == [box["name"] for box in other], "not the same markup"
    moves: list[list[float] | None] = []
    below: dict[int, float] = {}
    for box, twin in zip(one, other, strict=True):
        around = moves[box["parent"]] if box["parent"] >= 0 else [0.0] * 4
        if (box["box"] is None) != (twin["box"] is None):
            moves.append(None)
            if around is not None:
                yield f"{box['name']} “{box['words']}”: only one of them draws it"
        elif box["box"] is None:
            moves.append([0.0] * 4)
        else:
            move = [there - here for here, there in zip(box["box"], twin["box"], strict=True)]
            moves.append(move)
            alone = [by - along for by, along in zip(move, around or move, strict=True)]
            pushed = below.get(box["parent"], 0.0)
            pushed_alone = [move[0], move[1] - pushed, move[2], move[3] - pushed]
            below[box["parent"]] = move[3]
            if min(max(map(abs, each)) for each in (move, alone, pushed_alone)) > FURTHEST:
                yield f"{box['name']} “{box['words']}”: {json.dumps([round(by) for by in move])}"


def is_explained(state: str, difference: str, explained: dict[tuple[str, str], str]) -> bool:
    """Say whether a difference is one that has a reason."""
    return any(fnmatch(state, name) and fnmatch(difference, box) for name, box in explained)
