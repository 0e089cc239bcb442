"""Names of games, items, cards and sides in the reader's language. The sentences around them are in the templates."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TypeAlias, cast

from babel.lists import format_list
from flask import abort
from flask_babel import get_locale
from flask_babel import gettext as _

from ... import rules
from ...rules import contract
from ...store.journal import Setup, Side

FAMILIES = frozenset({"fishing", "tricks", "rummy", "free"})
Game: TypeAlias = contract.GameDescription


@lru_cache(maxsize=1)
def games() -> dict[str, Game]:
    """Return every game by its id, as the engine describes it."""
    return {game["id"]: game for game in rules.games()["games"]}


def playable() -> dict[str, Game]:
    """Return the games that have a closing form."""
    return {id: game for id, game in games().items() if game["family"] in FAMILIES}


def game_or_404(id: str) -> Game:
    """Return the game of that id. Aborts with 404 where there is none."""
    if id not in games():
        abort(404, description=_("There is no game of that name here."))
    return games()[id]


def pick(names: contract.Words) -> str:
    """Return the name in the reader's language, else in English, else in any; "" where there is none."""
    language = cast(contract.Language, str(get_locale() or "en").split("_")[0])
    return names.get(language) or names.get("en") or next(iter(names.values()), "")


def game_name(id: str) -> str:
    """Return a game's name; the id itself where no such game is known."""
    return pick(games()[id]["names"]) if id in games() else id


def item_name(game: str, item: str) -> str:
    """Return the name of an item in a game; its id in words where it has no name."""
    for known in games()[game]["items"]:
        if known["id"] == item:
            return pick(known["names"])
    return item.replace("_", " ")


def item_names(game: str, items: Iterable[str]) -> list[str]:
    """Return the names of items in a game."""
    return [item_name(game, item) for item in items]


def item_rule(game: str, item: str, options: Mapping[str, contract.OptionValue]) -> str:
    """Return what an item is given for under these options, in a few words."""
    return pick(rules.item_rule(game, item, options))


def sweep_name(game: str) -> str:
    """Return the name of a single sweep in a game, with a capital first letter."""
    name = item_name(game, "sweeps")
    return upper_first(rules.singular(name))


def card_name(code: str) -> str:
    """Return a card in words, such as "7 of coins"; a code without a suit of the pack is returned as it is."""
    rank, suit = code[:-1], code[-1:]
    if suit == "O":
        return str(_("%(rank)s of coins", rank=rank))
    if suit == "C":
        return str(_("%(rank)s of cups", rank=rank))
    if suit == "E":
        return str(_("%(rank)s of swords", rank=rank))
    if suit == "B":
        return str(_("%(rank)s of clubs", rank=rank))
    return code


def upper_first(text: str) -> str:
    """Return the text with a capital first letter, for a name that begins a sentence or a row."""
    return text[:1].upper() + text[1:]


def join_names(names: Iterable[str]) -> str:
    """Return the names as one speaks of them together: "Ana and Leo", "Ana y Leo", "Ana e Irene"."""
    each = list(names)
    language = str(get_locale() or "en")
    joined = str(format_list(each, locale=language))
    if language.startswith("es") and len(each) > 1 and _SOUNDS_AS_I.match(each[-1]):
        return f"{joined.removesuffix(f' y {each[-1]}')} e {each[-1]}"
    return joined


_SOUNDS_AS_I = re.compile(r"h?[ií](?!e)", re.IGNORECASE)
"""Before a name that begins with this sound, Spanish says "e" for "and"."""


def side_name(side: Side, names: Mapping[int, str]) -> str:
    """Return the name of a side: the names of its players, joined."""
    return join_names(names[number] for number in side.players)


def side_names(setup: Setup, names: Mapping[int, str]) -> dict[str, str]:
    """Return the sides' names by label, in playing order."""
    return {side.label: side_name(side, names) for side in setup.sides}


def option_value(option: contract.OptionDescription, value: object) -> str:
    """Return what an option's value is called; a value that is not on the list is written as it is."""
    label = option["value_labels"].get(str(value))
    if label:
        return pick(label)
    return json.dumps(value) if isinstance(value, dict) else str(value)


def preset_name(game: Game, preset: str) -> str:
    """Return the name of a preset."""
    return pick(game["preset_names"][preset])
