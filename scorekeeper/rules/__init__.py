"""The referee: scores deals with a reason for every line, checks claims, names captures and primes.

Pure Python without clock, chance or input and output; the glossary alone reads files, its own. :func:`score`,
:func:`match`, :func:`captures`, :func:`prime` and :func:`games` take and return JSON objects as docs/contract.md
describes them. They raise :class:`Malformed` for a request of the wrong shape, and answer with ``"status": "invalid"``
and every problem where it is well-formed but impossible.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from operator import add
from typing import cast

from . import contract, examples, glossary, schema
from .budget import (
    FIRST_TARIFF,
    NEWEST_TARIFF,
    TARIFFS,
    Tally,
    Tariff,
    TooMuchWork,
    Work,
    at_most,
    at_work,
    is_bounded,
    tallied,
)
from .by_itself import PointsByThemselves, TakenItem, points_by_themselves
from .cards import CODES, RANKS, SUITS, card_name
from .deal import ITEMS, points_agreed, takes_adjustments, takes_plain_points
from .describe import describe_games
from .fishing.captures import answer_captures
from .fishing.evidence import read_cards
from .fishing.game import FishingGame
from .fishing.needs import NeededLine, Needs, describe_deal
from .fishing.primes import METHODS, PrimeRule, in_units
from .fishing.rules import FishingRules
from .fishing.ties import leaders
from .free import FreeGame
from .games import GAMES
from .glossary import NO_GAME, card_words, rank_called, rank_name, singular, suit_name
from .glossary.language import Speech
from .match import LINES, QUESTION, Judged, Played, answer_match, score_once
from .own_lines import OwnLine, is_own
from .problems import Malformed, Problem, Problems, TooManyProblems
from .ruleset import NEWEST, RULES, Ending, TableRules
from .rummy import NAMED_ROUNDS, WORTHS, RummyGame, perfect_cut, rounds_carried
from .sheet import Sheet
from .table_facts import (
    OpeningWorth,
    RedealRule,
    TrickDeal,
    capture_values,
    cards_counted,
    cards_of_kinds,
    ends_match,
    fault_items,
    fishing_rules,
    fixed_trump,
    match_ending,
    names_trumps,
    opening_points,
    opening_worth,
    points_span,
    prime_item,
    prime_rule,
    redeal_rules,
    round_sum,
    rounds_of,
    rummy_values,
    tie_rule,
    tied_items,
    trick_deal,
    wholes,
)
from .table_rules import find_game, known_version, read_table
from .tricks.pack import pack_of
from .ways_to_target import find_ways


def score(
    request: Mapping[str, object],
    *,
    bounded: bool | None = None,
    tariff: int = NEWEST_TARIFF,
    most_steps: int | None = None,
) -> contract.ScoreAnswer:
    """Score one deal: ``{"game", "preset", "options", "sides", "players_per_side", "deal"}`` to an explained sheet.

    With ``"ask": false`` in the request no question is worked out, and the sheet has none.

    ``bounded`` says whether the work has a budget and the lists have bounds. None means yes, unless the request asks
    for rules version 1. ``tariff`` is the number of the tariff that the deal is judged by. Where the work
    is bounded, ``most_steps`` are its steps, if they are fewer than those of the tariff.
    """
    with _reading(request, bounded) as problems:
        request = schema.mapping(request, "")
        asks = schema.boolean(request.get("ask", True), "ask")
        try:
            table = read_table(request, problems)
        except TooManyProblems as stopped:
            table, problems = None, stopped.problems
        if table is None or problems.fatal:
            sides = request.get("sides")
            labels = tuple(sides) if isinstance(sides, list | tuple) else ()
            answer = {**Sheet(labels, problems=problems).as_json(asks), **_invalid(request, problems)}
            return cast(contract.SheetOfNoTable, answer)
        deal = schema.mapping(request.get("deal", {}), "deal")
        whole = TARIFFS[tariff].deal
        steps = whole if most_steps is None else min(most_steps, whole)
        wanted = QUESTION if asks else LINES
        try:
            sheet = score_once(table, deal, steps=steps if is_bounded() else None, tariff=tariff, wanted=wanted)
        except Malformed as fault:
            raise fault.of_part("deal") from None
        scored = cast(contract.Sheet, {**table.heading(), **sheet.as_json(asks)})
        if problems:
            scored["problems"] = [*problems.as_json(), *scored["problems"]]
        return scored


def steps_of(request: Mapping[str, object], *, bounded: bool | None = None, tariff: int = NEWEST_TARIFF) -> int:
    """Return the number of steps that :func:`score` takes, with a question or without; 0 if the table is impossible."""
    with _reading(request, bounded) as problems:
        table = read_table(schema.mapping(request, ""), problems)
        if table is None or problems.fatal:
            return 0
        deal = schema.mapping(request.get("deal", {}), "deal")
        return score_once(table, deal, steps=TARIFFS[tariff].deal if is_bounded() else None, tariff=tariff).steps


def is_fishing(game: str) -> bool:
    """Return whether cards are captured in a game; False if there is no such game."""
    return game in GAMES and GAMES[game].family == "fishing"


def match(
    request: Mapping[str, object],
    *,
    frozen: bool = False,
    until_won: bool = False,
    bounded: bool | None = None,
    most_steps: int | Mapping[int, int] | None = None,
    tariffs: Sequence[int] | None = None,
    sheets: Mapping[int, contract.Sheet] | None = None,
    explained: Collection[int] | None = None,
    played: Played | None = None,
) -> contract.MatchAnswer:
    """Return the standing after the deals of a match: ``{…, "deals": [deal, …]}`` to totals, sheets and winner.

    With ``frozen`` the caller promises to change nothing in the answer, which may then hold cached sheets. With
    ``until_won`` the deals after the winning deal are left out; otherwise they are an error. ``bounded`` is as in
    :func:`score`.

    Where the work is bounded, ``most_steps`` is a budget for all deals of one tariff together, besides the budget of
    each deal: one number for every tariff, or one for each by its number. ``tariffs`` are the numbers of the tariffs
    that the deals are judged by, in their order; None is the newest for all. ``sheets`` are sheets that are known, by
    the position of their deal, from 0: such a deal is not scored again. ``explained`` are the
    positions of the deals whose sheets have everything that is certain of their lines; None is all. The lines of the
    others have no more than their points and reasons. With ``"ask": false`` in the request no sheet has a question.
    ``played`` was made with that of the match without its last deal: then only the last two deals are played.
    """
    with _reading(request, bounded) as problems:
        request = schema.mapping(request, "")
        asks = schema.boolean(request.get("ask", True), "ask")
        try:
            table = read_table(request, problems)
        except TooManyProblems as stopped:
            table, problems = None, stopped.problems
        if table is None or problems.fatal:
            return _invalid(request, problems)
        judged = Judged(most_steps, tariffs, sheets or {}, asks, explained)
        return answer_match(table, request, problems, frozen=frozen, until_won=until_won, judged=judged, played=played)


@contextmanager
def _reading(request: object, bounded: bool | None) -> Iterator[Problems]:
    """Yield the problems of a request while it is read, with bounds or without; an unknown rules version is one."""
    problems = Problems()
    version = known_version(request)
    if version is None and isinstance(request, Mapping):
        message = f"The rules are {', '.join(map(str, RULES))}."
        problems.error("unknown_value", "rules", message, value=str(request["rules"])[:40])
    if bounded is None:
        bounded = version != 1
    with at_work(Work(TARIFFS[NEWEST_TARIFF].deal if bounded else None)):
        if bounded:
            schema.check_depth(request)
        yield problems


def captures(request: Mapping[str, object]) -> contract.CapturesAnswer:
    """Return the legal sets of a card, ``more`` if some are not listed: ``{…, "layout", "card", "hand", "as", …}``."""
    with _reading(request, True) as problems:
        request = schema.mapping(request, "")
        try:
            return _captures(request, problems)
        except TooManyProblems as stopped:
            return _invalid(request, stopped.problems)


def _captures(request: Mapping[str, object], problems: Problems) -> contract.CapturesAnswer:
    table = read_table(request, problems, needs_sides=False)
    if table is not None and not isinstance(table.game, FishingGame):
        problems.error("no_captures", "game", "Cards are not captured from the table in this game.")
    if table is None or not isinstance(table.game, FishingGame) or problems.fatal:
        return _invalid(request, problems)
    answer = answer_captures(table.game.table, request, problems)
    return _invalid(request, problems) if answer is None else answer


def prime(request: Mapping[str, object]) -> contract.PrimeAnswer:
    """Compare the primes of piles: ``{"method", "suits_required", "needs_pip", "needs_seven", "piles"}``."""
    with _reading(request, True) as problems:
        request = schema.mapping(request, "")
        try:
            return _prime(request, problems)
        except TooManyProblems as stopped:
            return _invalid(request, stopped.problems)


def _prime(request: Mapping[str, object], problems: Problems) -> contract.PrimeAnswer:
    method = schema.text(request.get("method", schema.MISSING), "method")
    if method not in METHODS:
        problems.error("unknown_value", "method", f"There is no prime method {method[:40]!r}.", value=method[:40])
    required = schema.integer(request.get("suits_required", 0), "suits_required")
    if required not in (0, 4):
        problems.error("unknown_value", "suits_required", "suits_required is 0 or 4.", value=required)
    flags = {name: schema.boolean(request.get(name, False), name) for name in ("needs_pip", "needs_seven")}
    placed: dict[int, str] = {}
    piles = {
        schema.text(label, "piles"): read_cards(cards, f"piles.{label}", problems, placed)
        for label, cards in _few(schema.mapping(request.get("piles", schema.MISSING), "piles"), "piles").items()
    }
    if problems.fatal:
        return _invalid(request, problems)
    rule = PrimeRule(method, required, **flags)
    primes: dict[str, contract.Prime] = {}
    values = []
    for label, cards in piles.items():
        pile = sum(1 << card for card in cards)
        packed = rule.measure(pile)
        value = rule.value(packed)
        values.append(value)
        # A rule without conditions gives every pile a value.
        unrestricted = in_units(PrimeRule(method).value(packed)) or 0
        primes[label] = {
            "cards": rule.best_cards(pile),
            "value": unrestricted,
            "eligible": value is not None,
        }
    labels = list(piles)
    return {"primes": primes, "winners": [labels[seat] for seat in leaders(values)]}


def _few(mapping: Mapping[str, object], where: str) -> Mapping[str, object]:
    """Return the object; one with more names than a list may have entries is malformed."""
    schema.items(list(mapping), where)
    return mapping


def games(
    shown: Mapping[contract.CardsOfThePlace, contract.CardsOfThePlace] | None = None,
) -> contract.Games:
    """Describe every game there is: line-ups, target, presets, options, items, with names in every language.

    Suits and figures are named as where a game is at home, or as by the cards that are ``shown`` in place of those.
    """
    return {"games": describe_games(shown)}


def cards_at_home(game: str) -> contract.CardsOfThePlace:
    """Return the cards that a game is played with where it is at home; Spanish ones for an unknown game."""
    return GAMES[game].cards if game in GAMES else "spanish"


def games_on_home() -> dict[str, contract.Words]:
    """Return the games that have a button on the start page, each with a few words by language."""
    return {id: words for id in GAMES if (words := glossary.home_words(id))}


def agree(request: Mapping[str, object]) -> tuple[contract.Options | None, Problems]:
    """Return every option of a table that is to be started, resolved, and the problems of its settings.

    The request is that of :func:`score`, without a deal. Options are None if the settings are impossible, or no
    match under them can be played to its end. Raises :class:`Malformed` for a request of the wrong shape.
    """
    with _reading(request, True) as problems:
        try:
            table = read_table(schema.mapping(request, ""), problems)
        except TooManyProblems as stopped:
            return None, stopped.problems
        if table is not None and isinstance(table.game, RummyGame):
            table.game.check_rounds(problems)
        return None if table is None or problems.fatal else table.options.as_dict(), problems


def leaders_by_hand(
    request: Mapping[str, object], totals: Mapping[contract.Side, contract.Number], *, always: bool = False
) -> list[str]:
    """Return the sides that win a match which the table ends by hand.

    Empty if the rules end the match, unless ``always``, or if a tie there is played on. The request is
    that of :func:`match`.
    """
    table = read_table(request, Problems())
    ending = table.game.ending if table is not None else Ending(rounds=1)
    if not (always or ending.is_by_hand) or len(set(totals.values())) == 1:
        return []
    leading = ending.leading([*totals.values()])
    return [] if len(leading) > 1 and ending.tie == "extra_round" else [[*totals][side] for side in leading]


def last_capturer(request: Mapping[str, object]) -> str | None:
    """Return the side with the last cards of a deal of :func:`score`, None if the sums of its piles do not show it."""
    with _reading(request, None) as problems:
        try:
            table = read_table(request, problems)
            if table is None or not isinstance(table.game, FishingGame):
                return None
            return table.game.last_capturer(schema.mapping(request.get("deal", {}), "deal"))
        except TooManyProblems:
            return None


def points_noted(request: Mapping[str, object]) -> dict[contract.Side, contract.Number]:
    """Return the points that notes about a deal in play already give each side, independent of the piles.

    The request is that of :func:`score`. Every side has 0 if the game has no notes during a deal.
    """
    with _reading(request, None) as problems:
        table = read_table(request, problems)
        if table is None:
            return {}
        points: tuple[contract.Number, ...] = (0,) * len(table.sides)
        deal = schema.mapping(request.get("deal", {}), "deal")
        with suppress(TooManyProblems):
            if isinstance(table.game, (FishingGame, FreeGame)):
                points = table.game.points_noted(deal)
            points = tuple(map(add, points, points_agreed(table, deal)))
        return dict(zip(table.sides, points, strict=True))


def ways_to_target(
    request: Mapping[str, object],
    totals: Mapping[contract.Side, contract.Number],
    *,
    most: int = 4,
    bounded: bool | None = None,
) -> dict[contract.Side, list[list[contract.ItemId]]]:
    """Return the sets of open items with which each side reaches the target of the match with a deal.

    The request is that of :func:`score`, ``totals`` are those before the deal, ``bounded`` is as in :func:`score`. A
    side reaches the target exactly if it takes all items of one of its sets; no item of a set can be left out. A side
    is missing that has the target already, surely gets it, or cannot reach it with this deal.

    Empty if there are more than ``most`` sets, where items alone do not decide, and where no target is played to
    that the highest total wins.
    """
    with _reading(request, bounded) as problems:
        try:
            table = read_table(schema.mapping(request, ""), problems)
            if table is None or problems.fatal:
                return {}
            return find_ways(table, schema.mapping(request.get("deal", {}), "deal"), totals, most)
        except TooManyProblems:
            return {}


def item_points(table: TableRules) -> list[tuple[str, int | float | None]]:
    """Return the items that can score at a table in sheet order, with their points (None: not a fixed number)."""
    game = table.game
    points: dict[str, int | float | None] = {}
    if isinstance(game, FishingGame):
        points.update(game.combo_points)
        points.update({item.id: item.fixed_points for item in game.items})
        points["sweeps"] = game.rules.pts_sweeps
    return [(item, points.get(item)) for item in game.item_ids()]


def most_rounds(game: str, players: int) -> int | None:
    """Return the most rounds of a game for so many players; None if nothing bounds them."""
    return rounds_carried(players) if GAMES[game].family == "rummy" else None


def speech_of(game: str, cards: contract.CardsOfThePlace | None = None, preset: str = "") -> Speech:
    """Return how a table speaks of its cards that plays a game by a preset; ``cards`` are else those at home.

    For an unknown game, as the cards are called that it is played with.
    """
    if game in GAMES:
        return glossary.speech_of(GAMES[game], cards, preset)
    return Speech(cards) if cards else NO_GAME


def form_values(game: str, preset: str) -> Mapping[str, contract.OptionValue]:
    """Return what forms choose beforehand under a preset, by option, where that is not its default."""
    return GAMES[game].form_values.get(preset, {})


def is_said_in_halves(game: str, preset: str) -> bool:
    """Return whether forms choose beforehand to say points in two halves of the target, malas and buenas."""
    return game in GAMES and preset in GAMES[game].said_in_halves


def item_words(game: str, item: str, cards: contract.CardsOfThePlace | None = None, preset: str = "") -> contract.Words:
    """Return the names of an item of a game or of any deal (``deal.ITEMS``), by language; empty if there is none.

    Suits are named as by some ``cards``, else as where the game is at home; the item as where ``preset`` is played.
    """
    rule_set = GAMES[game]
    return glossary.item_name(rule_set, item, cards, preset) if item in (*rule_set.items, *ITEMS) else {}


def short_item_words(game: str, item: str, cards: contract.CardsOfThePlace | None = None) -> contract.Words:
    """Return the names of an item where there is room for few letters, by language; empty where it has no others."""
    return glossary.short_item_name(GAMES[game], item, cards)


def item_rule(
    game: str,
    item: str,
    options: Mapping[str, object],
    cards: contract.CardsOfThePlace | None = None,
    preset: str = "",
) -> contract.Words:
    """Return the condition of an item in a few words by language, under the options of a table."""
    return glossary.item_rule(GAMES[game], item, options, cards, preset)


def _invalid(request: Mapping[str, object], problems: Problems) -> contract.Invalid:
    game = request.get("game")
    answer: contract.Invalid = {"status": "invalid", "problems": problems.as_json()}
    return {"game": game[:40], **answer} if isinstance(game, str) else answer


__all__ = [
    "CODES",
    "FIRST_TARIFF",
    "NAMED_ROUNDS",
    "NEWEST",
    "NEWEST_TARIFF",
    "RANKS",
    "RULES",
    "SUITS",
    "TARIFFS",
    "WORTHS",
    "Ending",
    "FishingRules",
    "Malformed",
    "NeededLine",
    "Needs",
    "OpeningWorth",
    "OwnLine",
    "Played",
    "PointsByThemselves",
    "PrimeRule",
    "Problem",
    "Problems",
    "RedealRule",
    "Speech",
    "TableRules",
    "TakenItem",
    "Tally",
    "Tariff",
    "TooMuchWork",
    "TrickDeal",
    "agree",
    "at_most",
    "capture_values",
    "captures",
    "card_name",
    "card_words",
    "cards_at_home",
    "cards_counted",
    "cards_of_kinds",
    "describe_deal",
    "ends_match",
    "examples",
    "fault_items",
    "find_game",
    "fishing_rules",
    "fixed_trump",
    "form_values",
    "games",
    "games_on_home",
    "is_fishing",
    "is_own",
    "is_said_in_halves",
    "item_points",
    "item_rule",
    "item_words",
    "last_capturer",
    "leaders_by_hand",
    "match",
    "match_ending",
    "most_rounds",
    "names_trumps",
    "opening_points",
    "opening_worth",
    "pack_of",
    "perfect_cut",
    "points_by_themselves",
    "points_noted",
    "points_span",
    "prime",
    "prime_item",
    "prime_rule",
    "rank_called",
    "rank_name",
    "read_table",
    "redeal_rules",
    "round_sum",
    "rounds_of",
    "rummy_values",
    "score",
    "short_item_words",
    "singular",
    "speech_of",
    "steps_of",
    "suit_name",
    "takes_adjustments",
    "takes_plain_points",
    "tallied",
    "tie_rule",
    "tied_items",
    "trick_deal",
    "ways_to_target",
    "wholes",
]
