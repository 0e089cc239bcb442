"""Lines of the table's own: a name, points, and who made it (docs/contract.md)."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper import rules

NAPOLA = {"name": "Napola", "points": 1, "how": "one"}
RE_BELLO = {"name": "Re bello", "points": 2, "how": "count"}
AB = ["A", "B"]
FINISHED: dict[str, dict[str, Any]] = {
    "scopa": {"sweeps": {"A": 1}, "rest": "A"},
    "chorizo": {"sweeps": {"A": 1}, "rest": "A"},
    "brisca": {"card_points": {"A": 70}},
    "carioca": {"left_points": {"A": 25}, "went_out": "B"},
    "free": {"points": {"A": 3, "B": 4}},
}


def score(game: str, deal: dict[str, Any], *own_lines: dict[str, Any], **table: Any) -> dict[str, Any]:
    return dict(rules.score({"game": game, "sides": AB, "own_lines": list(own_lines), "deal": deal, **table}))


def own(sheet: dict[str, Any]) -> list[dict[str, Any]]:
    return [line for line in sheet["lines"] if rules.is_own(line["item"])]


def codes(answer: dict[str, Any]) -> list[tuple[str, str]]:
    return [(problem["code"], problem["where"]) for problem in answer["problems"]]


@pytest.mark.parametrize("game", FINISHED)
class TestInEveryFamily:
    def test_who_takes_a_line_gets_its_points_beside_those_of_the_game(self, game: str) -> None:
        bare = score(game, FINISHED[game])
        sheet = score(game, {**FINISHED[game], "awards": {"own_1": "B"}}, NAPOLA)

        assert sheet["status"] == "complete"
        assert own(sheet) == [
            {
                "item": "own_1",
                "points": {"A": 0, "B": 1},
                "reason": "said_own",
                "values": {"A": 0, "B": 1},
                "evidence": "said",
                "text": "Napola",
            }
        ]
        assert sheet["points"] == {"A": bare["points"]["A"], "B": bare["points"]["B"] + 1}
        assert sheet["own_lines"] == [NAPOLA]

    def test_a_line_that_each_side_counts_is_worth_its_points_each_time(self, game: str) -> None:
        bare = score(game, FINISHED[game])
        sheet = score(game, {**FINISHED[game], "own": {"own_1": {"A": 3}}}, RE_BELLO)

        assert own(sheet) == [
            {
                "item": "own_1",
                "points": {"A": 6, "B": 0},
                "reason": "each_own",
                "values": {"A": 3, "B": 0},
                "evidence": "said",
                "text": "Re bello",
            }
        ]
        assert sheet["points"]["A"] == bare["points"]["A"] + 6

    def test_a_line_nobody_has_spoken_of_keeps_the_deal_open_and_asks_nothing(self, game: str) -> None:
        sheet = score(game, FINISHED[game], NAPOLA)

        assert sheet["status"] == "open"
        assert sheet["ask"] is None
        assert own(sheet) == [
            {
                "item": "own_1",
                "points": None,
                "reason": "open",
                "bounds": {"A": [0, 1], "B": [0, 1]},
                "text": "Napola",
                "needs": [],
            }
        ]

    def test_a_line_that_nobody_took_is_settled_with_nothing(self, game: str) -> None:
        sheet = score(game, {**FINISHED[game], "awards": {"own_1": None}}, NAPOLA)

        assert sheet["status"] == "complete"
        assert [(line["reason"], line["points"]) for line in own(sheet)] == [("nobody", {"A": 0, "B": 0})]

    def test_a_counted_line_is_never_open(self, game: str) -> None:
        sheet = score(game, FINISHED[game], RE_BELLO)

        assert sheet["status"] == "complete"
        assert [line["values"] for line in own(sheet)] == [{"A": 0, "B": 0}]

    def test_own_lines_come_after_the_game_and_before_adjustments(self, game: str) -> None:
        adjusted = [{"side": "A", "points": -1, "reason": "talked"}]
        deal = {**FINISHED[game], "awards": {"own_2": "A"}, "adjustments": adjusted}
        sheet = score(game, deal, RE_BELLO, NAPOLA)

        assert [line["item"] for line in sheet["lines"]][-3:] == ["own_1", "own_2", "adjustment"]

    def test_a_deal_that_names_a_line_that_is_not_there_is_refused(self, game: str) -> None:
        assert codes(score(game, {**FINISHED[game], "awards": {"own_2": "A"}}, NAPOLA)) == [
            ("unknown_item", "awards.own_2")
        ]
        assert codes(score(game, {**FINISHED[game], "own": {"own_1": {"A": 1}}}, NAPOLA)) == [
            ("unknown_item", "own.own_1")
        ]
        assert codes(score(game, {**FINISHED[game], "awards": {"own_1": "A"}})) == [("unknown_item", "awards.own_1")]

    def test_only_one_side_takes_a_line(self, game: str) -> None:
        sheet = score(game, {**FINISHED[game], "awards": {"own_1": ["A", "B"]}}, NAPOLA)

        assert codes(sheet) == [("impossible_award", "awards.own_1")]
        assert sheet["lines"] == []

    @pytest.mark.parametrize("count", [-1, 100])
    def test_a_line_is_made_from_0_to_99_times(self, game: str, count: int) -> None:
        sheet = score(game, {**FINISHED[game], "own": {"own_1": {"A": count}}}, RE_BELLO)

        assert codes(sheet) == [("unknown_value", "own.own_1.A")]

    def test_nobody_at_another_table_makes_a_line(self, game: str) -> None:
        sheet = score(game, {**FINISHED[game], "awards": {"own_1": "Z"}, "own": {"own_2": {"Y": 1}}}, NAPOLA, RE_BELLO)

        assert codes(sheet) == [("unknown_side", "awards.own_1"), ("unknown_side", "own.own_2.Y")]


class TestTheLines:
    def test_there_are_four_at_most(self) -> None:
        lines = [{**NAPOLA, "name": f"Line {number}"} for number in range(5)]

        assert len(score("scopa", {}, *lines[:4])["own_lines"]) == 4
        with pytest.raises(rules.Malformed) as refused:
            score("scopa", {}, *lines)
        assert codes({"problems": refused.value.problems}) == [("too_long", "own_lines")]

    @pytest.mark.parametrize("points", [0, 100, -100])
    def test_points_are_from_minus_99_to_99_and_not_0(self, points: int) -> None:
        assert codes(score("scopa", {}, {**NAPOLA, "points": points})) == [("unknown_value", "own_lines[0].points")]

    def test_points_may_be_taken_away(self) -> None:
        sheet = score("free", {"points": {"A": 3, "B": 4}, "awards": {"own_1": "A"}}, {**NAPOLA, "points": -99})

        assert sheet["points"] == {"A": -96, "B": 4}

    def test_there_are_two_ways_to_make_one(self) -> None:
        assert codes(score("scopa", {}, {**NAPOLA, "how": "two"})) == [("unknown_value", "own_lines[0].how")]

    @pytest.mark.parametrize("name", ["", "  ", "\u200b", "Na\npola"])
    def test_a_name_can_be_seen(self, name: str) -> None:
        assert codes(score("scopa", {}, {**NAPOLA, "name": name})) == [("unknown_value", "own_lines[0].name")]

    def test_a_name_has_24_visible_characters_at_most(self) -> None:
        longest = "e\u0301" * 24
        assert score("scopa", {}, {**NAPOLA, "name": longest})["own_lines"][0]["name"] == longest
        with pytest.raises(rules.Malformed) as refused:
            score("scopa", {}, {**NAPOLA, "name": "e" * 25})
        assert codes({"problems": refused.value.problems}) == [("too_long", "own_lines[0].name")]

    @pytest.mark.parametrize("other", ["napola", "NÁPOLA", " Napola ", "Napo\u200bla"])
    def test_names_are_unique_without_case_and_accents(self, other: str) -> None:
        sheet = score("scopa", {}, NAPOLA, {**RE_BELLO, "name": other})

        assert codes(sheet) == [("duplicate_item", "own_lines[1].name")]

    def test_an_unknown_field_of_a_line_is_only_reported(self) -> None:
        sheet = score("free", {"points": {"A": 1, "B": 2}, "awards": {"own_1": "A"}}, {**NAPOLA, "colour": "red"})

        assert codes(sheet) == [("unknown_field", "own_lines[0].colour")]
        assert sheet["status"] == "complete"

    @pytest.mark.parametrize("absent", [None, []])
    def test_a_table_without_them_has_no_such_field(self, absent: Any) -> None:
        sheet = rules.score({"game": "scopa", "sides": AB, "own_lines": absent, "deal": FINISHED["scopa"]})

        assert "own_lines" not in sheet

    def test_captures_and_primes_ignore_them(self) -> None:
        asked = {"game": "scopa", "layout": ["4E"], "card": "4C", "own_lines": "anything"}
        answer = rules.captures(asked)
        assert "captures" in answer
        assert answer["captures"] == [{"takes": ["4E"], "sweep": 1}]


class TestPlainPoints:
    def test_hold_them_already(self) -> None:
        sheet = score("scopa", {"points": {"A": 3, "B": 1}}, NAPOLA)

        assert sheet["status"] == "complete"
        assert own(sheet) == []
        assert sheet["own_lines"] == [NAPOLA]

    def test_are_told_alone(self) -> None:
        plain = {"points": {"A": 3, "B": 1}}
        taken = score("scopa", {**plain, "awards": {"own_1": "A"}}, NAPOLA)
        counted = score("brisca", {**plain, "own": {"own_1": {"A": 1}}}, RE_BELLO)

        assert [(problem["code"], problem["facts"]) for problem in taken["problems"]] == [
            ("points_and_more", {"fields": ["awards"]})
        ]
        assert [(problem["code"], problem["facts"]) for problem in counted["problems"]] == [
            ("points_and_more", {"fields": ["own"]})
        ]

    def test_of_carioca_and_of_a_call_by_hand_are_added_to(self) -> None:
        carioca = score("carioca", {"points": {"A": 30, "B": 0}, "awards": {"own_1": "A"}}, NAPOLA)
        five = dict.fromkeys("ABCDE", 1)
        call = rules.score(
            {
                "game": "brisca",
                "preset": "chiamata",
                "sides": list("ABCDE"),
                "own_lines": [NAPOLA],
                "options": {"chiamata_scores": "manual"},
                "deal": {"bid": {"side": "A"}, "points": five, "awards": {"own_1": "C"}},
            }
        )

        assert carioca["points"] == {"A": 31, "B": 0}
        assert call["points"] == {**five, "C": 2}


class TestTheMatch:
    def test_own_lines_count_towards_the_target(self) -> None:
        asked: dict[str, Any] = {
            "game": "scopa",
            "sides": AB,
            "own_lines": [NAPOLA],
            "options": {"target": 11},
            "deals": [
                {"points": {"A": 10, "B": 3}},
                {**FINISHED["scopa"], "sweeps": {}, "rest": "B", "awards": {"own_1": "A"}},
            ],
        }
        standing = rules.match(asked)

        assert standing["totals"] == {"A": 11, "B": 7}
        assert (standing["status"], standing["winner"]) == ("won", "A")
        assert standing["own_lines"] == [NAPOLA]
        assert [sheet["own_lines"] for sheet in standing["sheets"]] == [[NAPOLA], [NAPOLA]]

    def test_nobody_wins_while_a_line_is_open(self) -> None:
        asked: dict[str, Any] = {
            "game": "scopa",
            "sides": AB,
            "own_lines": [NAPOLA],
            "options": {"target": 1},
            "deals": [FINISHED["scopa"]],
        }

        assert rules.match(asked)["status"] == "playing"

    def test_they_do_not_change_who_won_a_deal(self) -> None:
        won_by_a = {"card_points": {"A": 70}, "own": {"own_1": {"B": 5}}}
        asked: dict[str, Any] = {
            "game": "brisca",
            "sides": AB,
            "own_lines": [RE_BELLO],
            "options": {"match_mode": "cycle_victories"},
            "deals": [won_by_a] * 4,
        }

        assert rules.match(asked)["winner"] == "A"

    def test_a_forfeit_does_not_take_them(self) -> None:
        deal = {
            "sweeps": {"A": 2},
            "rest": "A",
            "penalties": [{"item": "renuncio", "side": "A"}],
            "awards": {"own_1": "A"},
        }
        sheet = score("la_escoba", deal, NAPOLA)

        assert sheet["points"]["A"] == 1

    def test_a_deal_that_is_dealt_again_has_none(self) -> None:
        sheet = score("scopa", {"layout": ["12O", "12C", "1O", "2O"], "awards": {"own_1": "A"}}, NAPOLA)

        assert sheet["redeal"] == "next"
        assert sheet["lines"] == []


class TestWaysToTheTarget:
    def test_an_open_line_is_one_of_the_ways(self) -> None:
        deal = {
            "counts": {"A": {"cards": 20}},
            "piles": {"A": ["7O"]},
            "awards": {"prime": "A", "coins": None, "cards": None},
        }
        asked = {"game": "scopa", "sides": AB, "own_lines": [NAPOLA], "deal": deal}

        assert rules.ways_to_target(asked, {"A": 8, "B": 10}) == {"A": [["own_1"]], "B": [["own_1"]]}
