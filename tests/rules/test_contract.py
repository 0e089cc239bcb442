"""The shape of every answer: keys, types, codes and places, whatever the game."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from scorekeeper import rules
from scorekeeper.cli.main import main
from scorekeeper.rules import contract

from ..helpers.contract_types import check

GAMES = {game["id"]: game for game in rules.games()["games"]}
PUBLISHED = {
    *("chorizo", "baciga", "escoba", "la_escoba", "escova", "escopa", "scopa", "scopa_d_assi", "scopone"),
    *("scopone_scientifico", "scopa_di_quindici", "cirulla", "cirullone", "chkobba", "brisca", "carioca", "free"),
}
"""Games of which matches are stored: they stay."""
SHEET = {"game", "preset", "options", "sides", "status", "problems", "lines", "points", "ask", "redeal", "match"}
SETTLED = {"item", "points", "reason", "values", "evidence"}
OPEN = {"item", "points", "reason", "needs"}
ONLY_WHERE_IT_HAPPENED = {
    *("flush", "run", "misery", "baciga", "low_hand", "false_declaration", "renuncio", "wrong_capture", "steal"),
}
"""Items that have a line only where they happened; all others that are on have one in every deal."""


def line_up(game: dict[str, Any]) -> dict[str, Any]:
    seats = game["seats"][0]
    return {"game": game["id"], "sides": list("ABCDE"[: seats["sides"]]), "players_per_side": seats["players_per_side"]}


def deal_of(game: dict[str, Any]) -> dict[str, Any]:
    """A finished deal of a game, told as simply as it can be."""
    deals: dict[str, dict[str, Any]] = {
        "tricks": {"card_points": {"A": 70}},
        "rummy": {"left": {"A": ["K"]}, "went_out": "B"},
        "free": {"points": {"A": 3, "B": 4}},
    }
    return deals.get(game["family"], {"sweeps": {"A": 1}, "rest": "A"})


def check_problem(problem: dict[str, Any]) -> None:
    assert problem["severity"] in ("error", "warning")
    assert all(isinstance(problem[part], str) for part in ("code", "where", "message"))
    assert problem["code"]
    assert problem["message"]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_finished_deal_is_a_whole_sheet_with_a_line_for_every_item_that_is_on(game: dict[str, Any]) -> None:
    sheet = rules.score({**line_up(game), "deal": deal_of(game)})

    assert set(sheet) >= SHEET
    assert sheet["status"] == "complete"
    assert sheet["preset"] == game["default_preset"]
    assert sheet["options"].keys() == {option["id"] for option in game["options"]}
    assert sheet["ask"] is None
    assert sheet["redeal"] is None
    assert set(sheet["match"]) == {"won_by", "lost_by"}
    assert sheet["lines"]
    for line in sheet["lines"]:
        assert set(line) >= SETTLED
        assert line["item"] in {item["id"] for item in game["items"]}
        assert line["evidence"] in ("shown", "counted", "said")
        assert set(line["points"]) == set(line["values"]) == set(sheet["sides"])
    for side in sheet["sides"]:
        assert sheet["points"][side] == sum(line["points"][side] for line in sheet["lines"])
    items = [line["item"] for line in sheet["lines"]]
    assert len(items) == len(set(items))
    assert not ONLY_WHERE_IT_HAPPENED & set(items)
    if game["family"] == "fishing":
        assert {"cards", "coins", "seven_of_coins", "sweeps"} <= set(items)
    check(sheet, contract.Sheet)


@pytest.mark.parametrize("id", ["chorizo", "scopa", "cirulla"])
def test_a_deal_that_is_open_says_what_it_waits_for(id: str) -> None:
    sheet = rules.score({**line_up(GAMES[id]), "deal": {}})

    assert set(sheet) >= SHEET
    assert sheet["status"] == "open"
    undecided = [line for line in sheet["lines"] if line["points"] is None]
    assert undecided
    assert all(set(line) >= OPEN and line["reason"] == "open" for line in undecided)
    assert set(sheet["ask"]) in ({"card", "settles"}, {"count", "side", "settles"})
    assert set(sheet["ask"]["settles"]) <= {line["item"] for line in undecided}
    check(sheet, contract.Sheet)


@pytest.mark.parametrize("id", ["chorizo", "brisca", "carioca", "free"])
def test_an_impossible_deal_has_the_shape_of_a_sheet_and_no_points(id: str) -> None:
    game = GAMES[id]
    sheet = rules.score({**line_up(game), "deal": {**deal_of(game), "dealer": "nobody"}})

    assert set(sheet) >= SHEET
    assert sheet["status"] == "invalid"
    assert sheet["points"] in (None, {})
    assert sheet["lines"] == []
    assert "dealer" in [problem["where"] for problem in sheet["problems"]]
    for problem in sheet["problems"]:
        check_problem(problem)


def test_a_redeal_has_no_lines_and_no_points() -> None:
    deal = {"dealer": "A", "layout": ["12O", "12C", "3E", "4B"], "sweeps": {"A": 1}}
    sheet = rules.score({"game": "scopa", "sides": ["A", "B"], "deal": deal})

    assert sheet["redeal"] == "next"
    assert sheet["lines"] == []
    assert sheet["status"] == "complete"
    assert not any((sheet["points"] or {}).values())


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_options_override_the_preset_and_the_preset_the_defaults(game: dict[str, Any]) -> None:
    defaults = {option["id"]: option["default"] for option in game["options"]}
    for preset, changes in game["presets"].items():
        seats = next(
            (
                seats
                for seats in game["seats"]
                if rules.match(
                    {
                        "game": game["id"],
                        "preset": preset,
                        "sides": list("ABCDEFGHIJ"[: seats["sides"]]),
                        "players_per_side": seats["players_per_side"],
                        "deals": [],
                    }
                ).get("options")
            ),
            None,
        )
        assert seats is not None, preset
        table = {
            "game": game["id"],
            "preset": preset,
            "sides": list("ABCDEFGHIJ"[: seats["sides"]]),
            "players_per_side": seats["players_per_side"],
        }
        resolved = rules.match({**table, "deals": []})["options"]
        expected = {**defaults, **changes}
        assert {id: value for id, value in resolved.items() if id != "pack"} == {
            id: value for id, value in expected.items() if id != "pack"
        }
        for option in game["options"]:
            for value in option["values"]:
                if option["id"] == "pack":
                    continue
                answer = rules.match({**table, "options": {option["id"]: value}, "deals": []})
                if value == option["default"] or preset in option.get("presets", [preset]):
                    assert answer["options"][option["id"]] == value
                else:
                    (problem,) = answer["problems"]
                    assert (problem["code"], problem["where"]) == ("unknown_value", f"options.{option['id']}")


def test_captures_answer_in_the_contracts_shape() -> None:
    answer = rules.captures({"game": "scopa", "layout": ["1B", "3C", "7O", "4E"], "card": "7E", "hand": ["2O"]})

    assert {"captures", "may_leave"} <= set(answer)
    assert answer["captures"] == [{"takes": ["7O"], "sweep": 0}]
    assert answer["may_leave"] is False


def test_a_prime_answers_in_the_contracts_shape() -> None:
    request = {"method": "face", "piles": {"A": ["7O", "6C", "6E", "5B", "10B"], "B": ["12O", "1B"]}}
    answer = rules.prime(request)

    assert answer == {
        "primes": {
            "A": {"cards": ["7O", "6C", "6E", "5B"], "value": 24, "eligible": True},
            "B": {"cards": ["12O", "1B"], "value": 1, "eligible": True},
        },
        "winners": ["A"],
    }


def test_between_equal_cards_of_a_suit_the_higher_rank_is_named() -> None:
    primes = rules.prime({"method": "seventy", "piles": {"A": ["10O", "12O", "11O"], "B": ["10C", "2E"]}})["primes"]

    assert primes["A"]["cards"] == ["12O"]
    assert primes["B"]["cards"] == ["10C", "2E"]


def test_a_match_answers_in_the_contracts_shape() -> None:
    deals = [{"dealer": "A", "sweeps": {"A": 1}}, {"layout": ["12O", "12C", "3E", "4B"]}]
    answer = rules.match({"game": "scopa", "sides": ["A", "B"], "deals": deals})

    assert {"totals", "sheets", "status", "winner", "reason", "next_dealer"} <= set(answer)
    assert answer["totals"] == {"A": 1, "B": 0}
    assert len(answer["sheets"]) == 2
    assert all(set(sheet) >= SHEET for sheet in answer["sheets"])
    assert answer["status"] == "playing"
    assert answer["winner"] is None
    assert answer["reason"] is None
    assert answer["next_dealer"] == "A"


def test_games_are_described_in_the_contracts_shape() -> None:
    families = {"chorizo": "fishing", "brisca": "tricks", "carioca": "rummy", "free": "free"}
    assert set(GAMES) >= PUBLISHED
    assert {id: GAMES[id]["family"] for id in families} == families
    for game in GAMES.values():
        assert {"id", "family", "names", "sides", "target", "presets", "options", "items"} <= set(game)
        assert all(isinstance(count, int) for count in game["sides"])
        assert isinstance(game["presets"], dict)
        for option in game["options"]:
            assert {"id", "type", "values", "default", "label"} <= set(option)
            assert option["type"] in ("choice", "int", "bool")
            assert option["type"] == "int" or option["default"] in option["values"]
        for preset in game["presets"].values():
            assert set(preset) <= {option["id"] for option in game["options"]}


TABLE = {"game": "chorizo", "sides": ["A", "B"]}
WRONG_TYPES: list[tuple[str, Any]] = [
    ("game", None),
    ("preset", 3),
    ("sides", [1, 2]),
    ("players_per_side", True),
    ("options", []),
    ("options.pts_all_sevens", "3"),
    ("options.target", 1.5),
    ("options.table_flush", 1),
    ("deal", []),
    ("deal.layout[1]", 3),
    ("deal.sweeps.A", "2"),
    ("deal.sweeps.A", True),
    ("deal.piles.A", "7O"),
    ("deal.piles.A[0]", 7),
    ("deal.counts.A.cards", "20"),
    ("deal.awards.cards", 1),
    ("deal.declarations[0].cards", "1B2B3B"),
    ("deal.as.12O", 5),
    ("deal.last_capturer", False),
    ("deal.accept", "pile_modulus"),
]
GOOD: dict[str, Any] = {
    **TABLE,
    "preset": "montevideo",
    "players_per_side": 1,
    "options": {"pts_all_sevens": 3, "target": 21, "table_flush": False},
    "deal": {
        "dealer": "A",
        "layout": ["2O", "3C", "4E", "6B"],
        "sweeps": {"A": 2},
        "piles": {"A": ["7O"]},
        "counts": {"A": {"cards": 20}},
        "awards": {"cards": None},
        "declarations": [{"side": "A", "batch": 1, "cards": ["1B", "2B", "3B"], "items": ["flush"]}],
        "as": {"12O": "5"},
    },
}


def place(request: dict[str, Any], where: str, value: object) -> None:
    """Put a value at a place such as ``deal.piles.A[0]``."""
    *path, last = where.replace("[", ".").replace("]", "").split(".")
    spot: Any = request
    for part in path:
        spot = spot[int(part)] if isinstance(spot, list) else spot[part]
    if isinstance(spot, list):
        spot[int(last)] = value
    else:
        spot[last] = value


def test_the_request_that_is_spoilt_below_is_a_good_one() -> None:
    assert rules.score(GOOD)["status"] == "open"


@pytest.mark.parametrize(("where", "value"), WRONG_TYPES, ids=lambda part: str(part)[:30])
def test_a_wrong_type_is_malformed_and_says_where(where: str, value: object) -> None:
    request = deepcopy(GOOD)
    place(request, where, value)

    with pytest.raises(rules.Malformed) as raised:
        rules.score(request)
    for problem in raised.value.problems:
        check_problem(problem)
    named = raised.value.problems[0]["where"]
    assert named.removeprefix("deal.") in (where.removeprefix("deal."), f"{where}[0]")


@pytest.mark.parametrize("request_", [None, [], "x", 3, True], ids=str)
def test_a_request_that_is_no_object_is_malformed(request_: Any) -> None:
    for door in (rules.score, rules.match, rules.captures, rules.prime):
        with pytest.raises(rules.Malformed):
            door(request_)


def test_a_fault_in_a_deal_of_a_match_says_in_which() -> None:
    with pytest.raises(rules.Malformed) as raised:
        rules.match({**TABLE, "deals": [{}, {"sweeps": {"A": "2"}}]})

    assert raised.value.problems[0]["where"].startswith("deals[1]")


@pytest.mark.parametrize(
    ("where", "code", "request_"),
    [
        ("game", "unknown_game", {"game": "poker", "sides": ["A", "B"]}),
        ("preset", "unknown_preset", {**TABLE, "preset": "paris"}),
        ("options.jokers", "unknown_option", {**TABLE, "options": {"jokers": 2}}),
        ("options.pts_all_sevens", "unknown_value", {**TABLE, "options": {"pts_all_sevens": 4}}),
        ("options.tie_rule", "unknown_value", {**TABLE, "options": {"tie_rule": "coin"}}),
        ("sides", "bad_number_of_sides", {"game": "chorizo", "sides": ["A"]}),
        ("piles.B[1]", "duplicate_card", {**TABLE, "deal": {"piles": {"A": ["7O"], "B": ["3C", "7O"]}}}),
        ("piles.A[0]", "unknown_card", {**TABLE, "deal": {"piles": {"A": ["13O"]}}}),
        ("piles.A[0]", "unknown_card", {**TABLE, "deal": {"piles": {"A": [""]}}}),
        ("sweeps.Z", "unknown_side", {**TABLE, "deal": {"sweeps": {"Z": 1}}}),
        ("sweeps.A", "negative_sweeps", {**TABLE, "deal": {"sweeps": {"A": -1}}}),
        ("penalties[0].item", "unknown_penalty", {**TABLE, "deal": {"penalties": [{"item": "renuncio", "side": "A"}]}}),
    ],
    ids=str,
)
def test_an_impossible_request_says_where(where: str, code: str, request_: dict[str, Any]) -> None:
    answer = rules.score(request_)

    assert answer["status"] == "invalid"
    assert (where, code) in [(problem["where"], problem["code"]) for problem in answer["problems"]]


def test_every_problem_is_reported_at_once() -> None:
    deal = {
        "sweeps": {"A": -1, "Z": 2},
        "piles": {"A": ["8O", "7O", "7O"]},
        "counts": {"B": {"sevens": 5}},
        "penalties": [{"item": "renuncio", "side": "A"}],
    }
    codes = {problem["code"] for problem in rules.score({**TABLE, "deal": deal})["problems"]}

    assert {"negative_sweeps", "unknown_side", "unknown_card", "duplicate_card", "unknown_penalty"} <= codes


def test_names_are_taken_as_they_are_written() -> None:
    sides = ["Abuela Ñandú 🂡", "<b>Tío</b>"]
    sheet = rules.score({"game": "free", "sides": sides, "deal": {"points": {sides[0]: 3, sides[1]: 4}}})

    assert sheet["points"] == {sides[0]: 3, sides[1]: 4}


def test_the_command_line_reads_a_file(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    file = tmp_path / "deal.json"
    file.write_text(json.dumps({"game": "free", "sides": ["A", "B"], "deal": {"points": {"A": 1, "B": 2}}}))
    status = main(["score", str(file)])

    assert status == 0
    assert json.loads(capfdbinary.readouterr().out)["points"] == {"A": 1, "B": 2}


def test_a_file_that_is_not_there_is_no_stack_trace(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    status = main(["score", str(tmp_path / "none.json")])

    assert status == 2
    assert b"Traceback" not in capfdbinary.readouterr().err


@pytest.mark.parametrize(
    ("request_", "at"),
    [
        ({**TABLE, "deal": {"piles": {"A": ["9O"]}}}, "deal.piles.A[0]"),
        ({**TABLE, "options": {"target": 0}}, "options.target"),
        ({**TABLE, "deal": {"piles": {"A": 7}}}, "deal.piles.A"),
        ({**TABLE, "options": {"target": "x"}}, "options.target"),
        ({**TABLE, "game": "canasta"}, "game"),
        ({**TABLE, "deal": 7}, "deal"),
        ({"game": "carioca", "sides": list("ABCDEFGHI"), "deal": {"round": 8}}, "sides"),
    ],
    ids=lambda part: str(part)[-30:],
)
def test_a_problem_says_its_place_from_the_top_of_the_request(request_: dict[str, Any], at: str) -> None:
    assert [problem["at"] for problem in problems_of(rules.score, request_)] == [at]


@pytest.mark.parametrize("piles", [{"A": ["9O"]}, {"A": 7}], ids=str)
def test_in_a_match_it_begins_with_the_deal(piles: object) -> None:
    request = {**TABLE, "deals": [{}, {"piles": piles}]}
    (place,) = {problem["at"] for problem in problems_of(rules.match, request)}

    assert place in ("deals[1].piles.A[0]", "deals[1].piles.A")
    if isinstance(piles, dict) and isinstance(piles["A"], list):
        assert rules.match(request)["sheets"][1]["problems"][0]["at"] == place


@pytest.mark.parametrize(
    ("door", "request_", "missing"),
    [
        (rules.score, {}, "game"),
        (rules.match, {"game": "scopa"}, "sides"),
        (rules.captures, {"game": "scopa", "layout": []}, "card"),
        (rules.prime, {"piles": {}}, "method"),
        (rules.prime, {"method": "face"}, "piles"),
    ],
    ids=["score", "match", "captures", "method", "piles"],
)
def test_what_is_missing_is_not_called_null(door: Any, request_: dict[str, Any], missing: str) -> None:
    (problem,) = problems_of(door, request_)
    assert problem["message"].startswith(f"{missing} is missing")
    assert "null" not in problem["message"]
    (null,) = problems_of(door, {**request_, missing: None})
    assert "not null" in null["message"]


def problems_of(door: Any, request: dict[str, Any]) -> list[Any]:
    """Return the problems of a request, malformed or impossible."""
    try:
        return list(door(request)["problems"])
    except rules.Malformed as fault:
        return fault.problems


def test_true_and_false_are_labelled_as_json_writes_them() -> None:
    options = [option for game in GAMES.values() for option in game["options"] if option["type"] == "bool"]

    assert options
    for option in options:
        labels = option["value_labels"]
        for value in option["values"]:
            assert labels[str(value).lower()] == labels[str(value)]


def test_games_of_french_cards_say_so() -> None:
    assert {game["cards"] for game in GAMES.values() if game["family"] in ("rummy", "free")} == {"french"}
