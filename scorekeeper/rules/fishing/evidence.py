"""Evidence about the piles: cards (shown), counts (counted) and awards (said), and what contradicts what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .. import schema
from ..cards import CODES, FULL_PACK, PACK_SIZE, cards_of, codes_of, parse_card
from ..problems import Problems
from .features import COUNTED, Count, Feature
from .items import Item
from .possible import Constraint, CountIs, Known, Vectors, is_possible
from .primes import Given


@dataclass(frozen=True)
class Awarded:
    """An award: the table says that exactly these seats took the item."""

    item: Item
    winners: tuple[int, ...]

    def features(self, given: Given) -> tuple[Feature, ...]:
        """Read what the item reads."""
        return self.item.features(given)

    def allows(self, read: Vectors) -> bool:
        """Whether the item would go to those seats."""
        return self.item.judge(*read).winners == self.winners


@dataclass
class Evidence:
    """All that is known about the piles.

    ``piles`` hold what is placed for each side, last cards included; ``captured`` the same without a ``leftover`` that
    was listed apart (None where none was listed).
    """

    piles: tuple[int, ...]
    captured: tuple[int, ...]
    leftover: int | None
    unplaced: int
    may_be_nobodys: bool
    last_capturer: int | None = None
    """The seat that is said to have captured last."""
    counts: list[CountIs] = field(default_factory=list)
    awards: dict[str, Awarded] = field(default_factory=dict)

    def known(self, given: Given) -> Known:
        """Give the placed and unplaced cards, with the ranks given to wild cards."""
        return Known(self.piles, self.unplaced, self.may_be_nobodys, given)


def read_cards(value: object, where: str, problems: Problems, placed: dict[int, str] | None = None) -> list[int]:
    """Take a list of card codes; ``placed`` remembers where each card was seen, so that none is in two places."""
    found = []
    seen = {} if placed is None else placed
    for number, code in schema.each_word(value, where):
        here = f"{where}[{number}]"
        card = parse_card(code)
        if card is None:
            problems.error("unknown_card", here, f"There is no card {code[:20]!r} in this pack.", card=code[:20])
        elif card in seen:
            first = seen[card].partition("[")[0]
            places = f"twice in {where}" if first == where else f"in {first} and in {where}"
            problems.error(
                "duplicate_card", here, f"{CODES[card]} is {places}.", card=CODES[card], first=first, second=where
            )
        else:
            seen[card] = here
            found.append(card)
    return found


def read_evidence(
    deal: Mapping[str, Any], sides: Sequence[str], last_cards: str, problems: Problems, accept_counts: bool = True
) -> Evidence:
    """Read ``piles``, ``rest``, ``leftover``, ``last_capturer`` and ``counts`` of a deal."""
    placed: dict[int, str] = {}
    listed = {
        label: read_cards(cards, f"piles.{label}", problems, placed)
        for label, cards in schema.by_side(deal.get("piles"), "piles", sides, problems).items()
    }
    total = sum(
        len(schema.items([] if cards is None else cards, "piles", None))
        for cards in schema.optional_mapping(deal.get("piles"), "piles").values()
    )
    leftover = None
    if deal.get("leftover") is not None:
        left = read_cards(deal["leftover"], "leftover", problems, placed)
        total += len(deal["leftover"])
        leftover = sum(1 << card for card in left)
    if total > PACK_SIZE:
        problems.error("too_many_cards", "piles", f"{total} cards are listed; the pack has {PACK_SIZE}.", cards=total)
    piles = [sum(1 << card for card in listed.get(label, ())) for label in sides]
    unplaced = FULL_PACK ^ sum(1 << card for card in placed)
    rest = schema.side(deal.get("rest"), "rest", sides, problems)
    if rest is not None:
        piles[sides.index(rest)] |= unplaced
        unplaced = 0
    captured = tuple(piles)
    last = schema.side(deal.get("last_capturer"), "last_capturer", sides, problems)
    nobody_captured = "last_capturer" in deal and deal["last_capturer"] is None
    left_to_nobody = nobody_captured or last_cards == "nobody"
    if leftover and not left_to_nobody:
        if last is None:
            problems.error(
                "last_capturer_missing", "last_capturer", "Say who captured last: the cards left on the table are his."
            )
        else:
            piles[sides.index(last)] |= leftover
    unlisted = left_to_nobody and leftover is None
    seat = None if last is None else sides.index(last)
    evidence = Evidence(tuple(piles), captured, leftover, unplaced, unlisted, seat)
    if accept_counts:
        _read_counts(deal.get("counts"), sides, evidence, problems)
    return evidence


def _read_counts(value: object, sides: Sequence[str], evidence: Evidence, problems: Problems) -> None:
    by_kind: dict[str, dict[int, int]] = {}
    for label, counts in schema.by_side(value, "counts", sides, problems).items():
        for kind, count in schema.mapping(counts, f"counts.{label}").items():
            where = f"counts.{label}.{kind[:20]}"
            if count is None:
                continue
            number = schema.integer(count, where)
            if kind not in COUNTED:
                problems.error("unknown_count", where, f"{kind[:20]!r} is not counted.", kind=kind[:20])
            elif not 0 <= number <= COUNTED[kind].bit_count():
                most = COUNTED[kind].bit_count()
                problems.error(
                    "impossible_counts",
                    where,
                    f"There are {most} {kind}; {number} cannot be.",
                    kind=kind,
                    most=most,
                    count=number,
                )
            else:
                by_kind.setdefault(kind, {})[sides.index(label)] = number
    if problems.fatal:
        return
    for kind, numbers in by_kind.items():
        total, most = sum(numbers.values()), COUNTED[kind].bit_count()
        too_few = len(numbers) == len(sides) and total < most and not _some_are_nobodys(evidence)
        if total > most or too_few:
            entered = " and ".join(str(number) for number in numbers.values())
            problems.error(
                "impossible_counts",
                "counts",
                f"{kind}: you entered {entered}, together {total}; the pack has {most}.",
                kind=kind,
                most=most,
                count=total,
            )
    if problems.fatal:
        return
    counts = [
        CountIs(Count(COUNTED[kind]), side, number)
        for kind, numbers in by_kind.items()
        for side, number in numbers.items()
    ]
    nobodys = _some_are_nobodys(evidence)
    nothing_shown = Known((0,) * len(sides), FULL_PACK, nobodys)
    one_and_the_rest = Known((0, 0), FULL_PACK, nobodys)
    alone = [tuple(replace(count, side=0) for count in counts if count.side == seat) for seat in range(len(sides))]
    if counts and not (
        all(is_possible(one_and_the_rest, each) for each in alone) and is_possible(nothing_shown, tuple(counts))
    ):
        problems.error("impossible_counts", "counts", "No way of sharing out the pack gives these counts.")
        return
    for constraint in counts:
        kind = next(kind for kind, mask in COUNTED.items() if constraint.feature == Count(mask))
        label = sides[constraint.side]
        mask = COUNTED[kind]
        held = (evidence.piles[constraint.side] & mask).bit_count()
        most = held + (evidence.unplaced & mask).bit_count()
        if held <= constraint.number <= most:
            evidence.counts.append(constraint)
        else:
            shown = held if held > constraint.number else most
            problems.warn(
                "counts_contradicted",
                f"counts.{label}.{kind}",
                f"{label} was counted {constraint.number} {kind}, but the cards show {shown}.",
                side=label,
                kind=kind,
                count=constraint.number,
                shown=shown,
            )
    if evidence.counts and not is_possible(evidence.known(()), tuple(evidence.counts)):
        problems.warn(
            "counts_contradicted", "counts", "The counts do not agree with the cards shown; the cards are scored."
        )
        evidence.counts.clear()


def _some_are_nobodys(evidence: Evidence) -> bool:
    """Whether cards may lie in no pile at all: the leftover belongs to nobody (listed, or perhaps still unlisted)."""
    in_leftover = evidence.leftover or 0
    mine = sum(evidence.piles)
    return evidence.may_be_nobodys or bool(in_leftover and not in_leftover & mine)


def read_awards(
    value: object, items: Mapping[str, Item], sides: Sequence[str], evidence: Evidence, given: Given, problems: Problems
) -> None:
    """Read the awards into the evidence; one that the cards or counts contradict is only a warning."""
    nothing = Known((0,) * len(sides), FULL_PACK, _some_are_nobodys(evidence), given)
    asked: list[tuple[str, Awarded]] = []
    for id, said in schema.optional_mapping(value, "awards").items():
        where = f"awards.{id[:40]}"
        if id not in items:
            problems.error("unknown_item", where, f"{id[:40]!r} is not awarded at this table.", item=id[:40])
            continue
        if said is None:
            labels: list[str] = []
        elif isinstance(said, str):
            labels = [said]
        else:
            labels = schema.words(said, where)
        seats = set()
        for label in labels:
            if label in sides:
                seats.add(sides.index(label))
            else:
                schema.unknown_side(label, where, problems)
        award = Awarded(items[id], tuple(sorted(seats)))
        if not problems.fatal and not is_possible(nothing, (award,)):
            took = " and ".join(labels) or "nobody"
            problems.error("impossible_award", where, f"{id} cannot go to {took}.", item=id, sides=labels)
        asked.append((id, award))
    if problems.fatal or not asked:
        return
    every = tuple(award for _, award in asked)
    if len(every) > 1 and not is_possible(nothing, every):
        _blame(asked, nothing, sides, problems)
        return
    known, accepted = evidence.known(given), tuple(evidence.counts)
    # The stronger evidence wins: an award is dropped where cards, counts or earlier awards leave no room for it.
    for id, award in asked:
        agreeing: tuple[Constraint, ...] = (*accepted, *evidence.awards.values(), award)
        if is_possible(known, (*accepted, award)) and is_possible(known, agreeing):
            evidence.awards[id] = award
        else:
            took = " and ".join(sides[seat] for seat in award.winners) or "nobody"
            problems.warn(
                "award_contradicted",
                f"awards.{id}",
                f"{id} was given to {took}, but the cards and counts say otherwise; they are scored.",
                item=id,
                sides=[sides[seat] for seat in award.winners],
            )


def _blame(asked: Sequence[tuple[str, Awarded]], nothing: Known, sides: Sequence[str], problems: Problems) -> None:
    """Name a pair of awards that cannot both be, or all of them where only together they are impossible."""
    for position, (id, award) in enumerate(asked):
        for other_id, other in asked[:position]:
            if not is_possible(nothing, (other, award)):
                names = [" and ".join(sides[seat] for seat in each.winners) or "nobody" for each in (other, award)]
                problems.error(
                    "impossible_awards",
                    f"awards.{id}",
                    f"{other_id} to {names[0]} and {id} to {names[1]} cannot both be.",
                    items=[other_id, id],
                    sides=[[sides[seat] for seat in each.winners] for each in (other, award)],
                )
                return
    problems.error(
        "impossible_awards", "awards", "These cannot all be true of one pack.", items=[id for id, _ in asked]
    )


__all__ = ["COUNTED", "Awarded", "Evidence", "cards_of", "codes_of", "read_awards", "read_cards", "read_evidence"]
