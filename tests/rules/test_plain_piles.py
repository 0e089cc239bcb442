"""Lists of cards in which nothing is wrong are read at once; what is read so is what is read card by card."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.rules.cards import CODES, FULL_PACK, pile_of, plain_piles
from scorekeeper.rules.fishing.evidence import read_cards
from scorekeeper.rules.problems import Problems

SPELT = [*CODES, *map(str.lower, CODES)]


@given(st.lists(st.lists(st.sampled_from(SPELT), max_size=8), max_size=4))
def test_piles_read_at_once_are_those_read_card_by_card(lists: list[list[str]]) -> None:
    problems, placed = Problems(), dict[int, str]()
    slowly = [pile_of(read_cards(codes, "piles", problems, placed)) for codes in lists]

    assert plain_piles(lists) == (None if problems else slowly)


def test_the_whole_pack_is_plain() -> None:
    assert plain_piles([list(CODES[:17]), [], list(CODES[17:])]) == [(1 << 17) - 1, 0, FULL_PACK >> 17 << 17]


@pytest.mark.parametrize(
    "wrong",
    [["7O", "7O"], ["7O", "7o"], ["8O"], ["７O"], [7], [None], [["7O"]], [{}], "7O", None, {"7O": 1}, ["1O"] * 4],
    ids=repr,
)
def test_lists_with_anything_wrong_are_not_plain(wrong: Any) -> None:
    assert plain_piles([["1B"], wrong]) is None


def test_a_card_in_two_lists_is_not_plain() -> None:
    assert plain_piles([["1B", "2B"], ["3B", "1B"]]) is None
    # Eight times one card adds up to another: the sum alone would not tell.
    assert plain_piles([["1O"]] * 8) is None
