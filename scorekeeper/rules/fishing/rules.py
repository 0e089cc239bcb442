"""The rules of a fishing game as data, with options still in them (rules §0 to §4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..cards import CAPTURE_VALUES, cards_of, rank_of
from .items import Item


@dataclass(frozen=True)
class Redeal:
    """A layout that voids the deal: so many cards of a mask, or of any one rank (``of`` None); ``who`` deals again."""

    at_least: int
    who: str
    of: int | None = None

    def voids(self, layout: int) -> bool:
        """Whether this layout must be dealt again."""
        if self.of is not None:
            return (layout & self.of).bit_count() >= self.at_least
        ranks = [rank_of(card) for card in cards_of(layout)]
        return any(ranks.count(rank) >= self.at_least for rank in ranks)


@dataclass(frozen=True)
class Opening:
    """What the four opening cards give the dealer.

    ``fifteen`` and ``thirty`` are the points for a total of 15 and 30 (None: not taken at all); ``flush`` the points
    for three and for four cards of one suit (None: not played).
    """

    fifteen: Any = None
    thirty: Any = None
    flush: Any = None


@dataclass(frozen=True)
class Penalty:
    """A fault that the table records: ``how`` names what it does (see :meth:`FishingGame._penalty_lines`)."""

    id: str
    how: Any


@dataclass(frozen=True)
class FishingRules:
    """A fishing game as data; every field may hold an ``Opt`` or a ``Computed`` until a table has agreed.

    ``check`` is the arithmetic of section 6: ``fifteens``, ``even``, ``even_but_aces`` or ``counts``.
    """

    items: tuple[Item, ...]
    capture_rule: Any
    obligation: Any
    combos: Any = ()
    hand_size: int = 3
    layout_size: int = 4
    opening: Opening = Opening()
    redeals: Any = ()
    target: Any = None
    winner: Any = "highest"
    pts_sweeps: Any = 1
    last_play_sweep: Any = True
    last_cards: Any = "last_capturer"
    wild_cards: Any = ()
    wild_power: Any = "rank_free_no_suit"
    wild_in_layout: Any = "natural"
    wild_on_table: Any = "natural"
    matta: bool = False
    matta_in_layout: Any = "off"
    matta_in_prime: Any = "assigned"
    false_declaration: Any = None
    announcements: Any = None
    penalties: Any = ()
    renuncio_share: Any = "each_other_full"
    values: Any = CAPTURE_VALUES
    check: str = "fifteens"
    end_check: Any = True
    no_capture_loses: Any = False
    ace_sweep: Any = True
    ace_on_ace_sweep: Any = True
