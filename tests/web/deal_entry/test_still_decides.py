"""The closing form says which open lines still decide a match, where they are few; else it says nothing of it."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from scorekeeper.rules.fishing.game import FishingGame

from ...helpers.reading import Page
from ..conftest import ON_TRUST, Player, open_table, with_fields

TITLE = "What still decides"


@pytest.fixture
def near(ana: Player) -> Player:
    """Ana has 18 of 21 points, Beto has 6, and the fourth deal is open."""
    for number in (1, 2, 3):
        played(ana, number)
    return ana


def played(player: Player, number: int) -> None:
    trust: dict[str, Any] = {name.replace("-", "__"): value for name, value in ON_TRUST.items()}
    assert player.close(number, **trust).status == 303


def tapped(player: Player, number: int = 4, *, live: bool = False, **awards: str) -> Page:
    form = player.closing(number)
    filled = with_fields(form, {f"award-{item}": side for item, side in awards.items()})
    return player.post(player.deal(number) + "/close", filled, headers={"HX-Request": "true"} if live else {})


def test_a_side_that_needs_all_that_is_open_is_told_so(near: Player) -> None:
    page = tapped(near, cards="A", seven_of_coins="B", two_of_clubs="B")
    assert f"{TITLE} Ana needs most coins and prime to reach 21." in page.words


def test_a_side_that_needs_one_of_several_is_told_which(near: Player) -> None:
    page = tapped(near, cards="A", seven_of_coins="A", two_of_clubs="B")
    assert f"{TITLE} Ana needs one of these to reach 21: most coins prime" in page.words


def test_it_is_folded_until_asked_for_and_stays_unfolded_while_its_words_change(near: Player) -> None:
    drawn = tapped(near, cards="A", seven_of_coins="A", two_of_clubs="B")
    assert '<details class="rows deciding"><summary' in drawn.html
    again = tapped(near, live=True, cards="A", seven_of_coins="B", two_of_clubs="B")
    assert "deciding-ways" in again.html
    assert 'class="rows deciding"' not in again.html
    assert f"{TITLE} Ana needs most coins and prime to reach 21." in again.words


def nothing_is_said(page: Page) -> bool:
    return TITLE not in page.words and 'id="deciding-ways"></div>' in page.html


def test_the_deal_is_scored_once_for_a_tap(near: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    awards = {"cards": "A", "seven_of_coins": "A", "two_of_clubs": "B", "coins": "B"}
    scored: list[Any] = []
    score = FishingGame.score
    monkeypatch.setattr(FishingGame, "score", lambda game, *deal: scored.append(deal) or score(game, *deal))
    assert TITLE in tapped(near, live=True, **awards).words
    of_the_tap = [
        deal
        for deal, *_number in scored
        if deal.get("awards", {}).get("coins") == "B" and "prime" not in deal["awards"]
    ]
    assert len(of_the_tap) == 1


def test_far_from_the_target_nothing_is_said(ana: Player) -> None:
    assert nothing_is_said(tapped(ana, 1, cards="A", seven_of_coins="B"))


def test_once_somebody_has_the_target_the_higher_total_decides_and_nothing_is_said(near: Player) -> None:
    assert nothing_is_said(tapped(near, cards="A", seven_of_coins="A", coins="A"))


def test_where_nothing_is_played_to_nothing_is_said(app: Flask) -> None:
    brisca = open_table(app, game="brisca")
    page = brisca.get(brisca.deal() + "/close")
    assert page.status == 200
    assert TITLE not in page.words
