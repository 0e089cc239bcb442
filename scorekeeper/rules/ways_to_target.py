"""Ways to the target: the open items with which a side wins the match in the deal being closed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..limits import DEAL_STEPS, TARGET_STEPS
from . import contract
from .budget import BudgetSpent, Work, at_work, current
from .fishing.game import FishingGame
from .fishing.items import Item
from .fishing.takings import Taking, takings
from .match import score_once
from .own_lines import OwnLine, is_own, without_own
from .ruleset import Ending, TableRules
from .sheet import Sheet

MOST_OPEN = 7
"""The most open items: the steps mostly suffice for these, and with more there are hardly ever only a few ways."""

WaysToTarget = dict[contract.Side, list[list[contract.ItemId]]]
"""The ways of each side that has some, each way the items that it needs."""


def find_ways(
    table: TableRules, deal: Mapping[str, object], totals: Mapping[contract.Side, contract.Number], most: int
) -> WaysToTarget:
    """Return the ways to the target; ``totals`` are those before the deal. Empty if there are more than ``most``.

    The sheet of the deal is usually cached. The ways take the steps that it left of those of a deal, because one page
    needs both.
    """
    game = table.game
    if not isinstance(game, FishingGame) or not _is_won_by_target(game.ending):
        return {}
    sheet = score_once(table, deal, steps=DEAL_STEPS)
    own = _open_own_lines(table, sheet)
    items = _open_items(game, sheet, len(own))
    missing = _missing(game.ending.target or 0, table.sides, sheet, totals)
    in_reach = [side for side, points in missing.items() if _may_gain(points, items, own)]
    if not in_reach:
        return {}
    with at_work(Work(max(0, DEAL_STEPS - sheet.steps))):
        return _ways_of(game, without_own(deal), items, own, {side: missing[side] for side in in_reach}, most)


def _ways_of(
    game: FishingGame,
    deal: Mapping[str, object],
    items: Sequence[Item],
    own: Sequence[OwnLine],
    missing: Mapping[int, contract.Number],
    most: int,
) -> WaysToTarget:
    """Return the ways of the sides that may gain their ``missing`` points by these open items and own lines."""
    known = game.known_deal(deal)
    ways: WaysToTarget = {}
    if known is None:
        return ways
    table = game.table
    ids = [*(item.id for item in items), *(line.id for line in own)]
    try:
        with current().portion(TARGET_STEPS):
            for side in missing:
                sets = ways_by(_with_own(takings(side, items, game.scorer, known), len(items), own), missing[side])
                if sets is None:
                    return {}
                if sets:
                    ways[table.sides[side]] = [[ids[at] for at in _places(each)] for each in sets]
                if sum(map(len, ways.values())) > most:
                    return {}
    except BudgetSpent:
        return {}
    return ways


def _is_won_by_target(ending: Ending) -> bool:
    return ending.target is not None and ending.rounds is None and ending.winner == "highest"


def _with_own(possible: Iterable[Taking], items: int, own: Sequence[OwnLine]) -> Iterator[Taking]:
    """Yield each taking of so many items with every choice of the open own lines, which anybody may take."""
    for taken, points in possible:
        for choice in range(1 << len(own)):
            more = sum(own[at].points for at in _places(choice))
            yield Taking(taken | choice << items, points + more)


def _open_own_lines(table: TableRules, sheet: Sheet) -> list[OwnLine]:
    """Return the lines of the table's own that nobody has spoken of yet."""
    undecided = {line.item for line in sheet.lines if line.points is None}
    return [line for line in table.own_lines if line.id in undecided]


def _open_items(game: FishingGame, sheet: Sheet, own: int) -> list[Item]:
    """Return the items of the open lines beside so many own lines; none if too many are open, or one has no points.

    Such a line is the price of a fault that depends on the cards, or an item that wins the match at once.
    """
    if sheet.status != "open" or sheet.redeal is not None or sheet.won_by is not None or sheet.lost_by is not None:
        return []
    undecided = [line.item for line in sheet.lines if line.points is None and not is_own(line.item)]
    plain = [item for item in undecided if item in game.by_id and not game.by_id[item].ends_match]
    if len(plain) < len(undecided) or len(plain) + own > MOST_OPEN:
        return []
    return [game.by_id[item] for item in undecided]


def _missing(
    target: int, sides: Sequence[str], sheet: Sheet, totals: Mapping[contract.Side, contract.Number]
) -> dict[int, contract.Number]:
    """Return the points that each side lacks, if the settled lines do not give it the target already."""
    settled = sheet.points or (0,) * len(sides)
    missing = {side: target - totals.get(label, 0) - settled[side] for side, label in enumerate(sides)}
    return {side: points for side, points in missing.items() if points > 0}


def _may_gain(points: contract.Number, items: Sequence[Item], own: Sequence[OwnLine]) -> bool:
    """Return False if all the items and own lines together are worth less than these points."""
    worth = [*map(_most_points, items), *(max(line.points, 0) for line in own)]
    return bool(worth) and (None in worth or sum(each or 0 for each in worth) >= points)


def _most_points(item: Item) -> int | None:
    """Return the most points that an item gives; None where nothing bounds them."""
    return item.fixed_points if item.span is None else item.span[1]


def ways_by(possible: Iterable[Taking], missing: contract.Number) -> list[int] | None:
    """Return the smallest sets of items, as bits, that give a side the points that it is ``missing``.

    ``possible`` are all its takings. Exactly those that hold one of the sets are worth so many points; no item of a
    set, and no set, can be left out. Empty if none of the takings is worth so many, or all are. None if the same
    items can be worth enough and too little, so that no set of items decides.
    """
    enough: set[int] = set()
    short: set[int] = set()
    for items, points in possible:
        (enough if points >= missing else short).add(items)
    if enough & short:
        return None
    if not enough or not short:
        return []
    smallest: list[int] = []
    for way in sorted(_with_parts(enough), key=lambda way: (way.bit_count(), _places(way))):
        if not any(way & each == each for each in smallest) and not any(way & items == way for items in short):
            smallest.append(way)
    for way in reversed(smallest):
        others = [each for each in smallest if each != way]
        if all(any(items & each == each for each in others) for items in enough if items & way == way):
            smallest = others
    return smallest


def _with_parts(sets: Iterable[int]) -> set[int]:
    """Return the sets and all their subsets."""
    subsets: set[int] = set()
    left = list(sets)
    while left:
        items = left.pop()
        if items not in subsets:
            subsets.add(items)
            left += [items ^ 1 << place for place in _places(items)]
    return subsets


def _places(items: int) -> list[int]:
    return [place for place in range(items.bit_length()) if items >> place & 1]
