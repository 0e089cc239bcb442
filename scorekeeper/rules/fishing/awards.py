"""Awards: who took an item, by the table's word (the field ``awards`` of a deal)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .. import schema
from ..problems import Problems
from .evidence import Evidence
from .items import Item
from .known import Known
from .pieces import Awarded, awarded
from .primes import Given


def read_awards(
    value: object, items: Mapping[str, Item], sides: Sequence[str], evidence: Evidence, given: Given, problems: Problems
) -> None:
    """Add the awards to the evidence; an award that the cards or counts contradict is only a warning."""
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
        if not problems.fatal and nothing_known.believing(award) is None:
            took = " and ".join(labels) or "nobody"
            problems.error("impossible_award", where, f"{id} cannot go to {took}.", item=id, sides=labels)
        awards.append(award)
    if problems.fatal or not awards:
        return
    # In one order, however they are listed, so that the answer does not depend on it; a prime takes the most steps.
    listed, in_order = list(awards), list(items)
    awards.sort(key=lambda award: (award.is_costly, in_order.index(award.item.id)))
    if len(awards) > 1 and nothing_known.believing(*awards) is None:
        _blame(listed, nothing_known, sides, problems)
        return
    _accept_awards(awards, sides, evidence, problems)


def _read_winners(value: object, where: str) -> list[str]:
    """Read who took an item: one label, a list of them, or null for nobody."""
    if value is None:
        return []
    return [value] if isinstance(value, str) else schema.words(value, where)


def _accept_awards(awards: Sequence[Awarded], sides: Sequence[str], evidence: Evidence, problems: Problems) -> None:
    """Add the awards that agree with all stronger evidence and the awards before them; warn of the others."""
    for award in awards:
        id = award.item.id
        known = evidence.known().believing(award)
        if known is not None:
            evidence.accept(award, known)
        else:
            labels = [sides[side] for side in award.winners]
            took = " and ".join(labels) or "nobody"
            message = f"{id} was given to {took}, but the cards and counts say otherwise; they are scored."
            problems.warn("award_contradicted", f"awards.{id}", message, item=id, sides=labels)


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
