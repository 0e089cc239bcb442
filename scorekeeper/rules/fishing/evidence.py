"""Evidence about the piles: cards (shown), counts (counted) and awards (said), and what contradicts what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from .. import contract, schema
from ..cards import CODES, FULL_PACK, PACK_SIZE, parse_card, pile_of
from ..problems import Problems
from .features import COUNTED, Count, Feature
from .items import Item
from .possible import Constraint, CountIs, Known, Vectors, is_possible
from .primes import Given
from .rules import FishingRules


@dataclass(frozen=True)
class Awarded:
    """An award: the table says that these sides, and no others, took the item."""

    item: Item
    winners: tuple[int, ...]

    def features(self, given: Given) -> tuple[Feature, ...]:
        """Return the features that the item reads."""
        return self.item.features(given)

    def allows(self, read: Vectors) -> bool:
        """Return whether the item would go to those sides."""
        return self.item.judge(*read).winners == self.winners


@dataclass
class Evidence:
    """All that is known about the piles, in three strengths: cards shown, counts, and awards.

    ``piles`` hold the cards placed with each side, the last cards included; ``captured`` are the same without a
    ``leftover`` that was listed apart (None where none was listed). ``unplaced`` are the cards nobody showed, and
    ``may_be_nobodys`` says whether some of those may lie in no pile.
    """

    piles: tuple[int, ...]
    captured: tuple[int, ...]
    leftover: int | None
    unplaced: int
    may_be_nobodys: bool
    last_capturer: int | None = None
    """The side that is said to have captured last."""
    counts: list[CountIs] = field(default_factory=list)
    awards: dict[str, Awarded] = field(default_factory=dict)

    def known(self, given: Given) -> Known:
        """Return the placed and unplaced cards, with the ranks given to wild cards."""
        return Known(self.piles, self.unplaced, self.may_be_nobodys, given)


def read_cards(value: object, where: str, problems: Problems, placed: dict[int, str] | None = None) -> list[int]:
    """Read a list of card codes and return the card numbers; an unknown or repeated card is a problem and left out.

    ``placed`` has the place of each card read before, and these are added to it: no card is in two places.
    """
    cards = []
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
            cards.append(card)
    return cards


def read_evidence(
    deal: Mapping[str, object],
    sides: Sequence[str],
    rules: FishingRules,
    problems: Problems,
    accept_counts: bool = True,
) -> Evidence:
    """Read ``piles``, ``rest``, ``leftover``, ``last_capturer`` and, by default, ``counts`` of a deal.

    By the rule ``last_cards`` the cards that lie on the table at the end go to the ``last_capturer``, or to ``nobody``.
    The awards are read later, as they depend on the items (see :func:`read_awards`).
    """
    placed: dict[int, str] = {}
    piles = _read_piles(deal.get("piles"), sides, placed, problems)
    listed = sum(
        len(schema.items([] if cards is None else cards, "piles", None))
        for cards in schema.optional_mapping(deal.get("piles"), "piles").values()
    )
    leftover = None
    if deal.get("leftover") is not None:
        leftover = pile_of(read_cards(deal["leftover"], "leftover", problems, placed))
        listed += len(schema.items(deal["leftover"], "leftover", None))
    if listed > PACK_SIZE:
        problems.error("too_many_cards", "piles", f"{listed} cards are listed; the pack has {PACK_SIZE}.", cards=listed)
    unplaced = FULL_PACK ^ pile_of(placed)
    rest = schema.side(deal.get("rest"), "rest", sides, problems)
    if rest is not None:
        piles[sides.index(rest)] |= unplaced
        unplaced = 0
    captured = tuple(piles)
    last_label = schema.side(deal.get("last_capturer"), "last_capturer", sides, problems)
    last = None if last_label is None else sides.index(last_label)
    nobody_captured = "last_capturer" in deal and deal["last_capturer"] is None
    left_to_nobody = nobody_captured or rules.last_cards == "nobody"
    if leftover and not left_to_nobody:
        if last is None:
            problems.error(
                "last_capturer_missing", "last_capturer", "Say who captured last: the cards left on the table are his."
            )
        else:
            piles[last] |= leftover
    may_be_nobodys = left_to_nobody and leftover is None
    evidence = Evidence(tuple(piles), captured, leftover, unplaced, may_be_nobodys, last)
    if accept_counts:
        _read_counts(deal.get("counts"), sides, evidence, rules.version, problems)
    return evidence


def _read_piles(value: object, sides: Sequence[str], placed: dict[int, str], problems: Problems) -> list[int]:
    """Return a pile for each side, empty where none is listed; the cards are added to ``placed``."""
    listed = {
        label: pile_of(read_cards(cards, f"piles.{label}", problems, placed))
        for label, cards in schema.by_side(value, "piles", sides, problems).items()
    }
    return [listed.get(label, 0) for label in sides]


def _read_counts(value: object, sides: Sequence[str], evidence: Evidence, version: int, problems: Problems) -> None:
    """Add the counts to the evidence; impossible ones are errors, those that the cards contradict are left out."""
    by_kind = _take_counts(value, sides, problems)
    if not problems.fatal:
        _check_totals(by_kind, sides, evidence, problems)
    if problems.fatal:
        return
    counts = [
        CountIs(Count(COUNTED[kind]), side, number)
        for kind, numbers in by_kind.items()
        for side, number in numbers.items()
    ]
    if counts and not _are_possible(counts, sides, evidence):
        problems.error("impossible_counts", "counts", "No way of sharing out the pack gives these counts.")
        return
    _keep_agreeing(counts, sides, evidence, problems)


def _take_counts(value: object, sides: Sequence[str], problems: Problems) -> dict[str, dict[int, int]]:
    """Read numbers by kind and side; a number that no pile can have is a problem."""
    by_kind: dict[str, dict[int, int]] = {}
    for label, counts in schema.by_side(value, "counts", sides, problems).items():
        for kind, count in schema.mapping(counts, f"counts.{label}").items():
            where = f"counts.{label}.{kind[:20]}"
            if count is None:
                continue
            number = schema.integer(count, where)
            if kind not in COUNTED:
                problems.error("unknown_count", where, f"{kind[:20]!r} is not counted.", kind=kind[:20])
                continue
            most = COUNTED[kind].bit_count()
            if 0 <= number <= most:
                by_kind.setdefault(kind, {})[sides.index(label)] = number
            else:
                message = f"There are {most} {kind}; {number} cannot be."
                problems.error("impossible_counts", where, message, kind=kind, most=most, count=number)
    return by_kind


def _check_totals(
    by_kind: Mapping[str, Mapping[int, int]], sides: Sequence[str], evidence: Evidence, problems: Problems
) -> None:
    """Check each kind alone: the sum is at most what the pack has, and no less where every side and card is counted."""
    for kind, numbers in by_kind.items():
        total, most = sum(numbers.values()), COUNTED[kind].bit_count()
        too_few = len(numbers) == len(sides) and total < most and not _some_are_nobodys(evidence)
        if total > most or too_few:
            entered = " and ".join(str(number) for number in numbers.values())
            message = f"{kind}: you entered {entered}, together {total}; the pack has {most}."
            problems.error("impossible_counts", "counts", message, kind=kind, most=most, count=total)


def _are_possible(counts: Sequence[CountIs], sides: Sequence[str], evidence: Evidence) -> bool:
    """Return whether the whole pack can be shared out by these counts.

    First each side is checked against all the others taken together, which is quick and finds most mistakes.
    """
    nobodys = _some_are_nobodys(evidence)
    nothing_shown = Known((0,) * len(sides), FULL_PACK, nobodys)
    one_and_the_rest = Known((0, 0), FULL_PACK, nobodys)
    alone = [tuple(replace(count, side=0) for count in counts if count.side == side) for side in range(len(sides))]
    return all(is_possible(one_and_the_rest, each) for each in alone) and is_possible(nothing_shown, tuple(counts))


def _keep_agreeing(counts: Sequence[CountIs], sides: Sequence[str], evidence: Evidence, problems: Problems) -> None:
    """Add to the evidence the counts that agree with the cards shown; warn of the others.

    Where each count agrees but all together do not, none is added, because nothing shows which of them is wrong.
    """
    for count in counts:
        held = count.feature.measure(evidence.piles[count.side])
        most = held + count.feature.measure(evidence.unplaced)
        if held <= count.number <= most:
            evidence.counts.append(count)
        else:
            shown = held if held > count.number else most
            label, kind = sides[count.side], kind_of(count.feature)
            problems.warn(
                "counts_contradicted",
                f"counts.{label}.{kind}",
                f"{label} was counted {count.number} {kind}, but the cards show {shown}.",
                side=label,
                kind=kind,
                count=count.number,
                shown=shown,
            )
    if evidence.counts and not is_possible(evidence.known(()), tuple(evidence.counts)):
        problems.warn(
            "counts_contradicted", "counts", "The counts do not agree with the cards shown; the cards are scored."
        )
        evidence.counts.clear()


def kind_of(feature: Count) -> contract.CountKind:
    """Return the kind of cards that a constraint counts."""
    return cast(contract.CountKind, next(kind for kind, mask in COUNTED.items() if mask == feature.of))


def _some_are_nobodys(evidence: Evidence) -> bool:
    """Return whether cards may lie in no pile: the leftover belongs to nobody (listed, or perhaps not listed yet)."""
    in_leftover = evidence.leftover or 0
    mine = sum(evidence.piles)
    return evidence.may_be_nobodys or bool(in_leftover and not in_leftover & mine)


def read_awards(
    value: object, items: Mapping[str, Item], sides: Sequence[str], evidence: Evidence, given: Given, problems: Problems
) -> None:
    """Add the awards to the evidence; an award that the cards or counts contradict is only a warning."""
    nothing_shown = Known((0,) * len(sides), FULL_PACK, _some_are_nobodys(evidence), given)
    awards: list[Awarded] = []
    for id, winner in schema.optional_mapping(value, "awards").items():
        where = f"awards.{id[:40]}"
        if id not in items:
            problems.error("unknown_item", where, f"{id[:40]!r} is not awarded at this table.", item=id[:40])
            continue
        labels = _read_winners(winner, where)
        for label in labels:
            if label not in sides:
                schema.unknown_side(label, where, problems)
        winners = {sides.index(label) for label in labels if label in sides}
        award = Awarded(items[id], tuple(sorted(winners)))
        if not problems.fatal and not is_possible(nothing_shown, (award,)):
            took = " and ".join(labels) or "nobody"
            problems.error("impossible_award", where, f"{id} cannot go to {took}.", item=id, sides=labels)
        awards.append(award)
    if problems.fatal or not awards:
        return
    if len(awards) > 1 and not is_possible(nothing_shown, tuple(awards)):
        _blame(awards, nothing_shown, sides, problems)
        return
    _accept_awards(awards, sides, evidence, given, problems)


def _read_winners(value: object, where: str) -> list[str]:
    """Read who took an item: one label, a list of them, or null for nobody."""
    if value is None:
        return []
    return [value] if isinstance(value, str) else schema.words(value, where)


def _accept_awards(
    awards: Sequence[Awarded], sides: Sequence[str], evidence: Evidence, given: Given, problems: Problems
) -> None:
    """Add the awards that agree with cards, counts and the awards before them; warn of the others.

    So the stronger evidence wins.
    """
    known, counts = evidence.known(given), tuple(evidence.counts)
    for award in awards:
        id = award.item.id
        together: tuple[Constraint, ...] = (*counts, *evidence.awards.values(), award)
        if is_possible(known, (*counts, award)) and is_possible(known, together):
            evidence.awards[id] = award
        else:
            labels = [sides[side] for side in award.winners]
            took = " and ".join(labels) or "nobody"
            message = f"{id} was given to {took}, but the cards and counts say otherwise; they are scored."
            problems.warn("award_contradicted", f"awards.{id}", message, item=id, sides=labels)


def _blame(awards: Sequence[Awarded], nothing_shown: Known, sides: Sequence[str], problems: Problems) -> None:
    """Report two awards that exclude each other, or all of them where only all together are impossible."""
    for position, award in enumerate(awards):
        for other in awards[:position]:
            if not is_possible(nothing_shown, (other, award)):
                id, other_id = award.item.id, other.item.id
                labels = [[sides[side] for side in each.winners] for each in (other, award)]
                first, second = (" and ".join(each) or "nobody" for each in labels)
                problems.error(
                    "impossible_awards",
                    f"awards.{id}",
                    f"{other_id} to {first} and {id} to {second} cannot both be.",
                    items=[other_id, id],
                    sides=labels,
                )
                return
    problems.error(
        "impossible_awards",
        "awards",
        "These cannot all be true of one pack.",
        items=[award.item.id for award in awards],
    )


__all__ = ["COUNTED", "Awarded", "Evidence", "kind_of", "read_awards", "read_cards", "read_evidence"]
