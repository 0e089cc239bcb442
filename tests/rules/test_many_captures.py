"""A card that may take many sets: all are counted, the first are listed, and none is formed in vain (hypothesis)."""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper import rules
from scorekeeper.rules.cards import NUMBERS, cards_of, pile_of
from scorekeeper.rules.fishing import captures
from scorekeeper.rules.fishing.captures import CaptureSets, legal_captures
from scorekeeper.rules.fishing.game import FishingGame
from scorekeeper.rules.fishing.table import FishingTable

from ..helpers.draws import examples
from ..helpers.simulator import PACK

MOST_CAPTURES, ANSWER_BYTES = 200, 2_000_000
"""Written out, as docs/contract.md promises them."""

SOME = settings(deadline=None, max_examples=examples(40))
TABLES: list[dict[str, Any]] = [
    *({"game": game["id"]} for game in rules.games()["games"] if game["family"] == "fishing"),
    {"game": "chorizo", "options": {"wild_cards": "1O+12O"}},
    {"game": "chorizo", "options": {"wild_cards": "7O+12O", "wild_on_table": "natural"}},
    {"game": "scopa_d_assi", "options": {"ace_on_ace_sweep": False}},
    {"game": "cirulla", "options": {"ace_sweep_scores": False}},
    {"game": "escopa", "sides": ["A", "B"]},
]


def game_of(table: dict[str, Any]) -> FishingTable:
    found = rules.read_table(table, rules.Problems(), needs_sides=False)
    assert found is not None
    assert isinstance(found.game, FishingGame)
    return found.game.table


@SOME
@given(st.sampled_from(TABLES), st.lists(st.sampled_from(PACK), min_size=1, max_size=9, unique=True), st.data())
def test_what_is_counted_and_listed_is_what_all_sets_are(
    table: dict[str, Any], cards: list[str], data: st.DataObject
) -> None:
    game = game_of(table)
    card, *layout = (NUMBERS[code] for code in cards)
    given_ranks = {
        wild: data.draw(st.integers(0, 9)) for wild in game.wilds if data.draw(st.booleans(), label=f"as {wild}")
    }
    every = legal_captures(game, pile_of(layout), card, given_ranks)
    place = {other: position for position, other in enumerate(layout)}
    listed = sorted(
        (sorted(place[other] for other in cards_of(taken)) for taken in every.sets), key=lambda s: (len(s), s)
    )
    sets = CaptureSets(game, layout, card, given_ranks)

    assert [list(each) for each in sets.first(10_000)] == listed
    assert [list(each) for each in sets.first(3)] == listed[:3]
    assert sets.count() == len(listed)
    if layout and pile_of(layout) in every.sets:
        assert sets.sweep == every.sweep


@SOME
@given(st.sampled_from(TABLES), st.lists(st.sampled_from(PACK), min_size=1, max_size=14, unique=True), st.data())
def test_an_answer_is_the_same_by_either_way(table: dict[str, Any], cards: list[str], data: st.DataObject) -> None:
    held = data.draw(st.integers(0, min(2, len(cards) - 1)), label="in hand")
    request = {**table, "card": cards[0], "hand": cards[1 : held + 1], "layout": cards[held + 1 :]}
    answer = rules.captures(request)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(captures, "FEW_CARDS", -1)
        assert rules.captures(request) == answer


def test_a_table_of_twenty_cards_takes_in_multiples_of_fifteen() -> None:
    layout = [code for code in PACK if code != "1O"][:20]
    answer = rules.captures({"game": "escopa", "layout": layout, "card": "1O"})
    values = [int(code[:-1]) if int(code[:-1]) < 8 else int(code[:-1]) - 2 for code in layout]
    sums = [1] + [0] * sum(values)
    for value in values:
        sums = [ways + (sums[total - value] if total >= value else 0) for total, ways in enumerate(sums)]

    assert len(answer["captures"]) == MOST_CAPTURES
    assert answer["more"] + MOST_CAPTURES == sum(ways for total, ways in enumerate(sums) if (total + 1) % 15 == 0)
    sizes = [len(capture["takes"]) for capture in answer["captures"]]
    assert sizes == sorted(sizes)


def test_few_sets_leave_no_more() -> None:
    assert "more" not in rules.captures({"game": "escopa", "layout": ["7O", "7C"], "card": "1O"})


@pytest.mark.parametrize("game", [game["id"] for game in rules.games()["games"] if game["family"] == "fishing"])
def test_every_card_left_may_lie_on_the_table(game: str) -> None:
    answer = rules.captures({"game": game, "layout": PACK[3:], "card": PACK[0], "hand": PACK[1:3]})

    assert len(json.dumps(answer)) < ANSWER_BYTES / 4
    assert len(answer["captures"]) <= MOST_CAPTURES


def test_the_first_sets_of_the_full_table_are_the_smallest() -> None:
    layout = PACK[1:]
    answer = rules.captures({"game": "escopa", "layout": layout, "card": "1O"})
    value = {code: int(code[:-1]) if int(code[:-1]) < 8 else int(code[:-1]) - 2 for code in PACK}
    twos = [list(pair) for pair in combinations(layout, 2) if (sum(value[code] for code in pair) + 1) % 15 == 0]

    assert [capture["takes"] for capture in answer["captures"]][: len(twos)] == twos
