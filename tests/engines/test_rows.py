"""Where the rows of forms stand in every engine: what is told in one line is drawn in one line."""

from __future__ import annotations

import pytest
from selenium.webdriver.remote.webdriver import WebDriver

from .thumb import Thumb
from .window import Window

MIDDLES = """return [...document.querySelectorAll(arguments[0])].map((row) => [...row.children].map((one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  return [left + width / 2, top + height / 2, width, height];
}).filter(([, , width, height]) => width > 1 && height > 1).map(([x, y]) => [Math.round(x), Math.round(y)]))"""
"""The middle of each thing that is drawn in a row, row by row."""


@pytest.fixture
def thumb(driver: WebDriver, server: str) -> Thumb:
    with Window(server) as opened:
        yield Thumb(driver, opened)


@pytest.fixture
def table(thumb: Thumb) -> str:
    """A table of two at the closing game, Chorizo."""
    return thumb.start("Ana", "Beto")


def rows(thumb: Thumb, selector: str) -> list[list[list[int]]]:
    thumb.see(selector)
    found: list[list[list[int]]] = thumb.run(MIDDLES, selector)
    return found


def test_all_that_is_left_stands_under_the_sides(thumb: Thumb, table: str) -> None:
    thumb.open(f"{table}/matches/1/deals/1/close")
    (head,) = rows(thumb, ".grid-head")
    (row,) = rows(thumb, ".rest-row")
    assert [x for x, _y in row[-3:]] == [x for x, _y in head[-3:]]
    assert len({y for _x, y in row}) == 1


def test_a_knock_is_a_line_with_a_button_a_side(thumb: Thumb) -> None:
    table = thumb.start("Ana", "Beto", game="cirulla")
    thumb.open(f"{table}/matches/1/deals/1/declare")
    for row in rows(thumb, ".knock"):
        name, first, second = (x for x, _y in row)
        assert name < first < second
        assert len({y for _x, y in row}) == 1
    widths: list[list[float]] = thumb.run(
        "return [...document.querySelectorAll('.knock')].map((row) => [...row.querySelectorAll('.button')]"
        ".map((button) => Math.round(button.offsetWidth)))"
    )
    assert all(len(set(of_row)) == 1 for of_row in widths), widths


def test_the_foot_of_a_new_table_stands_on_the_edge(thumb: Thumb) -> None:
    thumb.open("/tables/new")
    thumb.see(".foot")
    assert thumb.run("return document.querySelector('.foot').getBoundingClientRect().bottom - innerHeight") == 0


def test_choices_have_the_look_of_the_page(thumb: Thumb) -> None:
    thumb.open("/prime")
    look = thumb.run(
        "const style = getComputedStyle(arguments[0]); return [style.appearance, style.backgroundImage]",
        thumb.see("select"),
    )
    assert look[0] == "none"
    assert look[1].startswith("conic-gradient(")
