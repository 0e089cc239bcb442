"""A deal as the table reported it, read and checked."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Declared:
    """One declaration as read: seat, cards (None: only said), and the points of each item it scores."""

    side: int
    cards: tuple[int, ...] | None
    items: dict[str, int]
    false_items: dict[str, int] = field(default_factory=dict)


@dataclass
class Facts:
    """A deal as the table told it, read and checked."""

    dealer: int | None
    layout: int | None
    layout_results: frozenset[str]
    sweeps: tuple[int, ...]
    declared: list[Declared]
    ranks: dict[int, int]
    """Ranks that wild cards keep for the rest of the deal: card number to rank position."""
    penalties: list[tuple[str, int]]
    opening_units: int = 0
    """Fifteens taken by the opening capture: 0, 1 or 2."""
    in_hand: tuple[int, ...] = ()
    """Sweeps in hand per seat."""

    def faulted(self, id: str) -> list[int]:
        """Give the seats recorded with a penalty, once a record."""
        return [side for penalty, side in self.penalties if penalty == id]
