"""A table that somebody has filled on purpose: no page of it grows without end."""

from __future__ import annotations

from uuid import uuid4

import pytest
from flask import Flask

from scorekeeper.limits import (
    MATCH_DEALS,
    NOTED_SHOWN,
    POINTS_OF_A_LINE,
    SCORED_AGAIN,
    SHEETS_OF_A_PAGE,
    TABLE_PLAYERS,
    VERSIONS_SHOWN,
)
from scorekeeper.store import commands, queries
from scorekeeper.store.agreement import Agreement, Author
from scorekeeper.store.db import writing
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import JournalEntry, NewEntry
from scorekeeper.store.models import now

from ..helpers.reading import Page
from .conftest import Player, agreed, open_table

DEALS = MATCH_DEALS
MOST = 500_000
"""Bytes of a page."""


def written(phone: Player, *entries: NewEntry) -> None:
    with phone.app.app_context(), writing():
        table = queries.table_by_play_key(phone.key)
        assert table is not None
        match = queries.current_match(table)
        assert match is not None
        commands.record(match, entries)


def closed(deal: int, a: int = 1, b: int = 0) -> NewEntry:
    return NewEntry(kinds.DEAL_CLOSED, {"deal": deal, "facts": {"points": {"A": a, "B": b}}})


@pytest.fixture
def pad(app: Flask) -> Player:
    return open_table(app, game="free")


@pytest.fixture
def long(pad: Player) -> Player:
    """A free pad with as many deals as a match may have."""
    written(pad, *(closed(deal) for deal in range(1, DEALS + 1)))
    return pad


def test_a_match_shows_its_newest_sheets_and_leads_to_the_others(long: Player) -> None:
    page = long.get("/matches/1")
    assert page.html.count('<li id="deal-') == SHEETS_OF_A_PAGE
    assert f'id="deal-{DEALS}"' in page.html
    assert "Earlier deals" in page.words
    assert len(page.html) < MOST
    seen, before = SHEETS_OF_A_PAGE, DEALS - SHEETS_OF_A_PAGE + 1
    while f"before={before}" in page.html:
        page = long.get(f"/matches/1?before={before}")
        seen += page.html.count('<li id="deal-')
        before -= SHEETS_OF_A_PAGE
    assert seen == DEALS


def test_its_text_tells_all_deals_and_its_line_has_an_end(long: Player) -> None:
    text = long.get("/matches/1/text").html
    # Once to be read, once to be handed on.
    assert text.count("Round ") >= DEALS
    assert f"Ana {DEALS}" in text
    history = long.get("/history").html
    assert max(part.count(",") for part in history.split('points="')[1:]) <= POINTS_OF_A_LINE + 2
    assert long.client.get(f"/t/{long.key}/matches/1/result.png").status_code == 200


def test_a_record_looks_at_so_many_deals_at_once(pad: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.store.player_records.RECORD_CLOSINGS", 3)
    for _match in range(3):
        written(pad, closed(1), closed(2))
        path = f"/t/{pad.key}/matches/new"
        assert pad.client.post(path, data=agreed(pad.client, path)).status_code == 303
    page = pad.get("/players/1")
    # The newest, without a deal, and the one before; a match alone is shown whatever it holds.
    assert "before=3" in page.html
    assert "before=2" in pad.get("/players/1?before=3").html


def test_a_board_lists_the_newest_of_what_was_noted(ana: Player) -> None:
    written(ana, *(NewEntry(kinds.SWEPT, {"deal": 1, "side": "A", "count": 1}) for _tap in range(300)))
    page = ana.get()
    assert page.html.split('<ol class="log"')[1].count("<time") == NOTED_SHOWN
    assert len(page.html) < MOST
    assert len(ana.get("/matches/1/deals/1/meanwhile?seq=1").html) < MOST


def test_so_many_versions_stand_side_by_side(pad: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "DEAL_RIVALS", 100)  # As there was no bound once.
    written(pad, closed(1))
    for points in range(2, 40):
        written(pad, closed(1, points))
    page = pad.get("/matches/1/deals/1/versions")
    assert len(page.buttons("take")) == VERSIONS_SHOWN
    assert "33 more versions are kept in the journal" in page.words


def test_the_journal_tells_the_totals_where_that_is_not_too_long_to_work_out(pad: Player) -> None:
    written(pad, closed(1, 10))
    for points in range(5):
        last = pad.entries()[-1]
        written(pad, NewEntry(kinds.VOIDED, {"entry": last.id}), closed(1, 20 + points))
    told = pad.get("/matches/1/journal").words
    assert "0–0 → 10–0" in told
    assert "23–0 → 0–0" in told
    assert "0–0 → 24–0" in told
    many = [closed(deal) for deal in range(2, SCORED_AGAIN + 20)]
    written(pad, *many)
    written(pad, *(NewEntry(kinds.VOIDED, {"entry": one.id}) for one in many))
    assert pad.get("/matches/1/journal").status == 200


def test_a_table_seats_so_many_players(app: Flask, ana: Player) -> None:
    with app.app_context(), writing():
        table = queries.table_by_play_key(ana.key)
        assert table is not None
        commands.seat_players(table, [f"Guest {number}" for number in range(TABLE_PLAYERS - 3)])
    path = f"/t/{ana.key}/matches/new"
    assert ana.client.post(path, data=agreed(ana.client, path, player__0="Cata", player__1="Beto")).status_code == 303
    page = Page(ana.client.post(path, data=agreed(ana.client, path, player__0="Leo", player__1="Beto")))
    assert page.status == 422
    assert "the most there can be" in page.words
    assert page.form("agree")["player-0"] == "Leo"
    assert ana.client.post(path, data=agreed(ana.client, path, player__0="Guest 7", player__1="Ana")).status_code == 303


def test_whoever_agrees_again_and_again_is_heard_once() -> None:
    agreement = Agreement(["A", "B"])
    entry = JournalEntry(str(uuid4()), 2, kinds.CONFIRMED, {"v": 1, "side": "A"}, None, now(), "phone")
    for seq in range(5000):
        agreement.add(entry._replace(seq=seq))
    assert agreement.agreed_by == [Author("A", "phone")]
    assert not agreement.is_locked
    agreement.add(entry._replace(payload={"v": 1, "side": "B"}))
    assert agreement.is_locked


def test_a_pull_answers_as_much_as_a_phone_can_take_and_says_that_there_is_more(
    ana: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorekeeper.web.api.sync.PULLED_BYTES", 2000)
    written(ana, *(NewEntry(kinds.SWEPT, {"deal": 1, "side": "A", "count": 1}) for _tap in range(30)))
    seen, more = 0, True
    while more:
        headers = {"Authorization": f"Bearer {ana.key}"}
        answer = ana.client.get(f"/api/v1/entries?after={seen}", headers=headers)
        assert answer.json is not None
        assert len(answer.data) < 2500
        assert answer.json["entries"][0]["seq"] == seen + 1
        seen, more = answer.json["entries"][-1]["seq"], answer.json["more"]
    assert seen == 31
