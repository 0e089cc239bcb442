"""The prime of a closed deal on its own page: judged as on the sheet, whatever the table told of the deal."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask

from scorekeeper.store import commands, queries
from scorekeeper.store.db import writing
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import NewEntry

from ...helpers.reading import Page
from ..conftest import ON_TRUST, Player, open_table

TRUST = {name.replace("-", "__"): value for name, value in ON_TRUST.items()}
PILE = [rank + suit for suit in "OC" for rank in ("1", "2", "3", "4", "5", "6", "7", "10", "11", "12")]


def prime_page(player: Player, deal: int = 1) -> str:
    """Return the address of the page of a deal's prime."""
    return player.deal(deal) + "/prime"


def watched(player: Player) -> Page:
    """Return the page of the first deal's prime as a watcher sees it, who cannot fill in its slots."""
    watch = re.search(r"/w/([\w-]+)", player.get("/share").html)
    assert watch
    return Page(player.client.get(f"/w/{watch[1]}{prime_page(player)}"))


def test_says_what_the_sheet_says(ana: Player) -> None:
    assert ana.close(pile__A=[*PILE, "7E", "6B"], rest="B", accept=["pile_modulus"]).status == 303
    words = watched(ana).words
    assert "Prime: Ana 27, Beto" in words
    assert "The cards were shown." in words
    assert "by the number" in words
    assert "Level at the top, each of them scores; if all are level, nobody does." in words


def told(player: Player, facts: dict[str, Any]) -> None:
    """Close the first deal with facts that no form has to be able to tell."""
    with player.app.app_context(), writing():
        table = queries.table_by_play_key(player.key)
        assert table is not None
        match = queries.current_match(table)
        assert match is not None
        commands.record(match, [NewEntry(kinds.DEAL_CLOSED, {"deal": 1, "facts": facts})])


class TestOfADealThatIsKnownInPart:
    def test_a_count_settles_it_with_numbers_and_the_cards_that_are_certain(self, ana: Player) -> None:
        told(ana, {"counts": {"A": {"sevens": 4}}})
        for page in (ana.get(ana.deal()), watched(ana)):
            assert "Ana 28, Beto at most 24" in page.words
            assert "What was counted settles it, wherever the other cards are: Ana has all four sevens" in page.words
            assert "7 7 of coins" in page.words
            assert "swords: not known" in page.words

    def test_what_was_laid_out_is_told_as_shown(self, ana: Player) -> None:
        told(ana, {"best": {"A": {"O": 7, "C": 7, "E": 7, "B": 6}, "B": {"O": 6, "C": 6, "E": 6, "B": 7}}})
        words = watched(ana).words
        assert "Prime: Ana 27, Beto 25" in words
        assert "Ana laid out as the best: 6 of clubs" in words
        assert "Beto laid out as the best: 6 of coins, 6 of cups, 6 of swords" in words

    def test_an_open_prime_says_open_with_what_it_can_come_to(self, ana: Player) -> None:
        told(ana, {"told": {"A": ["7O"], "B": ["7C"]}})
        for page in (ana.get(ana.deal()), watched(ana)):
            assert "still open (Ana 7 to 27, Beto 7 to 27)" in page.words
            assert "It turns on 26 cards that nobody has told of." in page.words
        assert "Prime: still open" in ana.get(f"{ana.deal()}/text").html


def test_a_watcher_sees_it_by_the_watch_link_alone(ana: Player) -> None:
    ana.close(**TRUST)
    page = watched(ana)
    assert page.status == 200
    assert ana.key not in page.html


def test_a_stranger_does_not_see_it(ana: Player, stranger: Player) -> None:
    ana.close(**TRUST)
    assert stranger.get(prime_page(ana)).status == 404


@pytest.mark.parametrize(
    ("game", "fields"), [("chkobba", {"rest": "A"}), ("free", {"points__A": "3", "points__B": "1"})]
)
def test_a_game_without_primes_has_none(app: Flask, game: str, fields: dict[str, Any]) -> None:
    table = open_table(app, game=game)
    assert table.close(**fields).status == 303
    assert table.get(prime_page(table)).status == 404


def test_leads_to_the_referee_with_the_rules_of_the_table_and_no_cards(app: Flask) -> None:
    table = open_table(app, game="scopa")
    table.close(rest="A")
    assert 'href="/prime?method=italian&amp;suits=1&amp;game=scopa"' in watched(table).html
