"""The race of two primes is worked out as if every way of dealing out the unplaced cards were looked at."""

from __future__ import annotations

from itertools import product

import pytest

from scorekeeper.rules.cards import NUMBERS, pile_of
from scorekeeper.rules.fishing.features import PrimeOf
from scorekeeper.rules.fishing.prime_race import Race, race, suits_of
from scorekeeper.rules.fishing.primes import VALUE_BITS, PrimeRule

FIRST = ["7O", "6C", "1E", "12B"]
SECOND = ["6O", "5C", "4E"]
LOOSE = ["7C", "7E", "7B", "6E", "6B", "5B", "1O"]


def race_of(method: str, sevens: int | None, sixes: int | None) -> Race | None:
    first, second, loose = (pile_of(NUMBERS[card] for card in cards) for cards in (FIRST, SECOND, LOOSE))
    return race(suits_of(PrimeOf(PrimeRule(method)), first, second, loose, [(0.5, 0.5)] * 4), sevens, sixes)


def leads(method: str, sevens: int | None, sixes: int | None) -> list[int]:
    """Return the lead of the first side in every way that agrees with the counts."""
    rule, found = PrimeRule(method), []
    for owners in product((0, 1), repeat=len(LOOSE)):
        taken = [card for card, owner in zip(LOOSE, owners, strict=True) if not owner]
        counted = zip((sevens, sixes), "76", strict=True)
        if any(number not in (None, sum(card[0] == rank for card in taken)) for number, rank in counted):
            continue
        piles = (FIRST + taken, SECOND + [card for card in LOOSE if card not in taken])
        own, other = (rule.measure(pile_of(NUMBERS[card] for card in pile)) & VALUE_BITS for pile in piles)
        found.append(own - other)
    return found


@pytest.mark.parametrize("method", ["face", "italian", "half_ace", "seventy"])
@pytest.mark.parametrize(("sevens", "sixes"), [(None, None), (2, None), (None, 1), (1, 2)])
def test_chances_and_ends_are_those_of_all_ways(method: str, sevens: int | None, sixes: int | None) -> None:
    found, every = race_of(method, sevens, sixes), leads(method, sevens, sixes)

    assert found is not None
    assert (found.least, found.most) == (min(every), max(every))
    assert found.ahead == pytest.approx(sum(lead > 0 for lead in every) / len(every))
    assert found.level == pytest.approx(sum(lead == 0 for lead in every) / len(every))
    mean = sum(every) / len(every)
    assert found.deviation**2 == pytest.approx(sum((lead - mean) ** 2 for lead in every) / len(every))


def test_counts_that_no_way_gives_leave_no_race() -> None:
    assert race_of("face", 4, None) is None
