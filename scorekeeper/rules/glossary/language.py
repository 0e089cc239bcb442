"""The words of one language, and how its file is read."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any


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
    ranks: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Names of indices that are not called by their number, by the cards of the place."""
    figures: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Names of figures where a sentence is about them, and their cards are called by their number."""
    card: str = "%(rank)s, %(suit)s"
    """How a card is named by its index and its suit."""
    game_notes: Mapping[str, str] = field(default_factory=dict)
    """One sentence about a game."""
    preset_items: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """The name of an item where a game is played by a preset, by the preset and the item."""
    home: Mapping[str, str] = field(default_factory=dict)
    """A few words about a game that has a button on the start page."""
    item_rules: Mapping[str, str] = field(default_factory=dict)
    """The condition of an item, in a few words; ``%(option)s`` is the value of an option."""
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
    """A short label of a value, whatever the option."""
    own_values: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """A label of the value of one option."""

    def about(self, cards: str, words: str) -> str:
        """Return words with the suits and figures in them named by the cards of a place: ``{O}``, ``{12}``."""

        def named(place: re.Match[str]) -> str:
            id = place[1]
            if (cards, id) in self.suits:
                return self.suits[cards, id][1]
            return self.ranks.get((cards, id)) or self.figures.get((cards, id)) or id

        return _PLACE.sub(named, words) if "{" in words else words


_PLACE = re.compile(r"\{([OCEB]|\d+)\}")


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
