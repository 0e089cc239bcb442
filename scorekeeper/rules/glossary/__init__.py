"""Names and labels of games, items, options and presets, by language: one file a language (docs/rules.md 1).

Native words stand where a language has none of its own: escoba (a sweep), setenta (the prime), matta (the wild seven of
cups), verdulera (three of a kind). An id that nobody has named is shown with spaces. To add a language, write its file
and name it in ``LANGUAGES``; the tests list the words that are missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..contract import Language as Code
from ..contract import Words
from ..options import Value
from ..ruleset import RuleSet
from .en import ENGLISH
from .es import SPANISH
from .fr import FRENCH
from .it import ITALIAN
from .language import Language
from .pt import PORTUGUESE

LANGUAGES: dict[Code, Language] = {
    "es": SPANISH,
    "en": ENGLISH,
    "it": ITALIAN,
    "pt": PORTUGUESE,
    "fr": FRENCH,
}

SPOKEN: tuple[Code, ...] = tuple(code for code, language in LANGUAGES.items() if language.options)
"""The languages that have every word."""


def _words(word_in: Callable[[Language], str | None], id: str) -> Words:
    """Return what each language has; a spoken language without a word shows the id."""
    found: Words = {}
    for code, language in LANGUAGES.items():
        word = word_in(language)
        if word is None and code in SPOKEN:
            word = id.replace("_", " ")
        if word is not None:
            found[code] = word
    return found


def game_name(game: str) -> Words:
    """Return a game's names by language."""
    return _words(lambda language: language.games.get(game), game)


def game_note(game: str) -> Words:
    """Return one sentence about a game by language."""
    return _words(lambda language: language.game_notes.get(game), game)


def own_word(rules: RuleSet, item: str) -> tuple[str, str] | None:
    """Return where the game's own word for an item stands in ``own_items``, None where the common one will do."""
    for place in ((rules.id, item), (rules.vocabulary, item)):
        if any(place in language.own_items for language in LANGUAGES.values()):
            return place
    return None


def item_name(rules: RuleSet, item: str) -> Words:
    """Return an item's names by language, in the game's own words where it has any.

    Where a game has a word of its own in any language, the common words of the others do not stand beside it.
    """
    own = own_word(rules, item)
    return _words(lambda language: language.items.get(item) if own is None else language.own_items.get(own), item)


def item_rule(rules: RuleSet, item: str, options: Mapping[str, Value]) -> Words:
    """Return what an item is given for under these options, by language; an option that is absent has its default."""
    agreed = {option.id: option.default for option in rules.options} | dict(options)

    def sentence(language: Language) -> str | None:
        for (concerned, option, value), words in language.item_rules_under.items():
            if concerned == item and str(agreed.get(option)) == value:
                return words % agreed
        rule = language.item_rules.get(item)
        return None if rule is None else rule % agreed

    return _words(sentence, item)


def preset_name(preset: str) -> Words:
    """Return a preset's names by language."""
    return _words(lambda language: language.presets.get(preset), preset)


def preset_note(preset: str) -> Words:
    """Return one sentence about a preset by language."""
    return _words(lambda language: language.preset_notes.get(preset), preset)


def option_label(option: str) -> Words:
    """Return the question that an option answers, by language."""
    return _words(lambda language: language.options.get(option), option)


def value_label(option: str, value: Value) -> Words:
    """Return a short label of an option's value by language; a number without words is its digits."""
    word = str(value)
    return _words(lambda language: language.own_values.get((option, word)) or language.values.get(word), word)


def one_of(name: str) -> str:
    """Return what one sweep is called where many are called so."""
    return next((one for language in LANGUAGES.values() if (one := language.singulars.get(name))), name)
