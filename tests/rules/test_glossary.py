"""Every game, item, option, value and preset has words of its own in every language that the app speaks."""

from __future__ import annotations

import pkgutil
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from scorekeeper import rules
from scorekeeper.rules import glossary
from scorekeeper.rules.deal import ITEMS
from scorekeeper.rules.games import GAMES
from scorekeeper.rules.glossary.language import Language, read_language
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.web.base import i18n

PAGES_SPEAK = {code.split("_")[0] for code in i18n.LANGUAGES}
"""The languages of the pages; those of a territory use the words of their language."""

DESCRIBED = {game["id"]: game for game in rules.games()["games"]}


def wanted(game: RuleSet) -> Iterator[tuple[str, object]]:
    """Name every word that a spoken language needs for a game: the part of the language, and the place in it."""
    yield "games", game.id
    yield "game_notes", game.id
    if glossary.home_words(game.id):
        yield "home", game.id
    for preset in game.preset_ids:
        yield "presets", preset
        yield "preset_notes", preset
    for item in {*game.items, *ITEMS}:
        own = glossary.own_word(game, item)
        yield ("items", item) if own is None else ("own_items", own)
        yield "item_rules", item
    for option in game.options:
        yield "options", option.id
        yield "options_about", option.id
        for value in option.values:
            if isinstance(value, str):
                yield "values", (option.id, value)


def missing(language: Language, game: RuleSet) -> list[str]:
    """Say where a language has no word for something of a game."""
    found = []
    for part, place in wanted(game):
        if part == "values" and isinstance(place, tuple):
            has_it = place in language.own_values or place[1] in language.values
        else:
            has_it = place in getattr(language, part)
        if not has_it:
            found.append(f"{part}: {place}")
    return found


def test_the_app_speaks_only_languages_that_have_their_words() -> None:
    assert set(glossary.spoken()) >= PAGES_SPEAK, "give it a file in rules/glossary"


@pytest.mark.parametrize("code", sorted({*glossary.spoken(), *PAGES_SPEAK}))
@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_a_spoken_language_has_a_word_for_everything(game: RuleSet, code: Any) -> None:
    language = glossary.languages()[code]

    assert missing(language, game) == [], f"rules/glossary/{code}.toml lacks words of {game.id}"


SAME_IN_EVERY_OPTION = {"added", "instead", "plus_one", "deal_wins", "natural", "nobody", "on", "off", "standard"}
"""The words of values that several options have, and that mean the same in each."""


def test_a_label_is_that_of_the_option_and_its_value() -> None:
    options: dict[str, set[str]] = {}
    for game in GAMES.values():
        for option in game.options:
            for value in option.values:
                if isinstance(value, str):
                    options.setdefault(value, set()).add(option.id)
    shared = {value for value, ids in options.items() if len(ids) > 1}

    assert shared >= SAME_IN_EVERY_OPTION
    for code in glossary.spoken():
        language = glossary.languages()[code]
        owned = {(id, value) for value in shared - SAME_IN_EVERY_OPTION for id in options[value]}
        assert owned <= {*language.own_values}, code


def test_the_way_points_are_counted_is_not_said_as_the_end_of_a_pad() -> None:
    labels = {option["id"]: option["value_labels"] for option in DESCRIBED["free"]["options"]}

    assert labels["count"]["rounds"] == {"en": "when the round is closed", "es": "al cerrar la ronda"}
    assert labels["end"]["rounds"] == {"en": "after so many rounds", "es": "tras tantas rondas"}


def test_every_file_is_a_language_or_the_proper_names() -> None:
    files = {path.stem for path in Path(glossary.__file__).parent.glob("*.toml")}
    assert files == {*glossary.LANGUAGES, "proper"}


def fits(words: object, kind: Any) -> bool:
    """Return whether words are of a type: a text, so many texts, or such under such."""
    if kind is str:
        return isinstance(words, str)
    if isinstance(words, dict):
        of_key, of_word = get_args(kind)
        return all(fits(key, of_key) and fits(word, of_word) for key, word in words.items())
    if get_args(kind)[1:] == (...,):
        return isinstance(words, tuple) and all(fits(word, str) for word in words)
    return isinstance(words, tuple) and len(words) == len(get_args(kind)) and all(fits(word, str) for word in words)


@pytest.mark.parametrize("code", glossary.LANGUAGES)
def test_the_words_of_a_file_have_the_types_of_their_section(code: Any) -> None:
    for part, kind in get_type_hints(Language).items():
        assert fits(getattr(glossary.languages()[code], part), kind), f"rules/glossary/{code}.toml: {part}"


def test_a_file_that_cannot_be_read_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pkgutil, "get_data", lambda *_: b"[games\n")
    with pytest.raises(tomllib.TOMLDecodeError) as caught:
        read_language("xx")
    assert "xx.toml" in caught.value.__notes__[0]


def test_a_word_of_a_language_takes_the_place_of_a_proper_name() -> None:
    assert glossary.game_name("brisca")["it"] == "Briscola"
    assert glossary.game_name("brisca")["es"] == "Brisca"


def test_a_word_that_is_missing_is_named() -> None:
    assert "item_rules: prime" in missing(glossary.languages()["it"], GAMES["scopa"])
    assert "values: ('redeal_kings', 'off')" in missing(glossary.languages()["it"], GAMES["scopa"])


@pytest.mark.parametrize(
    ("game", "asks"), [("scopa", "¿Cómo se cuenta la primiera?"), ("la_escoba", "¿Cómo se cuenta la setenta?")]
)
def test_an_option_speaks_of_the_prime_by_the_name_that_it_has_in_the_game(game: str, asks: str) -> None:
    labels = {option["id"]: option["label"]["es"] for option in DESCRIBED[game]["options"]}
    assert labels["prime_method"] == asks


def test_no_place_for_a_word_is_left_open() -> None:
    for game in DESCRIBED.values():
        for option in game["options"]:
            assert not [word for words in (option["label"], option["about"]) for word in words.values() if "{" in word]


def test_an_item_has_the_name_that_the_preset_gives_it_and_elsewhere_its_usual_one() -> None:
    assert glossary.item_name(GAMES["brisca"], "bid", preset="chiamata_buia")["es"] == "la chiamata"
    assert glossary.item_name(GAMES["brisca"], "bid", preset="rematada")["es"] == "el remate"
    assert glossary.item_name(GAMES["brisca"], "bid", preset="chiamata")["it"] == "la chiamata"


@pytest.mark.parametrize("code", glossary.LANGUAGES)
def test_no_word_names_what_is_not_there(code: Any) -> None:
    language = glossary.languages()[code]
    known: dict[str, set[object]] = {}
    for game in GAMES.values():
        for part, place in wanted(game):
            known.setdefault(part, set()).add(place)
    items = {item for game in GAMES.values() for item in (*game.items, *ITEMS)}
    vocabularies = {word for game in GAMES.values() for word in (game.id, *game.vocabularies)}

    assert set(language.played_as) <= known.get("presets", set())
    for part in ("games", "game_notes", "item_rules", "presets", "preset_notes", "options"):
        assert set(getattr(language, part)) <= known[part], part
    assert set(language.items) <= items
    assert {item for _, item in language.own_items} <= items
    assert {item for _, item in language.own_item_rules} <= items
    for part in ("own_items", "own_item_rules", "own_suits", "own_ranks"):
        assert {place[0] for place in getattr(language, part)} <= vocabularies, part
    assert set(language.own_cards) <= vocabularies
    assert {place[-1] for place in language.own_suits} <= set(rules.SUITS)
    assert {place[-1] for place in language.own_ranks} <= set(map(str, rules.RANKS))
    assert {preset for preset, _ in language.preset_items} <= known["presets"]
    assert {item for _, item in language.preset_items} <= items
    assert {item for item, _, _ in language.item_rules_under} <= items


@pytest.mark.parametrize("code", glossary.spoken())
def test_the_words_can_be_read(code: Any) -> None:
    language = glossary.languages()[code]
    for part in (
        "games",
        "game_notes",
        "items",
        "own_items",
        "preset_items",
        "item_rules",
        "presets",
        "played_as",
        "preset_notes",
        "options",
    ):
        assert all(word.strip() for word in getattr(language, part).values()), part


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_the_rule_of_an_item_reads_the_options_of_its_game(game: RuleSet) -> None:
    ids = {option.id for option in game.options}
    for item in game.items:
        for code in glossary.spoken():
            named = set(re.findall(r"%\((\w+)\)", glossary.languages()[code].item_rules.get(item, "")))
            assert named <= ids, f"{code}: {item}"
            assert glossary.item_rule(game, item, {})[code].strip()


def test_the_rule_of_an_item_follows_the_options() -> None:
    assert "50" in rules.item_rule("escopa", "fifty_cards", {"fifty_cards_at": 50})["en"]
    assert "40" in rules.item_rule("escopa", "fifty_cards", {})["es"]
    assert "120" in rules.item_rule("brisca", "card_points", {})["en"]
    assert "120" not in rules.item_rule("brisca", "card_points", {"value_table": "seven_ten"})["en"]


@pytest.mark.parametrize("game", DESCRIBED.values(), ids=lambda game: game["id"])
def test_its_options_are_questions(game: dict[str, Any]) -> None:
    for option in game["options"]:
        assert "¿" in option["label"]["es"]
        assert option["label"]["en"].endswith("?")


@pytest.mark.parametrize("game", DESCRIBED.values(), ids=lambda game: game["id"])
def test_the_values_of_an_option_read_differently(game: dict[str, Any]) -> None:
    for option in game["options"]:
        for language in glossary.spoken():
            words = [option["value_labels"][str(value)][language] for value in option["values"]]
            assert len(set(words)) == len(words), option["id"]
            assert not any("_" in word for word in words)


@pytest.mark.parametrize(
    ("game", "item", "language", "name"),
    [
        ("chorizo", "three_of_a_kind", "es", "chorizo"),
        ("baciga", "three_of_a_kind", "es", "chorizo"),
        ("la_escoba", "three_of_a_kind", "es", "verdulera"),
        ("scopa", "seven_of_coins", "it", "settebello"),
        ("scopa", "coins", "it", "denari"),
        ("scopone_scientifico", "prime", "it", "primiera"),
        ("cirullone", "sweeps", "en", "scope"),
        ("escova", "sweeps", "es", "escovas"),
        ("escopa", "sweeps", "pt", "escopas"),
        ("escova", "seven_of_coins", "es", "sete belo"),
        ("escopa", "all_coins", "es", "todos os ouros"),
        ("cirulla", "coins", "es", "denari"),
        ("chkobba", "barmila", "es", "bermila"),
    ],
)
def test_a_game_speaks_its_own_words(game: str, item: str, language: Any, name: str) -> None:
    assert glossary.item_name(GAMES[game], item)[language] == name


def test_one_sweep_has_a_name() -> None:
    assert [glossary.singular(name) for name in ("escobas", "scope", "sweeps", "x")] == [
        "escoba",
        "scopa",
        "sweep",
        "x",
    ]


def test_whatever_many_sweeps_are_called_one_has_a_name() -> None:
    for game in GAMES.values():
        if "sweeps" in game.items:
            for code in PAGES_SPEAK:
                many = glossary.item_name(game, "sweeps")[code]  # type: ignore[index]
                assert glossary.singular(many) != many, f"{code}: what is one of the {many}?"


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_whatever_can_have_a_line_is_an_item_of_the_game(game: RuleSet) -> None:
    for preset in game.preset_ids:
        sides, players = game.preset_line_ups.get(preset, game.line_ups)[0]
        labels = [str(number) for number in range(sides)]
        asked = {"game": game.id, "preset": preset, "sides": labels, "players_per_side": players}
        for option in game.options:
            for value in option.values:
                table = rules.read_table({**asked, "options": {option.id: value}}, rules.Problems())
                if table is not None:
                    assert set(table.game.item_ids()) <= set(game.items), f"{option.id}: {value}"
