"""Every game, preset and line-up is played through the pages by what a thumb does; the sheets are the engine's.

``make test`` walks each game once, as it is usually played; ``make test-all`` every preset with every line-up it has.
The phones speak English and Spanish in turn.
"""

from __future__ import annotations

from collections.abc import Container
from random import Random
from typing import Any

import pytest

from scorekeeper.web.base.i18n import LANGUAGES

from ..conftest import Phone
from .deals import (
    Setup,
    a_deal,
    a_hand,
    every_setup,
    first_of_each_game,
    in_card_points,
    in_counts,
    of_carioca,
    on_the_pad,
    on_trust,
)
from .walk import Walk

USUAL = first_of_each_game()


FIRST_LINE_UPS = list({(setup.game, setup.preset): setup for setup in reversed(list(every_setup()))}.values())
COUNTED = {"chorizo", "scopa"}
"""One game of fifteens and one of equal cards, whose counts ``make test`` types in too; the others are counted with the
first line-up of each preset."""


def walks(*families: str, games: Container[str] | None = None) -> list[Any]:
    """Return the walks of these families of games, each with its language; ``make test-all`` has the unusual ones."""
    languages = sorted(LANGUAGES)
    return [
        pytest.param(
            setup,
            languages[number % len(languages)],
            id=f"{setup}-{languages[number % len(languages)]}",
            marks=[] if setup in USUAL and (games is None or setup.game in games) else pytest.mark.whole,
        )
        for number, setup in enumerate(every_setup())
        if setup.family in families and (games is None or setup in FIRST_LINE_UPS)
    ]


@pytest.mark.parametrize(("setup", "language"), walks("fishing"))
def test_a_game_of_fishing_is_settled_on_trust_and_by_cards(phone: Phone, setup: Setup, language: str) -> None:
    random = Random(str(setup))
    walk = Walk(phone, setup, language)
    walk.start()
    needs = setup.needs
    if needs.openings:
        walk.opening(needs.openings[0])
    if needs.declarations:
        walk.declare("B", *a_hand(setup, "B"))
    if needs.sweeps:
        walk.sweep("A")
    walk.close(on_trust(setup, walk.told))
    walk.settle()
    walk.next_deal()
    walk.close(a_deal(setup, walk.told["dealer"], random))
    walk.settle()


@pytest.mark.parametrize(("setup", "language"), walks("fishing", games=COUNTED))
def test_a_game_of_fishing_is_settled_by_counts(phone: Phone, setup: Setup, language: str) -> None:
    walk = Walk(phone, setup, language)
    walk.start()
    walk.close(a_deal(setup, walk.told["dealer"], Random(str(setup)), in_counts))
    walk.settle()


@pytest.mark.parametrize(("setup", "language"), walks("tricks"))
def test_a_game_of_tricks_is_settled_by_card_points_and_by_cards(phone: Phone, setup: Setup, language: str) -> None:
    random = Random(str(setup))
    walk = Walk(phone, setup, language)
    walk.start()
    walk.close(a_deal(setup, walk.told["dealer"], random, in_card_points))
    walk.settle()
    walk.next_deal()
    walk.close(a_deal(setup, walk.told["dealer"], random))
    walk.settle()


@pytest.mark.parametrize(("setup", "language"), walks("rummy"))
def test_a_round_of_carioca_is_settled_by_what_is_left_in_the_hands(phone: Phone, setup: Setup, language: str) -> None:
    walk = Walk(phone, setup, language)
    walk.start()
    walk.close(of_carioca(setup, walk.told["dealer"], 1))
    walk.settle()


@pytest.mark.parametrize(("setup", "language"), walks("free"))
def test_the_free_pad_takes_points_below_nought_and_every_line_up(phone: Phone, setup: Setup, language: str) -> None:
    walk = Walk(phone, setup, language)
    walk.start()
    walk.close(on_the_pad(setup, walk.told["dealer"], Random(str(setup))))
    walk.settle()
