"""The words that a walk looks for, in the language of its phone: from the app's catalogue and the engine's names."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from typing import Any

from babel.messages.mofile import write_mo
from babel.support import NullTranslations, Translations

from scorekeeper import rules
from scorekeeper.web.base.i18n import LANGUAGES, read_catalogue

GAMES = {game["id"]: game for game in rules.games()["games"]}
OPENING = {
    "15": "It adds to 15",
    "30": "It adds to 30",
    "flush3": "Three of one suit",
    "flush4": "Four of one suit",
}


@lru_cache(maxsize=len(LANGUAGES))
def catalogue(language: str) -> NullTranslations:
    """Return the translations of a language; English is what the pages are written in."""
    if language == "en":
        return NullTranslations()
    compiled = BytesIO()
    write_mo(compiled, read_catalogue(language))
    compiled.seek(0)
    return Translations(compiled)


class Words:
    """The words of one language: of the pages by their English, of games, items and cards by their ids."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.own_name = LANGUAGES[language]

    def say(self, english: str, **values: Any) -> str:
        text: str = catalogue(self.language).ugettext(english)
        return text % values if values else text

    def say_many(self, one: str, many: str, number: int) -> str:
        text: str = catalogue(self.language).ungettext(one, many, number)
        return text % {"num": number}

    def pick(self, names: Any) -> str:
        name: str = names.get(self.language.split("_")[0]) or names.get("en") or next(iter(names.values()))
        return name

    def game(self, id: str) -> str:
        return self.pick(GAMES[id]["names"])

    def preset(self, game: str, id: str) -> str:
        return self.pick(GAMES[game]["preset_names"][id])

    def line_up(self, sides: int, per_side: int) -> str:
        if per_side == 1:
            return self.say_many("%(num)d player", "%(num)d players", sides)
        return self.say("%(all)d players, %(each)d against %(each)d", all=sides * per_side, each=per_side)

    def item(self, game: str, id: str) -> str:
        """Return what an item is called, as a row begins with it."""
        return upper_first(self.item_in_a_sentence(game, id))

    def item_in_a_sentence(self, game: str, id: str) -> str:
        return next(self.pick(item["names"]) for item in GAMES[game]["items"] if item["id"] == id)

    def sweep(self, game: str) -> str:
        return upper_first(rules.singular(self.item_in_a_sentence(game, "sweeps")))

    def card(self, game: str, preset: str, code: str) -> str:
        return self.pick(rules.card_words(rules.speech_of(game, preset=preset), code))

    def suit(self, game: str, preset: str, letter: str) -> str:
        return self.pick(rules.suit_name(rules.speech_of(game, preset=preset), letter))

    def opening(self, result: str) -> str:
        return self.say(OPENING[result])


def upper_first(text: str) -> str:
    return text[:1].upper() + text[1:]
