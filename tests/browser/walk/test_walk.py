"""One deal of each family of games is played by what a thumb does; the sheets are the engine's.

Presets, line-ups and languages need no thumb: ``tests/web/test_every_start.py`` goes through them.
"""

from __future__ import annotations

from random import Random

import pytest

from scorekeeper import rules

from ..conftest import Phone
from .deals import Setup, a_deal, a_hand, in_card_points, in_counts, of_carioca, on_the_pad, on_trust
from .walk import Walk


def usual(game: str, sides: int = 2, per_side: int = 1) -> Setup:
    """Return a game as it is usually played."""
    return Setup(game, rules.find_game(game).default_preset, sides, per_side)


def test_a_game_of_fishing_is_settled_on_trust_and_by_cards(phone: Phone) -> None:
    setup = usual("chorizo", 2, 2)
    walk = Walk(phone, setup)
    walk.start()
    walk.opening(setup.needs.openings[0])
    walk.declare("B", *a_hand(setup, "B"))
    walk.sweep("A")
    walk.close(on_trust(setup, walk.told))
    walk.settle()
    walk.next_deal()
    walk.close(a_deal(setup, walk.told["dealer"], Random(1)))
    walk.settle()


@pytest.mark.whole
def test_a_game_of_fishing_is_settled_by_counts(phone: Phone) -> None:
    setup = usual("scopa")
    walk = Walk(phone, setup)
    walk.start()
    walk.close(a_deal(setup, walk.told["dealer"], Random(1), in_counts))
    walk.settle()


@pytest.mark.whole
def test_a_game_of_tricks_is_settled_by_card_points_and_by_cards(phone: Phone) -> None:
    setup = usual("brisca")
    walk = Walk(phone, setup)
    walk.start()
    walk.close(a_deal(setup, walk.told["dealer"], Random(1), in_card_points))
    walk.settle()
    walk.next_deal()
    walk.close(a_deal(setup, walk.told["dealer"], Random(1)))
    walk.settle()


@pytest.mark.whole
def test_a_round_of_carioca_is_settled_by_what_is_left_in_the_hands_in_another_language(phone: Phone) -> None:
    setup = usual("carioca", 4)
    walk = Walk(phone, setup, "es_AR")
    walk.start()
    walk.close(of_carioca(setup, walk.told["dealer"], 1))
    walk.settle()


def test_the_free_pad_takes_points_below_nought(phone: Phone) -> None:
    setup = usual("free", 3)
    walk = Walk(phone, setup)
    walk.start()
    walk.close(on_the_pad(setup, walk.told["dealer"], Random(1)))
    walk.settle()
