"""The captures that a card may make: the address is the question. In a match it is asked by that match's rules."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from flask import Blueprint, Response, abort, request, url_for
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from ... import rules
from ...rules import contract
from ..base.access import LINKS
from ..base.engine_answers import Asked, answer_to, open_tab, tapped_cards, verdict_page
from ..base.marks import for_watchers
from ..match.view import MatchView, match_at
from ..words.cards import card_name, cards_for
from ..words.names import Game, game_or_404, games, option_value
from ..words.problems import in_words
from ..words.readers import pick
from ..words.sums import Arithmetic

bp = Blueprint("captures", __name__)


def fishing_rules(table: Asked) -> rules.FishingRules | None:
    """Return a game's rules as a table plays them, None if nothing is captured; the table is one that can be."""
    read = rules.read_table(table, rules.Problems(), needs_sides=False)
    assert read is not None
    return rules.fishing_rules(read)


def decides_captures(option: contract.OptionDescription, table: Asked, chosen: contract.Options) -> bool:
    """Return whether another value of an option would change what a card may take, if the others are ``chosen``."""

    def decided(options: contract.Options) -> tuple[Any, ...]:
        agreed = fishing_rules({**table, "options": options})
        assert agreed is not None
        return agreed.decides_captures

    return len({decided({**chosen, option["id"]: value}) for value in option["values"]}) > 1


@lru_cache(maxsize=64)
def capture_options(game: str, preset: str) -> tuple[contract.OptionDescription, ...]:
    """Return the house rules of a game that can change what a card takes, found by trying each."""
    table = {"game": game, "preset": preset}
    # What one option decides may hang on another: it is tried under each value of those that others need.
    free_choices = [option for option in games()[game]["options"] if option["type"] != "int"]
    needed = {id for option in free_choices for id in option.get("needs", {})}
    grounds: list[contract.Options] = [{}]
    grounds += [
        {option["id"]: value} for option in free_choices if option["id"] in needed for value in option["values"]
    ]
    return tuple(
        option for option in free_choices if any(decides_captures(option, table, ground) for ground in grounds)
    )


def _chosen_options(args: MultiDict[str, str], offered: tuple[contract.OptionDescription, ...]) -> contract.Options:
    """Return the house rules of the form; a value that an option does not have is left to the engine to refuse."""
    chosen: contract.Options = {}
    for option in offered:
        typed = args.get(f"opt-{option['id']}")
        if typed is not None:
            by_word = {json.dumps(value): value for value in option["values"]}
            chosen[option["id"]] = by_word.get(typed, typed)
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


@bp.get("/captures")
def of_any_game() -> Response:
    """Show what a card may take in a game, by rules that are chosen on the page."""
    args = request.args
    fishing = {id: game for id, game in games().items() if game["family"] == "fishing"}
    usual = next(iter(fishing.values()))
    wanted = game_or_404(args.get("game", usual["id"]))["id"]
    game = fishing.get(wanted, usual)
    cards_for(lambda: game["id"])
    preset = args.get("preset", "")
    preset = preset if preset in game["presets"] else game["default_preset"]
    offered = capture_options(game["id"], preset)
    # Options that were drawn for another game or preset say nothing about this one.
    drawn = f"{game['id']}/{preset}"
    chosen = _chosen_options(args, offered) if args.get("drawn", drawn) == drawn else {}
    table = {"game": game["id"], "preset": preset}
    known = [option for option in offered if chosen.get(option["id"], option["default"]) in option["values"]]
    agreed = fishing_rules({**table, "options": {o["id"]: chosen[o["id"]] for o in known if o["id"] in chosen}})
    defaults = rules.read_table(table, rules.Problems(), needs_sides=False)
    assert agreed is not None
    assert defaults is not None
    return _answered(
        {**table, "options": chosen} if wanted in fishing else {"game": wanted},
        agreed,
        {},
        game=game,
        address=url_for("captures.of_any_game"),
        drawn=drawn,
        preset=preset,
        fishing=fishing,
        offered=offered,
        chosen=chosen,
        options={**defaults.options, **chosen},
        as_json=json.dumps,
    )


@bp.get(f"{LINKS}/matches/<int:number>/captures")
@for_watchers
def of_match(key: str, number: int) -> Response:
    """Show what a card may take by the rules of a match: its game, its house rules, the version of its rules."""
    match = match_at(key, number)
    table = match.standing.state.engine_setup()
    agreed = fishing_rules(table)
    if agreed is None:
        abort(404, description=_("In this game nothing is taken from the table."))
    return _answered(
        table,
        agreed,
        _given_in(match),
        match=match,
        game=match.game,
        address=url_for("captures.of_match", key=match.key, number=match.number),
        decided_by=_decided_by(match.game, table),
    )


def _decided_by(game: Game, table: Asked) -> list[tuple[str, str]]:
    """Return the house rules of a table on which a capture depends, each with its value, in words."""
    read = rules.read_table(table, rules.Problems())
    assert read is not None
    chosen = dict(read.options)
    return [
        (pick(option["label"]), option_value(option, chosen[option["id"]]))
        for option in capture_options(game["id"], read.preset)
        if decides_captures(option, table, chosen)
    ]


def _given_in(match: MatchView) -> dict[str, str]:
    """Return the values that wild cards were given in declarations: they have them to the end of the deal."""
    declared = match.deal.noted_facts().get("declarations") or []
    given = {card: value for declaration in declared for card, value in (declaration.get("as") or {}).items()}
    return {card: value.rstrip(rules.SUITS) for card, value in given.items()}


def _answered(table: Asked, agreed: rules.FishingRules, given: Mapping[str, str], **context: Any) -> Response:
    """Draw the page with the engine's answer by the rules of a table; ``given`` are values that wild cards have."""
    args = request.args
    card = args.get("card", "").strip().upper()
    wilds = [*agreed.wild_cards, *(["7C"] if agreed.matta else [])]
    values = {wild: args.get(f"as-{wild}", given.get(wild, "")) for wild in wilds}
    values = {wild: value for wild, value in values.items() if value}
    asked: dict[str, Any] = {
        "layout": tapped_cards(args, "layout"),
        "card": card,
        "hand": tapped_cards(args, "hand"),
        "last_play": bool(args.get("last")),
        "as": values,
    }
    # Without a card there is nothing to answer yet, but what is wrong already is said at once.
    lying = {*asked["layout"], *asked["hand"]}
    free = next((code for code in rules.CODES if code not in lying), rules.CODES[0])
    whole = {**table, **asked, "card": card or free}
    captures, problems, status = answer_to(whole, rules.captures)
    return verdict_page(
        "captures/captures.html",
        "captures/_captures.html",
        status,
        problems=[_problem_of_captures(problem) for problem in problems],
        asked=asked,
        card=card,
        found=captures if card else {},
        agreed=agreed,
        tab=open_tab(args, "ABC" if agreed.obligation == "hand" else "AB"),
        equal_lies=card[:-1] in [code[:-1] for code in asked["layout"]],
        arithmetic=Arithmetic(agreed, values),
        wilds=wilds,
        counts=rules.capture_values(agreed),
        **context,
    )
