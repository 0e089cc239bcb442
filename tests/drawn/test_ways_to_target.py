"""A side reaches the target exactly by its ways, held against every way of going on (hypothesis)."""

from __future__ import annotations

from itertools import product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper import rules
from scorekeeper.rules.cards import PACK_SIZE, card_name
from scorekeeper.rules.fishing.takings import Taking
from scorekeeper.rules.ways_to_target import ways_by

from ..helpers.draws import examples
from ..helpers.strategies import ACCEPTED

GAMES = ("chorizo", "escoba", "la_escoba", "escova", "escopa", "scopa", "chkobba")
FEW = 5
"""Unplaced cards, each of which is dealt to either side."""


@st.composite
def nearly_known(draw: st.DrawFn) -> tuple[list[str], list[str], list[str]]:
    """The piles of two sides, and a few cards that are in neither yet."""
    order = draw(st.permutations(range(PACK_SIZE)))
    owners = draw(st.lists(st.booleans(), min_size=PACK_SIZE - FEW, max_size=PACK_SIZE - FEW))
    placed = [card_name(card) for card in order[FEW:]]
    first = [card for card, is_first in zip(placed, owners, strict=True) if is_first]
    return first, [card for card in placed if card not in first], [card_name(card) for card in order[:FEW]]


def all_ends(game: str, piles: tuple[list[str], list[str], list[str]]) -> list[dict[str, Any]]:
    """Score the deal with the unplaced cards dealt to the sides in every way."""
    first, second, loose = piles
    sheets = []
    for owners in product("AB", repeat=len(loose)):
        given_to = {side: [card for card, owner in zip(loose, owners, strict=True) if owner == side] for side in "AB"}
        full = {"piles": {"A": first + given_to["A"], "B": second + given_to["B"]}, "accept": ACCEPTED}
        sheets.append(rules.score({"game": game, "sides": ["A", "B"], "deal": full}))
    return sheets


@settings(deadline=None, max_examples=examples(12))
@given(game=st.sampled_from(GAMES), piles=nearly_known(), missing=st.integers(1, 4))
def test_a_side_reaches_the_target_exactly_if_it_takes_one_of_its_ways(
    game: str, piles: tuple[list[str], list[str], list[str]], missing: int
) -> None:
    deal = {"piles": {"A": piles[0], "B": piles[1]}, "accept": ACCEPTED}
    now = rules.score({"game": game, "sides": ["A", "B"], "deal": deal})
    undecided = [line["item"] for line in now["lines"] if line["points"] is None]
    target = now["options"]["target"]
    totals = {side: target - missing - now["points"].get(side, 0) for side in "AB"}
    asked = {"game": game, "sides": ["A", "B"], "deal": deal}
    found = rules.ways_to_target(asked, totals, most=99)
    every_end = all_ends(game, piles)
    ends = [sheet for sheet in every_end if sheet["match"]["lost_by"] is None]
    for side in "AB":
        # Whoever captures nothing may lose the match at once; a way that only such an end needs is listed all the same.
        taken_in_all = [
            {line["item"] for line in sheet["lines"] if line["item"] in undecided and line["points"][side]}
            for sheet in every_end
        ]
        ends_of_side = [
            (
                {line["item"] for line in sheet["lines"] if line["item"] in undecided and line["points"][side]},
                totals[side] + sheet["points"][side] >= target,
            )
            for sheet in ends
        ]
        if side not in found:
            assert len({reached for _taken, reached in ends_of_side}) == 1, "nothing is left to decide"
            continue
        sets = [set(way) for way in found[side]]
        for taken, reached in ends_of_side:
            assert reached == any(way <= taken for way in sets)
        for way in sets:
            others = [other for other in sets if other != way]
            assert any(way <= taken and not any(other <= taken for other in others) for taken in taken_in_all)
            for item in way:
                assert any(way - {item} <= taken and not reached for taken, reached in ends_of_side), "superfluous"


@given(
    possible=st.sets(st.integers(0, 15), min_size=1),
    worth=st.lists(st.integers(1, 4), min_size=4, max_size=4),
    missing=st.integers(1, 8),
)
def test_the_smallest_sets_decide_whatever_can_be_taken_together(
    possible: set[int], worth: list[int], missing: int
) -> None:
    takings = {Taking(items, sum(worth[place] for place in range(4) if items >> place & 1)) for items in possible}
    found = ways_by(takings, missing)
    assert found is not None
    reached = {items for items, points in takings if points >= missing}
    if found:
        assert reached == {items for items in possible if any(items & way == way for way in found)}
    else:
        assert reached in (set(), possible)
