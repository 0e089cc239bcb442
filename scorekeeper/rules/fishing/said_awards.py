"""Awards: who took an item, by the table's word (the field ``awards`` of a deal)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .. import schema
from ..budget import Memo
from ..problems import Problems
from .evidence import Evidence
from .items import Item
from .known import Known
from .pieces import Awarded, awarded
from .primes import Given


def read_awards(
    value: object,
    items: Mapping[str, Item],
    sides: Sequence[str],
    evidence: Evidence,
    given: Given,
    problems: Problems,
    alone: Memo,
) -> None:
    """Add the awards to the evidence; an award that the cards or counts contradict is only a warning.

    ``alone`` has which awards of the table are possible by themselves.
    """
    if not value:
        schema.optional_mapping(value, "awards")
        return
    nothing_known = evidence.known_by(())
    assert nothing_known is not None
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
        award = awarded(items[id], {sides.index(label) for label in labels if label in sides}, given, len(sides))
        if not problems.fatal and not _is_possible(award, nothing_known, given, alone):
            took = " and ".join(labels) or "nobody"
            problems.error("impossible_award", where, f"{id} cannot go to {took}.", item=id, sides=labels)
        awards.append(award)
    if problems.fatal or not awards:
        return
    # In one order, however they are listed, so that the answer does not depend on it; a prime takes the most steps.
    listed, in_order = list(awards), list(items)
    awards.sort(key=lambda award: (award.is_costly, in_order.index(award.item.id)))

    contradicted = _accept_awards(awards, evidence)
    # Awards that agree with all that is known agree with each other, too: then nobody looks further.
    if contradicted and len(awards) > 1 and nothing_known.believing(*awards) is None:
        _blame(listed, nothing_known, sides, problems)
        return
    for award in contradicted:
        id, labels = award.item.id, [sides[side] for side in award.winners]
        took = " and ".join(labels) or "nobody"
        message = f"{id} was given to {took}, but the cards and counts say otherwise; they are scored."
        problems.warn("award_contradicted", f"awards.{id}", message, item=id, sides=labels)


def _is_possible(award: Awarded, nothing_known: Known, given: Given, alone: Memo) -> bool:
    """Return whether an award is possible by itself, whatever the cards are."""

    def look() -> bool:
        return nothing_known.believing(award) is not None

    # With ranks of wild cards there are too many different awards to remember.
    return look() if given else alone.find((award.item.id, award.winners), look)


def _read_winners(value: object, where: str) -> list[str]:
    """Read who took an item: one label, a list of them, or null for nobody."""
    if value is None:
        return []
    return [value] if isinstance(value, str) else schema.words(value, where)


def _accept_awards(awards: Sequence[Awarded], evidence: Evidence) -> list[Awarded]:
    """Add the awards that agree with all stronger evidence and the awards before them; return the others."""
    contradicted = []
    for award in awards:
        known = evidence.known().believing(award)
        if known is None:
            contradicted.append(award)
        else:
            evidence.accept(award, known)
    return contradicted


def _blame(awards: Sequence[Awarded], nothing_known: Known, sides: Sequence[str], problems: Problems) -> None:
    """Report two awards that exclude each other, or all of them where only all together are impossible."""
    for position, award in enumerate(awards):
        for other in awards[:position]:
            if nothing_known.believing(other, award) is None:
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
