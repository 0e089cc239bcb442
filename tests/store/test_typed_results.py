"""Results from paper: they count in the history like any match, and are never the match being played."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any
from uuid import uuid4

import pytest

from scorekeeper import rules
from scorekeeper.limits import TABLE_MATCHES
from scorekeeper.store import commands, deleted, evenings, ownership, queries, ranking, summaries
from scorekeeper.store.commands import TypedResult
from scorekeeper.store.db import db, writing
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import FromPaper, Full, NewEntry, Stale, entries_of
from scorekeeper.store.journal.match_setup import Setup, sides_of
from scorekeeper.store.live import CURRENT, current_version
from scorekeeper.store.models import Match, MatchSummary, Table
from scorekeeper.store.player_records import record_of, window
from scorekeeper.store.ranking import Chosen
from scorekeeper.store.standings import standing_of

from .conftest import start

MAY_3 = date(2026, 5, 3)


def type_result(
    table: Table,
    entry_id: str | None = None,
    day: date = MAY_3,
    names: str = "Ana Beto",
    points: tuple[float, ...] = (31, 24),
    winners: str = "A",
    game: str = "chorizo",
) -> Match:
    """Type the result of a match in which everybody played alone."""
    with writing():
        numbers = commands.seat_players(table, names.split())
        sides = sides_of([[number] for number in numbers])
        totals = dict(zip([side.label for side in sides], points, strict=True))
        result = TypedResult(day, totals, list(winners))
        return commands.type_result(table, entry_id or str(uuid4()), Setup(game, None, {}, sides, 0), result)


def summary_of(match: Match) -> MatchSummary:
    return db.session.get_one(MatchSummary, (match.table_id, match.number))


def test_a_result_is_a_match_with_one_entry(table: Table) -> None:
    match = type_result(table)

    [entry] = entries_of(match)
    assert entry.kind == "result_typed"
    sides = [{"label": "A", "players": [1]}, {"label": "B", "players": [2]}]
    setup = {"game": "chorizo", "preset": None, "options": {}, "sides": sides, "first_dealer": 0, "rules": rules.NEWEST}
    told: dict[str, Any] = {"setup": setup, "date": "2026-05-03", "totals": {"A": 31, "B": 24}, "winners": ["A"]}
    assert entry.payload == {"v": 1, **told}
    assert (match.setup, match.taken_up) == (setup, 0)


@pytest.mark.parametrize(("zone", "hour"), [(None, 12), ("Asia/Tokyo", 3)])
def test_it_began_and_ended_at_noon_of_its_day_where_the_table_is(table: Table, zone: str | None, hour: int) -> None:
    with writing():
        table.zone = zone
    match = type_result(table)

    summary = summary_of(match)
    noon = datetime(2026, 5, 3, hour, tzinfo=UTC)
    assert [match.created_at, summary.started_at, summary.ended_at, summary.counted_at] == [noon] * 4
    assert summary.evening == MAY_3


@pytest.mark.parametrize(("zone", "hour"), [("Pacific/Honolulu", 22), ("Asia/Tokyo", 3)])
def test_it_stays_on_its_day_where_the_zone_of_the_table_changes(table: Table, zone: str, hour: int) -> None:
    shown, hidden = type_result(table), type_result(table)
    with writing():
        played = start(table)
        deleted.hide(table, hidden)
    before = summary_of(played).started_at
    with writing():
        ownership.set_zone(table, zone)
    with writing():
        deleted.bring_back(table, hidden.number)
    db.session.expire_all()

    noon = datetime(2026, 5, 3, hour, tzinfo=UTC)
    for match in (shown, hidden):
        summary = summary_of(match)
        assert [match.created_at, summary.ended_at, summary.counted_at] == [noon] * 3
        assert summary.evening == MAY_3
    assert summary_of(shown).started_at == noon
    assert summary_of(played).started_at == before
    [first, _second] = ranking.ranking(table, Chosen(span="2026-05"), {}, together=False)
    assert (first.played, first.won) == (2, 2)


def test_it_has_its_totals_and_its_winners_and_no_deals(table: Table) -> None:
    match = type_result(table, names="Ana Beto Leo", points=(31, 24.5, 31), winners="AC")

    summary, standing = summary_of(match), standing_of(match)
    totals = {"A": 31, "B": 24.5, "C": 31}
    assert (summary.status, summary.totals, summary.winners) == ("won", totals, ["A", "C"])
    assert (summary.deals, summary.course, summary.doubt_at) == (0, [], None)
    assert (standing.is_over, standing.totals, standing.winners, standing.sheets) == (True, totals, ["A", "C"], [])


def test_it_is_never_the_match_being_played(table: Table) -> None:
    typed = type_result(table)
    assert queries.current_match(table) is None
    assert queries.current_summaries([table]) == {}
    assert current_version((table.id, CURRENT)) is None
    assert current_version((table.id, typed.number)) == "1.1"

    with writing():
        played = start(table)
    type_result(table)
    current = queries.current_match(table)
    assert current is not None
    assert (played.number, played.taken_up, current.number) == (2, 1, 2)
    assert queries.current_summaries([table])[table.id].match == 2
    assert current_version((table.id, CURRENT)) == "2.1"


def test_a_new_match_takes_nothing_over_from_it(table: Table) -> None:
    with writing():
        numbers = commands.seat_players(table, ["Ana", "Beto"])
        setup = Setup("free", None, {}, sides_of([[number] for number in numbers]), 0)
        result = TypedResult(MAY_3, {"A": 1, "B": 0}, ["A"])
        commands.type_result(table, str(uuid4()), setup, result, device="a" * 22, player=1)
        played = start(table)

    assert queries.newest_setups(table) == [played.setup]
    assert "phones" not in entries_of(played)[0].payload


def test_it_counts_in_the_ranking_and_the_tally_of_its_evening(table: Table) -> None:
    first, second = type_result(table), type_result(table, winners="B")
    type_result(table, day=date(2026, 5, 4))

    ranked = ranking.ranking(table, Chosen(span="2026-05-03"), {}, together=False)
    assert [(one.players, one.played, one.won, one.ahead) for one in ranked] == [((1,), 2, 1, 14), ((2,), 2, 1, -14)]
    assert dict(evenings.tally(table, first.number, {}).won) == {(1,): 1, (2,): 1}
    found, _more = queries.history(table, size=20)
    assert [(one.match, one.evening.day) for one in found] == [(3, 4), (second.number, 3), (first.number, 3)]


def test_it_counts_as_a_match_of_a_player_and_not_in_the_figures_of_deals(table: Table) -> None:
    type_result(table)
    game = record_of(1, window(table)[0]).games["chorizo"]
    assert (game.played, game.won, game.deals, game.points, game.best) == (1, 1, 0, 0, None)


def test_the_same_form_adds_it_once(table: Table) -> None:
    form = str(uuid4())
    assert type_result(table, form).number == type_result(table, form).number == table.last_match == 1


def test_a_form_with_another_content_adds_nothing(table: Table) -> None:
    form = str(uuid4())
    type_result(table, form)
    with pytest.raises(Stale):
        type_result(table, form, points=(31, 25))
    assert table.last_match == 1


def test_a_form_whose_result_was_deleted_does_not_bring_it_back(table: Table) -> None:
    form = str(uuid4())
    match = type_result(table, form)
    with writing():
        deleted.hide(table, match)
    with pytest.raises(Stale):
        type_result(table, form)


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        (kinds.DEAL_CLOSED, {"deal": 1, "facts": {"points": {"A": 5, "B": 2}}}),
        (kinds.MATCH_RESUMED, {}),
        (kinds.MATCH_NOTED, {"note": "the asado", "stakes": ""}),
        (kinds.PHONE_HELD, {"player": 1}),
    ],
)
def test_nothing_is_written_to_it(table: Table, kind: str, payload: kinds.AnyPayload) -> None:
    match = type_result(table)
    with pytest.raises(FromPaper), writing():
        commands.record(match, [NewEntry(kind, payload)])
    assert len(entries_of(match)) == 1


def test_a_player_of_a_table_with_nothing_else_is_renamed_all_the_same(table: Table) -> None:
    match = type_result(table)
    with writing():
        assert ownership.rename_player(table, 1, "Anita", str(uuid4()))
    assert queries.player_names(table)[1] == "Anita"
    assert len(entries_of(match)) == 1


def test_it_is_deleted_and_brought_back_and_made_again_from_its_journal(table: Table) -> None:
    match = type_result(table)
    before = {column.name: getattr(summary_of(match), column.name) for column in MatchSummary.__table__.columns}
    with writing():
        deleted.hide(table, match)
    assert queries.history(table, size=20) == ([], None)
    with writing():
        deleted.bring_back(table, match.number)
    list(summaries.rebuild())
    db.session.expire_all()
    assert {name: getattr(summary_of(match), name) for name in before} == before


def test_there_is_no_more_room_for_it_than_for_a_match(table: Table) -> None:
    with writing():
        table.last_match = TABLE_MATCHES
    with pytest.raises(Full):
        type_result(table)
