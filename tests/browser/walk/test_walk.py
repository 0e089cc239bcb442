"""Every preset, line-up and language is walked through by what a thumb does; the sheets are the engine's.

``make test`` walks each game once, as it is usually played; ``make test-all`` each preset once, and each line-up of
each family. Pages differ by these and not by their product, through which ``tests/web/test_every_start.py`` goes
without a browser: every preset starts there with every line-up it has, and closes a deal.
"""

from __future__ import annotations

from collections import Counter
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
COUNTED = {"chorizo", "scopa"}
"""One game of fifteens and one of equal cards, whose counts ``make test`` types in too; ``make test-all`` all."""


def chosen() -> list[Setup]:
    """Return each preset once, with the line-up that its family has met least so far, and each line-up once."""
    met = Counter(_line_up(setup) for setup in USUAL)
    found = list(USUAL)
    presets = {(setup.game, setup.preset) for setup in USUAL}
    by_preset: dict[tuple[str, str], list[Setup]] = {}
    for setup in every_setup():
        by_preset.setdefault((setup.game, setup.preset), []).append(setup)
    for preset, setups in by_preset.items():
        if preset not in presets:
            found.append(min(setups, key=lambda setup: met[_line_up(setup)]))
            met[_line_up(found[-1])] += 1
    for setup in every_setup():
        if not met[_line_up(setup)]:
            found.append(setup)
            met[_line_up(setup)] += 1
    return found


def _line_up(setup: Setup) -> tuple[str, int, int]:
    return setup.family, setup.sides, setup.per_side


def spoken(setups: list[Setup]) -> list[tuple[Setup, str]]:
    """Return each setup with the language that its line-up, and else its family, has met least so far."""
    met: Counter[tuple[Any, str]] = Counter()
    found = []
    for setup in setups:
        language = min(sorted(LANGUAGES), key=lambda each: (met[_line_up(setup), each], met[setup.family, each]))
        met.update([(_line_up(setup), language), (setup.family, language)])
        found.append((setup, language))
    return found


WALKS = spoken(chosen())


def walks(*families: str, counted: bool = False) -> list[Any]:
    """Return the walks of these families of games, each with its language; ``make test-all`` has the unusual ones.

    What is ``counted`` is walked once a game.
    """
    return [
        pytest.param(
            setup,
            language,
            id=f"{setup}-{language}",
            marks=[] if setup in USUAL and (not counted or setup.game in COUNTED) else pytest.mark.whole,
        )
        for setup, language in WALKS
        if setup.family in families and (not counted or setup in USUAL)
    ]


def test_every_preset_line_up_and_language_is_walked() -> None:
    every = list(every_setup())
    assert {(setup.game, setup.preset) for setup, _ in WALKS} == {(setup.game, setup.preset) for setup in every}
    assert {_line_up(setup) for setup, _ in WALKS} == {_line_up(setup) for setup in every}
    families = {setup.family for setup in every}
    assert {(setup.family, spoken) for setup, spoken in WALKS} == {(each, of) for each in families for of in LANGUAGES}


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


@pytest.mark.parametrize(("setup", "language"), walks("fishing", counted=True))
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
