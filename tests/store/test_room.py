"""A notebook has room for every evening, and an end: what is over it is refused, and what is there is read."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from scorekeeper.store import commands
from scorekeeper.store.db import writing
from scorekeeper.store.journal import entries, kinds
from scorekeeper.store.journal.entries import Full, NewEntry, Stale, entries_of
from scorekeeper.store.journal.replay import replay
from scorekeeper.store.models import Match, Table
from scorekeeper.store.standings import standing_of

from .conftest import start


def swept(side: str = "A", deal: int = 1) -> NewEntry:
    return NewEntry(kinds.SWEPT, {"deal": deal, "side": side, "count": 1})


def closed(deal: int = 1, **sweeps: int) -> NewEntry:
    return NewEntry(kinds.DEAL_CLOSED, {"deal": deal, "facts": {"sweeps": {"A": 0, "B": 0, **sweeps}}})


def write(match: Match, *new: NewEntry, **how: Any) -> int:
    return commands.write(match, lambda: commands.draft(match, new, **how))


def refused(what: str, match: Match, *new: NewEntry) -> None:
    before = entries_of(match)
    with pytest.raises(Full) as full:
        write(match, *new)
    assert full.value.what == what
    assert entries_of(match) == before


def test_a_match_has_room_for_so_many_entries(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "MATCH_ENTRIES", 3)
    taps = [swept(), swept()]
    write(match, *taps)
    refused("entries", match, swept())
    assert commands.write(match, lambda: commands.draft_undo(match, taps[0].id)), "taking back needs no room"
    assert write(match, NewEntry(kinds.MATCH_ENDED, {})), "nor does the end"


def test_a_match_ends_once(match: Match) -> None:
    assert write(match, NewEntry(kinds.MATCH_ENDED, {}))
    assert not write(match, NewEntry(kinds.MATCH_ENDED, {}))


def test_a_match_has_room_for_so_many_deals_and_its_deals_may_be_corrected(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "MATCH_DEALS", 2)
    second = closed(2)
    write(match, closed(1))
    write(match, second)
    refused("deals", match, closed(3))
    assert write(match, NewEntry(kinds.VOIDED, {"entry": second.id}), closed(2, A=1))


def test_a_deal_has_room_for_so_many_notes(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "DEAL_NOTES", 2)
    write(match, swept(), swept("B"))
    refused("notes", match, swept())
    write(match, closed(1))
    assert write(match, swept(deal=2))


def test_who_swept_takes_as_much_room_as_the_sweep(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "DEAL_NOTES", 3)
    sweep = swept()
    write(match, sweep, swept("B"))
    write(match, NewEntry(kinds.CREDITED, {"deal": 1, "entry": sweep.id, "player": 1}))
    refused("notes", match, swept())
    refused("notes", match, NewEntry(kinds.CREDITED, {"deal": 1, "entry": sweep.id, "player": 2}))


def test_so_do_two_sweeps_that_were_told_apart(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "DEAL_NOTES", 3)
    first, second = swept(), swept()
    write(match, first, second)
    write(match, NewEntry(kinds.TOLD_APART, {"deal": 1, "entry": first.id, "beside": second.id}))
    refused("notes", match, swept())


def test_a_deal_has_room_for_so_many_rivals(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "DEAL_RIVALS", 2)
    for sweeps in (1, 2, 3):
        write(match, closed(1, A=sweeps))
    refused("rivals", match, closed(1, A=4))
    assert [one.kind for one in entries_of(match)[1:]] == ["deal_closed", "deal_contested", "deal_contested"]


def test_so_much_is_said_about_a_closing(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "DEAL_SAID", 2)
    one = closed(1)
    write(match, one)
    told = {"deal": 1, "entry": one.id, "side": "A"}
    for _turn in range(2):
        write(match, NewEntry(kinds.DISPUTED, told))
    refused("said", match, NewEntry(kinds.DISPUTED, told))


def test_a_table_has_room_for_so_many_matches_and_players(
    table: Table, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "TABLE_MATCHES", 1)
    monkeypatch.setattr(commands, "TABLE_PLAYERS", 2)
    with pytest.raises(Full, match="matches"), writing():
        start(table)
    with pytest.raises(Full, match="players"), writing():
        commands.seat_players(table, ["Ana", "Nora"])
    with writing():
        assert commands.seat_players(table, ["Ana", "Beto"]) == [1, 2]


def test_an_entry_s_id_starts_no_match(table: Table, match: Match) -> None:
    tap = swept()
    write(match, tap)
    with pytest.raises(Stale), writing():
        start(table, tap.id)


def test_a_side_s_name_never_overflows_its_column(match: Match) -> None:
    write(match, swept(), author="A" * 5_000, device="x" * 5_000)
    last = entries_of(match)[-1]
    assert (last.author, last.device) == ("A" * 40, "x" * 22)


def test_a_standing_is_kept_in_its_newest_version_only(match: Match) -> None:
    from flask import current_app

    for deal in range(1, 6):
        write(match, closed(deal))
    kept = current_app.extensions["scorekeeper.standings"]
    assert kept.get((match.table_id, match.number), match.head) is standing_of(match)
    assert kept.weight == standing_of(match).weight


def test_a_new_match_is_played_under_the_newest_rules(match: Match) -> None:
    from scorekeeper import rules

    state = standing_of(match).state
    assert state.setup.rules == rules.NEWEST
    assert state.request()["rules"] == rules.NEWEST


def test_a_match_without_entries_is_gone() -> None:
    from scorekeeper.store.db import Gone

    with pytest.raises(Gone):
        replay([])


def test_a_form_leads_to_its_table_until_it_is_forgotten(table: Table) -> None:
    form = str(uuid4())
    with writing():
        opened = commands.open_table("Los jueves", form)
        assert opened.id != table.id
        assert commands.open_table("Los jueves", form).id == opened.id
        commands.forget_form(opened)
        assert commands.table_of_form(form) is None
        assert commands.open_table("Los viernes", form).id != opened.id
