"""The words of one language, and how its file is read."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any


@dataclass(frozen=True)
class Speech:
    """How a table speaks of its cards: those of a place, and the games whose words it uses, its own first."""

    cards: str = "spanish"
    vocabularies: tuple[str, ...] = ()


@dataclass(frozen=True)
class Language:
    """Words by the ids of what they name, in the sections of the file.

    A language with ``options`` is spoken: it needs every word there is. The others only name the games and items that
    are played in them.
    """

    games: Mapping[str, str]
    items: Mapping[str, str]
    """The name of an item in most games."""
    own_items: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """A game's own name of an item, by the game's vocabulary and the item."""
    short_items: Mapping[str, str] = field(default_factory=dict)
    """The name of an item where there is room for few letters, where that is another one."""
    singulars: Mapping[str, str] = field(default_factory=dict)
    """The name of a single sweep, by the name for several."""
    suits: Mapping[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    """A suit, of one card and of several, by the cards of the place and the letter of the suit."""
    ranks: Mapping[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    """Names of indices that are not called by their number, of one card and of several, by the cards of the place."""
    figures: Mapping[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    """Names of figures where a sentence is about them, and their cards are called by their number."""
    card: str = "%(rank)s, %(suit)s"
    """How a card is named by its index and its suit."""
    own_suits: Mapping[tuple[str, ...], tuple[str, str]] = field(default_factory=dict)
    """A game's own name of a suit, by the game's vocabulary and the suit; the cards between where that matters."""
    own_ranks: Mapping[tuple[str, ...], tuple[str, str]] = field(default_factory=dict)
    """A game's own name of an index, by the same."""
    own_cards: Mapping[str, str] = field(default_factory=dict)
    """How a game names a card by its index and its suit, by the game's vocabulary."""
    game_notes: Mapping[str, str] = field(default_factory=dict)
    """One sentence about a game."""
    preset_items: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """The name of an item where a game is played by a preset, by the preset and the item."""
    home: Mapping[str, str] = field(default_factory=dict)
    """A few words about a game that has a button on the start page."""
    item_rules: Mapping[str, str] = field(default_factory=dict)
    """The condition of an item, in a few words; ``%(option)s`` is the value of an option."""
    own_item_rules: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """The condition of an item in the words of a game, by the game's vocabulary and the item."""
    item_rules_under: Mapping[tuple[str, str, str], str] = field(default_factory=dict)
    """The same under one value of an option: by item, option and value."""
    presets: Mapping[str, str] = field(default_factory=dict)
    preset_notes: Mapping[str, str] = field(default_factory=dict)
    """One sentence about a preset."""
    played_as: Mapping[str, str] = field(default_factory=dict)
    """The name of a game played by a preset, where the preset's own does not say it; ``%(game)s`` is the game."""
    options: Mapping[str, str] = field(default_factory=dict)
    """The question that an option answers."""
    options_about: Mapping[str, str] = field(default_factory=dict)
    """The effect of an option at the table, in one sentence."""
    values: Mapping[str, str] = field(default_factory=dict)
    """A short label of a value that means the same in whatever option has it."""
    own_values: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """A label of the value of one option."""

    def suit(self, speech: Speech, suit: str) -> tuple[str, str] | None:
        """Return the name of a suit, of one card and of several; None where the language names no suits."""
        return _own(self.own_suits, speech, suit) or self.suits.get((speech.cards, suit))

    def rank(self, speech: Speech, index: str) -> tuple[str, str] | None:
        """Return the name of an index, of one card and of several; None where a card is called by its number."""
        return _own(self.own_ranks, speech, index) or self.ranks.get((speech.cards, index))

    def figure(self, speech: Speech, index: str) -> tuple[str, str] | None:
        """Return the name of an index in a sentence, where figures are called by their names in any case."""
        return self.rank(speech, index) or self.figures.get((speech.cards, index))

    def card_of(self, speech: Speech, rank: str, suit: str) -> str:
        """Return a card in words."""
        own = (self.own_cards[game] for game in speech.vocabularies if game in self.own_cards)
        return next(own, self.card) % {"rank": rank, "suit": suit}

    def about(self, speech: Speech, words: str) -> str:
        """Return words with the suits and figures in them as a table speaks of them: ``{O}``, ``{12}``, ``{12s}``."""

        def named(place: re.Match[str]) -> str:
            id, several = place[1], bool(place[2])
            if suit := self.suit(speech, id):
                return suit[1]
            return (self.figure(speech, id) or (id, id))[several]

        return _PLACE.sub(named, words) if "{" in words else words


def _own(words: Mapping[tuple[str, ...], tuple[str, str]], speech: Speech, id: str) -> tuple[str, str] | None:
    places = (place for game in speech.vocabularies for place in ((game, speech.cards, id), (game, id)))
    return next((words[place] for place in places if place in words), None)


_PLACE = re.compile(r"\{([OCEB]|\d+)(s?)\}")


def read_language(code: str) -> Language:
    """Return the words of a language; a part that its file lists in ``proper`` begins with the proper names."""
    sections = dict(_read(code))
    for part in sections.pop("proper", ()):
        sections[part] = _read("proper")[part] | sections.get(part, {})
    return Language(**sections)


@cache
def _read(name: str) -> Mapping[str, Any]:
    """Return the sections of a file, each a word or words by their places."""
    # A process that asks for no word does without the parser.
    import tomllib

    text = (pkgutil.get_data(__package__, f"{name}.toml") or b"").decode()
    try:
        file = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        error.add_note(f"in the glossary, {name}.toml")
        raise
    return {part: dict(_by_place(words)) if isinstance(words, dict) else words for part, words in file.items()}


def _by_place(section: Mapping[str, Any], *above: str) -> Iterator[tuple[str | tuple[str, ...], Any]]:
    """Yield the words of a section under their keys; those of a table in it are under the keys of both."""
    for key, words in section.items():
        if isinstance(words, dict):
            yield from _by_place(words, *above, key)
        else:
            yield (*above, key) if above else key, tuple(words) if isinstance(words, list) else words
