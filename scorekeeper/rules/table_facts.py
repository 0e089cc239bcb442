"""Facts about the rules of a table for the pages, so that no page looks inside the engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

from . import contract
from .cards import ACES, FULL_PACK, KINGS, RANKS, codes_of
from .fishing.facts import read_facts
from .fishing.features import COUNTED
from .fishing.game import FishingGame
from .fishing.items import AtLeast, Item, Most, Prime
from .fishing.opening import read_opening
from .fishing.primes import PrimeRule
from .fishing.rules import FishingRules, Redeal
from .free import FreeGame
from .problems import Problems
from .ruleset import Ending, TableRules
from .rummy import Round, RummyGame
from .tricks import pack
from .tricks.deciders import Decider, Limit
from .tricks.game import TrickGame
from .tricks.table import Variant

Voiding: TypeAlias = Literal["kings", "aces", "alike", "wild"]


class RedealRule(NamedTuple):
    """A layout that voids the deal: ``at_least`` cards of a sort; ``who`` deals again (``same`` or ``next``)."""

    at_least: int
    cards: Voiding
    who: contract.Redeal


def match_ending(table: TableRules) -> Ending:
    """Return when a match at this table ends, and who wins it."""
    return table.game.ending


class OpeningWorth(NamedTuple):
    """The worth of an opening at a table, by its cards or by the table's word."""

    total: int | None
    """Sum of the cards; None if the game ignores it, or only another fact about them was said."""
    sweeps: int
    """The sweeps that it is to the dealer: 1 for a 15, 2 for a 30, 0 where the dealer does not take the cards."""
    sweep_points: int
    suited: int
    """How many cards are of one suit; 0 where that scores nothing."""
    flush_points: int
    redeal: RedealRule | None
    """The rule by which it voids the deal."""


OF_THE_OPENING = ("dealer", "layout", "layout_result", "as")
"""The fields of a deal on which its opening depends."""


def fishing_rules(table: TableRules) -> FishingRules | None:
    """Return the rules of a fishing game as the table plays it; None for a game of another family."""
    return table.game.rules if isinstance(table.game, FishingGame) else None


def capture_values(rules: FishingRules) -> dict[int, int]:
    """Return what each rank of the pack counts in a capture, in the order of the ranks."""
    return dict(zip(RANKS, rules.values, strict=True))


def redeal_rules(rules: FishingRules) -> list[RedealRule]:
    """Return the opening layouts that void a deal."""
    return [_redeal_rule(redeal) for redeal in rules.redeals]


def _redeal_rule(redeal: Redeal) -> RedealRule:
    sorts: dict[int | None, Voiding] = {KINGS: "kings", ACES: "aces", None: "alike"}
    return RedealRule(redeal.at_least, sorts.get(redeal.of, "wild"), redeal.who)


def opening_worth(table: TableRules, deal: Mapping[str, object]) -> OpeningWorth | None:
    """Return what the opening of a deal comes to; None where none is known, or it cannot be.

    Raises ``Malformed`` where a type is wrong.
    """
    if not isinstance(table.game, FishingGame):
        return None
    rules, problems = table.game.rules, Problems()
    facts = read_facts(table.game.table, {name: deal[name] for name in OF_THE_OPENING if name in deal}, problems)
    if problems.fatal or (facts.layout is None and not facts.layout_results):
        return None
    opening = read_opening(rules, facts, problems)
    adds_up = rules.opening.fifteen is not None or rules.opening.thirty is not None
    total = opening.total if adds_up else None
    redeal = rules.redeal_after(facts.layout, facts.layout_results)
    if redeal is not None:
        return OpeningWorth(total, 0, 0, 0, 0, _redeal_rule(redeal))
    flush = opening.flush_points(rules.opening)
    return OpeningWorth(
        total,
        sweeps=opening.units(rules.opening),
        sweep_points=opening.points(rules.opening) or 0,
        suited=opening.suited if flush else 0,
        flush_points=flush,
        redeal=None,
    )


def opening_points(table: TableRules) -> dict[str, tuple[int, ...]]:
    """Return what the items of the opening layout can score, the lower points first; empty for other families."""
    rules = fishing_rules(table)
    if rules is None:
        return {}
    sums = tuple(points for points in (rules.opening.fifteen, rules.opening.thirty) if points)
    return {"table_sweep": sums, "table_flush": rules.opening.flush or ()}


def prime_rule(table: TableRules) -> PrimeRule | None:
    """Return how the table values a prime; None where no prime scores."""
    item = prime_item(table)
    return None if item is None else item.rule


def prime_item(table: TableRules) -> Prime | None:
    """Return the prime as the table scores it; None where none scores."""
    item = _item(table, "prime")
    return item if isinstance(item, Prime) else None


def tie_rule(table: TableRules, item: str) -> str:
    """Return the tie rule of an item that is scored from the piles; "" if it has none, or does not score here."""
    return str(getattr(_item(table, item), "tie_rule", ""))


def tied_items(table: TableRules) -> dict[str, list[str]]:
    """Return the items in which sides can be level, in sheet order, by their tie rule."""
    tied: dict[str, list[str]] = {}
    for item in table.game.items if isinstance(table.game, FishingGame) else ():
        if item.is_on and (rule := tie_rule(table, item.id)):
            tied.setdefault(rule, []).append(item.id)
    return tied


def wholes(rules: FishingRules) -> dict[str, str]:
    """Return what all cards of a kind bring beside most of them: ``instead``, ``one_more`` point, or ``more``."""
    found = {}
    for most in rules.items:
        for whole in rules.items:
            if (
                isinstance(most, Most)
                and isinstance(whole, AtLeast)
                and whole.is_rare
                and whole.is_on
                and whole.of == most.of
            ):
                shared = "instead" if most.superseded_at is not None else "more"
                one_more = shared == "more" and whole.points == most.points
                found.update(dict.fromkeys(most.counts, "one_more" if one_more else shared))
    return found


def fault_items(table: TableRules) -> tuple[str, ...]:
    """Return the items that a fault scores."""
    agreed = fishing_rules(table)
    return () if agreed is None else ("false_declaration", *(penalty.id for penalty in agreed.penalties))


def points_span(table: TableRules, item: str) -> tuple[int, int] | None:
    """Return the fewest and the most points of an item, where they depend on how much of it a side takes."""
    scored = _item(table, item)
    return None if scored is None else scored.span


def ends_match(table: TableRules, item: str) -> bool:
    """Return whether taking an item wins the match at once."""
    scored = _item(table, item)
    return scored is not None and scored.ends_match


def round_sum(table: TableRules) -> int | None:
    """Return what the points of a round add up to on the free pad; None where that is open."""
    return table.game.round_sum if isinstance(table.game, FreeGame) else None


def cards_counted(table: TableRules, item: str) -> list[str]:
    """Return the cards that an item counts, in pack order; empty if it counts all, values them, or does not score."""
    scored = _item(table, item)
    return [] if scored is None or scored.cards == FULL_PACK else codes_of(scored.cards)


def cards_of_kinds() -> dict[str, frozenset[str]]:
    """Return the cards of each kind that a table counts in piles: all cards, coins, sevens, sixes, figures."""
    return {kind: frozenset(codes_of(mask)) for kind, mask in COUNTED.items()}


def fixed_trump(table: TableRules, deal: int) -> str | None:
    """Return the suit that is trump in a deal, counted from 1; None where trumps do not go round in a fixed cycle."""
    is_fixed = isinstance(table.game, TrickGame) and table.options["trump_method"] == "fixed_cycle"
    return pack.fixed_trump(deal - 1) if is_fixed else None


def names_trumps(table: TableRules) -> bool:
    """Return whether a deal has trumps that do not follow from its number: they are turned up, or named."""
    return isinstance(table.game, TrickGame) and table.options["trump_method"] != "fixed_cycle"


class TrickDeal(NamedTuple):
    """How a game of tricks is dealt, and what its cards are worth."""

    values: Mapping[str, int]
    """The card points of each index of the pack, the card that beats the others first."""
    pack: int
    variant: Variant
    decider: Decider
    trumps: str
    """``turned`` up, or in a ``fixed_cycle``."""
    card_limit: int | None
    """The most card points that win, where few do."""
    scores_card_points: bool
    """True if the card points themselves are the points of the deal."""
    partners_show: bool
    """True if partners may show each other their cards."""


def trick_deal(table: TableRules) -> TrickDeal | None:
    """Return how a game of tricks is dealt at a table; None for a game of another family."""
    game = table.game
    if not isinstance(game, TrickGame):
        return None
    indices = {card[:-1] for card in game.pack}
    values = {index: game.values.get(index, 0) for index in pack.BY_STRENGTH if index in indices}
    options = table.options
    return TrickDeal(
        values,
        game.pack_size,
        game.variant,
        game.decider,
        options.word("trump_method"),
        game.decider.at if isinstance(game.decider, Limit) else None,
        game.scores_card_points,
        options.flag("partners_show_cards"),
    )


def rummy_values(table: TableRules) -> dict[str, int]:
    """Return what each rank costs that is left in the hand, the joker being ``X``; empty outside Carioca."""
    return dict(table.game.values) if isinstance(table.game, RummyGame) else {}


def rounds_of(table: TableRules) -> tuple[Round, ...]:
    """Return the rounds that are played at a table of Carioca; none in other games."""
    return table.game.rounds if isinstance(table.game, RummyGame) else ()


def _item(table: TableRules, id: str) -> Item | None:
    return table.game.by_id.get(id) if isinstance(table.game, FishingGame) else None
