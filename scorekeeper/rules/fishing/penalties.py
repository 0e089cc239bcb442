"""Penalties: the price of recorded faults for the sides that made them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..cards import Position
from ..sheet import Line
from .facts import Facts, Penalty
from .items import Verdict
from .table import FishingTable

FOUR = 4
"""Points that ``four_plus_sweeps`` costs beside the sweeps."""


def penalty_lines(
    table: FishingTable, facts: Facts, opening_units: int, points_made: Callable[[Position], int | None]
) -> list[Line]:
    """Return the lines of the recorded faults.

    ``points_made`` returns the points of a side in the deal, or None while they are open. The effects of faults are:
    ``four_plus_sweeps`` costs the offender four points and one for every sweep of the deal, the fifteens of the opening
    included; ``forfeit`` takes his points of the deal and gives them to each side that did not offend; ``void_cards``
    bars him from ``cards`` (see :func:`barred_from`); ``table_trick`` costs nothing on the sheet.
    """
    lines: list[Line] = []
    forfeited: set[Position] = set()
    offenders = {side for id, side in facts.penalties if table.penalties[id] == "forfeit"}
    innocent = [side for side in table.positions if side not in offenders]
    for id, how in table.penalties.items():
        faulted = facts.faulted(id)
        if not faulted:
            continue
        times = tuple(faulted.count(side) for side in table.positions)
        if how == "four_plus_sweeps":
            cost = FOUR + sum(facts.sweeps) + opening_units
            lines.append(Line(id, tuple(-cost * count for count in times), id, times, "said"))
        elif how == "forfeit":
            # The points of a deal can be taken from a side once; a second fault takes nothing more.
            forfeits = {side: points_made(side) for side in dict.fromkeys(faulted) if side not in forfeited}
            forfeited.update(forfeits)
            points = _forfeited(forfeits, innocent, table)
            lines.append(Line(id, None, "open") if points is None else Line(id, points, "forfeit", times, "said"))
    return lines


def _forfeited(
    forfeits: Mapping[Position, int | None], others: Sequence[Position], table: FishingTable
) -> tuple[int, ...] | None:
    """Take the offenders' points and give them to the others; return None while some are open."""
    points = [0] * len(table.sides)
    for side, made in forfeits.items():
        if made is None:
            return None
        points[side] -= made
        for other in others:
            points[other] += made // len(others) if table.rules.renuncio_share == "split" else made
    return tuple(points)


def barred_from(item_id: str, table: FishingTable, penalties: Sequence[Penalty]) -> list[Position]:
    """Return the sides that cannot have an item because of a recorded fault."""
    if item_id == "cards" and table.penalties.get("wrong_capture") == "void_cards":
        return [side for penalty, side in penalties if penalty == "wrong_capture"]
    return []


def strike(verdict: Verdict, barred: Sequence[Position]) -> Verdict:
    """Remove the barred sides from the winners of an item; no other side gets it instead."""
    if not barred or not any(side in barred for side in verdict.winners):
        return verdict
    points = tuple(0 if side in barred else each for side, each in enumerate(verdict.points))
    winners = tuple(side for side in verdict.winners if side not in barred)
    return verdict._replace(points=points, reason="barred", winners=winners)
