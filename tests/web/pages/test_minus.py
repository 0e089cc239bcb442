"""A number below nought has a minus on every page and in every text: a hyphen beside figures is read as a dash."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from ..conftest import Player, open_table

HYPHEN = re.compile(r"(?<![\w–])-\d")
PAGES = (
    "",
    "?look=big",
    "?look=faces",
    "/history",
    "/matches/1",
    "/matches/1/deals/1",
    "/matches/1/deals/2",
    "/matches/1/deals/3/close",
    "/matches/1/journal",
    "/matches/1/end",
    "/matches/1/share",
    "/matches/new",
)


@pytest.fixture(params=[2, 3])
def below(app: Flask, request: pytest.FixtureRequest) -> Player:
    """A table of the free pad for two or three, where Ana is below nought, with a point taken that counts at once."""
    third = {"player__2": "Leo"} if request.param == 3 else {}
    others = {"points__C": "7"} if third else {}
    table = open_table(app, game="free", shape=f"{request.param}x1", **third)
    for number in (1, 2):
        table.close(number, points__A="-31", points__B="12", **others)
    table.post(table.deal(3) + "/points", {"id": "0b6f2c1e-6f0e-4c8e-9a53-6ad0a4f1f0aa", "side": "A", "points": "-1"})
    return table


def test_no_page_writes_a_hyphen_before_a_number(below: Player) -> None:
    words = {page: below.get(page).words for page in PAGES}
    assert not {page: text for page, text in words.items() if HYPHEN.search(text)}
    assert [page for page in ("", "?look=big", "/history", "/matches/1") if "−63" not in words[page]] == []
