"""Plain points and adjustments, in every game; options and sides that change in the middle of a match."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper import rules

AB = ["A", "B"]
GAMES = {game["id"]: game["seats"][0]["players_per_side"] for game in rules.games()["games"]}
FAMILIES = ("chorizo", "brisca", "carioca", "free")
"""A game of each family."""
FIVE_TWO: dict[str, Any] = {"points": {"A": 5, "B": 2}}
TALKED = {"side": "B", "points": -1, "reason": "talked"}


def score(game: str, deal: dict[str, Any], **table: Any) -> Any:
    return rules.score({"game": game, "sides": AB, "players_per_side": GAMES[game], **table, "deal": deal})


def match(game: str, *deals: dict[str, Any], **table: Any) -> Any:
    return rules.match({"game": game, "sides": AB, "players_per_side": GAMES[game], **table, "deals": list(deals)})


def codes(answer: Any) -> list[str]:
    return [problem["code"] for problem in answer["problems"]]


@pytest.mark.parametrize("game", GAMES)
def test_a_deal_of_any_game_may_be_told_as_plain_points(game: str) -> None:
    answer = score(game, {"dealer": "A", **FIVE_TWO})
    assert answer["status"] == "complete"
    assert answer["problems"] == []
    assert answer["lines"] == [
        {
            "item": "points",
            "points": {"A": 5, "B": 2},
            "reason": "given",
            "values": {"A": 5, "B": 2},
            "evidence": "said",
        }
    ]
    assert answer["points"] == {"A": 5, "B": 2}


@pytest.mark.parametrize("game", FAMILIES)
def test_plain_points_are_open_while_a_side_is_missing(game: str) -> None:
    answer = score(game, {"points": {"A": 5}})
    assert answer["status"] == "open"
    assert answer["ask"] == {"count": "points", "side": "B", "settles": ["points"]}


@pytest.mark.parametrize(
    ("game", "more"),
    [
        ("chorizo", {"sweeps": {}}),
        ("chorizo", {"last_capturer": None}),
        ("chorizo", {"awards": {"cards": "A"}, "layout": ["1O", "2O", "3O", "4O"]}),
        ("scopa", {"declarations": []}),
        ("brisca", {"card_points": {"A": 61}}),
        ("carioca", {"went_out": "B"}),
    ],
)
def test_nothing_else_of_a_deal_is_told_beside_its_points(game: str, more: dict[str, Any]) -> None:
    answer = score(game, {**FIVE_TWO, **more})
    assert answer["status"] == "invalid"
    assert answer["problems"][0]["facts"] == {"fields": sorted(more)}
    assert codes(answer) == ["points_and_more"]


def test_null_beside_points_is_nothing_told() -> None:
    assert score("chorizo", {**FIVE_TWO, "sweeps": None, "piles": None})["problems"] == []
    assert score("chorizo", {"points": None, "awards": {"cards": "A"}})["problems"] == []


def test_plain_points_of_a_round_of_carioca_are_those_of_a_round_that_there_is() -> None:
    assert score("carioca", {"round": 8, **FIVE_TWO})["status"] == "complete"
    assert codes(score("carioca", {"round": 9, **FIVE_TWO})) == ["unknown_round"]


def test_a_call_that_is_entered_by_hand_keeps_its_line() -> None:
    five = ["A", "B", "C", "D", "E"]
    table = {"game": "brisca", "preset": "chiamata", "options": {"chiamata_scores": "manual"}, "sides": five}
    deal = {"bid": {"side": "A"}, "partner": "B", "points": dict.fromkeys(five, 1)}
    assert [line["item"] for line in rules.score({**table, "deal": deal})["lines"]][-1] == "bid"


def test_after_a_call_the_caller_and_the_partner_are_asked_before_the_others() -> None:
    table = {"game": "brisca", "preset": "chiamata", "sides": ["A", "B", "C", "D", "E"]}
    call = {"bid": {"side": "D"}, "partner": "B"}
    asked = []
    for told in ({}, {"B": 20}):
        answer = rules.score({**table, "deal": {**call, "card_points": told}})
        assert answer["ask"] is not None
        asked.append((answer["ask"]["count"], answer["ask"]["side"]))
    assert asked == [("card_points", "B"), ("card_points", "D")]


@pytest.mark.parametrize("game", FAMILIES)
def test_an_adjustment_is_a_line_of_its_own_after_all_others(game: str) -> None:
    answer = score(game, {**FIVE_TWO, "adjustments": [TALKED, {"side": "A", "points": 3, "reason": "start"}]})
    assert answer["lines"][1:] == [
        {"item": "adjustment", "points": {"A": 0, "B": -1}, "reason": "agreed", "evidence": "said", "text": "talked"},
        {"item": "adjustment", "points": {"A": 3, "B": 0}, "reason": "agreed", "evidence": "said", "text": "start"},
    ]
    assert answer["points"] == {"A": 8, "B": 1}


def test_an_adjustment_stands_beside_whatever_else_is_told() -> None:
    answer = score("chorizo", {"sweeps": {"A": 2}, "awards": {"cards": "A"}, "adjustments": [TALKED]})
    assert answer["status"] == "open"
    assert answer["lines"][-1]["item"] == "adjustment"
    assert answer["points"] == {"A": 3, "B": -1}


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"side": "B", "points": 0, "reason": "talked"}, "unknown_value"),
        ({"side": "C", "points": 1, "reason": "talked"}, "unknown_side"),
    ],
)
def test_an_adjustment_is_of_a_side_and_not_of_nothing(wrong: dict[str, Any], code: str) -> None:
    answer = score("scopa", {**FIVE_TWO, "adjustments": [wrong]})
    assert answer["status"] == "invalid"
    assert codes(answer) == [code]


@pytest.mark.parametrize(
    "wrong",
    [
        "B",
        ["B"],
        [{"side": "B", "points": 1}],
        [{"side": "B", "points": 1.5, "reason": ""}],
        [{"points": 1, "reason": ""}],
    ],
)
def test_an_adjustment_has_a_side_a_whole_number_and_a_text(wrong: Any) -> None:
    with pytest.raises(rules.Malformed):
        score("scopa", {**FIVE_TWO, "adjustments": wrong})


def test_a_deal_that_is_dealt_again_has_no_adjustments() -> None:
    answer = score("scopa", {"dealer": "A", "layout_result": "redeal", "adjustments": [TALKED]})
    assert (answer["redeal"], answer["lines"], answer["points"]) == ("next", [], {})


def test_a_forfeit_does_not_touch_an_adjustment() -> None:
    table = {"options": {"wrong_capture": "forfeit"}}
    deal = {"sweeps": {"B": 3}, "penalties": [{"item": "wrong_capture", "side": "B"}], "awards": {"cards": "B"}}
    without = score("la_escoba", deal)
    if without["status"] == "invalid":
        without = score("la_escoba", deal, **table)
    answer = score("la_escoba", {**deal, "adjustments": [TALKED]})
    assert answer["lines"][:-1] == without["lines"]
    assert answer["points"]["B"] == without["points"]["B"] - 1


def test_who_won_the_deal_does_not_depend_on_an_adjustment() -> None:
    cycle = {"options": {"match_mode": "cycle_victories"}}
    won = {"dealer": "A", "awards": {"game_point": "A"}}
    handicap = {"adjustments": [{"side": "B", "points": 5, "reason": "handicap"}]}
    answer = match("brisca", {**won, **handicap}, *[won] * 3, **cycle)
    assert answer["totals"] == {"A": 4, "B": 5}
    assert answer["winner"] == "A"


# ---------------------------------------------------------------- a match


def test_a_target_may_change_in_the_middle() -> None:
    nearly = {"points": {"A": 15, "B": 12}}
    to_31 = match(
        "scopa", {"points": {"A": 6, "B": 5}}, {**nearly, "options": {"target": 31}}, {"points": {"A": 1, "B": 2}}
    )
    assert (to_31["status"], to_31["totals"]) == ("playing", {"A": 22, "B": 19})
    assert to_31["options"]["target"] == 31
    assert [sheet["options"]["target"] for sheet in to_31["sheets"]] == [11, 31, 31]


def test_options_of_a_deal_are_valid_from_it_on_and_leave_the_others() -> None:
    sevens = {"awards": {"seven_of_coins": "A"}}
    answer = match(
        "chorizo",
        sevens,
        {**sevens, "options": {"pts_seven_of_coins": 2}},
        {**sevens, "options": {"target": 31}},
        options={"pts_two_of_clubs": 0},
    )
    lines = [{line["item"]: line for line in sheet["lines"]} for sheet in answer["sheets"]]
    assert [line["seven_of_coins"]["points"]["A"] for line in lines] == [1, 2, 2]
    assert not any("two_of_clubs" in line for line in lines)


def test_an_impossible_option_is_named_where_it_stands() -> None:
    answer = match("scopa", FIVE_TWO, {**FIVE_TWO, "options": {"targte": 31}})
    assert answer["status"] == "invalid"
    assert [problem["where"] for problem in answer["problems"]] == ["deals[1].options.targte"]
    with pytest.raises(rules.Malformed) as fault:
        match("scopa", {**FIVE_TWO, "options": 31})
    assert fault.value.problems[0]["where"] == "deals[0].options"


def test_one_who_comes_later_begins_at_0_plus_what_was_agreed() -> None:
    three = ["A", "B", "C"]
    late = {"side": "C", "points": 40, "reason": "came later"}
    answer = match(
        "carioca",
        {"dealer": "B", "points": {"A": 0, "B": 35}},
        {"sides": three, "points": {"A": 10, "B": 0, "C": 5}, "adjustments": [late]},
    )
    assert answer["totals"] == {"A": 10, "B": 35, "C": 45}
    assert answer["sides"] == three
    assert [sheet["sides"] for sheet in answer["sheets"]] == [AB, three]


def test_who_leaves_keeps_the_total_and_can_no_longer_win() -> None:
    three = ["A", "B", "C"]
    pad = {"end": "rounds", "rounds": 2, "winner": "highest"}
    answer = match(
        "free",
        {"points": {"A": 1, "B": 2, "C": 50}},
        {"sides": AB, "points": {"A": 9, "B": 1}},
        sides=three,
        options=pad,
    )
    assert answer["totals"] == {"A": 10, "B": 3, "C": 50}
    assert answer["winner"] == "A"


def test_the_turn_of_one_who_left_passes_to_the_next() -> None:
    three = ["A", "B", "C"]
    answer = match(
        "free",
        {"dealer": "A", "points": {"A": 1, "B": 2, "C": 3}},
        {"sides": ["A", "C"], "points": {"A": 1, "C": 1}},
        sides=three,
    )
    assert answer["next_dealer"] == "A"
    assert answer["status"] == "playing"


def test_a_dealer_who_is_not_there_passes_the_turn_to_nobody() -> None:
    answer = match("free", {"dealer": "B", **FIVE_TWO}, {"dealer": "Z", **FIVE_TWO})
    assert (answer["status"], answer["next_dealer"]) == ("invalid", "A")


def test_nobody_has_won_while_a_deal_is_open() -> None:
    answer = match("chorizo", {"awards": {"cards": "A"}}, {"points": {"A": 50, "B": 1}})
    assert (answer["status"], answer["winner"]) == ("playing", None)


def test_sides_that_the_game_is_not_played_by_are_refused() -> None:
    answer = match("scopone", FIVE_TWO, {"sides": ["A", "B", "C"], "points": {"A": 1, "B": 1, "C": 1}}, FIVE_TWO)
    assert answer["status"] == "invalid"
    assert codes(answer) == ["bad_number_of_sides"]
    assert len(answer["sheets"]) == 1, "how the later deals were played is not known"
    assert answer["problems"][0]["where"] == "deals[1].sides"


def test_a_deal_alone_has_no_options_of_its_own() -> None:
    assert codes(score("scopa", {**FIVE_TWO, "options": {"target": 31}})) == ["unknown_field"]
