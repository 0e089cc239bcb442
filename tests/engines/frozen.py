"""Pages as they stand, without their scripts: the same markup, to be laid out by more than one engine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from typing import Any

from playwright.sync_api import Page

from ..browser.conftest import Phone
from ..helpers.pictures.studio import DRAWN, THEMES, UPRIGHT, Scheme, Size, Studio
from .window import Window

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


AT_ONCE = 12
"""Frames that stand in one page."""


def in_frames(states: list[State], opened: Window) -> Iterator[tuple[list[State], str]]:
    """Yield states that stand in one page, with the address of that page; the window serves it."""
    served: dict[str, str] = {}
    opened.answers = lambda path: served[path].encode() if path in served else None
    for start in range(0, len(states), AT_ONCE):
        some = states[start : start + AT_ONCE]
        addresses = [f"/frozen/{start + number}" for number in range(len(some))]
        served.update({address: state.markup for address, state in zip(addresses, some, strict=True)})
        served[f"/frames/{start}"] = _frames(some, addresses)
        yield some, f"{opened.address}/frames/{start}"


def _frames(states: list[State], addresses: list[str]) -> str:
    """Return a page that shows these states beside each other, each in a frame of its size."""
    return "<!doctype html><meta charset='utf-8'><link rel='icon' href='data:,'>" + "".join(
        f"<iframe src='{address}' style='border: 0; width: {state.size[0]}px; height: {state.size[1]}px'></iframe>"
        for state, address in zip(states, addresses, strict=True)
    )


Boxes = list[dict[str, Any]]


Move = list[float] | None
"""By how many pixels the edges of a box stand elsewhere: left, top, right, bottom. None: only one engine draws it."""


def differences(one: Boxes, other: Boxes) -> Iterator[str]:
    """Name each box that the engines draw elsewhere, but not what only goes along with other boxes.

    A box goes along with the top, the middle or the bottom of the one around it, with the one before it, and in its
    height with what it holds: where a hundred lines are a fifth of a pixel lower each, no box is to blame.
    """
    assert [box["name"] for box in one] == [box["name"] for box in other], "not the same markup"
    moves: list[Move] = []
    for box, twin in zip(one, other, strict=True):
        around = moves[box["parent"]] if box["parent"] >= 0 else [0.0] * 4
        moves.append(_move(box["box"], twin["box"], around))
    below: dict[int, float] = {}
    lowest: dict[int, tuple[float, float]] = {}
    for box, move in zip(one, moves, strict=True):
        if box["box"] and move:
            bottom, by = lowest.get(box["parent"], (0.0, 0.0))
            lowest[box["parent"]] = max((bottom, by), (box["box"][3], move[3]))
    for at, (box, move) in enumerate(zip(one, moves, strict=True)):
        around = moves[box["parent"]] if box["parent"] >= 0 else [0.0] * 4
        if move is None:
            if around is not None:
                yield f"{box['name']} “{box['words']}”: only one of them draws it"
        elif box["box"]:
            left, top, right, bottom = around or move
            before = below.get(box["parent"], top)
            below[box["parent"]] = move[3]
            held = lowest.get(at, (0.0, move[3]))[1]
            along = (
                (0.0, 0.0, 0.0, 0.0),
                (left, top, right, bottom),
                *(
                    (side, edge, side, edge)
                    for side in (left, right)
                    for edge in (top, (top + bottom) / 2, bottom, before)
                ),
                *((left, edge, right, held) for edge in (top, before)),
            )
            if min(max(abs(by - of) for by, of in zip(move, each, strict=True)) for each in along) > FURTHEST:
                yield f"{box['name']} “{box['words']}”: {json.dumps([round(by) for by in move])}"


def _move(here: list[float] | None, there: list[float] | None, around: Move) -> Move:
    if here and there:
        return [to - of for of, to in zip(here, there, strict=True)]
    # What has no box of its own leaves those in it to the box around it.
    return around or [0.0] * 4 if here == there else None


def is_explained(state: str, difference: str, explained: dict[tuple[str, str], str]) -> bool:
    """Say whether a difference is one that has a reason."""
    return any(fnmatch(state, name) and fnmatch(difference, box) for name, box in explained)
