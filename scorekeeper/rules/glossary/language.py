"""The words of one language: each file of the glossary is one value of this class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Language:
    """Words by the ids of what they name. A language with ``options`` is spoken: it needs every word there is.

    The others only name the games and items that are played in them.
    """

    games: Mapping[str, str]
    items: Mapping[str, str]
    """The name of an item in most games."""
    own_items: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """A game's own name of an item, by the game's vocabulary and the item."""
    singulars: Mapping[str, str] = field(default_factory=dict)
    """The name of a single sweep, by the name for several."""
    suits: Mapping[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    """A suit, of one card and of several, by the cards of the place and the letter of the suit."""
    ranks: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """What an index is called, by the cards of the place, where it is not called by its number."""
    card: str = "%(rank)s, %(suit)s"
    """How a card is named by its index and its suit."""
    game_notes: Mapping[str, str] = field(default_factory=dict)
    """One sentence about a game."""
    home: Mapping[str, str] = field(default_factory=dict)
    """A few words about a game that has a button on the start page."""
    item_rules: Mapping[str, str] = field(default_factory=dict)
    """What an item is given for, in a few words; ``%(option)s`` stands for the value of an option."""
    item_rules_under: Mapping[tuple[str, str, str], str] = field(default_factory=dict)
    """The same under one value of an option: by item, option and value."""
    presets: Mapping[str, str] = field(default_factory=dict)
    preset_notes: Mapping[str, str] = field(default_factory=dict)
    """One sentence about a preset."""
    options: Mapping[str, str] = field(default_factory=dict)
    """The question that an option answers."""
    options_about: Mapping[str, str] = field(default_factory=dict)
    """What an option decides at the table, in one sentence."""
    values: Mapping[str, str] = field(default_factory=dict)
    """A short label of a value, whatever the option."""
    own_values: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """A label of the value of one option."""
