"""Counts: the number of cards of each kind in a finished pile (the field ``counts`` of a deal)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .. import contract, schema
from ..cards import Position
from ..problems import Problems
from .evidence import Evidence
from .features import COUNTED
from .pieces import KIND_NAMES, CountIs
from .ways import KINDS


def read_counts(value: object, sides: Sequence[str], evidence: Evidence, problems: Problems) -> None:
    """Add the counts to the evidence; impossible ones are errors, those that the cards contradict are left out.

    Where all forty cards are placed, these alone count: then any counts that cannot all be true only contradict them.
    """
    by_kind = _take_counts(value, sides, problems)
    proven_by_cards = not evidence.unplaced
    if not problems.fatal and not proven_by_cards:
        _check_totals(by_kind, sides, evidence, problems)
    if problems.fatal:
        return
    if not by_kind:
        return
    # In one order, however they are listed, so that the answer does not depend on it.
    counts = [
        CountIs(kind, side, by_kind[name][side])
        for kind, name in enumerate(KIND_NAMES)
        for side in sorted(by_kind.get(name, ()))
    ]
    if not proven_by_cards and not _are_possible(counts, evidence):
        problems.error("impossible_counts", "counts", "No way of sharing out the pack gives these counts.")
        return
    _accept_agreeing(counts, sides, evidence, problems)


def _take_counts(
    value: object, sides: Sequence[str], problems: Problems
) -> dict[contract.CountKind, dict[Position, int]]:
    """Read numbers by kind and side; a number that no pile can have is a problem."""
    by_kind: dict[contract.CountKind, dict[Position, int]] = {}
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
    by_kind: Mapping[contract.CountKind, Mapping[Position, int]],
    sides: Sequence[str],
    evidence: Evidence,
    problems: Problems,
) -> None:
    """Check each kind alone: the sum is at most what the pack has, and no less where every side and card is counted."""
    for kind, numbers in by_kind.items():
        total, most = sum(numbers.values()), COUNTED[kind].bit_count()
        too_few = len(numbers) == len(sides) and total < most and not evidence.left_to_nobody
        if total > most or too_few:
            entered = " and ".join(str(number) for number in numbers.values())
            message = f"{kind}: you entered {entered}, together {total}; the pack has {most}."
            problems.error("impossible_counts", "counts", message, kind=kind, most=most, count=total)


def _are_possible(counts: Sequence[CountIs], evidence: Evidence) -> bool:
    """Return whether the whole pack can be shared out by these counts."""
    nothing_known = evidence.known_by(())
    return nothing_known is not None and nothing_known.believing(*counts) is not None


def _accept_agreeing(counts: Sequence[CountIs], sides: Sequence[str], evidence: Evidence, problems: Problems) -> None:
    """Add to the evidence the counts that agree with the cards shown; warn of the others.

    Where each count agrees but all together do not, none is added, because nothing shows which of them is wrong.
    """
    agreeing = []
    known = evidence.known()
    for count in counts:
        mask = KINDS[count.kind]
        held = (known.base.piles[count.side] & mask).bit_count()
        most = (known.base.reach(count.side) & mask).bit_count()
        if held <= count.number <= most:
            agreeing.append(count)
            continue
        shown = held if held > count.number else most
        label, kind = sides[count.side], KIND_NAMES[count.kind]
        problems.warn(
            "counts_contradicted",
            f"counts.{label}.{kind}",
            f"{label} was counted {count.number} {kind}, but the cards show {shown}.",
            side=label,
            kind=kind,
            count=count.number,
            shown=shown,
        )
    together = known.believing(*agreeing)
    if together is None:
        problems.warn(
            "counts_contradicted", "counts", "The counts do not agree with the cards shown; the cards are scored."
        )
        return
    for count in agreeing:
        evidence.accept(count, together)
