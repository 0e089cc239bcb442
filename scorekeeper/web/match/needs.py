"""What a deal of this game, at this table, can be told: asked of the engine itself, so that no form knows a game.

Each question is a tiny deal. What the engine accepts is offered, what it refuses as impossible is not.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

from ... import rules
from ...store.journal import Setup
from ..words.names import games

SUITS = "OCEB"
RANKS = ("1", "2", "3", "4", "5", "6", "7", "10", "11", "12")
PACK = tuple(rank + suit for suit in SUITS for rank in RANKS)
MODULUS = {"fifteens": 15, "even": 2}
"""What the sum of every finished pile can be divided by, by the engine's word for the game's arithmetic."""
OPENINGS = ("15", "30", "flush3", "flush4")
COUNTED = {
    "cards": ("cards",),
    "few_cards": ("cards",),
    "fifty_cards": ("cards",),
    "coins": ("coins",),
    "all_coins": ("coins",),
    "cappotto": ("coins",),
    "sevens": ("sevens",),
    "all_sevens": ("sevens",),
    "barmila": ("sevens", "sixes"),
    "figures": ("figures",),
    "prime": ("sevens", "sixes"),
}
"""What to count to settle an item."""
RARE = ("all", "run", "few_cards")
"""Why a side scores that has every card, where few other piles would do."""
ACCEPTABLE = ("pile_modulus", "pile_parity", "leftover_modulus", "leftover_parity")
"""Problems about how the cards were played, which the table may accept."""
OF_KIND = {
    "cards": frozenset(PACK),
    "coins": frozenset(card for card in PACK if card.endswith("O")),
    "sevens": frozenset(card for card in PACK if card.startswith("7")),
    "sixes": frozenset(card for card in PACK if card.startswith("6")),
    "figures": frozenset(card for card in PACK if card[:-1] in ("10", "11", "12")),
}
"""The cards of what can be counted."""
IN_PACK = {kind: len(cards) for kind, cards in OF_KIND.items()}


@dataclass(frozen=True)
class NeededLine:
    """A line that somebody must settle. ``several`` are the groups of sides that may share it."""

    item: str
    may_be_nobody: bool
    several: tuple[tuple[str, ...], ...]
    counts: tuple[str, ...]
    """What to count to settle it."""
    is_rare: bool = False
    """Whether it takes a rare pile (all the coins, a run of them): at most tables it is nobody's."""


@dataclass(frozen=True)
class Needs:
    """What a deal can be told."""

    rows: tuple[NeededLine, ...]
    sweeps: bool
    openings: tuple[str, ...]
    declarations: tuple[str, ...]
    penalties: tuple[str, ...]
    wilds: tuple[str, ...]
    leftover_counts: bool
    """Whether the cards left on the table stay nobody's."""
    values: Mapping[str, int]
    """What each rank counts in a capture."""
    modulus: int | None
    """What the sum of a finished pile can be divided by, where there is such a rule."""

    @property
    def counts(self) -> tuple[str, ...]:
        """All that can be counted, once each."""
        return tuple(dict.fromkeys(kind for row in self.rows for kind in row.counts))

    def first_row_of(self, kind: str) -> str:
        """Return the row whose place it is to ask for a count."""
        return next(row.item for row in self.rows if kind in row.counts)


NO_GRID = Needs((), False, (), (), (), (), False, {}, None)
"""A game that is told in numbers has no winner grid."""


def closing_needs(setup: Setup) -> Needs:
    """Return what a deal of a match can be told."""
    return _needs(
        setup.game,
        json.dumps(dict(setup.options), sort_keys=True),
        tuple(setup.labels),
        setup.players_per_side,
        setup.rules,
    )


def _rules_of(table: Mapping[str, Any]) -> Any:
    """Return the engine's rules as this table plays them."""
    read: Any = rules.read_table(table, rules.Problems())
    return read.game.rules


@lru_cache(maxsize=256)
def _needs(game: str, options: str, labels: tuple[str, ...], players_per_side: int, version: int) -> Needs:
    table = {
        "game": game,
        "options": json.loads(options),
        "sides": list(labels),
        "players_per_side": players_per_side,
        "rules": version,
    }

    def ask(**deal: Any) -> Mapping[str, Any] | None:
        try:
            sheet = rules.score({**table, "deal": {"dealer": labels[0], **deal}}, bounded=True)
        except rules.Malformed:
            return None
        return sheet if sheet["status"] != "invalid" else None

    def accepted(**deal: Any) -> bool:
        return ask(**deal) is not None

    def lines(**deal: Any) -> dict[str, Any]:
        sheet = ask(**deal)
        return {line["item"]: line for line in sheet["lines"]} if sheet else {}

    agreed: Any = _rules_of(table)
    first, items = labels[0], [item["id"] for item in games()[game]["items"]]
    # With every card in one pile nothing is open, which keeps the questions cheap; what remains are the end items.
    # So odd a pile is accepted: where the last cards are nobody's, it does not add up.
    placed = {"rest": first, "accept": list(ACCEPTABLE)}
    reasons = {item: line["reason"] for item, line in lines(**placed).items() if item != "sweeps"}
    open_items = list(reasons)
    sevens_only = table["options"].get("prime_method") == "sevens_count"
    groups = [group for size in range(2, len(labels) + 1) for group in combinations(labels, size)]
    rows = tuple(
        NeededLine(
            item,
            may_be_nobody=accepted(**placed, awards={item: None}),
            several=tuple(group for group in groups if accepted(**placed, awards={item: list(group)})),
            counts=("sevens",) if item == "prime" and sevens_only else COUNTED.get(item, ()),
            is_rare=reasons[item] in RARE,
        )
        for item in open_items
    )
    opened = {told: lines(**placed, layout_result=told) for told in OPENINGS}
    return Needs(
        rows=rows,
        sweeps="sweeps" in lines(**placed, sweeps={first: 1}),
        openings=tuple(told for told in OPENINGS if set(opened[told]) - set(open_items) - {"sweeps"}),
        declarations=tuple(
            item
            for item in items
            if item not in open_items and accepted(**placed, declarations=[{"side": first, "items": [item]}])
        ),
        penalties=tuple(
            item
            for item in items
            if item not in open_items and accepted(**placed, penalties=[{"item": item, "side": first}])
        ),
        wilds=tuple(
            card for card in PACK if any(accepted(**placed, **{"as": {card: rank + card[-1]}}) for rank in ("5", "6"))
        ),
        values=dict(zip(RANKS, agreed.values, strict=True)),
        modulus=MODULUS.get(agreed.check),
        leftover_counts=json.loads(options).get("last_cards") == "nobody",
    )
