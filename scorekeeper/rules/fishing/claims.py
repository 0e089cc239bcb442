"""Reads and checks the declarations that the table reported: three cards shown, or combinations only said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from .. import contract, schema
from ..cards import CODES, MATTA, Card, Pile, Position, cards_of, suit_of
from ..problems import Problems
from ..sheet import Line
from .declarations import HAND_SIZE, possible_claims, read_hand
from .evidence import read_cards
from .table import FishingTable
from .wild import Face, read_wild_faces


@dataclass(frozen=True)
class DeclaredHand:
    """One declaration: the side, its cards (None: only said), and the points of each combination that scores.

    ``false_items`` are combinations that were claimed but not held, with the points they would have scored, where that
    costs something. ``ranks`` are the rank positions of its wild cards, unchanged for the rest of the deal.
    """

    side: Position
    cards: tuple[Card, ...] | None
    items: Mapping[str, int]
    false_items: Mapping[str, int] = field(default_factory=dict)
    ranks: Mapping[Card, int] = field(default_factory=dict)


class _Claim(NamedTuple):
    """A declaration whose types are right, not judged yet."""

    where: str
    label: str | None
    batch: int | None
    items: list[str] | None
    cards: list[Card] | None
    faces: dict[Card, Face]
    """The faces of its wild cards, as the table says."""


def read_declarations(
    table: FishingTable,
    value: object,
    layout: Pile | None,
    faces: Mapping[Card, Face],
    ranks: Mapping[Card, int],
    problems: Problems,
) -> list[DeclaredHand]:
    """Read the field ``declarations``; impossible ones are left out, with the reason in ``problems``.

    ``faces`` and ``ranks`` are what wild cards count as in the whole deal. No card of the layout can be declared.
    """
    if value is None:
        return []
    placed = {card: f"layout[{number}]" for number, card in enumerate(cards_of(layout or 0))}
    declared: list[DeclaredHand] = []
    shown_in_batch: Counter[tuple[str, int]] = Counter()
    for number, entry in enumerate(schema.optional_items(value, "declarations")):
        claim = _read_claim(table, entry, f"declarations[{number}]", placed, problems)
        if claim.label is None or problems.fatal:
            continue
        if claim.cards is not None and claim.batch is not None:
            shown_in_batch[claim.label, claim.batch] += 1
            # Reported once for each batch, at the first hand too many.
            is_one_too_many = shown_in_batch[claim.label, claim.batch] == table.players_per_side + 1
            if table.rules.hand_size == HAND_SIZE and is_one_too_many:
                message = f"{claim.label} shows more hands in batch {claim.batch} than it has players."
                problems.warn("many_declarations", claim.where, message, side=claim.label)
        _check_faces(claim, faces, problems)
        side = table.sides.index(claim.label)
        if claim.cards is None:
            declared.append(_said(table, side, claim, problems))
        elif not problems.fatal:
            declared.append(_shown(table, side, claim.cards, claim, {**faces, **claim.faces}, ranks, problems))
    _check_number(table, declared, problems)
    return declared


def _read_claim(table: FishingTable, entry: object, where: str, placed: dict[Card, str], problems: Problems) -> _Claim:
    claim = schema.mapping(entry, where)
    label = schema.side(schema.text(claim.get("side"), f"{where}.side"), f"{where}.side", table.sides, problems)
    batch = schema.optional(claim.get("batch"), f"{where}.batch", schema.integer)
    items = None if claim.get("items") is None else schema.words(claim["items"], f"{where}.items")
    if batch is not None and not 1 <= batch <= table.batches:
        message = f"This deal has batches 1 to {table.batches}."
        problems.error("unknown_batch", f"{where}.batch", message, batches=table.batches)
    cards = None
    if claim.get("cards") is not None:
        cards = read_cards(claim["cards"], f"{where}.cards", problems, placed)
        listed = len(schema.items(claim["cards"], f"{where}.cards", None))
        if listed != HAND_SIZE:
            message = f"A declaration shows {HAND_SIZE} cards, not {listed}."
            problems.error("declaration_size", f"{where}.cards", message, cards=listed)
    if cards is None and items is None:
        problems.error("empty_declaration", where, "A declaration needs its cards, its items or both.")
    for place, id in enumerate(items or ()):
        if id not in table.combo_points:
            message = f"{id[:40]!r} is not declared at this table."
            problems.error("unknown_item", f"{where}.items[{place}]", message, item=id[:40])
    faces = read_wild_faces(table.wilds, claim.get("as"), f"{where}.as", problems)
    return _Claim(where, label, batch, items, cards, faces)


def _check_faces(claim: _Claim, faces: Mapping[Card, Face], problems: Problems) -> None:
    """Check that a declaration names only its own wild cards, with the ranks that they have in the deal."""
    where = f"{claim.where}.as"
    for card, face in claim.faces.items():
        code = CODES[card]
        if claim.cards is not None and card not in claim.cards:
            problems.error("card_not_declared", where, f"{code} is not among the declared cards.", card=code)
        if card in faces and faces[card].rank != face.rank:
            problems.error("wild_value_changed", where, f"{code} keeps one value for the whole deal.", card=code)


def _check_number(table: FishingTable, declared: Sequence[DeclaredHand], problems: Problems) -> None:
    """Check that no side declared more often than the table allows."""
    if table.rules.announcements is None:
        return
    most = table.rules.announcements * table.players_per_side
    made = Counter(each.side for each in declared)
    for side, label in enumerate(table.sides):
        if made[side] > most:
            message = f"{label} may announce {most} times in a deal."
            problems.error("too_many_declarations", "declarations", message, side=label, most=most)


def _said(table: FishingTable, side: Position, claim: _Claim, problems: Problems) -> DeclaredHand:
    """Accept a declaration that was only said, unless no three cards can hold all of it."""
    claimed = set(claim.items or ())
    wilds = tuple(table.wilds.values())
    if not problems.fatal and claimed and not any(claimed <= held for held in possible_claims(table.combos, wilds)):
        message = f"No three cards hold {', '.join(sorted(claimed))} together."
        problems.error("impossible_claim", f"{claim.where}.items", message, items=sorted(claimed))
    return DeclaredHand(side, None, _points_of(table, claimed))


def _points_of(table: FishingTable, held: set[str]) -> dict[str, int]:
    """Return the points of some combinations, without those that another of them replaces."""
    return {combo.id: combo.points for combo in table.combos if combo.id in held and combo.replaced_by not in held}


def _shown(
    table: FishingTable,
    side: Position,
    cards: list[Card],
    claim: _Claim,
    faces: Mapping[Card, Face],
    ranks: Mapping[Card, int],
    problems: Problems,
) -> DeclaredHand:
    """Score shown cards: all combinations that they hold, or those of the claimed ones that they hold."""
    if table.rules.matta and MATTA in ranks and MATTA in cards and MATTA not in faces:
        faces = {**faces, MATTA: Face(ranks[MATTA], suit_of(MATTA))}
    reading = read_hand(cards, table.combos, table.wilds, faces)
    own_ranks = {card: face.rank for card, face in zip(cards, reading.hand, strict=True) if card in table.wilds}
    if claim.items is None:
        return DeclaredHand(side, tuple(cards), reading.items, ranks=own_ranks)
    held = {combo.id for combo in table.combos if combo.holds(reading.hand)}
    wrong = {id: table.combo_points[id] for id in dict.fromkeys(claim.items) if id not in held}
    costs = table.rules.false_declaration == "each_opponent"
    if wrong and not costs:
        _report_not_held(f"{claim.where}.items", list(wrong), problems)
    scored = _points_of(table, set(claim.items) & held)
    return DeclaredHand(side, tuple(cards), scored, wrong if costs else {}, own_ranks)


def _report_not_held(where: str, wrong: list[str], problems: Problems) -> None:
    """Report a claim that the cards do not hold, where that costs nothing."""
    message = f"These cards do not hold {', '.join(wrong)}. That scores nothing."
    problems.warn("claim_not_held", where, message, items=wrong)


def declaration_lines(table: FishingTable, declared: Sequence[DeclaredHand]) -> list[Line]:
    """Return a line for each declared combination, and a line for the false claims where those cost something."""
    lines = []
    for combo in table.combos:
        made = [each for each in declared if combo.id in each.items]
        if made:
            times = tuple(sum(1 for each in made if each.side == side) for side in table.positions)
            strength: contract.Evidence = "shown" if all(each.cards is not None for each in made) else "said"
            lines.append(Line(combo.id, tuple(combo.points * count for count in times), "declared", times, strength))
    false = [each for each in declared if each.false_items]
    if false:
        values = tuple(
            sum(sum(each.false_items.values()) for each in false if each.side == side) for side in table.positions
        )
        # The points that a side claimed falsely go to each of the others.
        points = tuple(sum(values) - values[side] for side in table.positions)
        lines.append(Line("false_declaration", points, "false_claim", values, "shown"))
    return lines
