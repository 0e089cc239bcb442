"""The needs of a closing form: they follow from the rules of the table, so that no form knows any game.

A form has one row for each item of the piles, with the counts that can settle it. It offers the awards that the engine
accepts: at least one way of sharing out the pack agrees with each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations

from ...limits import DEAL_STEPS, EVIDENCE_STEPS
from ..budget import Work, at_work
from ..cards import CODES, RANKS, Position, cards_of
from ..own_lines import OwnLine, is_own
from ..ruleset import TableRules
from ..table_facts import RedealRule, redeal_rules
from .game import FishingGame
from .items import AtLeast, Item, Prime
from .known import all_known
from .pieces import awarded
from .primes import DOUBLED
from .rules import VOID, FishingRules, Opening

FIRST_FIGURE = 10


@dataclass(frozen=True)
class NeededLine:
    """An item whose taker the table says. ``several`` are the groups of sides that may share it."""

    item: str
    may_be_nobody: bool
    several: tuple[tuple[str, ...], ...]
    counts: tuple[str, ...]
    """Kinds of cards to count in each pile to settle it."""
    is_rare: bool = False
    """True if only a rare pile scores it (all the coins, a run of them), so that in most deals nobody has it.

    An item that somebody always has is not rare.
    """
    card: str = ""
    """The card that scores it, if it is one alone."""


@dataclass(frozen=True)
class Needs:
    """The facts that can be entered about a deal. Every field is empty for a game that is closed in numbers."""

    rows: tuple[NeededLine, ...] = ()
    """The items in the order in which a table is asked for them: as the game lists them, the rare ones last."""
    sweeps: bool = False
    opening_points: Mapping[str, int] = field(default_factory=dict)
    """The openings that the dealer takes or scores, as ``layout_result`` names them, each with its points."""
    redeals: tuple[RedealRule, ...] = ()
    """The opening layouts that void the deal."""
    declarations: tuple[str, ...] = ()
    penalties: tuple[str, ...] = ()
    wilds: tuple[str, ...] = ()
    values: Mapping[str, int] = field(default_factory=dict)
    """Value of each rank in a capture; empty if nothing is captured."""
    modulus: int | None = None
    """Divisor of the sum of a finished pile, if the game has such a rule."""

    fifteens: tuple[int, ...] = ()
    """Numbers of sweeps beyond one that one capture can be, if each fifteen of it counts."""
    penalty_costs: Mapping[str, str] = field(default_factory=dict)
    """Effect of each penalty, as the rules name it; ``off`` if it costs nothing."""
    batches: int = 0
    """Number of times that hands are dealt; 0 outside the fishing games."""
    says_ultimas: bool = False
    """True if the dealer announces the last cards."""
    told: bool = False
    """True if the owner of a card can be said, without showing the card."""
    best: tuple[str, ...] = ()
    """Possible best cards of a suit, laid out for the prime, the best first; empty if none are."""

    @property
    def counts(self) -> tuple[str, ...]:
        """All kinds of cards that can be counted, once each."""
        return tuple(dict.fromkeys(kind for row in self.rows for kind in row.counts))

    @property
    def rare(self) -> tuple[NeededLine, ...]:
        """The items that in most deals nobody has, among them those of the table's own."""
        return tuple(row for row in self.rows if row.is_rare)

    @property
    def folded(self) -> tuple[NeededLine, ...]:
        """The rare items of the game, where there are several: in most deals one word says all of them."""
        of_game = tuple(row for row in self.rare if not is_own(row.item))
        return of_game if len(of_game) > 1 else ()

    @property
    def openings(self) -> tuple[str, ...]:
        """The openings that the dealer takes or scores, which can be said without their cards."""
        return tuple(self.opening_points)

    @property
    def said_openings(self) -> tuple[str, ...]:
        """All openings that can be said without their cards, one that voids the deal at the end."""
        return (*self.opening_points, VOID) if self.redeals else self.openings

    @property
    def has_opening(self) -> bool:
        """True if the opening layout can change anything."""
        return bool(self.opening_points or self.redeals)

    def first_row_of(self, kind: str) -> str:
        """Return the item of the row that asks for a count: the first that needs it."""
        return next(row.item for row in self.rows if kind in row.counts)


def describe_deal(table: TableRules) -> Needs:
    """Return what can be entered about a deal at this table."""
    game = table.game
    if not isinstance(game, FishingGame):
        return Needs()
    agreed = game.rules
    of_game = sorted((_row(item, table, agreed) for item in game.items), key=lambda row: row.is_rare)
    of_table = (_row_of_own(line) for line in table.own_lines if line.how == "one")
    return Needs(
        rows=(*of_game, *of_table),
        sweeps=bool(agreed.pts_sweeps),
        opening_points=_openings(agreed.opening),
        redeals=tuple(redeal_rules(agreed)),
        declarations=tuple(item for item in table.rules.items if item in game.combo_points),
        penalties=tuple(item for item in table.rules.items if item in game.table.penalties),
        wilds=tuple(CODES[card] for card in sorted(game.table.wilds)),
        values={str(rank): value for rank, value in zip(RANKS, agreed.values, strict=True)},
        modulus=agreed.pile_modulus,
        fifteens=(2, 3) if agreed.capture_rule == "sum15k" else (),
        penalty_costs=dict(game.table.penalties),
        batches=game.table.batches,
        says_ultimas=agreed.says_ultimas,
        told=True,
        best=_best(game.by_id.get("prime")),
    )


def _best(prime: Item | None) -> tuple[str, ...]:
    """Return the printed indices in the order of a prime, with the word for any figure before the figures."""
    if not isinstance(prime, Prime) or prime.rule.method not in DOUBLED:
        return ()
    values = dict(zip(RANKS, DOUBLED[prime.rule.method], strict=True))
    plain = sorted((rank for rank in RANKS if rank < FIRST_FIGURE), key=lambda rank: values[rank], reverse=True)
    figures = sorted((rank for rank in RANKS if rank >= FIRST_FIGURE), reverse=True)
    return (*map(str, plain), "figure", *map(str, figures))


def _row_of_own(line: OwnLine) -> NeededLine:
    """Return the row of a line that one side takes: in most deals nobody does."""
    return NeededLine(line.id, may_be_nobody=True, several=(), counts=(), is_rare=True)


def _row(item: Item, table: TableRules, agreed: FishingRules) -> NeededLine:
    seats = range(len(table.sides))
    nothing_known = all_known((), len(seats), agreed.last_cards == "nobody")
    assert nothing_known is not None

    def may_go_to(winners: tuple[Position, ...]) -> bool:
        # Each award gets the budget of a whole deal, as it will when it is entered.
        with at_work(Work(DEAL_STEPS)) as work, work.share(EVIDENCE_STEPS):
            return nothing_known.believing(awarded(item, winners, (), len(seats))) is not None

    # While nothing is known of any pile, all groups of a size are alike.
    sizes = [size for size in range(2, len(seats) + 1) if may_go_to(tuple(range(size)))]
    groups = (group for size in sizes for group in combinations(seats, size))
    may_be_nobody = may_go_to(())
    return NeededLine(
        item.id,
        may_be_nobody=may_be_nobody,
        several=tuple(tuple(table.sides[seat] for seat in group) for group in groups),
        counts=item.counts,
        is_rare=item.is_rare and may_be_nobody,
        card=CODES[next(cards_of(item.of))] if isinstance(item, AtLeast) and item.of.bit_count() == 1 else "",
    )


def _openings(opening: Opening) -> dict[str, int]:
    flush3, flush4 = opening.flush or (None, None)
    known = {"15": opening.fifteen, "30": opening.thirty, "flush3": flush3, "flush4": flush4}
    return {result: points for result, points in known.items() if points is not None}
