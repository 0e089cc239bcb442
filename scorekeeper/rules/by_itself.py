"""The points that single facts of a deal give, for a phone without an engine (docs/rules.md 1).

A fact that depends on others has no points here: a line that another line may replace, an item that wins the match
at once, a prime worked out from cards, a bid.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

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
    """An item whose taker the table names."""

    points: int | None
    """Points for each side that takes it; None if they depend on more."""
    unless: tuple[str, ...] = ()
    """The item gives nothing if a side takes one of these items."""


@dataclass(frozen=True)
class PointsByThemselves:
    """The facts of a deal that give points independent of all others. A field without such facts is empty."""

    items: Mapping[str, TakenItem] = field(default_factory=dict)
    """Items with a named taker, in the order of the sheet."""
    sweep: int = 0
    declared: Mapping[str, int] = field(default_factory=dict)
    """Points of declared items that have a fixed number."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    """Points for each unit of a number that a deal has for each side, by field of the deal."""
    once: Mapping[str, int] = field(default_factory=dict)
    """Points for the side that a field of the deal names."""
    ranks: Mapping[str, int] = field(default_factory=dict)
    """Points for each rank left in a hand."""
    most_card_points: int = 0
    """Points for the side with the most card points, if those of all sides are known and one is ahead."""
    own_taken: Mapping[str, int] = field(default_factory=dict)
    """Points of lines of the table's own for the side that takes them."""
    own_counted: Mapping[str, int] = field(default_factory=dict)
    """Points of lines of the table's own for each time that a side makes them."""


def points_by_themselves(table: TableRules) -> PointsByThemselves:
    """Return the facts that give points by themselves at a table."""
    lines = table.own_lines
    return replace(
        _of_game(table),
        own_taken={line.id: line.points for line in lines if line.how == "one"},
        own_counted={line.id: line.points for line in lines if line.how == "count"},
    )


def _of_game(table: TableRules) -> PointsByThemselves:
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
    """Return what an item gives by itself, and the items that may replace it."""
    if isinstance(item, Most) and item.superseded_at is not None:
        others = _all_of(item.of, game)
    elif isinstance(item, Prime) and item.void_if_all_sevens:
        others = _all_of(SEVENS, game)
    else:
        return TakenItem(item.fixed_points)
    # Unless some row asks whether all of them lie in one pile, nobody knows whether the item counts.
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
