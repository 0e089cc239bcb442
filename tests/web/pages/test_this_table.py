"""The page of what can be set at a table and on this phone, each row with how it is now."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from ...helpers.reading import Page
from ..conftest import Player, join, open_table, with_fields
from .test_this_phone import watch_key

PAIRS = {"shape": "2x2", "player__2": "Leo", "player__3": "Cata"}


def rows(page: Page) -> list[str]:
    """Return the words of the rows of a page, in their order."""
    return [
        " ".join(re.sub("<[^>]+>", " ", row).split()) for row in re.findall(r'(?s)<a class="row".*?</a>', page.html)
    ]


def menu_of(page: Page) -> list[str]:
    found = re.search(r'(?s)<details class="menu">.*?</details>', page.html)
    assert found is not None
    return re.findall(r"<span>(.*?)</span></a>", found[0])


def pictures(html: str) -> list[str]:
    return re.findall(r'<use href="[^"]*#(i-[a-z]+)"', html)


class TestTheMenuOfTheBoard:
    @pytest.mark.parametrize("fields", [{}, {"game": "free"}])
    def test_has_eight_rows_each_with_a_picture_of_its_own(self, app: Flask, fields: dict[str, str]) -> None:
        page = open_table(app, **fields).get()
        assert menu_of(page) == [
            "Add another phone",
            "Face to face",
            "Board for a screen",
            "Sheets of this match",
            "Rules of this match",
            "Matches and players",
            "New match",
            "This table",
        ]
        found = re.search(r'(?s)<details class="menu">.*?</details>', page.html)
        assert found is not None
        drawn = pictures(found[0])
        assert len(set(drawn)) == len(drawn) == 9, "and that of the menu itself"

    def test_has_for_the_link_to_watch_what_it_opens(self, app: Flask, ana: Player) -> None:
        page = Page(app.test_client().get(f"/w/{watch_key(ana)}"))
        names = [
            "Board for a screen",
            "Sheets of this match",
            "Rules of this match",
            "Matches and players",
            "This table",
        ]
        assert menu_of(page) == names


class TestThePageOfTheTable:
    def test_says_in_each_row_how_it_is(self, app: Flask) -> None:
        table = open_table(app, **PAIRS)
        assert rows(table.get("/table")) == [
            "Who plays Ana and Leo against Beto and Cata",
            "Add or take points A penalty, a head start: none so far",
            "Change the rules Chorizo, Flores",
            "Who noted what 1 entry",
            "Stop this match here",
            "This phone Everybody's",
            "Cards Spanish cards",
            "Take the table along All matches and names as a file, for another server",
            "Owner of the table You own this table. Its link to save, new links, names.",
        ]

    def test_says_what_has_changed(self, ana: Player) -> None:
        ana.hold(1)
        adjust = f"{ana.deal()}/adjust"
        ana.post(
            adjust, with_fields(ana.get(adjust).form("adjust"), {"side": "A", "points": "2", "reason": "came late"})
        )
        ana.client.post("/cards/spanish", data={"cards": "french"})
        found = rows(ana.get("/table"))
        assert "This phone Ana" in found
        assert "Cards French cards" in found
        assert any("came late" in row and row.startswith("Add or take points") for row in found)
        assert "Who noted what 3 entries" in found

    def test_changes_nothing_of_a_match_that_is_over(self, ana: Player) -> None:
        ana.stop()
        found = " ".join(rows(ana.get("/table")))
        for gone in ("Who plays", "Add or take points", "Change the rules", "Stop this match"):
            assert gone not in found
        assert "This phone" in found

    def test_has_no_owner_on_a_phone_without_that_link(self, app: Flask, ana: Player) -> None:
        assert "Owner of the table" not in join(app, ana).get("/table").words

    def test_gives_watchers_what_they_may_read_and_choose(self, app: Flask, ana: Player) -> None:
        page = Page(app.test_client().get(f"/w/{watch_key(ana)}/table"))
        assert rows(page) == ["Who noted what 1 entry", "Cards Spanish cards"]
        assert 'name="aloud"' in page.html
        assert 'name="buzz"' not in page.html
        assert ana.key not in page.html

    @pytest.mark.parametrize("path", ["/matches/1/people", "/cards"])
    def test_is_where_the_pages_behind_it_lead_back_to(self, ana: Player, path: str) -> None:
        page = ana.get(path)
        assert page.status == 200
        assert f'class="back" href="/t/{ana.key}/table"' in page.html

    def test_is_a_new_match_where_there_is_none(self, ana: Player) -> None:
        ana.post("/matches/1/delete", ana.get("/matches/1/delete").form(action="/delete"))
        assert ana.get("/table").location == f"/t/{ana.key}/matches/new"


class TestTheWayToANewMatch:
    def test_ends_one_that_the_table_ends(self, app: Flask) -> None:
        table = open_table(app, game="free")
        table.post("/matches/1/end", table.get("/matches/new").form(action="/end"))
        assert table.standing().is_over
