"""The matches of a table: who is ahead over which time, evening by evening, and the file that takes them all away."""

from __future__ import annotations

import csv
import re
from datetime import UTC, datetime, timedelta
from io import StringIO
from uuid import uuid4

import pytest
from flask import Flask

from scorekeeper.store import deleted, evenings, moments, ownership, queries, ranking
from scorekeeper.store.db import db, writing
from scorekeeper.store.finding import ALL, Chosen
from scorekeeper.store.models import Match, Table, now
from scorekeeper.store.ranking import Ranked
from scorekeeper.web.base import by_facts
from scorekeeper.web.pages import history
from scorekeeper.web.words import evenings as evening_words

from ...helpers.moments import play_at
from ...helpers.reading import Page
from ..conftest import ON_TRUST, Player, open_table

A_WINS = {name.replace("-", "__"): "A" for name in ON_TRUST}
B_WINS = dict.fromkeys(A_WINS, "B")
PAIRS = {"player__0": "Ana", "player__1": "Beto", "player__2": "Leo", "player__3": "Cata"}


def table_of(player: Player) -> Table:
    table = queries.table_by_play_key(player.key)
    assert table is not None
    return table


def ranked(player: Player, *, together: bool = False, chosen: Chosen = ALL) -> list[Ranked]:
    with player.app.app_context():
        return ranking.ranking(table_of(player), chosen, {}, together=together)


def days_ago(player: Player, days: dict[int, float]) -> None:
    """Let matches have begun, and ended, so many days ago."""
    with player.app.app_context():
        play_at(table_of(player), {match: now() - timedelta(days=days.get(match, 0)) for match in range(1, 5)})


def lines_of(player: Player, path: str = "/history.csv") -> list[dict[str, str]]:
    answer = player.client.get(f"/t/{player.key}{path}")
    assert (answer.status_code, answer.mimetype) == (200, "text/csv")
    return list(csv.DictReader(StringIO(answer.data.decode("utf-8-sig"))))


@pytest.fixture
def pairs(app: Flask) -> Player:
    """Ana and Leo against Beto and Cata, to 5, a deal each: two won by the first, one by the others, one open."""
    table = open_table(app, shape="2x2", table_name="Los jueves", opt__target="5", **PAIRS)
    for number, deal in ((1, A_WINS), (2, A_WINS), (3, B_WINS)):
        table.close(1, match=number, **deal)
        table.post(f"/matches/{number}/rematch", {"id": str(uuid4())})
    return table


@pytest.mark.whole
class TestTheRanking:
    def test_of_players_counts_each_match_that_somebody_won(self, pairs: Player) -> None:
        found = {one.players: (one.played, one.won, one.ahead) for one in ranked(pairs)}
        assert found == {(1,): (3, 2, 8), (3,): (3, 2, 8), (2,): (3, 1, -8), (4,): (3, 1, -8)}

    def test_of_pairs_counts_those_who_played_together(self, pairs: Player) -> None:
        assert [(one.players, one.won) for one in ranked(pairs, together=True)] == [((1, 3), 2), ((2, 4), 1)]

    def test_turns_round_where_the_fewest_points_win(self, pairs: Player) -> None:
        with pairs.app.app_context():
            found = ranking.ranking(table_of(pairs), ALL, {}, together=True, fewest_is_best=["chorizo"])
        assert {one.players: one.ahead for one in found} == {(1, 3): -8, (2, 4): 8}

    def test_is_on_the_page_with_its_headings(self, pairs: Player) -> None:
        page = pairs.get("/history?period=ever")
        assert "Players Matches Won Points Ana 3 2 +8 Leo 3 2 +8 Beto 3 1 −8 Cata 3 1 −8" in page.words
        assert "Pairs Matches Won Points Ana and Leo 3 2 +8" in pairs.get("/history?period=ever&who=pairs").words


class TestThePeriod:
    def test_is_this_year_unless_nothing_was_played_in_it(self, pairs: Player) -> None:
        days_ago(pairs, {1: 400, 2: 400, 3: 400, 4: 400})
        assert 'aria-current="page">Ever' in pairs.get("/history").html
        days_ago(pairs, {})
        assert f'aria-current="page">{now().year}' in pairs.get("/history").html

    def test_tonight_has_only_what_began_tonight(self, pairs: Player) -> None:
        tonight = f"/history?period={evenings.day_of(now(), None)}"
        days_ago(pairs, {1: 3, 2: 3, 3: 3, 4: 3})
        assert "There is no such match" in pairs.get(tonight).words
        days_ago(pairs, {1: 3, 2: 3})
        assert "Ana 1 0 −8" in pairs.get(tonight).words


class TestTheEvenings:
    def test_have_their_day_and_the_result_between_the_same_sides(self, pairs: Player) -> None:
        assert "Ana and Leo 2–1" in pairs.get("/history").words

    def test_have_no_result_where_a_page_shows_only_a_part(
        self, pairs: Player, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(queries, "PAGE", 3)
        assert "Ana and Leo 1–1" not in pairs.get("/history").words

    def test_have_the_days_of_the_table_s_zone_on_any_phone(self, pairs: Player) -> None:
        midnight = datetime(2026, 6, 4, 0, 30, tzinfo=UTC)
        with pairs.app.app_context():
            play_at(table_of(pairs), {1: midnight, 2: midnight, 3: midnight, 4: midnight + timedelta(hours=6)})
        seen = []
        for zone in ("America/Montevideo", "Asia/Tokyo"):
            with pairs.app.app_context(), writing():
                ownership.set_zone(table_of(pairs), zone)
            pairs.client.set_cookie("zone", "Europe/Rome")
            lines = [line for line in pairs.get("/history").html.split("\n") if 'class="evening"' in line]
            seen.append([re.findall("June [0-9]+", line)[0] for line in lines])
        assert seen == [["June 3"], ["June 4"]]


@pytest.mark.whole
class TestTheFile:
    def test_has_a_line_for_each_side_of_each_deal(self, pairs: Player) -> None:
        lines = lines_of(pairs)
        assert tuple(lines[0]) == history.COLUMNS
        assert [
            (one["match"], one["deal"], one["players"], one["points"], one["total"], one["won"]) for one in lines
        ] == [
            ("1", "1", "Ana + Leo", "8", "8", "1"),
            ("1", "1", "Beto + Cata", "0", "0", "0"),
            ("2", "1", "Ana + Leo", "8", "8", "1"),
            ("2", "1", "Beto + Cata", "0", "0", "0"),
            ("3", "1", "Ana + Leo", "0", "0", "0"),
            ("3", "1", "Beto + Cata", "8", "8", "1"),
            ("4", "", "Ana + Leo", "", "0", "0"),
            ("4", "", "Beto + Cata", "", "0", "0"),
        ]
        assert {one["game"] for one in lines} == {"chorizo"}
        assert [one["state"] for one in lines[::2]] == ["won", "won", "won", "playing"]

    @pytest.mark.parametrize("name", ["=1+1", "-1", "＠SUM(A1)"])
    def test_has_no_name_that_a_spreadsheet_runs(self, app: Flask, name: str) -> None:
        table = open_table(app, player__0=name)
        assert lines_of(table)[0]["players"] == f"'{name}"

    def test_has_nothing_that_begins_with_a_tab(self) -> None:
        assert history.safe("\t=1+1") == "'\t=1+1"

    def test_keeps_minus_points_as_numbers(self, app: Flask) -> None:
        table = open_table(app, game="free")
        table.close(points__A="-5", points__B="2")
        assert [one["points"] for one in lines_of(table)] == ["-5", "2"]

    def test_comes_in_parts_where_there_is_too_much_for_one(
        self, pairs: Player, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(ranking, "EXPORTED_DEALS", 4)
        page = pairs.get("/history/parts")
        assert f"/t/{pairs.key}/history/parts" in pairs.get("/history").html
        parts = [
            {one["match"] for one in lines_of(pairs, f"/history.csv?last={last}")}
            for last in range(4, 0, -1)
            if f"history.csv?last={last}" in page.html
        ]
        assert parts == [{"3", "4"}, {"1", "2"}]
        assert lines_of(pairs, "/history.csv?last=77") == []

    def test_may_be_taken_by_watchers_and_holds_no_key(self, pairs: Player) -> None:
        with pairs.app.app_context():
            keys = (table_of(pairs).owner_key, table_of(pairs).play_key, table_of(pairs).watch_key)
        answer = pairs.app.test_client().get(f"/w/{keys[2]}/history.csv")
        assert answer.status_code == 200
        assert "Los jueves.csv" in answer.headers["Content-Disposition"]
        assert not any(key in answer.text for key in keys)
        assert Page(pairs.app.test_client().get(f"/t/{'x' * 22}/history.csv")).status == 404

    def test_begins_with_the_mark_by_which_a_spreadsheet_reads_its_accents(self, ana: Player) -> None:
        answer = ana.client.get(f"/t/{ana.key}/history.csv")
        assert answer.data.startswith(b"\xef\xbb\xbfmatch,began,")


class TestTheCharts:
    def test_of_wins_says_that_its_numbers_are_in_the_table(self, pairs: Player) -> None:
        page = pairs.get("/history")
        assert 'role="img" aria-label="How the wins added up; the numbers are in the table above."' in page.html
        for name in ("2 Ana", "2 Leo", "1 Beto", "1 Cata"):
            assert f">{name}</text>" in page.html

    def test_of_a_match_has_each_name_with_its_total_the_target_and_the_deals(self, app: Flask) -> None:
        table = open_table(app, opt__target="30")
        table.close(**A_WINS)
        assert "<polyline" not in table.get("/matches/1").html
        table.close(2, **A_WINS)
        page = table.get("/matches/1").html
        assert 'aria-label="Totals after each deal; the numbers are in the table below."' in page
        for told in (">16 Ana<", ">0 Beto<", ">30<", ">1<", ">2<"):
            assert told in page
        assert page.count("stroke-dasharray") == 2, "the target and the second side"


def test_a_player_of_a_pair_reads_that_the_figures_are_the_pairs(pairs: Player) -> None:
    words = pairs.get("/players/1").words
    assert "2 of 3 matches won" in words
    assert "Points a deal of the pair 5.3" in words
    assert "Player Together Against Beto – 2 of 3 Leo 2 of 3 – Cata – 2 of 3" in words
    assert "L W W" in words


def a_day_later(monkeypatch: pytest.MonkeyPatch, days: int = 1) -> None:
    for module in (evenings, moments, history, evening_words, by_facts):
        monkeypatch.setattr(module, "now", lambda: now() + timedelta(days=days))


def test_after_the_night_another_evening_is_tonight(ana: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = evenings.day_of(now(), None), evenings.day_of(now() + timedelta(days=1), None)
    for _time in range(2):
        assert f"period={after}" not in ana.get("/history?period=ever").html
    a_day_later(monkeypatch)
    html = ana.get("/history?period=ever").html
    assert f"period={after}" in html
    assert f"period={before}" not in html


def test_a_deleted_match_is_no_longer_offered_once_it_is_gone_for_good(
    app: Flask, ana: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    with app.app_context():
        found = queries.table_by_play_key(ana.key)
        assert found is not None
        own, owner = found.id, queries.key_of(found, "owner")
    assert ana.client.get(f"/o/{owner}").status_code == 200
    ana.post("/matches/1/delete", {"id": str(uuid4())})
    assert "Bring it back" in ana.get("/history").words
    with app.app_context():
        # As if it were nearly gone, and written at the table since.
        gone = db.session.get_one(Match, (own, 1))
        gone.deleted_at = now() - moments.RESTORABLE + timedelta(hours=1)
        db.session.commit()
    assert "Bring it back" in ana.get("/history").words
    later = now() + timedelta(hours=2)
    for module in (moments, deleted, by_facts):
        monkeypatch.setattr(module, "now", lambda: later)
    assert "Bring it back" not in ana.get("/history").words
