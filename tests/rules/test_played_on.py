"""A match that goes on from what it came to before its last deal is answered as one played from its start."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from scorekeeper import rules
from scorekeeper.rules.match import _Playing

ROWS = ("cards", "coins", "seven_of_coins", "two_of_clubs", "prime")


def deal_of(random: Random, **more: Any) -> dict[str, Any]:
    awards = {row: random.choice("AB") for row in ROWS}
    return {"dealer": random.choice("AB"), "awards": awards, "sweeps": {"A": random.randint(0, 2), "B": 0}, **more}


def answer(deals: list[dict[str, Any]], target: int, played: rules.Played | None = None, **more: Any) -> Any:
    request = {"game": "chorizo", "preset": "flores", "options": {"target": target}, "sides": ["A", "B"], **more}
    return rules.match(
        {**request, "deals": deals, "ask": False},
        frozen=True,
        until_won=True,
        most_steps={tariff.number: tariff.stored_match for tariff in rules.TARIFFS.values()},
        tariffs=[rules.NEWEST_TARIFF] * len(deals),
        explained={len(deals) - 1},
        played=played,
    )


def test_each_deal_more_is_answered_as_from_the_start() -> None:
    for seed in range(6):
        random, deals, played = Random(seed), [], None
        for number in range(14):
            changed = {"options": {"target": 60}} if number == 7 and seed % 2 else {}
            deals.append(deal_of(random, **changed))
            played = rules.Played(played)
            assert answer(deals, 40, played) == answer(deals, 40)


def test_a_match_goes_on_although_a_deal_is_refused_or_dealt_again() -> None:
    random, deals, played = Random(3), [], None
    for more in ({}, {"redeal": "same"}, {"sweeps": {"A": -1}}, {"fun": 1}, {}, {}):
        deals.append(deal_of(random, **more))
        played = rules.Played(played)
        assert answer(deals, 1000, played) == answer(deals, 1000)


@pytest.mark.parametrize("change", ["deal", "target", "sides", "two more", "none more", "fewer"])
def test_another_match_is_played_from_its_start(change: str) -> None:
    random = Random(7)
    deals = [deal_of(random) for _deal in range(8)]
    before = rules.Played()
    answer(deals[:6], 30, before)
    asked = {"two more": deals, "none more": deals[:6], "fewer": deals[:3]}.get(change, deals[:7])
    target, more = 30, {}
    if change == "deal":
        asked = [deals[7], *asked[1:]]
    elif change == "target":
        target = 9
    elif change == "sides":
        more = {"sides": ["B", "A"]}
    assert answer(asked, target, rules.Played(before), **more) == answer(asked, target, **more)


def test_a_match_that_goes_on_plays_its_last_two_deals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    random, asked = Random(5), []
    deals = [deal_of(random) for _deal in range(10)]
    before = rules.Played()
    answer(deals[:9], 1000, before)
    whole = _Playing._sheet_of

    def counted(self: Any, number: int, *told: Any) -> Any:
        asked.append(number)
        return whole(self, number, *told)

    monkeypatch.setattr(_Playing, "_sheet_of", counted)
    answer(deals, 1000, rules.Played(before))
    assert asked == [8, 9]
