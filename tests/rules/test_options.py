"""Every option of a game is read by the rules that score it, or is marked as a note for the table."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper import rules
from scorekeeper.rules import table_rules
from scorekeeper.rules.games import GAMES
from scorekeeper.rules.options import Options

from .test_cases import DEALS

pytestmark = pytest.mark.whole

READ_ELSEWHERE = {
    "sides",  # who plays with whom is told by the sides of a request
    "call_ultimas",  # the board reminds the dealer
}
"""Options that the engine takes and never reads, though they do decide something."""


def line_ups(game: Any, preset: str) -> Any:
    """Return the line-ups that a preset is looked at with: all of them for the default one, else the first will do."""
    found = game.preset_line_ups.get(preset, game.line_ups)
    return found if preset == game.default_preset else found[:1]


SAID_ON_PAGES = {"declaration_time", "sweep_must_be_covered", "table_trick_sweep"}
"""Notes that the rules of a table have as facts, for the pages that say them. No points depend on them."""


@pytest.fixture(scope="module")
def read() -> dict[str, set[str]]:
    """Return the options that were read, by game, while tables were made and the worked examples scored.

    Those of a game are scored until every option of it was read.
    """
    found: dict[str, set[str]] = {game: set() for game in GAMES}
    playing = ""

    def noting(self: Options, id: str) -> Any:
        found[playing].add(id)
        return self._values[id]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Options, "__getitem__", noting)
        table_rules._table.cache_clear()
        for game in GAMES.values():
            playing = game.id
            for preset in game.preset_ids:
                for sides, players_per_side in line_ups(game, preset):
                    # Names that no other test uses: what was worked out for other tables is not asked again.
                    labels = [f"{number} reads" for number in range(sides)]
                    asked = {"game": game.id, "preset": preset, "sides": labels, "players_per_side": players_per_side}
                    rules.score({**asked, "deal": {}})
                    for option in game.options if preset == game.default_preset else ():
                        for value in option.values:
                            rules.read_table({**asked, "options": {option.id: value}}, rules.Problems())
        for case in DEALS:
            playing = case["ask"].get("game", "")
            if playing not in GAMES:
                continue
            wanted = {option.id for option in GAMES[playing].options if not option.note} - READ_ELSEWHERE
            if not wanted <= found[playing]:
                rules.score({**case["ask"], "deal": case["deal"]})
        table_rules._table.cache_clear()
    return found


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_an_option_is_read_or_is_a_note(game: Any, read: dict[str, set[str]]) -> None:
    unread = {option.id for option in game.options} - read[game.id]
    notes = {option.id for option in game.options if option.note}

    assert notes & read[game.id] <= SAID_ON_PAGES, "these decide points, they are no notes"
    assert unread - READ_ELSEWHERE == notes - read[game.id], "an option that no code reads is read, or a note"


def test_a_note_is_said_to_be_one() -> None:
    said = {
        (game["id"], option["id"]) for game in rules.games()["games"] for option in game["options"] if option["note"]
    }

    assert said == {(game.id, option.id) for game in GAMES.values() for option in game.options if option.note}


@pytest.mark.parametrize("note", [None, "before_first_turn", "own_turn"])
def test_a_note_changes_no_points(note: str | None) -> None:
    request = {"game": "chorizo", "sides": ["A", "B"], "options": {} if note is None else {"declaration_time": note}}
    deal = {"declarations": [{"side": "A", "cards": ["1B", "2B", "3B"]}], "rest": "B"}

    assert rules.score({**request, "deal": deal})["points"] == {"A": 8, "B": 8}


def test_an_option_is_read_with_its_type() -> None:
    options = Options({"word": "x", "number": 3, "flag": True, "off": "off"}, sides=2, players_per_side=3)

    assert (options.word("word"), options.number("number"), options.flag("flag")) == ("x", 3, True)
    assert (options.number_or_off("number"), options.number_or_off("off")) == (3, None)
    assert (options.players, len(options), options["word"]) == (6, 4, "x")
    for read in (options.flag, options.number):
        with pytest.raises(TypeError):
            read("word")
    with pytest.raises(TypeError):
        options.word("number")


def test_what_an_option_needs_is_chosen_before_it() -> None:
    for game in GAMES.values():
        before: dict[str, Any] = {}
        for option in game.options:
            for id, values in option.needs.items():
                assert set(values) <= set(before[id].values), f"{option.id} of {game.id} needs {id}"
            before[option.id] = option
