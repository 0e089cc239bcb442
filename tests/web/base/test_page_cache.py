"""What is kept of a page is drawn anew as soon as anything in it changes."""

from __future__ import annotations

from uuid import uuid4

import pytest

from scorekeeper.store import ownership, queries
from scorekeeper.store.db import writing
from scorekeeper.store.lru import LruCache
from scorekeeper.web.words.sparkline import polyline

from ..conftest import ON_TRUST, Player


def test_a_deal_more_is_on_the_sheets_at_once(ana: Player, beto: Player) -> None:
    assert "No deal is closed yet" in beto.get("/matches/1").words
    ana.close(**ON_TRUST)
    assert "Deal 1 Ana Ana +" in beto.get("/matches/1").words


def test_each_reads_the_same_sheets_in_their_language(ana: Player) -> None:
    ana.close(**ON_TRUST)
    english = ana.get("/matches/1", headers={"Accept-Language": "en"}).words
    spanish = ana.get("/matches/1", headers={"Accept-Language": "es"}).words
    assert "Deal 1" in english
    assert "Mano 1" in spanish
    assert ana.get("/matches/1", headers={"Accept-Language": "en"}).words == english


def test_another_name_is_on_the_kept_board_at_once(ana: Player) -> None:
    assert "Ana" in ana.get().words
    with ana.app.app_context(), writing():
        table = queries.table_by_play_key(ana.key)
        assert table is not None
        ownership.rename_player(table, 1, "Anita", str(uuid4()))
    assert "Anita" in ana.get().words


def test_the_oldest_use_goes_first() -> None:
    recent: LruCache[int] = LruCache(2)
    recent.put("a", 1)
    recent.put("b", 2)
    recent.get("a")
    recent.put("c", 3)
    assert [recent.get(key) for key in "abc"] == [1, None, 3]


@pytest.mark.parametrize(
    ("course", "points"),
    [
        ([{"A": 10, "B": 0}], "0.0,30.0 100.0,2.0"),
        ([{"A": 5, "B": 0}, {"A": 10, "B": -10}], "0.0,16.0 50.0,9.0 100.0,2.0"),
    ],
)
def test_the_line_of_a_side_starts_at_nothing_and_fits_below_zero_too(
    course: list[dict[str, int]], points: str
) -> None:
    assert polyline(course, "A", 100, 32) == points
