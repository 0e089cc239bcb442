"""Lines settled by counts, held against every single way of dealing out the cards that nobody has seen (hypothesis)."""

from __future__ import annotations

from itertools import product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper import rules

from ..helpers.asking import COUNTED
from ..helpers.draws import examples
from ..helpers.simulator import PACK
from ..helpers.strategies import ACCEPTED

MOST_UNSEEN = {2: 6, 3: 4, 4: 3}
"""Cards out of sight, by sides: at most 81 ways, each scored in full."""

Owners = dict[str, str]


def piles(owners: Owners, sides: str) -> dict[str, list[str]]:
    return {side: [card for card in PACK if owners.get(card) == side] for side in sides}


def count(owners: Owners, side: str, kind: str) -> int:
    return sum(COUNTED[kind](card) for card, owner in owners.items() if owner == side)


def points(game: str, sides: str, deal: dict[str, Any]) -> dict[str, dict[str, int] | None]:
    answer = rules.score({"game": game, "sides": list(sides), "deal": {**deal, "accept": ACCEPTED}})
    assert answer["status"] != "invalid"
    assert {problem["code"] for problem in answer["problems"]} <= set(ACCEPTED)
    return {line["item"]: line["points"] for line in answer["lines"]}


@settings(deadline=None, max_examples=examples(10))
@given(st.data())
def test_a_line_is_settled_just_when_every_way_that_fits_the_counts_gives_the_same(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(["chorizo", "escoba", "la_escoba", "escopa", "scopa"]))
    sides = data.draw(st.sampled_from(["AB", "ABC", "ABCD"]))
    owners = {card: data.draw(st.sampled_from(sides)) for card in PACK}
    unseen = data.draw(st.lists(st.sampled_from(PACK), min_size=1, max_size=MOST_UNSEEN[len(sides)], unique=True))
    counted = data.draw(st.sets(st.tuples(st.sampled_from(sides), st.sampled_from(tuple(COUNTED)))))
    counts = {
        side: {kind: count(owners, side, kind) for owner, kind in sorted(counted) if owner == side} for side in sides
    }
    seen = {card: owner for card, owner in owners.items() if card not in unseen}
    told = points(game, sides, {"piles": piles(seen, sides), "counts": counts})

    possible: dict[str, list[dict[str, int] | None]] = {item: [] for item in told}
    for dealt in product(sides, repeat=len(unseen)):
        way = {**seen, **dict(zip(unseen, dealt, strict=True))}
        if all(count(way, side, kind) == counts[side][kind] for side, kind in counted):
            for item, scored in points(game, sides, {"piles": piles(way, sides)}).items():
                if scored not in possible[item]:
                    possible[item].append(scored)

    assert told == {item: ways[0] if len(ways) == 1 else None for item, ways in possible.items()}
