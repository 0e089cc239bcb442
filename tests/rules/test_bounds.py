"""Whatever a request holds, it is answered or refused in words, and what is too much costs next to nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper import rules
from scorekeeper.rules.fishing.evidence import parse_card
from scorekeeper.rules.fishing.game import FishingGame

from ..helpers.cold import forget
from ..helpers.draws import examples
from ..helpers.simulator import PACK

# Written out, as docs/contract.md promises them: compared with themselves, bounds hold at any value.
MOST_PROBLEMS, NAME_LETTERS, MOST_DEALS, DEEPEST = 50, 40, 200, 16
AB = ["A", "B"]
BAD = ["99Z"] * 5000


def codes(answer: dict[str, Any]) -> list[str]:
    return [problem["code"] for problem in answer["problems"]]


@pytest.mark.parametrize(
    ("door", "request_"),
    [
        (rules.score, {"game": "scopa", "sides": AB, "deal": {"piles": {"A": BAD}}}),
        (rules.score, {"game": "scopa", "sides": AB, "deal": {"layout": BAD}}),
        (rules.score, {"game": "brisca", "sides": AB, "deal": {"piles": {"A": BAD}}}),
        (rules.score, {"game": "carioca", "sides": AB, "deal": {"left": {"A": BAD}, "went_out": "B"}}),
        (rules.score, {"game": "scopa", "sides": AB, "options": {f"x{i}": 1 for i in range(5000)}}),
        (rules.score, {"game": "scopa", "sides": AB, "deal": {f"x{i}": 1 for i in range(5000)}}),
        (rules.captures, {"game": "scopa", "layout": BAD, "card": "7O"}),
        (rules.prime, {"method": "face", "piles": {"A": BAD}}),
        (rules.match, {"game": "scopa", "sides": AB, "deals": [{"piles": {"A": BAD[:30]}}] * 40}),
    ],
    ids=range(9),
)
def test_of_too_many_problems_the_first_fifty_are_listed(door: Callable[..., Any], request_: dict[str, Any]) -> None:
    answer = door(request_)

    assert answer["status"] == "invalid"
    assert len(answer["problems"]) == MOST_PROBLEMS + 1
    last = answer["problems"][-1]
    assert (last["severity"], last["code"], last["where"]) == ("error", "too_many_problems", "")
    assert "too_many_problems" not in codes(answer)[:-1]


def test_reading_stops_at_the_last_problem_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at = []

    def parse(code: str) -> int | None:
        looked_at.append(code)
        return parse_card(code)

    monkeypatch.setattr("scorekeeper.rules.fishing.evidence.parse_card", parse)
    forget()
    rules.score({"game": "scopa", "sides": AB, "deal": {"piles": {"A": BAD}}})

    assert len(looked_at) == MOST_PROBLEMS + 1


def test_fifty_problems_are_listed_and_no_more_is_said() -> None:
    deal = {"piles": {"A": BAD[:25], "B": BAD[:15]}, "layout": BAD[:4], "sweeps": {f"x{i}": 1 for i in range(6)}}
    answer = rules.score({"game": "scopa", "sides": AB, "deal": deal})

    assert len(answer["problems"]) == MOST_PROBLEMS
    assert set(codes(answer)) == {"unknown_card", "unknown_side"}


def test_a_judged_match_cuts_its_warnings_with_a_warning() -> None:
    deals = [{"points": {"A": 1, "B": 0}, "x": 1, "y": 2}] * 40
    answer = rules.match({"game": "free", "sides": AB, "options": {"end": "rounds", "rounds": 90}, "deals": deals})

    assert answer["status"] == "playing"
    assert answer["totals"] == {"A": 40, "B": 0}
    assert len(answer["problems"]) == MOST_PROBLEMS + 1
    last = answer["problems"][-1]
    assert (last["severity"], last["code"], last["where"]) == ("warning", "too_many_problems", "")
    assert sum(len(sheet["problems"]) for sheet in answer["sheets"]) == MOST_PROBLEMS


def test_a_match_lists_its_errors_before_its_warnings_and_is_read_no_further_than_the_last_listed() -> None:
    strange, wrong = {"points": {"A": 1, "B": 0}, **dict.fromkeys("uvwxyz")}, {"piles": {"A": BAD[:30]}}
    answer = rules.match(
        {"game": "scopa", "sides": AB, "options": {"target": 99}, "deals": [strange] * 20 + [wrong] * 9}
    )

    assert [problem["severity"] for problem in answer["problems"]] == ["error"] * (MOST_PROBLEMS + 1)
    assert len(answer["sheets"]) == 22


def test_a_match_of_too_many_deals_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FishingGame, "score", None)
    answer = rules.match({"game": "scopa", "sides": AB, "deals": [{"points": 1}] * (MOST_DEALS + 1)})

    assert codes(answer) == ["too_many_deals"]


@pytest.mark.parametrize(
    "told",
    [
        {"sides": ["A" * (NAME_LETTERS + 1), "B"]},
        {"sides": [str(number) for number in range(500)]},
        {"deal": {"declarations": [{"side": "A", "items": ["flush"]}] * 500}},
        {"deal": {"penalties": [{"side": "A", "item": "x"}] * 500}},
        {"deal": {"awards": {"cards": AB * 500}}},
        {"deal": {"accept": ["pile_modulus"] * 500}},
        {"deal": {"layout_result": ["15"] * 500}},
        {"game": "carioca", "options": {"rounds": {"extra": ["x"] * 13}}},
        {"game": "carioca", "options": {"rounds": {"extra": ["x" * (NAME_LETTERS + 1)]}}},
        {"game": "brisca", "deal": {"marriages": [{"side": "A", "suit": "O"}] * 500}},
    ],
    ids=range(10),
)
def test_what_is_longer_than_any_honest_list_is_malformed(told: dict[str, Any]) -> None:
    with pytest.raises(rules.Malformed) as refused:
        rules.score({"game": "chorizo", "sides": AB, **told})
    assert refused.value.problems[0]["code"] == "too_long"


def test_what_is_nested_too_deeply_is_malformed_wherever_it_is() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    for door in (rules.score, rules.match, rules.captures, rules.prime):
        with pytest.raises(rules.Malformed) as refused:
            door({"game": "scopa", "sides": AB, "unknown": deep})
        assert refused.value.problems[0]["code"] == "too_deep"
    while deep:
        deep = deep.pop()


def test_the_deepest_request_is_read_and_one_that_is_deeper_is_not() -> None:
    deep: Any = {}
    for _level in range(DEEPEST - 2):
        deep = {"in": deep}
    assert rules.score({"game": "scopa", "sides": AB, "deal": {}, "unknown": deep})["status"] == "open"
    with pytest.raises(rules.Malformed) as refused:
        rules.score({"game": "scopa", "sides": AB, "deal": {}, "unknown": {"in": deep}})
    assert refused.value.problems[0]["code"] == "too_deep"


def test_the_longest_label_and_the_most_deals_are_taken() -> None:
    longest = "A" * NAME_LETTERS
    deals = [{"points": {longest: 1, "B": 0}}] * MOST_DEALS
    answer = rules.match({"game": "free", "sides": [longest, "B"], "options": {"target": 1000}, "deals": deals})

    assert (answer["status"], answer["totals"][longest]) == ("playing", MOST_DEALS)


def test_the_longest_answers_stay_below_two_megabytes() -> None:
    labels = ["ñ" * (NAME_LETTERS - 1) + label for label in "ABCDEFGHIJ"]
    for game, sides in (("la_escoba", 4), ("chorizo", 4), ("free", 10)):
        deal = {"points": dict.fromkeys(labels, 1)} if game == "free" else {"counts": {labels[0]: {"cards": 20}}}
        answer = rules.match({"game": game, "sides": labels[:sides], "deals": [deal] * MOST_DEALS})
        assert len(answer["sheets"]) > 1
        assert len(json.dumps(answer, ensure_ascii=False).encode()) < 2_000_000


WHOLE: list[tuple[Callable[..., Any], dict[str, Any]]] = [
    (
        rules.score,
        {
            "game": "chorizo",
            "preset": "flores",
            "options": {"pts_all_sevens": 3, "wild_cards": "1O+12O"},
            "sides": AB,
            "players_per_side": 1,
            "rules": 1,
            "deal": {
                "dealer": "A",
                "layout": ["2O", "3C", "4E", "6B"],
                "layout_result": ["15"],
                "declarations": [
                    {"side": "A", "batch": 1, "cards": ["1B", "2B", "12O"], "items": ["flush"], "as": {"12O": "3"}}
                ],
                "sweeps": {"A": 2, "B": 0},
                "penalties": [],
                "last_capturer": "B",
                "leftover": ["10O"],
                "piles": {"A": ["7O"], "B": ["6C"]},
                "rest": None,
                "counts": {"A": {"cards": 23, "coins": 6}},
                "awards": {"cards": "A", "coins": None, "prime": ["A"]},
                "as": {"1O": "5"},
                "accept": ["pile_modulus"],
            },
        },
    ),
    (
        rules.match,
        {
            "game": "brisca",
            "sides": AB,
            "deals": [{"trump": "O", "card_points": {"A": 70}, "counts": {"A": {"cards": 20}}}],
        },
    ),
    (
        rules.score,
        {
            "game": "brisca",
            "preset": "rematada",
            "sides": ["A", "B", "C"],
            "deal": {
                "bid": {"side": "A", "points": 100},
                "marriages": [{"side": "A", "suit": "O"}],
                "piles": {"A": ["1O"]},
                "last_trick": "A",
                "partner": None,
                "awards": {},
            },
        },
    ),
    (
        rules.score,
        {
            "game": "carioca",
            "sides": AB,
            "options": {"card_values": {"A": 15}, "rounds": {"extra": ["x"]}},
            "deal": {"round": 1, "left": {"A": ["KS"]}, "left_points": {"A": 10}, "went_out": "B", "steals": {"A": 1}},
        },
    ),
    (
        rules.captures,
        {"game": "chorizo", "layout": ["7O", "2C"], "card": "6C", "hand": ["1B"], "as": {}, "last_play": True},
    ),
    (rules.prime, {"method": "face", "suits_required": 4, "needs_pip": True, "piles": {"A": ["7O"], "B": ["6C"]}}),
]
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 10**19)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "A", "²", "７O", "flushx", "15", "as", "12o", "\x00", "x" * 300, *PACK[:3]]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["A", "B", "12O", "²", ""]), inner, max_size=3)
    ),
    max_leaves=6,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in parts:
        found += places(part, (*path, name))
    return found


@settings(deadline=None, max_examples=examples(80))
@given(st.sampled_from(WHOLE), st.data())
def test_any_value_at_any_place_is_answered_or_malformed(
    whole: tuple[Callable[..., Any], dict[str, Any]], data: st.DataObject
) -> None:
    door, request = whole
    told = deepcopy(request)
    *path, last = data.draw(st.sampled_from(places(request)))
    inside = told
    for name in path:
        inside = inside[name]
    inside[last] = data.draw(JSON)
    with suppress(rules.Malformed):
        json.dumps(door(told), allow_nan=False)


@pytest.mark.parametrize(
    "told",
    [
        {"game": "x", "sides": 5},
        {"game": "x", "sides": True},
        {"game": "x", "sides": 1.0},
        {"game": "chorizo", "sides": AB, "deal": {"layout_result": "²"}},
        {"game": "chorizo", "sides": AB, "deal": {"layout_result": "flushx", "dealer": "A"}},
    ],
    ids=range(5),
)
def test_what_once_was_a_fault_is_a_problem(told: dict[str, Any]) -> None:
    assert rules.score(told)["status"] == "invalid"


@pytest.mark.parametrize("version", [0, 2, 4, "1", True])
def test_there_is_one_rules_version(version: Any) -> None:
    asked = {"game": "scopa", "sides": AB, "deal": {}}
    (problem,) = rules.score({**asked, "rules": version})["problems"]

    assert (problem["code"], problem["where"]) == ("unknown_value", "rules")
    assert rules.score({**asked, "rules": 1}) == rules.score({**asked, "rules": None}) == rules.score(asked)
