"""A fishing game as one table plays it: its rules with every option resolved, and its sides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ..cards import PACK_SIZE, Card, Pile, pile_of
from .declarations import Combination
from .items import Item
from .rules import FishingRules
from .wild import Wild, wild_cards


@dataclass(frozen=True)
class FishingTable:
    """The rules of a fishing game at one table; ``sides`` are the labels in playing order."""

    rules: FishingRules
    sides: tuple[str, ...]
    players_per_side: int

    @cached_property
    def positions(self) -> range:
        """The positions of the sides, from 0."""
        return range(len(self.sides))

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The items played here that are scored from the piles, in the order of the sheet."""
        return tuple(item for item in self.rules.items if item.is_on)

    @cached_property
    def by_id(self) -> Mapping[str, Item]:
        """The same items by their id."""
        return {item.id: item for item in self.items}

    @cached_property
    def combos(self) -> tuple[Combination, ...]:
        """The combinations that can be declared here."""
        return tuple(combo for combo in self.rules.combos if combo.is_on)

    @cached_property
    def combo_points(self) -> Mapping[str, int]:
        """The points of each combination."""
        return {combo.id: combo.points for combo in self.combos}

    @cached_property
    def wilds(self) -> Mapping[Card, Wild]:
        """The wild cards by card number."""
        return wild_cards(self.rules.wild_cards, self.rules.wild_power, matta=self.rules.matta)

    @cached_property
    def loose_played(self) -> Pile:
        """The wild cards whose player chooses their rank, where none is given."""
        return pile_of(card for card, wild in self.wilds.items() if wild.power != "matta")

    @cached_property
    def loose_lying(self) -> Pile:
        """The wild cards of the layout whose rank the capturer chooses."""
        return self.loose_played if self.rules.wild_on_table == "free" else 0

    @cached_property
    def penalties(self) -> Mapping[str, str]:
        """The effect of each penalty, by its id."""
        return {penalty.id: penalty.how for penalty in self.rules.penalties}

    @cached_property
    def plays(self) -> int:
        """The number of cards dealt to the players; each card is played once."""
        return PACK_SIZE - self.rules.layout_size

    @cached_property
    def batches(self) -> int:
        """The number of times that hands are dealt until the pack is used up."""
        return self.plays // (self.rules.hand_size * len(self.sides) * self.players_per_side)
