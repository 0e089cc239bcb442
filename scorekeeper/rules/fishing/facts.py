"""Reads and checks the facts of a deal field by field, all but those about its piles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .. import schema
from ..cards import MATTA, Card, Pile, Position, pile_of, plain_piles, value_of
from ..problems import Problems
from .claims import DeclaredHand, read_declarations
from .evidence import read_cards
from .rules import VOID, FishingRules
from .table import FishingTable
from .wild import read_wild_faces

OPENINGS = ("15", "30", "flush3", "flush4", VOID)

SUMS_OFF = ("pile_modulus", "pile_parity", "leftover_modulus", "leftover_parity")
"""Errors of sums, which a table may accept when it knows that it captured against the rules."""

ACCEPTABLE = (*SUMS_OFF, "pile_of_one")
"""Errors about how the cards were played, which a table may accept."""


Penalty = tuple[str, Position]
"""A recorded penalty: its id, and the side that offended."""


class Facts(NamedTuple):
    """The facts of a deal, read."""

    dealer: Position | None
    layout: Pile | None
    """The cards laid out before the first play; None if the table does not say."""
    layout_results: frozenset[str]
    """The results of the layout that the table reported."""
    sweeps: tuple[int, ...]
    """Sweeps made in play, one number for each side."""
    declared: tuple[DeclaredHand, ...]
    ranks: Mapping[Card, int]
    """Rank positions that wild cards have for the rest of the deal, by card number."""
    penalties: tuple[Penalty, ...]
    """The recorded penalties."""

    def faulted(self, id: str) -> list[Position]:
        """Return the sides that have this penalty, a side as often as it was recorded."""
        return [side for penalty, side in self.penalties if penalty == id]

    def sweeps_in_hand(self, side: Position) -> int:
        """Return the number of sweeps in hand that a side declared."""
        return sum(1 for each in self.declared if each.side == side and "sweep_in_hand" in each.items)


def read_facts(table: FishingTable, deal: Mapping[str, object], problems: Problems) -> Facts:
    """Read all fields of a deal but those of its piles (see :func:`.evidence.read_evidence`).

    Impossible facts are left out, with the reason in ``problems``; raises ``Malformed`` if a type is wrong.
    """
    dealer_label = schema.side(deal.get("dealer"), "dealer", table.sides, problems)
    dealer = None if dealer_label is None else table.sides.index(dealer_label)
    layout = _read_layout(table.rules, deal.get("layout"), problems)
    results = _read_layout_results(table.rules, deal.get("layout_result"), problems)
    faces = read_wild_faces(table.wilds, deal.get("as"), "as", problems)
    ranks = {card: face.rank for card, face in faces.items()}
    if layout is not None and table.rules.matta and layout >> MATTA & 1 and MATTA not in ranks:
        ranks.update(_matta_in_layout(table.rules, layout))
    sweeps = _read_sweeps(table, deal.get("sweeps"), problems)
    declared = read_declarations(table, deal.get("declarations"), layout, faces, ranks, problems)
    for each in declared:
        ranks = {**each.ranks, **ranks}
    penalties = _read_penalties(table, deal.get("penalties"), problems)
    return Facts(dealer, layout, results, sweeps, tuple(declared), ranks, penalties)


def _read_layout(rules: FishingRules, value: Any, problems: Problems) -> Pile | None:
    if value is None:
        return None
    plain = plain_piles([value])
    layout = pile_of(read_cards(value, "layout", problems)) if plain is None else plain[0]
    if len(value) != rules.layout_size:
        problems.error(
            "layout_size",
            "layout",
            f"The opening layout has {rules.layout_size} cards, not {len(value)}.",
            wanted=rules.layout_size,
            cards=len(value),
        )
    return layout


def _read_layout_results(rules: FishingRules, value: object, problems: Problems) -> frozenset[str]:
    """Read the reported results of the layout: a word, or a list of words."""
    listed = [value] if isinstance(value, str) else schema.optional_items(value, "layout_result")
    results = schema.words(listed, "layout_result")
    for number, result in enumerate(results):
        if result not in OPENINGS or (result == VOID and not rules.redeals):
            message = f"{result[:20]!r} is no opening of this game: 15, 30, flush3, flush4 or redeal."
            problems.error("unknown_value", f"layout_result[{number}]", message)
    if {"15", "30"} <= set(results) or {"flush3", "flush4"} <= set(results):
        problems.error(
            "impossible_layout", "layout_result", "An opening is 15 or 30, three or four of a suit: not both."
        )
    return frozenset(results)


def _matta_in_layout(rules: FishingRules, layout: Pile) -> dict[Card, int]:
    """Return the rank with which the matta makes the layout 15 or 30; it counts so from then on (docs/rules.md 9)."""
    if rules.matta_in_layout != "on":
        return {}
    ranks = {}
    others = value_of(layout & ~(1 << MATTA), rules.values)
    for wanted in (15, 30):
        if wanted - others in rules.values:
            ranks[MATTA] = rules.values.index(wanted - others)
    return ranks


def _read_sweeps(table: FishingTable, value: object, problems: Problems) -> tuple[int, ...]:
    sweeps = [0] * len(table.sides)
    for label, number in schema.by_side(value, "sweeps", table.sides, problems).items():
        made = schema.integer(number, f"sweeps.{label}")
        if made < 0:
            problems.error("negative_sweeps", f"sweeps.{label}", "Sweeps cannot be fewer than none.", side=label)
        sweeps[table.sides.index(label)] = max(0, made)
    return tuple(sweeps)


def _read_penalties(table: FishingTable, value: object, problems: Problems) -> tuple[Penalty, ...]:
    penalties = []
    for number, entry in enumerate(schema.optional_items(value, "penalties")):
        where = f"penalties[{number}]"
        penalty = schema.mapping(entry, where)
        id = schema.text(penalty.get("item"), f"{where}.item")
        label = schema.text(penalty.get("side"), f"{where}.side")
        if id not in table.penalties:
            message = f"This game has no penalty {id[:40]!r}."
            problems.error("unknown_penalty", f"{where}.item", message, item=id[:40])
        elif label not in table.sides:
            schema.unknown_side(label, f"{where}.side", problems)
        else:
            penalties.append((id, table.sides.index(label)))
    return tuple(penalties)


def read_accepted(value: object, problems: Problems) -> frozenset[str]:
    """Read the codes of the errors that the table accepts."""
    codes = schema.words(schema.optional_items(value, "accept"), "accept")
    for number, code in enumerate(codes):
        if code not in ACCEPTABLE:
            message = f"{code[:40]!r} cannot be accepted."
            problems.error("not_acceptable", f"accept[{number}]", message, accept=code[:40])
    return frozenset(codes)
