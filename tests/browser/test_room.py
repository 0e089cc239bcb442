"""What sticks out of a page is found, and named."""

from __future__ import annotations

import pytest

from .conftest import Phone
from .room import STICKS_OUT

BOX = """<style>.box { %s width: 100px; height: 50px; line-height: 20px; }</style><div class="box">%s</div>"""
LONG = "Maximilianowashington"


@pytest.mark.parametrize(
    ("style", "words", "told"),
    [
        ("overflow: hidden;", LONG, ["is cut by"]),
        ("border: 1px solid;", LONG, ["runs out of"]),
        ("overflow: hidden; text-overflow: ellipsis;", LONG, []),
    ],
)
def test_what_sticks_out_is_named(phone: Phone, style: str, words: str, told: list[str]) -> None:
    phone.page.set_content(BOX % (style, words))
    found = phone.page.evaluate(f"({STICKS_OUT})(window)")
    assert [part for part, line in zip(told, found, strict=True) if part not in line] == []


def test_a_page_that_scrolls_sideways_is_told_with_what_makes_it(phone: Phone) -> None:
    phone.page.set_content(
        "<meta name=viewport content='width=device-width'><p><button id=wide style='width: 500px'>x</button></p>"
    )
    assert phone.page.evaluate(f"({STICKS_OUT})(window)") == ["508 of 360 pixels: p > button#wide"]
    assert not phone.fits()
