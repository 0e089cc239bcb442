"""Names and labels of games, items, options and presets, by language: one TOML file a language (docs/rules.md 1).

Words about suits and figures leave places for them (``{O}``, ``{12}``, ``{12s}`` of several): each pack of cards names
them otherwise, and so does a game with words of its own (``own_suits``, ``own_ranks``), also where it is read about in
another language: at Scopa one has denari and re.
Where a language has no word of its own, the native word is used: escoba (a sweep), setenta (the prime), matta (the wild
seven of cups), verdulera (three of a kind). An id without a name is shown with spaces. To add a language, write its
file and name it in ``contract.Language``; tests list the words that are missing. Proper names are in ``proper.toml``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import get_args

from ..contract import CardsOfThePlace, Words
from ..contract import Language as Code
from ..options import Value
from ..ruleset import RuleSet
from .language import Language, Speech, read_language

LANGUAGES: tuple[Code, ...] = get_args(Code)


@cache
def languages() -> dict[Code, Language]:
    """Return the words of every language; the files are read when the first word is asked for."""
    return {code: read_language(code) for code in LANGUAGES}


@cache
def spoken() -> tuple[Code, ...]:
    """Return the languages that have every word."""
    return tuple(code for code, language in languages().items() if language.options)


def speech_of(rules: RuleSet, cards: CardsOfThePlace | None = None, preset: str = "") -> Speech:
    """Return how a table speaks of its cards that plays a game by a preset; ``cards`` are else those at home."""
    of_preset = rules.preset_vocabulary.get(preset)
    own = (rules.id, *rules.vocabularies)
    return Speech(cards or rules.cards, (of_preset, *own) if of_preset else own)


NO_GAME = Speech()


def _words(word_in: Callable[[Language], str | None], id: str, speech: Speech = NO_GAME) -> Words:
    """Return the word of each language that has one, in this speech; a spoken language without it shows the id."""
    words: Words = {}
    for code, language in languages().items():
        word = word_in(language)
        if word is None and code in spoken():
            word = id.replace("_", " ")
        if word is not None:
            words[code] = language.about(speech, word)
    return words


def game_name(game: str) -> Words:
    """Return a game's names by language."""
    return _words(lambda language: language.games.get(game), game)


def game_note(game: str) -> Words:
    """Return one sentence about a game by language."""
    return _words(lambda language: language.game_notes.get(game), game)


def home_words(game: str) -> Words:
    """Return a few words about a game for its button on the start page, by language; empty where it has none."""
    has_button = any(game in language.home for language in languages().values())
    return _words(lambda language: language.home.get(game), game) if has_button else {}


def own_word(rules: RuleSet, item: str) -> tuple[str, str] | None:
    """Return the key of the game's own word for an item in ``own_items``, None where it uses the common word."""
    for place in ((word, item) for word in (rules.id, *rules.vocabularies)):
        if any(place in language.own_items for language in languages().values()):
            return place
    return None


def item_name(rules: RuleSet, item: str, cards: CardsOfThePlace | None = None, preset: str = "") -> Words:
    """Return an item's names by language, in the game's own words where it has any; ``cards`` are else those at home.

    Where the game is played by a ``preset`` that calls the item otherwise, that is its name.

    Where a game has its own word in any language, the common words of other languages are left out.
    """
    own = own_word(rules, item)

    def name(language: Language) -> str | None:
        usual = language.items.get(item) if own is None else language.own_items.get(own)
        return language.preset_items.get((preset, item), usual)

    return _words(name, item, speech_of(rules, cards, preset))


def short_item_name(rules: RuleSet, item: str, cards: CardsOfThePlace | None = None) -> Words:
    """Return an item's names where there is room for few letters; empty where it has none but its usual name.

    A language without a shorter one has its usual name there: else its pages would take that of another language.
    Suits are named as by some ``cards``, else as where the game is at home.
    """
    if own_word(rules, item) is not None or not any(item in language.short_items for language in languages().values()):
        return {}
    return _words(
        lambda language: language.short_items.get(item) or language.items.get(item), item, speech_of(rules, cards)
    )


def item_rule(
    rules: RuleSet, item: str, options: Mapping[str, Value], cards: CardsOfThePlace | None = None, preset: str = ""
) -> Words:
    """Return what an item is given for under these options, by language; an option that is absent has its default."""
    speech = speech_of(rules, cards, preset)
    agreed = {option.id: option.default for option in rules.options} | dict(options)

    def sentence(language: Language) -> str | None:
        for (concerned, option, value), words in language.item_rules_under.items():
            if concerned == item and str(agreed.get(option)) == value:
                return words % agreed
        own = (language.own_item_rules.get((game, item)) for game in speech.vocabularies)
        rule = next(filter(None, own), language.item_rules.get(item))
        return None if rule is None else rule % agreed

    return _words(sentence, item, speech)


def preset_name(preset: str) -> Words:
    """Return a preset's names by language."""
    return _words(lambda language: language.presets.get(preset), preset)


def played_as(rules: RuleSet, preset: str) -> Words:
    """Return by language what a game is called that is played by a preset: under its usual one just the game."""

    def name(language: Language) -> str | None:
        words = language.played_as.get(preset) or language.presets.get(preset)
        return words and words % {"game": language.games.get(rules.id, rules.id)}

    return game_name(rules.id) if preset == rules.default_preset else _words(name, preset)


def preset_note(preset: str) -> Words:
    """Return one sentence about a preset by language."""
    return _words(lambda language: language.preset_notes.get(preset), preset)


def option_label(rules: RuleSet, option: str, cards: CardsOfThePlace) -> Words:
    """Return the question that an option of a game answers, by language."""
    return _of_its_items(rules, _words(lambda language: language.options.get(option), option, speech_of(rules, cards)))


def option_about(rules: RuleSet, option: str, cards: CardsOfThePlace) -> Words:
    """Return what an option of a game decides at the table, in one sentence, by language."""
    return _of_its_items(
        rules, _words(lambda language: language.options_about.get(option), option, speech_of(rules, cards))
    )


def _of_its_items(rules: RuleSet, words: Words) -> Words:
    """Return words in which the game's own names of its items are at their places, ``{prime}`` and ``{sweep}``."""
    primes, sweeps = item_name(rules, "prime"), item_name(rules, "sweeps")
    return {
        code: word.replace("{prime}", primes.get(code, "prime")).replace("{sweep}", singular(sweeps.get(code, "sweep")))
        for code, word in words.items()
    }


def value_label(rules: RuleSet, option: str, value: Value, cards: CardsOfThePlace) -> Words:
    """Return a short label of an option's value by language; a number without words is shown in digits."""
    word = str(value)

    def label(language: Language) -> str | None:
        return language.own_values.get((option, word)) or language.values.get(word)

    return _words(label, word, speech_of(rules, cards))


def suit_name(speech: Speech, suit: str, of_one: bool = False) -> Words:
    """Return what a suit is called by language, of several cards or of one; "" is no suit."""
    names = {code: language.suit(speech, suit) for code, language in languages().items()}
    return {code: name[0 if of_one else 1] for code, name in names.items() if name}


def rank_name(speech: Speech, index: str, several: bool = False) -> Words:
    """Return what a card of an index is called in a sentence, by language: "king", "re"; a plain card by its number."""
    return {code: (languages()[code].figure(speech, index) or (index, index))[several] for code in spoken()}


def rank_called(speech: Speech, index: str) -> Words:
    """Return what an index is called in the name of a card, by language; empty where that is its number."""
    names = {code: languages()[code].rank(speech, index) for code in spoken()}
    return {code: name[0] for code, name in names.items() if name}


def card_words(speech: Speech, code: str) -> Words:
    """Return a card in words by language, such as "7 of coins", "queen of hearts"."""
    index = code[:-1]
    words: Words = {}
    for spoken_in, suit in suit_name(speech, code[-1:]).items():
        language = languages()[spoken_in]
        words[spoken_in] = language.card_of(speech, (language.rank(speech, index) or (index,))[0], suit)
    return words


def singular(name: str) -> str:
    """Return the name of a single sweep from the name for several."""
    return next((single for language in languages().values() if (single := language.singulars.get(name))), name)
