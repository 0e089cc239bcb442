"""Names in the reader's language, from the engine's data; the sentences around them are in the templates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from flask import abort
from flask_babel import get_locale
from flask_babel import gettext as _

from ... import rules
from ...store.journal import Setup, Side

FAMILIES = frozenset({"fishing", "tricks", "rummy", "free"})
Game = Mapping[str, Any]


@lru_cache(maxsize=1)
def games() -> dict[str, Game]:
    """Return every game by its id, as the engine describes it."""
    return {game["id"]: game for game in rules.games()["games"]}


def playable() -> dict[str, Game]:
    """Return the games whose deals the table's forms can tell."""
    return {id: game for id, game in games().items() if game["family"] in FAMILIES}


def game_or_404(id: str) -> Game:
    """Return a game, or answer 404."""
    if id not in games():
        abort(404, description=_("There is no game of that name here."))
    return games()[id]


def pick(names: Mapping[str, str]) -> str:
    """Return the name in the reader's language, else in English, else any."""
    language = str(get_locale() or "en").split("_")[0]
    return names.get(language) or names.get("en") or next(iter(names.values()), "")


def game_name(id: str) -> str:
    """Return a game's name."""
    return pick(games()[id]["names"]) if id in games() else id


def item_name(game: str, item: str) -> str:
    """Return the name that a game's players give to a scoring item."""
    for known in games()[game]["items"]:
        if known["id"] == item:
            return pick(known["names"])
    return item.replace("_", " ")


def item_rule(game: str, item: str, options: Mapping[str, Any]) -> str:
    """Return what an item is given for under these options, in a few words."""
    return pick(rules.item_rule(game, item, options))


def sweep_name(game: str) -> str:
    """Return what one sweep is called in a game."""
    name = item_name(game, "sweeps")
    return upper_first(rules.one_of(name))


def card_name(code: str) -> str:
    """Return a card in words, "7 of coins"."""
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
    """Return the text with a capital first letter: a name that opens a sentence or heads a row."""
    return text[:1].upper() + text[1:]


def join_names(names: Iterable[str]) -> str:
    """Join the names of those who play together."""
    return " · ".join(names)


def side_name(side: Side, names: Mapping[int, str]) -> str:
    """Return what a side is called: its players' names."""
    return join_names(names[number] for number in side.players)


def side_names(setup: Setup, names: Mapping[int, str]) -> dict[str, str]:
    """Return the sides' names by label, in playing order."""
    return {side.label: side_name(side, names) for side in setup.sides}


def preset_name(game: Game, preset: str) -> str:
    """Return what a preset is called."""
    return pick(game["preset_names"][preset])
