"""Whatever is chosen of a table's matches, its pages hold these and no other, and its ranking is of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from scorekeeper.store import commands, deleted, finding, history_rows, ranking, summaries
from scorekeeper.store.db import db, writing
from scorekeeper.store.doubts import DROPPED, is_open, is_told
from scorekeeper.store.finding import STATES, Chosen
from scorekeeper.store.models import LineUp, Match, MatchSummary, Seat, Table
from scorekeeper.store.ranking import Ranked
from scorekeeper.store.who import Merged, Players, as_now, players_of

from ..helpers.databases import on_both
from ..helpers.many_matches import Played, add, people

pytestmark = [on_both, pytest.mark.whole]

MANY = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
GAMES = ("chorizo", "scopa")
NOON = datetime(2025, 11, 20, 12, tzinfo=UTC)
LINE_UPS = (((1, 2), (3, 4)), ((1, 3), (2, 4)), ((1,), (2,)), ((2,), (5,)), ((3,), (4,), (6,)), ((1, 4), (2, 6)))

played = st.builds(
    Played,
    moment=st.integers(0, 900).map(lambda hours: NOON + timedelta(hours=hours * 7)),
    sides=st.sampled_from(LINE_UPS),
    game=st.sampled_from(GAMES),
    status=st.sampled_from(["playing", "won", "won", "won", "ended"]),
    winner=st.integers(0, 1),
    doubt=st.sampled_from([None, None, timedelta(days=1), DROPPED + timedelta(days=1)]),
    decides=st.booleans(),
)
choices = st.builds(
    Chosen,
    game=st.sampled_from([None, *GAMES]),
    players=st.sampled_from([(), (1, 2), (2, 4), (1,), (1, 4)]),
    person=st.sampled_from([None, 1, 2, 6]),
    span=st.sampled_from(["", "", "2025", "2026", "2025-12", "2026-02", "2025-11-21"]),
    state=st.sampled_from(["", "", *STATES]),
)
# Five turned out to be one, or six to be five: they never sat in one match.
merges = st.sampled_from([{}, {5: 1}, {6: 5}])


def as_addressed(chosen: Chosen, merged: Merged) -> Chosen:
    """Return the choice with the people whom its players turned out to be, as an address has it."""
    person = None if chosen.person is None else merged.get(chosen.person, chosen.person)
    return replace(chosen, players=as_now(chosen.players, merged), person=person)


def opened() -> Table:
    with writing():
        table = commands.open_table("Los jueves", str(uuid4()))
        people(table, *["Ana", "Beto", "Leo", "Cata", "Dora", "Eva"])
        return table


def all_of(table: Table) -> list[MatchSummary]:
    return list(db.session.scalars(select(MatchSummary).where(MatchSummary.table_id == table.id)))


def is_chosen(one: MatchSummary, chosen: Chosen, merged: Merged) -> bool:
    sides = [players_of(side, merged) for side in one.sides]
    there = {*sides, *((number,) for side in sides for number in side)}
    return (
        chosen.game in (None, one.game)
        and all(players in there for players in chosen.seated)
        and one.evening.isoformat().startswith(chosen.span)
        and (is_told(one) if chosen.state == "doubt" else chosen.state in ("", one.status))
    )


def found_by_pages(table: Table, chosen: Chosen, merged: Merged, size: int) -> Iterator[int]:
    before: int | None = None
    while True:
        page, before = finding.history(table, chosen, before, merged, size=size)
        yield from (one.match for one in page)
        if before is None:
            return
        assert page[-1].match == before


def ranked_by_hand(
    rows: list[MatchSummary], chosen: Chosen, merged: Merged, *, together: bool
) -> dict[Players, tuple[int, int]]:
    found: dict[Players, tuple[int, int]] = {}
    for one in rows:
        if one.status != "won" or is_open(one) or not is_chosen(one, chosen, merged):
            continue
        for side in one.sides:
            players = players_of(side, merged)
            for who in [players] if together else [(number,) for number in players]:
                if (len(who) > 1) == together:
                    number, won = found.get(who, (0, 0))
                    found[who] = number + 1, won + (side["label"] in one.winners)
    return found


@MANY
@given(st.lists(played, max_size=25), choices, merges, st.integers(1, 4))
def test_the_pages_of_a_choice_hold_its_matches_in_the_order_of_their_evenings(
    matches: list[Played], chosen: Chosen, merged: Merged, size: int
) -> None:
    table, chosen = opened(), as_addressed(chosen, merged)
    add(table, matches)
    rows = sorted(all_of(table), key=lambda one: (one.evening, one.match), reverse=True)
    wanted = [one.match for one in rows if is_chosen(one, chosen, merged)]
    assert list(found_by_pages(table, chosen, merged, size)) == wanted
    assert finding.is_any(table, chosen, merged) == bool(wanted)


@MANY
@given(st.lists(played, max_size=25), choices, merges, st.booleans())
def test_the_ranking_and_its_steps_are_of_the_matches_of_a_choice(
    matches: list[Played], chosen: Chosen, merged: Merged, together: bool
) -> None:
    table, chosen = opened(), as_addressed(chosen, merged)
    add(table, matches)
    of_all = Chosen(chosen.game, chosen.players, chosen.person, chosen.span)
    wanted = ranked_by_hand(all_of(table), of_all, merged, together=together)
    ranked: list[Ranked] = ranking.ranking(table, chosen, merged, together=together)
    assert {one.players: (one.played, one.won) for one in ranked} == wanted
    steps = ranking.steps(table, chosen, merged, 6)
    if len({step.when[:4] for step in steps}) < 6:
        won = {players: sum(step.won.get(players, 0) for step in steps) for players in wanted}
        assert won == {players: won for players, (_played, won) in wanted.items()}


@MANY
@given(st.lists(played, max_size=25))
def test_the_years_months_games_and_pairs_that_are_offered_are_those_that_there_are(matches: list[Played]) -> None:
    table = opened()
    add(table, matches)
    days = [one.evening.isoformat() for one in all_of(table)]
    assert finding.years_in(table) == sorted({day[:4] for day in days}, reverse=True)
    months = sorted({day[:7] for day in days}, reverse=True)
    assert finding.months_in(table, "", 12) == months[:12]
    assert finding.months_in(table, "2026", 12) == [month for month in months if month < "2027" and month > "2026"]
    assert finding.games_in(table) == sorted({one.game for one in matches})
    pairs = {side for one in matches for side in one.sides if len(side) > 1}
    assert set(finding.pairs_in(table, {}, most=100)) == pairs
    assert set(finding.pairs_in(table, {}, most=100, of=1)) == {pair for pair in pairs if 1 in pair}
    assert finding.has_pairs(table) == bool(pairs)


def test_a_player_of_many_numbers_is_found_under_all_of_them() -> None:
    table = opened()
    add(table, [Played(NOON + timedelta(days=day), sides=((10 + day,), (1,))) for day in range(40)])
    merged = {10 + day: 10 for day in range(1, 40)}
    assert list(found_by_pages(table, Chosen(person=10), merged, 7)) == list(range(40, 0, -1))


def test_a_deleted_match_is_not_found_and_one_brought_back_is(match: Match) -> None:
    table = db.session.get_one(Table, match.table_id)
    chosen = Chosen(person=1)
    assert list(found_by_pages(table, chosen, {}, 5)) == [1]
    with writing():
        deleted.hide(table, match)
    assert list(found_by_pages(table, chosen, {}, 5)) == []
    assert finding.games_in(table) == []
    assert list(db.session.scalars(select(LineUp))) == []
    assert list(db.session.scalars(select(Seat.status).distinct())) == [history_rows.GONE]
    with writing():
        deleted.bring_back(table, 1)
    assert list(found_by_pages(table, chosen, {}, 5)) == [1]


def test_rows_made_again_are_those_that_were_moved_there(match: Match) -> None:
    def rows() -> list[object]:
        columns = [*LineUp.__table__.columns], [*Seat.__table__.columns]
        return [sorted(map(tuple, db.session.execute(select(*each)))) for each in columns]

    moved = rows()
    list(summaries.rebuild())
    assert rows() == moved


@pytest.mark.parametrize("span", ["", "2026-1", "2026-02-30", "２０２６"])
def test_a_span_is_a_year_a_month_or_a_day(span: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        finding.days_of(span)


def test_a_place_that_is_behind_the_span_begins_with_its_end() -> None:
    table = opened()
    add(table, [Played(NOON + timedelta(days=30 * number)) for number in range(6)])
    page, _more = finding.history(table, Chosen(span="2025"), 6, {}, size=5)
    assert [one.match for one in page] == [2, 1]
    assert finding.history(table, Chosen(span="9999-12"), 6, {}, size=5) == ([], None)
