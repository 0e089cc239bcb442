"""Names of games, items, cards and sides in the reader's language. The sentences around them are in the templates."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

from babel.lists import format_list
from flask import abort
from flask_babel import get_locale
from flask_babel import gettext as _

from ... import rules
from ...names import FORGOTTEN, drawn, name_of_table
from ...rules import contract
from ...store.journal.match_setup import Side
from ...store.models import NAME_LENGTH, MatchSummary, SummarySide
from ...store.queries import Names
from .cards import cards_shown, own_names_in_use, preset_in_use, shown_packs
from .readers import pick

FAMILIES = frozenset({"fishing", "tricks", "rummy", "free"})
Game: TypeAlias = contract.GameDescription


def games() -> dict[str, Game]:
    """Return every game by its id, as the engine describes it, in the words of the cards that this phone shows."""
    return described(shown_packs())


@lru_cache(maxsize=32)
def described(shown: tuple[tuple[contract.CardsOfThePlace, contract.CardsOfThePlace], ...]) -> dict[str, Game]:
    """Return every game by its id, in the words of the cards that are shown for those where it is at home."""
    return {game["id"]: game for game in rules.games(dict(shown))["games"]}


def playable() -> dict[str, Game]:
    """Return the games that have a closing form."""
    return {id: game for id, game in games().items() if game["family"] in FAMILIES}


def plain(name: str) -> str:
    """Return a name as lists are sorted by it: without accents and capitals."""
    letters = unicodedata.normalize("NFD", name.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def game_or_404(id: str) -> Game:
    """Return the game of that id. Aborts with 404 if there is none."""
    if id not in games():
        abort(404, description=_("There is no game of that name here."))
    return games()[id]


def game_name(id: str) -> str:
    """Return a game's name; the id itself where no such game is known."""
    return pick(games()[id]["names"]) if id in games() else id


def played_name(id: str, preset: str | None) -> str:
    """Return what a game is called that is played by a preset, such as "La escoba chilena", "Chiamata", "Scopa"."""
    if id not in games():
        return id
    game = games()[id]
    return pick(game["played_as"].get(preset or game["default_preset"]) or game["names"])


def item_name(game: str, item: str) -> str:
    """Return the name of an item in a game; its id in words where it has no name."""
    if rules.is_own(item):
        return own_name(own_names_in_use().get(item)) or item.replace("_", " ")
    return pick(rules.item_words(game, item, cards_shown(game), preset_in_use())) or item.replace("_", " ")


class AsTyped(str):
    """A name that a table gave to a line of its own: it begins as it was typed, also at the head of a sentence."""


def own_name(written: str | None) -> str:
    """Return the name of a line of the table's own; "" where there is none."""
    return AsTyped(set_apart(drawn(written))) if written else ""


def short_item_name(game: str, item: str) -> str:
    """Return the name of an item where there is room for few letters: without what is explained behind it."""
    if rules.is_own(item):
        return item_name(game, item)
    short = pick(rules.short_item_words(game, item, cards_shown(game))) if game in games() else ""
    # A line may break between words, and not at the hyphen within one.
    return (short or item_name(game, item)).partition(" (")[0].replace("-", "\N{NON-BREAKING HYPHEN}")


def item_names(game: str, items: Iterable[str]) -> list[str]:
    """Return the names of items in a game."""
    return [item_name(game, item) for item in items]


def short_item_names(game: str, items: Iterable[str]) -> list[str]:
    """Return the names of items where there is room for few letters, for a list of them in a sentence."""
    return [short_item_name(game, item) for item in items]


def item_rule(game: str, item: str, options: Mapping[str, contract.OptionValue]) -> str:
    """Return what an item is given for under these options, in a few words."""
    return pick(rules.item_rule(game, item, options, cards_shown(game), preset_in_use()))


def prime_name(game: str) -> str:
    """Return what the prime is called in a game; on a page about none, by its usual name."""
    named = rules.item_words(game, "prime") if game in games() else {}
    return pick(named) or _("prime")


def sweep_name(game: str) -> str:
    """Return the name of a single sweep in a game, with a capital first letter."""
    name = item_name(game, "sweeps")
    return upper_first(rules.singular(name))


def upper_first(text: str) -> str:
    """Return the text with a capital first letter, for a name that begins a sentence or a row; but what was typed."""
    return text if isinstance(text, AsTyped) else text[:1].upper() + text[1:]


class Name(str):
    """The name of one person or of several, which knows how many they are: verbs follow that."""

    people: int

    def __new__(cls, words: str, people: int) -> Name:
        """Return the name of so many people."""
        name = super().__new__(cls, words)
        name.people = people
        return name


def people(name: str) -> int:
    """Return how many people a name is of, to choose between "Ana has" and "Ana and Leo have"."""
    return name.people if isinstance(name, Name) else 1


def join_names(names: Iterable[str]) -> Name:
    """Return the names as one speaks of them together: "Ana and Leo", "Ana y Leo", "Ana e Irene"."""
    each = list(names)
    return Name(_joined(each), sum(map(people, each)))


def _joined(each: list[str]) -> str:
    language = str(get_locale() or "en")
    joined = str(format_list(each, locale=language))
    if language.startswith("es") and len(each) > 1 and _SOUNDS_AS_I.match(each[-1]):
        return f"{joined.removesuffix(f' y {each[-1]}')} e {each[-1]}"
    return joined


_SOUNDS_AS_I = re.compile(r"h?[ií](?!e)", re.IGNORECASE)
"""Before a name that begins with this sound, Spanish says "e" for "and"."""


def shown_name(name: str) -> str:
    """Return a stored name as pages show it: isolated where it needs that, a dash for who was forgotten."""
    return set_apart(name) if name else FORGOTTEN


def shown_names(names: Names) -> Names:
    """Return the names of a table's players as pages show them, as ``shown_name``."""
    shown = {number: shown_name(name) for number, name in names.items()}
    return Names(shown, names.merged, names.guests, names.forgotten)


def is_of_players(name: str, names: Mapping[int, str]) -> bool:
    """Return whether a table's name is only that of its first players, as one is called that was given none."""
    each = list(names.values())
    return any(name == name_of_table(each[:count], NAME_LENGTH) for count in range(1, len(each) + 1))


def set_apart(name: str) -> str:
    """Return a name isolated from the text around it: beside one written from the right, numbers stay in place."""
    runs_left = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in name)
    return f"\u2068{name}\u2069" if runs_left else name


def in_lines(joined: str, names: Iterable[str]) -> list[str]:
    """Return joined names as lines of one name each, with the word before it: "Ana", "y Leo".

    A text that does not hold the names one after another, as a name given to a team, is one line.
    """
    lines: list[str] = []
    rest = joined
    for name in names:
        before, there, rest = rest.partition(name)
        if not there:
            return [joined]
        mark, _space, word = before.partition(" ")
        if lines:
            lines[-1] += mark
        lines.append(word + name)
    return [*lines[:-1], lines[-1] + rest] if lines else [joined]


def side_name(side: Side, names: Mapping[int, str]) -> Name:
    """Return the name of a side: that of its team where it has one, else the names of its players, joined."""
    if side.name:
        return Name(side.name, len(side.players))
    return join_names(names[number] for number in side.players)


def side_of(side: SummarySide, names: Mapping[int, str]) -> Name:
    """Return the name of a side of a summary, as ``side_name``."""
    if side.get("name"):
        return Name(side["name"], len(side["players"]))
    return join_names(names[number] for number in side["players"])


def winners_of(summary: MatchSummary, names: Mapping[int, str]) -> Name:
    """Return the names of the sides that won a match, joined; "" if none did."""
    return join_names(side_of(side, names) for side in summary.sides if side["label"] in summary.winners)


def side_names(sides: Iterable[Side], names: Mapping[int, str]) -> dict[str, Name]:
    """Return the names of sides by label, in their order."""
    return {side.label: side_name(side, names) for side in sides}


def option_value(option: contract.OptionDescription, value: object) -> str:
    """Return what an option's value is called; a value that is not on the list is written unchanged."""
    label = option["value_labels"].get(str(value))
    if label:
        return pick(label)
    return _own_value(value) if isinstance(value, dict) else str(value)


def _own_value(value: Mapping[str, Any]) -> str:
    """Return a table's own value: the names of its extra rounds, or what its cards cost where that is not usual."""
    if "extra" in value:
        return join_names([round_name(name) for name in value["extra"]])
    other = {rank: worth for rank, worth in value.items() if worth not in rules.WORTHS.get(rank, ())[:1]}
    return ", ".join(f"{_('joker') if rank == 'X' else rank} {worth}" for rank, worth in other.items()) or _("usual")


def round_name(name: str) -> str:
    """Return what an extra round is called: one that forms offer in the reader's language, another as it was typed."""
    offered = {
        "escala sucia": _("mixed straight"),
        "escala de color": _("one-colour straight"),
        "escala real": _("royal straight"),
    }
    return str(offered.get(name.lower()) or drawn(name))


def preset_name(game: Game, preset: str) -> str:
    """Return the name of a preset."""
    return pick(game["preset_names"][preset])
