"""A player's record: what was played, won and scored, with whom and against whom."""

from __future__ import annotations

from uuid import uuid4

import pytest
from flask import Flask

from scorekeeper.store import player_records, queries
from scorekeeper.store.player_records import OfGame, PlayerRecord

from ...helpers.reading import Page
from ..conftest import ON_TRUST, Player, open_table

ANA_WINS = {name.replace("-", "__"): "A" for name in ON_TRUST}
BETO_WINS = dict.fromkeys(ANA_WINS, "B")


def record(player: Player, number: int = 1) -> PlayerRecord:
    with player.app.app_context():
        table = queries.table_by_key("play", player.key)
        assert table is not None
        return player_records.record_of(number, queries.history(table, size=player_records.WINDOW)[0])


def chorizo(player: Player, number: int = 1) -> OfGame:
    return record(player, number).games["chorizo"]


@pytest.fixture
def evening(app: Flask) -> Player:
    """Three matches to 5, of a deal each: Ana wins two (8 points, then 9 with a sweep), then Beto one (8)."""
    table = open_table(app, opt__target="5")
    for number, deal in ((1, ANA_WINS), (2, {**ANA_WINS, "sweeps__A": "1"}), (3, BETO_WINS)):
        table.close(1, match=number, **deal)
        table.post(f"/matches/{number}/rematch", {"id": str(uuid4())})
    return table


def test_matches_are_counted_by_game_the_one_being_played_too(evening: Player) -> None:
    ana = chorizo(evening)
    assert (ana.played, ana.decided, ana.won) == (4, 3, 2)
    assert chorizo(evening, 2).won == 1


def test_points_sweeps_and_the_best_deal_are_those_of_the_sheets(evening: Player) -> None:
    ana = chorizo(evening)
    assert (ana.deals, ana.points, ana.sweeps) == (3, 17, 1)
    assert (ana.best, ana.best_match) == (9, 2)
    assert ana.points_per_deal == pytest.approx(17 / 3)


def test_streaks_are_counted_from_the_newest(evening: Player) -> None:
    assert (record(evening).streak, record(evening).longest) == (-1, 2)
    assert record(evening, 2).streak == 1


def test_a_long_history_comes_in_windows(evening: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_records, "WINDOW", 2)
    first = evening.get("/players/1")
    assert "Matches 3 to 4 of this table" in first.words
    assert "before=3" in first.html
    assert "Matches 1 to 2 of this table" in evening.get("/players/1?before=3").words


def test_the_page_shows_it_in_the_readers_language(evening: Player) -> None:
    page = evening.get("/players/1", headers={"Accept-Language": "es"})
    assert "2 de 3" in page.words
    assert "5,7" in page.words
    assert "Beto" in page.words


def test_history_and_share_lead_to_the_players(ana: Player) -> None:
    for path in ("/history", "/share"):
        assert f"/t/{ana.key}/players/2" in ana.get(path).html


def test_watchers_may_read_it_by_their_own_link(evening: Player, app: Flask) -> None:
    with app.app_context():
        table = queries.table_by_key("play", evening.key)
        assert table is not None
        watch = table.watch_key
    page = Page(app.test_client().get(f"/w/{watch}/players/1"))
    assert page.status == 200
    assert evening.key not in page.html


@pytest.mark.parametrize("path", ["/players/9", "/players/x"])
def test_nobody_is_not_found(ana: Player, path: str) -> None:
    assert ana.get(path).status == 404
