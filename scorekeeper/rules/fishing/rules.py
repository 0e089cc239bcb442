"""The rules of a capture game at one table, as data (docs/rules.md 0 to 4)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from .. import contract
from ..cards import CAPTURE_VALUES, Pile, cards_of, rank_of
from .declarations import Combination
from .items import Item

PILE_MODULUS = {"fifteens": 15, "even": 2}
"""The divisor of the sum of a finished pile, by the arithmetic of the game."""

VOID = "redeal"
"""The reported result of an opening that voids the deal."""


@dataclass(frozen=True)
class Redeal:
    """A layout that voids the deal: ``at_least`` cards of a mask, or of one rank (``of`` None); ``who`` deals again."""

    at_least: int
    who: contract.Redeal
    of: Pile | None = None

    def voids(self, layout: Pile) -> bool:
        """Return whether this layout voids the deal."""
        if self.of is not None:
            return (layout & self.of).bit_count() >= self.at_least
        ranks = [rank_of(card) for card in cards_of(layout)]
        return any(ranks.count(rank) >= self.at_least for rank in ranks)


@dataclass(frozen=True)
class Opening:
    """The points that the four opening cards give the dealer.

    ``fifteen`` and ``thirty`` are the points for a total of 15 and 30 (None: not taken at all); ``flush`` the points
    for three and for four cards of one suit (None: not played).
    """

    fifteen: int | None = None
    thirty: int | None = None
    flush: tuple[int, int] | None = None


@dataclass(frozen=True)
class Penalty:
    """A fault that the table records; ``how`` names its effect (see :func:`.penalties.penalty_lines`)."""

    id: str
    how: str


@dataclass(frozen=True)
class FishingRules:
    """A capture game as one table plays it: what a function of the table's options returns.

    ``check`` is the arithmetic of docs/rules.md 6: ``fifteens``, ``even``, ``even_but_aces`` or ``counts``.
    """

    items: tuple[Item, ...]
    capture_rule: str
    obligation: str
    combos: tuple[Combination, ...] = ()
    hand_size: int = 3
    layout_size: int = 4
    opening: Opening = Opening()
    redeals: tuple[Redeal, ...] = ()
    target: int | None = None
    winner: str = "highest"
    pts_sweeps: int = 1
    last_play_sweep: bool = True
    last_cards: str = "last_capturer"
    wild_cards: tuple[str, ...] = ()
    wild_power: str = "rank_free_no_suit"
    wild_in_layout: str = "natural"
    wild_on_table: str = "natural"
    matta: bool = False
    matta_in_layout: str = "off"
    matta_in_prime: str = "assigned"
    false_declaration: str | None = None
    announcements: int | None = None
    penalties: tuple[Penalty, ...] = ()
    renuncio_share: str = "each_other_full"
    values: tuple[int, ...] = CAPTURE_VALUES
    check: str = "fifteens"
    end_check: bool = True
    no_capture_loses: bool = False
    ace_sweep: bool = True
    ace_on_ace_sweep: bool = True
    # What players remember; no points depend on it.
    says_ultimas: bool = False
    covers_sweeps: bool = False
    declares_before_play: bool = False
    table_trick_sweep: bool = True

    def redeal_after(self, layout: Pile | None, results: Collection[str] = ()) -> Redeal | None:
        """Return the rule that voids the deal, by its layout, or by the reported results if that is None; else None."""
        if layout is None:
            return self.redeals[0] if VOID in results and self.redeals else None
        return next((redeal for redeal in self.redeals if redeal.voids(layout)), None)

    @property
    def decides_captures(self) -> tuple[object, ...]:
        """Everything that what a card may take depends on."""
        wilds = (self.wild_cards, self.wild_cards and self.wild_on_table)
        sweeps = (self.last_play_sweep, self.ace_sweep, self.ace_on_ace_sweep)
        return (self.capture_rule, self.obligation, self.values, *wilds, *sweeps)

    @property
    def pile_modulus(self) -> int | None:
        """The divisor of the sum of every finished pile, None if the captures have no such rule."""
        return PILE_MODULUS.get(self.check)
