"""Who played: a player, or partners, as the rows of the history name them; and two who turned out to be one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product

from .models import SummarySide

Players = tuple[int, ...]
"""The numbers of a player, or of partners, the lowest first."""
Merged = Mapping[int, int]
"""The number of who each merged player turned out to be; the others are not in it."""


def players_of(side: SummarySide, merged: Merged | None = None) -> Players:
    """Return the players of a side, in an order without their seats."""
    return as_now(side["players"], merged or {})


def as_now(players: Iterable[int], merged: Merged) -> Players:
    """Return players as those whom they turned out to be."""
    return tuple(sorted(merged.get(number, number) for number in players))


def once(players: Iterable[int], merged: Merged) -> Players:
    """Return the numbers, the lowest first, under which these players have played, with those that became them."""
    wanted = set(players)
    return tuple(sorted(wanted | {number for number, other in merged.items() if other in wanted}))


def ways(players: Players, merged: Merged) -> list[Players]:
    """Return every way in which old rows may name these players."""
    return [tuple(sorted(way)) for way in product(*(once([number], merged) for number in players))]


def written(players: Iterable[int]) -> str:
    """Return players as a row names them."""
    return "-".join(map(str, sorted(players)))


def read(who: str) -> Players:
    """Return the players that a row names."""
    return tuple(map(int, who.split("-")))
