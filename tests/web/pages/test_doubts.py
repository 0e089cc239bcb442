"""A quarrel is seen wherever its result is, until it is settled or nobody has said a word about it for a month."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask

from scorekeeper.store import doubts, queries
from scorekeeper.store.models import MatchSummary, now

from ...helpers.reading import Page
from ..conftest import Player, join, open_table
from ..deal_entry.test_closing import TRUST
from ..test_voices import ANA, BETO, say
from .test_agreement import OTHERWISE, filled, take


@pytest.fixture
def phones(app: Flask) -> tuple[Player, Player]:
    table = open_table(app)
    return join(app, table, ANA), join(app, table, BETO)


@pytest.fixture
def won(phones: tuple[Player, Player]) -> tuple[Player, Player]:
    """A match to 21 that Ana has won 24–8 in the fourth deal."""
    ana, _beto = phones
    for number in range(1, 5):
        ana.close(number, **TRUST)
    assert ana.standing().winners == ["A"]
    return phones


def contested(ana: Player, beto: Player, number: int = 4, **other: str) -> None:
    """Both close the deal at once, otherwise than each other."""
    form = filled(beto, number, **other)
    ana.close(number, **TRUST)
    assert beto.post(beto.deal(number) + "/close", form).status == 303


@pytest.fixture
def quarrel(phones: tuple[Player, Player]) -> tuple[Player, Player]:
    """By Ana's closing of the fourth deal she has won, by Beto's nobody has."""
    ana, beto = phones
    for number in range(1, 4):
        ana.close(number, **TRUST)
    contested(ana, beto, **dict.fromkeys(TRUST, "B"))
    assert ana.standing().winners == ["A"]
    return phones


def summary(player: Player, match: int = 1) -> MatchSummary:
    with player.app.app_context():
        table = queries.table_by_play_key(player.key)
        assert table is not None
        found, _more = queries.history(table, size=20)
        return next(one for one in found if one.match == match)


def watch(player: Player, path: str = "") -> str:
    with player.app.app_context():
        table = queries.table_by_play_key(player.key)
        assert table is not None
        address = f"/w/{table.watch_key}{path}"
    return Page(player.app.test_client().get(address)).words


class TestADealThatDecidesTheMatch:
    IF = "Ana wins, if deal 4 stands"

    @pytest.mark.parametrize("path", ["", "/matches/1/deals/4", "/board"])
    def test_is_told_beside_the_winner(self, quarrel: tuple[Player, Player], path: str) -> None:
        assert self.IF in quarrel[0].get(path).words

    def test_is_told_to_whoever_watches(self, quarrel: tuple[Player, Player]) -> None:
        for path in ("", "/board", "/matches/1"):
            assert self.IF in watch(quarrel[0], path)

    def test_leaves_the_match_open_in_history_and_figures(self, quarrel: tuple[Player, Player]) -> None:
        words = quarrel[0].get("/history").words
        assert "if deal 4 stands" in words
        assert "Nobody has won a match" in words
        assert "go on" not in words
        row = summary(quarrel[0])
        assert (row.status, row.doubt_deal, row.doubt_decides) == ("won", 4, True)
        assert ",open," in quarrel[0].get("/history.csv").html

    def test_is_settled_by_the_other_version(self, quarrel: tuple[Player, Player]) -> None:
        ana, _beto = quarrel
        take(ana, 1, 4)
        assert "if deal 4" not in ana.get().words
        assert ana.standing().winners == []
        assert summary(ana).doubt_deal is None

    def test_is_settled_by_the_one_that_counts(self, quarrel: tuple[Player, Player]) -> None:
        ana, beto = quarrel
        take(beto, 0, 4)
        assert "Ana wins" in ana.get().words
        assert "if deal 4" not in ana.get().words
        assert summary(ana).doubt_deal is None
        assert "Nobody has won a match" not in ana.get("/history").words

    def test_asks_before_a_rematch(self, quarrel: tuple[Player, Player]) -> None:
        ana, _beto = quarrel
        form = ana.get().form(action="/rematch")
        asked = ana.post("/matches/1/rematch", form)
        assert asked.status == 409
        assert "Deal 4 is in doubt" in asked.words
        assert ana.entries(2) == []
        again = asked.form(action="/rematch")
        assert again["anyway"] == "yes"
        assert ana.post("/matches/1/rematch", again).status == 303
        assert ana.kinds(2) == ["match_started"]

    def test_counts_as_dropped_after_thirty_days_without_a_word(
        self, quarrel: tuple[Player, Player], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ana, beto = quarrel
        monkeypatch.setattr(doubts, "now", lambda: now() + timedelta(days=31))
        assert "if deal 4" not in ana.get().words
        assert "Nobody has won a match" not in ana.get("/history").words
        monkeypatch.undo()
        monkeypatch.setattr(doubts, "now", lambda: now() + timedelta(days=29))
        say(beto, "dispute", "B", 4)
        assert "if deal 4" in ana.get().words


class TestADealThatDecidesNothing:
    def test_is_told_and_the_match_counts_as_won(self, phones: tuple[Player, Player]) -> None:
        ana, beto = phones
        contested(ana, beto, 1, **OTHERWISE)
        for number in range(2, 5):
            ana.close(number, **TRUST)
        assert ana.standing().winners == ["A"]
        assert "Deal 1 has two versions: see both" in ana.get().words
        assert "if deal" not in ana.get().words
        words = ana.get("/history").words
        assert "deal 1 is in doubt" in words
        assert "Nobody has won a match" not in words
        assert "Deal 1 is in doubt" in watch(ana, "/board")


class TestTheRematch:
    def test_of_a_page_gone_back_to_asks_where_another_match_was_started_since(
        self, won: tuple[Player, Player]
    ) -> None:
        ana, _beto = won
        stale = ana.get().form(action="/rematch")
        again = ana.get("/matches/1/again").form("stays")
        again["waiting"] = "Zoe"
        assert ana.post("/matches/1/stays", again).status == 303
        asked = ana.post("/matches/1/rematch", stale)
        assert asked.status == 409
        assert "A match has begun" in asked.words
        assert ana.entries(3) == []
        assert ana.post("/matches/1/rematch", asked.form(action="/rematch")).status == 303
        assert ana.kinds(3) == ["match_started"]
