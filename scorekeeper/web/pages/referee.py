"""The referee: who has the better prime, and what a card may take. The address is the question; it needs no table."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, cast

from flask import Blueprint, Response, make_response, render_template, request
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from ... import rules
from ...rules import contract
from ..words.names import card_name, game_or_404, games
from ..words.primes import LABELS, METHODS, laid_primes
from ..words.problems import in_words

bp = Blueprint("referee", __name__)


DECIDES_CAPTURES = (
    "capture_rule",
    "obligation",
    "last_play_sweep",
    "values",
    "wild_cards",
    "wild_on_table",
    "ace_sweep",
    "ace_on_ace_sweep",
)
"""What of a game's rules a capture depends on."""

Request = Mapping[str, object]


def _fragment(target: str) -> bool:
    """Say whether only the verdict is asked for."""
    return request.headers.get("HX-Target") == target and request.headers.get("HX-History-Restore-Request") != "true"


def _ask(
    function: Callable[[Request], contract.Answer], asked: Request
) -> tuple[Mapping[str, object], list[contract.Problem], int]:
    """Ask the engine; return its answer (empty where it refuses), the problems, and the status of the page."""
    try:
        answer = function(asked)
    except rules.Malformed as fault:
        return {}, list(fault.problems), 400
    problems = list(cast(list[contract.Problem], answer.get("problems", [])))
    return ({}, problems, 422) if problems else (answer, [], 200)


def _page(template: str, fragment: str, status: int, **context: Any) -> Response:
    part = _fragment("verdict")
    drawn = render_template(fragment if part else template, oob=part, **context)
    response = make_response(drawn, status)
    response.vary.add("HX-Request")
    response.vary.add("HX-Target")
    return response


def _cards(args: MultiDict[str, str], name: str) -> list[str]:
    """Return the cards tapped in a grid; an address typed by hand may have small letters."""
    return [code.strip().upper() for code in args.getlist(name)]


def _sides(args: MultiDict[str, str]) -> str:
    number = args.get("sides", "2")
    return LABELS[: int(number)] if number in ("2", "3", "4") else LABELS[:2]


def _tab(args: MultiDict[str, str], tabs: str) -> str:
    """Return which pile is laid open: without script, the one that was."""
    tab = args.get("tab", "")
    return tab if len(tab) == 1 and tab in tabs else tabs[0]


@bp.get("/prime")
def prime() -> Response:
    """Settle whose prime is better, and say what every other way of counting would say."""
    args = request.args
    sides = _sides(args)
    method = args.get("method", "face")
    piles = {side: _cards(args, f"pile-{side}") for side in sides}
    asked: dict[str, object] = {
        "method": method,
        "suits_required": 4 if args.get("suits") else 0,
        "needs_pip": bool(args.get("pip")),
        "needs_seven": bool(args.get("seven")),
        "piles": piles,
    }
    found, problems, status = _ask(rules.prime, asked)
    others = []
    if found:
        others = [(other, rules.prime({**asked, "method": other})) for other in METHODS if other != method]
    names = {side: _("side %(side)s", side=side) for side in sides}
    titles = {side: _("Side %(side)s", side=side) for side in sides}
    return _page(
        "referee/prime.html",
        "referee/_prime.html",
        status,
        problems=[in_words(problem, names) for problem in problems],
        asked=asked,
        found=found,
        laid=laid_primes(method, cast(contract.Primes, found), titles) if found else [],
        others=others,
        sides=sides,
        tab=_tab(args, sides),
        methods=METHODS,
        any_card=any(piles.values()),
    )


def fishing_rules(asked: Request) -> rules.FishingRules:
    """Return a fishing game's rules as a table plays them; asked by game, preset and options that exist."""
    table = rules.read_table(asked, rules.Problems(), needs_sides=False)
    assert table is not None
    agreed = rules.fishing_rules(table)
    assert agreed is not None
    return agreed


@lru_cache(maxsize=64)
def capture_options(game: str, preset: str) -> tuple[contract.OptionDescription, ...]:
    """Return the house rules of a game that can change what a card takes, found by trying each."""

    def decided(options: Request) -> tuple[Any, ...]:
        agreed = fishing_rules({"game": game, "preset": preset, "options": options})
        return tuple(getattr(agreed, part) for part in DECIDES_CAPTURES)

    # A wild card's freedom on the table matters only where there is one, so every choice is tried with every other.
    free_choices = [option for option in games()[game]["options"] if option["type"] != "int"]
    wild = next((option for option in free_choices if option["id"] == "wild_cards"), None)
    grounds: list[contract.Options] = [{}] if wild is None else [{"wild_cards": value} for value in wild["values"]]
    return tuple(
        option
        for option in free_choices
        if any(len({decided({**ground, option["id"]: value}) for value in option["values"]}) > 1 for ground in grounds)
    )


def _chosen_options(args: MultiDict[str, str], offered: tuple[contract.OptionDescription, ...]) -> contract.Options:
    """Return the house rules of the form; a value that an option does not have is left to the engine to refuse."""
    chosen: contract.Options = {}
    for option in offered:
        told = args.get(f"opt-{option['id']}")
        if told is not None:
            by_word = {json.dumps(value): value for value in option["values"]}
            chosen[option["id"]] = by_word.get(told, told)
    return chosen


def _problem_of_captures(problem: contract.Problem) -> str:
    places = {"layout": _("on the table"), "card": _("played"), "hand": _("in the hand")}
    if problem["code"] == "duplicate_card":
        facts = problem["facts"]
        first, second = (places[facts[which].partition("[")[0]] for which in ("first", "second"))
        if first == second:
            return _("The %(card)s is twice %(place)s. Take one away.", card=card_name(facts["card"]), place=first)
        return _(
            "The %(card)s is %(first)s and %(second)s: it can only be in one place.",
            card=card_name(facts["card"]),
            first=first,
            second=second,
        )
    if problem["code"] == "no_captures":
        return _("In this game nothing is taken from the table. Choose another.")
    return in_words(problem)


class _Arithmetic:
    """What cards count at a table, to show a set as a sum that anybody can check."""

    def __init__(self, agreed: rules.FishingRules, given: Mapping[str, str], loose: tuple[str, ...]) -> None:
        self.agreed, self.given, self.loose = agreed, given, loose
        self.values = rules.capture_values(agreed)

    def value(self, code: str) -> int:
        """Return what a card counts in a capture."""
        index = self.given.get(code, code).rstrip(rules.SUITS + rules.SUITS.lower())
        return self.values[int(index)]

    def shown(self, card: str, takes: list[str]) -> str:
        """Return the sum of a set, "1 + 3 + 7 + 4 = 15"; nothing where no sum was needed, or a wild card makes it."""
        if card in self.loose or any(code in self.loose for code in takes):
            return ""
        taken, own = [self.value(code) for code in takes], self.value(card)
        if self.agreed.capture_rule in ("sum15", "sum15k", "cirulla") and (sum(taken) + own) % 15 == 0:
            return " + ".join(map(str, [*taken, own])) + f" = {sum(taken) + own}"
        if len(taken) > 1 and sum(taken) == own:
            return " + ".join(map(str, taken)) + f" = {own}"
        return ""


@bp.get("/captures")
def captures() -> Response:
    """Show every set that a card may take, which of them sweep, and whether it may stay."""
    args = request.args
    fishing = {id: game for id, game in games().items() if game["family"] == "fishing"}
    wanted = game_or_404(args.get("game", "chorizo"))["id"]
    game = fishing.get(wanted, fishing["chorizo"])
    preset = args.get("preset", "")
    preset = preset if preset in game["presets"] else game["default_preset"]
    offered = capture_options(game["id"], preset)
    # Options that were drawn for another game or preset say nothing about this one.
    drawn = f"{game['id']}/{preset}"
    options = _chosen_options(args, offered) if args.get("drawn", drawn) == drawn else {}
    card = args.get("card", "").strip().upper()
    asked: contract.CapturesRequest = {
        "game": game["id"],
        "preset": preset,
        "options": options,
        "layout": _cards(args, "layout"),
        "card": card,
        "hand": _cards(args, "hand"),
        "last_play": bool(args.get("last")),
    }
    table = {"game": game["id"], "preset": preset}
    known = [option for option in offered if options.get(option["id"], option["default"]) in option["values"]]
    agreed = fishing_rules({**table, "options": {o["id"]: options[o["id"]] for o in known if o["id"] in options}})
    wilds = [*agreed.wild_cards, *(["7C"] if agreed.matta else [])]
    given = {wild: args[f"as-{wild}"] for wild in wilds if args.get(f"as-{wild}")}
    asked["as"] = given
    question = asked.copy()
    if wanted not in fishing:
        question |= {"game": wanted, "preset": None, "options": {}}
    if not card:
        # There is nothing to answer yet, but what is wrong already is said at once.
        question["card"] = _any_card_but(asked)
    found, problems, status = _ask(rules.captures, question)
    defaults = rules.read_table(table, rules.Problems(), needs_sides=False)
    assert defaults is not None
    loose = tuple(wild for wild in agreed.wild_cards if wild not in given)
    return _page(
        "referee/captures.html",
        "referee/_captures.html",
        status,
        problems=[_problem_of_captures(problem) for problem in problems],
        asked=asked,
        card=card,
        found=found if card else {},
        game=game,
        drawn=drawn,
        fishing=fishing,
        offered=offered,
        options={**defaults.options, **options},
        agreed=agreed,
        tab=_tab(args, "ABC" if agreed.obligation == "hand" else "AB"),
        equal_lies=card[:-1] in [code[:-1] for code in asked["layout"]],
        arithmetic=_Arithmetic(agreed, given, loose),
        wilds=wilds,
        counts=rules.capture_values(agreed),
        as_json=json.dumps,
    )


def _any_card_but(asked: contract.CapturesRequest) -> str:
    """Return a card that lies nowhere yet, if there is one."""
    lying = {*asked["layout"], *(asked["hand"] or ())}
    return next((code for code in rules.CODES if code not in lying), rules.CODES[0])
