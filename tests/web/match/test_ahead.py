"""What a phone keeps ahead: the deals to come, what each told thing gives by itself, and when it is kept anew."""

from __future__ import annotations

import json
import re
from html import unescape
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask

from scorekeeper import rules
from scorekeeper.store import queries

from ...browser.walk.deals import Setup, of_carioca, on_trust
from ...helpers.reading import Page
from ..conftest import Player, open_table, with_fields


def ahead(table: Player, number: int = 1, query: str = "") -> dict[str, Any]:
    """Return the data of the page that a phone keeps."""
    found: dict[str, Any] = json.loads(held(table.get(f"{table.deal(number)}/ahead{query}")))
    return found


def held(page: Page) -> str:
    """Return what a page has for the phone to keep: the data of a kept page, or what a board calls it."""
    found = re.search(r"""data-(?:ahead|kept)=(?:"([0-9a-f]{4})"|'([^']*)')""", page.html)
    assert found is not None, page.words
    return unescape(found[1] or found[2])


def held_by(html: str) -> list[str]:
    """Return what a page calls the pages that are to be kept."""
    return re.findall(r'data-kept="([0-9a-f]{4})"', html)


def on_the_board(table: Player) -> str:
    """Return what the board calls the page that is to be kept."""
    return held(table.get())


class TestTheDealsToCome:
    def test_they_are_twelve_at_least_with_their_dealers_in_turn(self, app: Flask) -> None:
        told = ahead(open_table(app))
        assert [deal["number"] for deal in told["deals"]][:12] == list(range(1, 13))
        assert [told["seats"][deal["seat"]]["deals"] for deal in told["deals"]][:3] == [
            "Ana deals",
            "Beto deals",
            "Ana deals",
        ]

    def test_a_round_has_its_contract_and_there_are_no_more_than_the_match_has(self, app: Flask) -> None:
        told = ahead(open_table(app, game="carioca"))
        assert len(told["deals"]) == 8
        assert told["deals"][1]["title"] == "Round 2 of 8"
        assert told["deals"][1]["round"].startswith("1 trio + 1 straight")

    def test_none_is_of_rules_that_come_later(self, app: Flask) -> None:
        table = open_table(app)
        table.sweep("A")
        before = on_the_board(table)
        form = table.get("/matches/1/rules/change").form("agree")
        table.post("/matches/1/rules/change", with_fields(form, {"opt-target": "31", "step": "save"}))
        proposal = table.standing().state.proposal
        for side in "AB":
            asked = proposal.entry.id if proposal is not None else ""
            table.post("/matches/1/rules/accept", {"id": str(uuid4()), "asked": asked, "side": side})
        assert on_the_board(table) != before
        assert [deal["number"] for deal in ahead(table)["deals"]] == [1]


class TestWhenItIsKeptAnew:
    def test_a_tap_changes_nothing(self, app: Flask) -> None:
        table = open_table(app)
        before = on_the_board(table)
        table.sweep("A")
        assert on_the_board(table) == before

    def test_other_seats_do(self, app: Flask) -> None:
        table = open_table(app)
        before = on_the_board(table)
        form = table.get("/matches/1/people").form("seats")
        page = table.post("/matches/1/seats", with_fields(form, {"player-0": "Beto", "player-1": "Ana"}))
        assert page.status == 303
        assert on_the_board(table) != before

    def test_every_sixth_deal_does_so_that_there_are_always_some_left(self, app: Flask) -> None:
        table = open_table(app, game="free")
        keys = []
        for number in range(1, 9):
            keys.append(on_the_board(table))
            table.close(number, points__A="1", points__B="2")
        assert len(set(keys)) == 2
        assert keys[5] != keys[6]
        assert ahead(table, 9)["deals"][-1]["number"] >= 9 + 6

    def test_a_phone_that_only_watches_keeps_nothing(self, app: Flask) -> None:
        table = open_table(app)
        with app.app_context():
            found = queries.table_by_play_key(table.key)
            assert found is not None
            watch = found.watch_key
        page = app.test_client().get(f"/w/{watch}").get_data(as_text=True)
        assert held_by(page) == []


class TestWhatGivesPointsByItself:
    """The sums of a phone without an engine are those of the engine, or are left open."""

    @staticmethod
    def sums(setup: Setup, deal: dict[str, Any]) -> tuple[dict[str, int], list[str]]:
        """Add up a deal told on trust, as the phone does; return the points, and what stays open."""
        gives = rules.points_by_themselves(setup.table)
        points = dict.fromkeys(setup.labels, 0)
        left = []
        awards = deal.get("awards", {})
        for item, taken in gives.items.items():
            taker = awards.get(item)
            takers = [] if taker is None else [taker] if isinstance(taker, str) else taker
            if not takers:
                continue
            if taken.points is None or any(awards.get(other) is not None for other in taken.unless):
                left.append(item)
                continue
            for side in takers:
                points[side] += taken.points
        for side, number in deal.get("sweeps", {}).items():
            points[side] += number * gives.sweep
        return points, left

    @pytest.mark.parametrize(
        "setup",
        [Setup("chorizo", "flores", 2, 1), Setup("la_escoba", "la_escoba", 3, 1), Setup("scopone", "scopone", 2, 2)],
        ids=str,
    )
    def test_a_deal_told_on_trust_comes_to_the_same(self, setup: Setup) -> None:
        random = Random(str(setup))
        sweeps = {side: random.randrange(3) for side in setup.labels} if setup.needs.sweeps else {}
        deal = on_trust(setup, {"dealer": "A", **({"sweeps": sweeps} if sweeps else {})})
        points, left = self.sums(setup, deal)
        sheet = setup.score(deal)
        lines = {line["item"]: line["points"] or {} for line in sheet["lines"]}
        for item in left:
            for side, number in lines[item].items():
                points[side] += number
        assert points == sheet["points"]

    @pytest.mark.parametrize("number", [1, 8])
    def test_a_round_comes_to_the_same(self, number: int) -> None:
        setup = Setup("carioca", "carioca", 3, 1)
        deal = of_carioca(setup, "A", number)
        gives = rules.points_by_themselves(setup.table)
        points = {side: sum(gives.ranks[rank] for rank in ranks) for side, ranks in deal["left"].items()}
        points[deal["went_out"]] = gives.once["went_out"]
        for side, steals in deal["steals"].items():
            points[side] += steals * gives.numbers["steals"]
        assert points == setup.score(deal)["points"]
