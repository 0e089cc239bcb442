"""The engine asks the best question next: few are needed, each narrows, and they end."""

from __future__ import annotations

from random import Random
from statistics import mean
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scorekeeper import rules
from scorekeeper.rules.fishing import question_order

from ..helpers.asking import COUNTED, ask_through, chance_deal, finished_deal, taps_of
from ..helpers.cold import forget
from ..helpers.draws import examples
from ..helpers.proofs import proof_of, smallest_hitting
from ..helpers.simulator import PACK
from ..helpers.strategies import ACCEPTED, Told, faults, told_deals

SOME = settings(deadline=None, max_examples=examples(3))


def score(game: str, deal: dict[str, Any], sides: str = "AB") -> dict[str, Any]:
    return rules.score({"game": game, "sides": list(sides), "deal": {**deal, "accept": ACCEPTED}})


@pytest.mark.parametrize(
    ("game", "aim"), [("chorizo", 13.5), ("scopa", 10.5), pytest.param("cirulla", 16, marks=pytest.mark.whole)]
)
def test_full_certainty_takes_few_taps(game: str, aim: int) -> None:
    random = Random(game)
    taps = []
    for _ in range(12):
        request, piles = finished_deal(game, 2, 1, random)
        asked, _ = ask_through(request, piles, groups=True)
        taps.append(sum(taps_of(question, piles) for question in asked))

    assert mean(taps) <= aim


@pytest.mark.parametrize("game", ["chorizo", "scopa", "cirulla"])
def test_the_seven_of_coins_comes_first_as_it_settles_most(game: str) -> None:
    asked, group = score(game, {})["ask"], score(game, {})["ask_group"]

    assert asked["card"] == "7O"
    assert "7O" in group["cards"]
    assert "seven_of_coins" in asked["settles"]


@pytest.mark.whole
def test_no_order_of_questions_needs_fewer_than_the_smallest_proof() -> None:
    random = Random(3)
    for game in ("scopa", "cirulla"):
        request, piles = finished_deal(game, 2, 1, random)

        assert len(proof_of(request, piles)) <= len(ask_through(request, piles)[0])


def test_the_smallest_proof_hits_every_other_deal() -> None:
    seven, six, count = ("card", 6, 0), ("card", 5, 0), ("count", 1, 0)
    others = [frozenset({seven, count}), frozenset({six, count}), frozenset({seven, six})]

    assert len(smallest_hitting(others, 0)) == 2


def test_an_item_is_named_as_settled_only_if_an_answer_narrows_it() -> None:
    asked = score("chorizo", {"piles": {"A": ["7C", "7E"], "B": ["7B"]}, "told": {"A": ["2B"]}})["ask"]

    assert asked == {"card": "7O", "settles": ["seven_of_coins"]}


TWO_SIXES: dict[str, Any] = {
    "piles": {
        "A": ["1B", "2C", "3O", "3E", "4O", "4C", "4E", "5B", "7O", "10E", "10B", "11O", "11B", "12O", "12E"],
        "B": [
            *("1E", "2O", "2E", "3C", "3B", "4B", "5O", "5C", "5E", "6O", "6E", "7C"),
            *("10O", "10C", "11C", "11E", "12C", "12B"),
        ],
    },
    "counts": {"A": {"sevens": 2}, "B": {"cards": 21, "coins": 4}},
}
"""Each side has one of the sevens of swords and clubs; the sixes of cups and clubs decide the prime."""

ONE_SIX: dict[str, Any] = {
    "piles": {
        "A": ["2O", "2C", "2B", "3E", "4E", "4B", "6C", "6E", "7O", "10E", "10B", "11C", "12B"],
        "B": [
            *("1O", "1B", "2E", "3O", "3C", "3B", "4O", "4C", "5O", "5C", "5E", "5B", "7B"),
            *("10C", "11O", "11E", "11B", "12O", "12C", "12E"),
        ],
    },
    "counts": {"A": {"sevens": 2}},
}
"""Each side has one of the sevens of cups and swords; the six of clubs alone decides the prime."""


@pytest.mark.parametrize(
    ("game", "deal", "asked"),
    [("scopa", TWO_SIXES, "6C"), ("la_escoba", ONE_SIX, "6B")],
    ids=["two sixes decide", "one six decides"],
)
def test_a_card_whose_owner_makes_no_difference_is_not_asked_for(game: str, deal: dict[str, Any], asked: str) -> None:
    assert score(game, deal)["ask"] == {"card": asked, "settles": ["prime"]}


def test_a_card_that_helps_only_together_with_another_answer_is_asked_for() -> None:
    piles = {
        "A": ["1B", "2C", "4O", "4B", "5O", "5E", "7O", "7B", "10O", "10E", "11E", "12O", "12E"],
        "B": [
            *("1O", "2O", "2E", "3O", "3C", "3E", "3B", "4C", "4E", "5C", "5B", "6E"),
            *("10C", "10B", "11O", "11C", "11B", "12C", "12B"),
        ],
    }
    deal = {"piles": piles, "counts": {"A": {"cards": 16, "coins": 6, "sevens": 2, "sixes": 2}}}

    assert score("scopa_d_assi", deal)["ask"] == {"card": "1C", "settles": ["prime"]}
    after = [score("scopa_d_assi", {**deal, "told": {side: ["1C"]}})["status"] for side in "AB"]
    assert after == ["open", "open"]


def test_three_cards_that_surely_matter_are_asked_for_together() -> None:
    counts = {"A": {"cards": 22, "coins": 3, "sevens": 3}}
    sheet = rules.score({"game": "chorizo", "preset": "montevideo", "sides": ["A", "B"], "deal": {"counts": counts}})
    group = sheet["ask_group"]

    assert 2 <= len(group["cards"]) <= 4
    assert group["side"] == "B"
    assert {"seven_of_coins", "seven_of_swords"} & set(group["settles"])


def test_without_a_group_worth_its_tick_there_is_none() -> None:
    counts = {"A": {"cards": 20, "coins": 5, "sevens": 4}}

    assert "ask_group" not in score("chorizo", {"counts": counts})


@pytest.mark.parametrize("sides", ["ABC", "ABCD"])
def test_groups_are_for_two_sides(sides: str) -> None:
    assert "ask_group" not in score("cirulla", {}, sides)


@pytest.mark.whole
@pytest.mark.parametrize("game", ["chorizo", pytest.param("cirulla", marks=pytest.mark.whole)])
def test_groups_take_fewer_taps_and_lead_to_the_same_points(game: str) -> None:
    random = Random(game)
    one_by_one, together = 0, 0
    for _ in range(8):
        request, piles = finished_deal(game, 2, 1, random)
        asked, last = ask_through(request, piles)
        grouped, same = ask_through(request, piles, groups=True)
        one_by_one += sum(taps_of(question, piles) for question in asked)
        together += sum(taps_of(question, piles) for question in grouped)

        assert same["points"] == last["points"]
    assert together <= one_by_one


def test_a_count_of_sevens_is_asked_before_the_sevens_one_by_one() -> None:
    asked = score("scopa", {"piles": {"A": ["7O"]}, "counts": {"A": {"cards": 20, "coins": 5}}})["ask"]

    assert asked["count"] == "sevens"
    assert asked["settles"] == ["prime"]


def test_four_sevens_in_a_pile_leave_nothing_to_ask() -> None:
    counts = {"cards": 20, "coins": 5, "sevens": 4}

    assert score("scopa", {"counts": {"A": counts}})["status"] == "complete"


def test_the_smaller_pile_is_the_one_to_count() -> None:
    asked = score("scopa", {"piles": {"A": ["7O"]}, "counts": {"A": {"cards": 26}}})["ask"]

    assert asked["side"] == "B"


def test_without_time_to_weigh_a_seven_is_asked_for_before_a_coin_and_a_coin_before_a_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(question_order, "WEIGHING_STEPS", 0)
    # The seven of cups decides the prime, the ace of coins the coins, and all four the cards.
    unplaced = ["1O", "7C", "3E", "3B"]
    of_ana = [
        "2O",
        "3O",
        "4O",
        "5O",
        "1C",
        "2C",
        "3C",
        "4C",
        "6C",
        "1E",
        "2E",
        "4E",
        "5E",
        "7E",
        "1B",
        "2B",
        "4B",
        "7B",
    ]
    piles = {"A": of_ana, "B": [card for card in PACK if card not in of_ana + unplaced]}
    asked = []
    for pile in piles.values():
        asked.append(score("scopa", {"piles": piles})["ask"]["card"])
        pile.append(asked[-1])

    assert asked == ["7C", "1O"]
    assert score("scopa", {"piles": piles})["ask"]["count"] == "cards"


@SOME
@given(told_deals())
def test_no_answer_of_a_question_is_implied(told: Told) -> None:
    question = rules.score(told.known)["ask"]
    assume(question is not None)
    if "card" in question:
        ways = [{**told.deal["piles"], side: [*told.deal["piles"][side], question["card"]]} for side in "AB"]
        possible = [faults(rules.score(told.request({**told.deal, "piles": way}))) == [] for way in ways]
    else:
        kind, side = question["count"], question["side"]
        most = sum(map(COUNTED[kind], (card for pile in told.piles.values() for card in pile)))
        counts = [{**told.deal["counts"][side], kind: number} for number in range(most + 1)]
        possible = [
            faults(rules.score(told.request({**told.deal, "counts": {**told.deal["counts"], side: each}}))) == []
            for each in counts
        ]
    assert sum(possible) > 1


@SOME
@given(told_deals())
def test_answers_end_with_what_every_card_shows_and_settle_lines_for_good(told: Told) -> None:
    asked, last = ask_through(told.known, told.piles)

    assert last["status"] == "complete"
    assert last["points"] == rules.score(told.whole)["points"]
    named = [(question.get("card"), question.get("count"), question.get("side")) for question in asked]
    assert len(set(named)) == len(named)


@pytest.mark.whole
@pytest.mark.parametrize(("game", "sides"), [("chorizo", 3), ("cirulla", 3), ("escoba", 4)])
@pytest.mark.parametrize("seed", range(2))
def test_three_and_four_sides_are_asked_to_the_end(game: str, sides: int, seed: int) -> None:
    request, piles = chance_deal(game, sides, 1, Random(seed))
    asked, last = ask_through({**request, "deal": {"accept": ACCEPTED}}, piles)

    assert last["status"] == "complete"
    assert last["points"] == score(game, {"piles": piles}, "ABCD"[:sides])["points"]
    assert len(asked) <= 40


def test_a_line_settled_on_the_way_keeps_its_points() -> None:
    request, piles = finished_deal("cirulla", 2, 1, Random(5))
    owner = {card: side for side, pile in piles.items() for card in pile}
    settled: dict[str, Any] = {}
    deal = dict(request["deal"], piles={}, counts={})
    while (answer := rules.score({**request, "deal": deal}))["status"] == "open":
        now = {line["item"]: line["points"] for line in answer["lines"] if line["points"] is not None}
        assert settled.items() <= now.items()
        settled = now
        question = answer["ask"]
        if "card" in question:
            deal["piles"].setdefault(owner[question["card"]], []).append(question["card"])
        else:
            number = sum(map(COUNTED[question["count"]], piles[question["side"]]))
            deal["counts"].setdefault(question["side"], {})[question["count"]] = number
    assert answer["status"] == "complete"


@given(st.lists(st.sampled_from("AB"), min_size=40, max_size=40))
@SOME
def test_the_same_evidence_asks_the_same_question(owners: list[str]) -> None:
    cards = [rules.card_name(number) for number in range(40)]
    piles = {side: [card for card, owner in zip(cards, owners, strict=True) if owner == side][:8] for side in "AB"}

    forget()
    before = score("scopa", {"piles": piles})
    forget()  # else the second answer would be the first, read again
    assert score("scopa", {"piles": piles}) == before
