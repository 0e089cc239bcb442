"""Every page and state of the pictures, laid out from the same markup in Chromium and in WebKit: box by box."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import sync_playwright
from selenium.webdriver.remote.webdriver import WebDriver

from ..browser.chromium import find
from ..helpers.pictures import pages, walks  # noqa: F401  (they register the pictures)
from ..helpers.pictures.studio import LARGE, PICTURES
from .frozen import MEASURE, Freezer, State, differences, in_frames, is_explained
from .window import Window

SAMPLE = (
    "home_first",
    "new_table",
    "board_two",
    "board_four",
    "closing_empty",
    "closing_counts",
    "closing_help",
    "cards_shown",
    "prime_with_the_cards",
    "sheet",
    "declaring",
    "captures",
)
"""Pictures whose layout is compared where there is no time for all (ALL=1): one of each kind of page."""
BREAKS = "A line breaks elsewhere: letters are as wide as each engine rounds them, here a pixel in a hundred."
EXPLAINED: dict[tuple[str, str], str] = {
    ("20-journal-360x640", "p *: [[]0, 0, 0, -23]"): BREAKS,
    ("chkobba-chkobba-*", "span.row-name “Sab'a l‑hayaa”: *"): BREAKS,
    ("33-200-board-360x640", "span “Deal 5 · Ana deals”: *"): BREAKS,
    ("40-rules-of-cirulla-360x640", "span “Every choice*"): BREAKS,
    ("la_escoba-chile-4x1-en-sheet-360x640", "span.line-points.number *"): BREAKS,
}
"""Differences with a reason: the state, the box that differs, with * for whatever it is, and why it stays so."""


@pytest.fixture
def engine() -> str:
    """The engine that Chromium is compared with."""
    return "webkit"


def test_chromium_and_webkit_draw_the_same_boxes(driver: WebDriver, server: str, tmp_path: Path) -> None:
    names = list(PICTURES) if os.environ.get("ALL") else list(SAMPLE)
    with sync_playwright() as playwright, Window(server) as opened:
        chromium = playwright.chromium.launch(executable_path=find())
        large = playwright.chromium.launch(executable_path=find(), args=LARGE)
        freezer = Freezer(chromium, large, server, tmp_path)
        missing = list(frozen(freezer, names))
        large.close()
        page = chromium.new_context(viewport={"width": 1400, "height": 1200}).new_page()

        def by_chromium(address: str) -> Any:
            page.goto(address)
            return page.evaluate(MEASURE)

        def by_webkit(address: str) -> Any:
            driver.get(address)
            return driver.execute_script(f"return ({MEASURE})()")

        driver.switch_to.default_content()
        found = list(compared(freezer.states, opened, by_chromium, by_webkit))
        chromium.close()
    told = [f"{state}: {difference}" for state, difference in found if not is_explained(state, difference, EXPLAINED)]
    print(f"{len(freezer.states)} states, {len({state for state, _ in found})} with a difference")
    assert not missing, missing
    assert not told, "\n" + "\n".join(told)


def frozen(freezer: Freezer, names: list[str]) -> Iterator[str]:
    """Freeze the pages of these pictures; yield what could not be had."""
    for name in names:
        try:
            PICTURES[name](freezer)
        except Exception as error:  # whatever is wrong with one page, the others are compared
            yield f"{name}: {str(error).splitlines()[0]}"
        freezer.put_away()


def compared(states: list[State], opened: Window, *engines: Callable[[str], Any]) -> Iterator[tuple[str, str]]:
    """Lay out states in both engines; yield the name of each state that differs, with each box."""
    for some, address in in_frames(states, opened):
        one, other = (measure(address) for measure in engines)
        for state, here, there in zip(some, one, other, strict=True):
            for difference in differences(here, there):
                yield state.name, difference


def box(name: str, parent: int, *edges: float) -> dict[str, Any]:
    return {"name": name, "words": "", "parent": parent, "box": list(edges) or None}


def test_a_box_elsewhere_is_named_and_what_goes_along_is_not() -> None:
    here = [box("main", -1, 0, 0, 360, 640), box("p", 0, 0, 0, 360, 20), box("b", 1, 0, 0, 50, 20), box("i", 0)]
    there = [box("main", -1, 0, 0, 360, 640), box("p", 0, 0, 8, 360, 28), box("b", 1, 0, 8, 50, 28), box("i", 0)]
    assert list(differences(here, there)) == ["p “”: [0, 8, 0, 8]"]
    there[1:3] = [box("p", 0, 0, 6, 360, 26), box("b", 1)]
    assert list(differences(here, there)) == ["b “”: only one of them draws it"]
    assert list(differences(here, here)) == []


def test_a_box_is_not_to_blame_for_the_height_of_what_it_holds() -> None:
    here = [box("main", -1, 0, 0, 360, 60), *(box("p", 0, 0, 20 * line, 360, 20 * line + 20) for line in range(3))]
    there = [box("main", -1, 0, 0, 360, 72), *(box("p", 0, 0, 24 * line, 360, 24 * line + 24) for line in range(3))]
    assert list(differences(here, there)) == []
    there[0] = box("main", -1, 0, 0, 360, 90)
    assert list(differences(here, there)) == ["main “”: [0, 0, 0, 30]"]
    there[0], there[2] = box("main", -1, 0, 0, 360, 72), box("p", 0, 0, 44, 360, 68)
    assert list(differences(here, there)) == ["p “”: [0, 24, 0, 28]"]
