"""The prime of a closed deal on its own page: judged as on the sheet, whatever the table told of the deal."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask

from ..conftest import ON_TRUST, Player, open_table

TRUST = {name.replace("-", "__"): value for name, value in ON_TRUST.items()}
PILE = [rank + suit for suit in "OC" for rank in ("1", "2", "3", "4", "5", "6", "7", "10", "11", "12")]


def prime_page(player: Player, deal: int = 1) -> str:
    """Return the address of the page of a deal's prime."""
    return player.deal(deal) + "/prime"


def test_says_what_the_sheet_says(ana: Player) -> None:
    assert ana.close(pile__A=[*PILE, "7E", "6B"], rest="B", accept=["pile_modulus"]).status == 303
    words = ana.get(prime_page(ana)).words
    assert "Prime: Ana 27, Beto" in words
    assert "The cards were shown." in words
    assert "by the number on the card" in words
    assert "Where those ahead are level, each of them scores, unless that is everybody." in words


def test_is_where_the_sheet_leads(ana: Player) -> None:
    ana.close(**TRUST)
    page = ana.get(ana.deal())
    assert f'href="/t/{ana.key}{prime_page(ana)}"' in page.html
    assert 'href="/prime?' not in page.html


def test_of_what_was_only_said_shows_no_cards_and_the_same_winner(ana: Player) -> None:
    ana.close(**TRUST)
    page = ana.get(prime_page(ana))
    assert "Prime: Beto" in page.words
    assert "It was said at the table" in page.words


def test_a_watcher_sees_it_by_the_watch_link_alone(ana: Player) -> None:
    ana.close(**TRUST)
    watch = re.search(r"/w/([\w-]+)", ana.get("/share").html)
    assert watch
    page = ana.client.get(f"/w/{watch[1]}{prime_page(ana)}")
    assert page.status_code == 200
    assert ana.key not in page.text


def test_a_stranger_does_not_see_it(ana: Player, stranger: Player) -> None:
    ana.close(**TRUST)
    assert stranger.get(prime_page(ana)).status == 404


def test_an_open_deal_has_none(ana: Player) -> None:
    assert ana.get(prime_page(ana)).status == 404


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
    assert 'href="/prime?method=italian"' in table.get(prime_page(table)).html
