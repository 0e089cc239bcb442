"""Every page with names of forty letters: on small screens, on one turned sideways and with letters of double size."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser

from .conftest import Phone
from .room import LONG_NAMES, STICKS_OUT, sticks_out
from .test_accessibility import endpoint_of, screens


def in_lines(found: dict[str, list[str]]) -> str:
    """Return what was found, a line for each thing, with the first of the screens that have it."""
    places: dict[str, list[str]] = {}
    for place, told in found.items():
        for each in told:
            places.setdefault(each, []).append(place)
    return "\n" + "\n".join(f"{each}: {at[0]} and {len(at) - 1} more" for each, at in places.items())


@pytest.mark.whole
def test_every_page_has_room_in_spanish(
    phone: Phone, browser: Browser, browser_context_args: dict[str, Any], app: Flask
) -> None:
    phone.may_get(404)
    seen: dict[str, str] = {}
    for name in screens(phone, LONG_NAMES):
        phone.rest()
        if endpoint_of(app, phone.page.url):
            seen.setdefault(phone.page.url, name)
    state: Any = phone.page.context.storage_state()
    context = browser.new_context(**{**browser_context_args, "locale": "es-AR", "storage_state": state})
    spanish = Phone(context.new_page())
    found = {}
    for address, name in seen.items():
        spanish.page.goto(address)
        spanish.rest()
        found |= {f"{name}, {size}": told for size, told in sticks_out(spanish.page).items()}
    context.close()
    assert not found, in_lines(found)


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
