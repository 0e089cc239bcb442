"""The facts that a deal of this game can have at this table, as the engine describes them: no form knows a game."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import get_args

from ... import rules
from ...rules import NeededLine, Needs
from ...rules.contract import Acceptable
from ...store.journal.match_setup import Setup

PACK = rules.CODES
RANKS = tuple(str(rank) for rank in rules.RANKS)
ACCEPTABLE: tuple[str, ...] = get_args(Acceptable)
"""Problems about how the cards were played, which the table may accept."""
OF_KIND = rules.cards_of_kinds()
"""The cards of what can be counted."""
IN_PACK = {kind: len(cards) for kind, cards in OF_KIND.items()}

NO_GRID = Needs()
"""A game that is closed in numbers has no winner grid."""


def closing_needs(setup: Setup) -> Needs:
    """Return what a closing can say of a deal of a match."""
    return _needs(*needs_key(setup))


def needs_key(setup: Setup) -> tuple[str, str, tuple[str, ...], int, int, str]:
    """Return what the needs of a match depend on, as a key: two matches of one key have the same."""
    options = json.dumps(dict(setup.options), sort_keys=True)
    own = json.dumps(setup.own_lines)
    return setup.game, options, tuple(setup.labels), setup.players_per_side, setup.rules, own


@lru_cache(maxsize=256)
def _needs(game: str, options: str, labels: tuple[str, ...], players_per_side: int, version: int, own: str) -> Needs:
    sides = {"sides": list(labels), "players_per_side": players_per_side}
    asked = {"game": game, "options": json.loads(options), "own_lines": json.loads(own), "rules": version, **sides}
    table = rules.read_table(asked, rules.Problems())
    return NO_GRID if table is None else rules.describe_deal(table)


__all__ = [
    "ACCEPTABLE",
    "IN_PACK",
    "NO_GRID",
    "OF_KIND",
    "PACK",
    "RANKS",
    "NeededLine",
    "Needs",
    "closing_needs",
    "needs_key",
]
