"""A phone whose cookie is full, at the board of a table that it does not remember."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from ..helpers.reading import form_of
from .conftest import Phone

pytestmark = pytest.mark.whole

PLACES = """() => [...document.querySelectorAll(".one-screen :is(a, button):not(.menu *)")].map((one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  return [one.textContent.trim(), left, top, width, height];
})"""


def fill(page: Page) -> None:
    """Open tables on this phone until it remembers no other."""
    for _turn in range(100):
        form = page.request.get("/tables/new").text()
        if "remembers as many tables as it can" in form:
            return
        data = form_of(form, "agree")
        for name, value in {"player-0": "Ana", "player-1": "Beto", "step": "save"}.items():
            data.setlist(name, [value])
        answer = page.request.post(
            "/tables/new",
            data=urlencode(list(data.items(multi=True))),
            headers={"Content-Type": "application/x-www-form-urlencoded"},
            max_redirects=0,
        )
        assert answer.status == 303, answer.text()
    raise AssertionError("the phone remembers them all")


def places(page: Page) -> Any:
    """Return where all that is tapped on the board is."""
    return page.evaluate(PLACES)


def test_what_the_board_of_a_full_phone_says_moves_nothing_that_is_tapped(phone: Phone, other: Phone) -> None:
    fill(phone.page)
    for _turn in range(10):
        # A link to play takes less room than a table of this phone's own.
        table = other.open_table("Carla", "Dora")
        phone.join(table)
        said = phone.page.locator("main .full-phone")
        if said.count():
            break
    expect(said).to_have_text("This phone is full and does not remember this table: keep its link, or forget others.")
    expect(said).to_be_in_viewport(ratio=1)
    other.rest()
    phone.rest()
    assert places(phone.page) == places(other.page)
    said.get_by_role("link").tap()
    expect(phone.page).to_have_url(re.compile("/forget$"))
