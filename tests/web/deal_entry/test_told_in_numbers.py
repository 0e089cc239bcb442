"""Deals of Brisca that are told in numbers: what is asked, and what is enough."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from ...helpers.reading import Page
from ..conftest import open_table, with_fields

FIVE = {f"player__{seat}": name for seat, name in enumerate(("Ana", "Beto", "Cata", "Leo", "Mara"))}


def in_foot(page: Page) -> str:
    """Return what the foot of a closing form says."""
    foot = page.html[page.html.index('id="close-foot"') :]
    text = foot[foot.index('class="foot-text">') + len('class="foot-text">') : foot.index("</p>")]
    return " ".join(re.sub(r"<[^>]*>", "", text).split())


@pytest.mark.parametrize(
    ("fields", "asked"),
    [({}, ["Who bid?", "How much?"]), ({"bidder": "B"}, ["How much?"]), ({"bid": "100"}, ["Who bid?"])],
)
def test_what_is_missing_of_a_bid_is_asked(app: Flask, fields: dict[str, str], asked: list[str]) -> None:
    table = open_table(app, game="brisca", preset="rematada", shape="3x1", player__2="Leo")
    form = with_fields(table.closing(**fields), {"step": "save"})
    page = table.post(table.deal() + "/close", form)
    assert page.status == 422
    assert in_foot(page).endswith(" ".join(asked))
    assert "damaged" not in page.words
    assert page.form("closing")["bidder"] == fields.get("bidder", "")


@pytest.mark.parametrize("preset", ["chiamata", pytest.param("chiamata_a_punti", marks=pytest.mark.whole)])
class TestChiamata:
    def test_caller_partner_and_their_card_points_are_enough(self, app: Flask, preset: str) -> None:
        table = open_table(app, game="brisca", preset=preset, **FIVE)
        table.close(bidder="B", partner="D", card_points__B="40", card_points__D="25")
        assert table.totals() == {"A": -1, "B": 2, "C": -1, "D": 1, "E": -1}

    def test_the_caller_is_asked_for_card_points_first(self, app: Flask, preset: str) -> None:
        table = open_table(app, game="brisca", preset=preset, **FIVE)
        form = with_fields(table.closing(bidder="B", partner="D", card_points__B="40"), {"step": "check"})
        assert "How many card points does Leo have?" in table.post(table.deal() + "/close", form).words

    def test_the_sheet_speaks_of_the_call_and_has_no_noughts_beside_card_points(self, app: Flask, preset: str) -> None:
        table = open_table(app, game="brisca", preset=preset, **FIVE)
        table.close(bidder="B", partner="D", card_points__B="40", card_points__D="25")
        spanish = {"headers": {"Accept-Language": "es"}}
        assert "La chiamata" in table.get(table.deal(), **spanish).words
        assert "El remate" not in table.get(table.deal(), **spanish).words
        _before, _head, row = table.get(table.deal()).html.partition(">Card points<")
        assert "Beto 40, " in row.partition("</summary>")[0]
        assert "line-points" not in row.partition("</summary>")[0]


def test_points_of_a_call_may_be_typed_by_hand(app: Flask) -> None:
    table = open_table(app, game="brisca", preset="chiamata", opt__chiamata_scores='"manual"', **FIVE)
    drawn = table.get(table.deal() + "/close").form("closing")
    typed = {"bidder": "B", **{f"points-{side}": points for side, points in zip("ABCDE", "15042", strict=True)}}
    half = with_fields(drawn, {"bidder": "B", "points-A": "1", "step": "save"})
    page = table.post(table.deal() + "/close", half)
    assert page.status == 422
    assert "How many points does Beto have?" in page.words
    assert table.post(table.deal() + "/close", with_fields(drawn, {**typed, "step": "save"})).status == 303
    assert table.totals() == {"A": 1, "B": 5, "C": 0, "D": 4, "E": 2}
