"""Every game, item, option, value and preset has words of its own, in Spanish and in English."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper import rules
from scorekeeper.rules import glossary

GAMES = rules.games()["games"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game["id"])
def test_a_game_has_names_and_a_note(game: dict[str, Any]) -> None:
    assert game["id"] in glossary.GAMES
    for words in (game["names"], game["note"], *game["preset_names"].values(), *game["preset_notes"].values()):
        assert {"es", "en"} <= set(words)
        assert all(word.strip() for word in words.values())
    assert set(game["presets"]) <= set(glossary.PRESETS)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game["id"])
def test_its_items_are_named(game: dict[str, Any]) -> None:
    for item in game["items"]:
        assert item["id"] in glossary.ITEMS or (game["id"], item["id"]) in glossary.OWN_WORDS
        assert {"es", "en", "it"} <= set(item["names"])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game["id"])
def test_its_options_say_what_they_decide(game: dict[str, Any]) -> None:
    for option in game["options"]:
        assert option["id"] in glossary.OPTIONS
        assert "¿" in option["label"]["es"]
        assert option["label"]["en"].endswith("?")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game["id"])
def test_the_values_of_an_option_read_differently(game: dict[str, Any]) -> None:
    for option in game["options"]:
        for language in ("es", "en"):
            words = [option["value_labels"][str(value)][language] for value in option["values"]]
            assert len(set(words)) == len(words), option["id"]
            assert not any("_" in word for word in words)
        for value in option["values"]:
            if isinstance(value, str):
                assert value in glossary.VALUES or (option["id"], value) in glossary.OWN_VALUES, option["id"]


@pytest.mark.parametrize(
    ("game", "item", "language", "name"),
    [
        ("chorizo", "three_of_a_kind", "es", "chorizo"),
        ("la_escoba", "three_of_a_kind", "es", "verdulera"),
        ("chorizo", "prime", "es", "setenta"),
        ("scopa", "seven_of_coins", "it", "settebello"),
        ("scopa", "coins", "it", "denari"),
        ("scopa", "prime", "it", "primiera"),
        ("escova", "sweeps", "es", "escovas"),
        ("escopa", "sweeps", "pt", "escopas"),
    ],
)
def test_a_game_speaks_its_own_words(game: str, item: str, language: str, name: str) -> None:
    assert glossary.item_name(game, item)[language] == name
