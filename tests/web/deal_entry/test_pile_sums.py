"""What the sum of a pile tells, as the server says it; the page's script is held to the same cases."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask

from scorekeeper.store import queries
from scorekeeper.web.deal_entry.pile_sums import LEFT, PileSums, with_the_rest
from scorekeeper.web.match.view import MatchView

from ...helpers.pile_cases import TABLES, PileCase
from ..conftest import open_table

CASES = [(table, case) for table, (_agreed, cases) in TABLES.items() for case in cases]


def sums_of(app: Flask, table: str, case: PileCase) -> Iterator[PileSums]:
    """Open a table and put the piles of a case on it; what is said of them is said in English."""
    key = open_table(app, **TABLES[table][0]).key
    with app.test_request_context(headers={"Accept-Language": "en"}):
        record = queries.table_by_play_key(key)
        assert record is not None
        match = queries.match_by_number(record, 1)
        assert match is not None
        piles = {name: case.piles.get(name, []) for name in ("A", "B", LEFT)}
        yield PileSums(MatchView(record, match).needs, with_the_rest(piles, case.rest), case.given)


@pytest.mark.parametrize(("table", "case"), CASES, ids=[f"{table}: {case.name}" for table, case in CASES])
def test_the_sum_of_a_pile_tells(app: Flask, table: str, case: PileCase) -> None:
    for sums in sums_of(app, table, case):
        of = sums.of(sums.piles[case.pile])
        assert (of["cards"], of["coins"], of["sum"], sums.check(case.pile).words) == case.told


@pytest.mark.parametrize(
    ("cards", "given", "wanted"),
    [
        (["7O", "8O", "joker", ""], {}, {"cards": 1, "coins": 1, "sum": 7}),
        (["12O"], {"12O": "9"}, {"cards": 1, "coins": 1, "sum": 10}),
        (["12O"], {"12O": ""}, {"cards": 1, "coins": 1, "sum": 10}),
    ],
)
def test_what_is_no_card_or_no_rank_counts_for_nothing(
    app: Flask, cards: list[str], given: dict[str, str], wanted: dict[str, int]
) -> None:
    for sums in sums_of(app, "wild", PileCase("", {"A": cards}, (0, 0, 0, ""), given=given)):
        assert sums.of(cards) == wanted
