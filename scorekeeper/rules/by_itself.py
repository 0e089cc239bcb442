"""What each thing that is told of a deal gives by itself, for a phone that has no engine at hand (docs/rules.md 1).

What depends on something else has no points here: a line that another one may take the place of, one that wins the
match at once, a prime worked out from cards, a bid.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .cards import SEVENS
from .fishing.game import FishingGame
from .fishing.items import AtLeast, Item, Most, Prime
from .free import FreeGame
from .ruleset import TableRules
from .rummy import RummyGame
from .tricks.deciders import MostPoints
from .tricks.game import TrickGame


@dataclass(frozen=True)
class TakenItem:
    """An item that the table says somebody took."""

    points: int | None
    """What it gives each side that takes it; None where that depends on more."""
    unless: tuple[str, ...] = ()
    """The items by which it gives nothing, if a side takes one of them."""


@dataclass(frozen=True)
class PointsByThemselves:
    """What is told of a deal and gives points whatever else is told of it. Each field is empty where nothing does."""

    items: Mapping[str, TakenItem] = field(default_factory=dict)
    """The items whose taker is said, in the order of the sheet."""
    sweep: int = 0
    declared: Mapping[str, int] = field(default_factory=dict)
    """What a declared item gives, as far as the rules know one number for it."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    """What one of a number told for each side gives that side, by the field of the deal."""
    once: Mapping[str, int] = field(default_factory=dict)
    """What the side gets that a field of the deal names."""
    ranks: Mapping[str, int] = field(default_factory=dict)
    """What each rank gives whoever has it left."""
    most_card_points: int = 0
    """What the side with the most card points gets, where those of all sides are known and one is ahead."""


def points_by_themselves(table: TableRules) -> PointsByThemselves:
    """Return what gives points by itself at a table."""
    game = table.game
    if isinstance(game, FishingGame):
        return _fishing(game)
    if isinstance(game, RummyGame):
        options = game.options
        once = {"went_out": 0, **{name: options[f"pts_{name}"] for name in ("out_at_once", "perfect_cut")}}
        return PointsByThemselves(
            numbers={"left_points": 1, "steals": options["pts_steal"]}, once=once, ranks=dict(game.values)
        )
    if isinstance(game, FreeGame):
        return PointsByThemselves(numbers={"points": 1})
    if isinstance(game, TrickGame):
        return _tricks(game)
    return PointsByThemselves()


def _fishing(game: FishingGame) -> PointsByThemselves:
    return PointsByThemselves(
        items={item.id: _taken(item, game) for item in game.items},
        sweep=game.rules.pts_sweeps,
        declared=dict(game.combo_points),
    )


def _taken(item: Item, game: FishingGame) -> TakenItem:
    """Return what an item gives by itself, and what may take its place."""
    if isinstance(item, Most) and item.superseded_at is not None:
        others = _all_of(item.of, game)
    elif isinstance(item, Prime) and item.void_if_all_sevens:
        others = _all_of(SEVENS, game)
    else:
        return TakenItem(item.fixed_points)
    # Where no row says whether all of them lie in one pile, nobody knows whether the item counts.
    return TakenItem(item.fixed_points if others else None, others)


def _all_of(cards: int, game: FishingGame) -> tuple[str, ...]:
    """Return the items that one side takes by having many of these cards."""
    return tuple(item.id for item in game.items if isinstance(item, AtLeast) and item.cards == cards and item.is_rare)


def _tricks(game: TrickGame) -> PointsByThemselves:
    variant, decider = game.variant, game.decider
    if not isinstance(decider, MostPoints) or variant.marriages or variant.last_trick:
        return PointsByThemselves()
    if game.scores_card_points:
        return PointsByThemselves(numbers={"card_points": 1})
    if decider.doubles:
        return PointsByThemselves()
    return PointsByThemselves(items={"game_point": TakenItem(1)}, most_card_points=1)
