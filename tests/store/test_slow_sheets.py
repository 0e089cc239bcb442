"""What was accepted keeps the sheet it had: by the tariff it was judged by, or as a migration has stored it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import sqlalchemy as sa
from flask_migrate import downgrade, upgrade

from scorekeeper import rules
from scorekeeper.store import commands, slow_sheets
from scorekeeper.store.agreement import corrected_closing, voided_with
from scorekeeper.store.db import MIGRATIONS, db, writing
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import VERSION, JournalEntry, NewEntry, append, entries_of
from scorekeeper.store.journal.match_setup import Setup, Side
from scorekeeper.store.journal.replay import DealState, MatchState, replay
from scorekeeper.store.models import Entry, Match, MatchSummary, Table
from scorekeeper.store.standings import BrokenMatch, Standing, score_closing, score_match, standing_after, standing_of
from scorekeeper.store.summaries import project, rebuild

from ..helpers.cold import forget

COSTLY: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "past" / "costly.json").read_text())


@pytest.fixture
def dear(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Make the second tariff so dear that it leaves every costly deal open."""

    def make_dear() -> None:
        monkeypatch.setitem(rules.TARIFFS, 3, rules.Tariff(3, deal=500, stored_match=1_000))
        forget()

    yield make_dear
    forget()


GAMES = {2: "cirulla", 4: "chorizo"}
"""The games by numbers of sides whose costliest deal is settled by the work of the engine, not by what was said."""


def costly(sides: int) -> list[dict[str, Any]]:
    """Return the facts of the costly deals of so many sides, the costliest first."""
    found = [one for one in COSTLY if len(one["sides"]) == sides and one["game"] == GAMES[sides]]
    return [one["deal"] for one in sorted(found, key=lambda one: -int(one["steps"]))]


def begin(table: Table, sides: int, version: int = 3) -> Match:
    """Start a match by some version of the rules, as the app did when that one was the newest."""
    labels, game = "ABCD"[:sides], GAMES[sides]
    preset = next(one["preset"] for one in COSTLY if one["game"] == game)
    asked = {"game": game, "preset": preset, "options": {"target": 900}, "sides": [*labels], "rules": version}
    options = rules.score({**asked, "deal": {}})["options"]
    with writing():
        numbers = commands.seat_players(table, ["Ana", "Beto", "Leo", "Cata"][:sides])
        who = tuple(Side(label, (number,)) for label, number in zip(labels, numbers, strict=True))
        setup: Any = Setup(game, preset, options, who, 0, rules=version).as_json()  # type: ignore[arg-type]
        table.last_match += 1
        match = Match(table_id=table.id, number=table.last_match, setup=setup, taken_up=table.last_match)
        db.session.add(match)
        db.session.flush()
        commands.record(match, [NewEntry(kinds.MATCH_STARTED, {"setup": setup})])
    return match


def close(match: Match, deal: int, facts: dict[str, Any], v: int = 2, kind: str = kinds.DEAL_CLOSED) -> str:
    """Write a closing as an earlier version wrote it: it is not judged here."""
    payload: Any = {"v": v, "deal": deal, "facts": facts}
    if kind != kinds.DEAL_CLOSED:
        closed = replay(entries_of(match)).closed_deal(deal)
        assert closed is not None
        assert closed.closed is not None
        payload["entry"] = closed.closed.id
    new = NewEntry(kind, payload)
    with writing():
        append(match, [new])
        project(match, standing_after(None, entries_of(match)))
    return new.id


def correct(match: Match, facts: dict[str, Any]) -> None:
    """Close the first deal anew."""
    id = str(uuid4())
    new = [voided_with(id, closed_id(match)), NewEntry(kinds.DEAL_CLOSED, {"deal": 1, "facts": facts}, id=id)]  # type: ignore[typeddict-item]
    with writing():
        commands.record(match, new)


def restore(match: Match) -> None:
    """Undo the correction of the first deal."""
    state = standing_of(match).state
    former = corrected_closing(state, state.deals[0])
    assert former is not None
    assert commands.write(match, lambda: commands.draft_restoring(match, 1, former.id, str(uuid4())))


def closed_id(match: Match) -> str:
    closed = standing_of(match).state.deals[0].closed
    assert closed is not None
    return closed.id


def afresh(match: Match) -> Standing:
    """Return the standing as a process has it that knows nothing yet."""
    forget()
    return standing_after(None, entries_of(match))


def said(match: Match) -> tuple[Any, list[Any]]:
    """Return where a match stands, and the sheet of each of its closings."""
    standing = afresh(match)
    state = standing.state
    told = [score_closing(state, deal_of(state, entry), entry) for entry in state.entries if "facts" in entry.payload]
    whole = score_match(state, range(len(state.closed)))
    return json.loads(json.dumps((whole, told)))  # type: ignore[no-any-return]


def deal_of(state: MatchState, entry: JournalEntry) -> DealState:
    return state.deal(entry.payload["deal"]) or state.current


# ---------------------------------------------------------------- by the tariff of then


@pytest.mark.parametrize("v", [1, 2])
@pytest.mark.parametrize("sides", [2, 4])
def test_what_an_earlier_tariff_settled_stays_settled(
    table: Table, dear: Callable[[], None], v: int, sides: int
) -> None:
    match = begin(table, sides)
    close(match, 1, costly(sides)[0], v)
    close(match, 1, costly(sides)[1], v, kinds.DEAL_CONTESTED)
    before = said(match)
    assert [sheet["status"] for sheet in before[1]] == ["complete", "complete"]
    dear()
    assert said(match) == before
    with pytest.raises(BrokenMatch), writing():
        commands.record(match, [NewEntry(kinds.DEAL_CLOSED, {"deal": 2, "facts": costly(sides)[0]})])  # type: ignore[typeddict-item]


def test_undoing_a_correction_brings_the_former_sheet_back_each_time(table: Table, dear: Callable[[], None]) -> None:
    match = begin(table, 2)
    close(match, 1, costly(2)[0])
    before = afresh(match).result["sheets"]
    dear()
    for _turn in range(2):
        correct(match, {"rest": "B"})
        assert afresh(match).result["sheets"] != before
        restore(match)
        # The second time it repeats a closing that repeats another one.
        assert afresh(match).result["sheets"] == before
    assert entries_of(match)[-1].payload["v"] == VERSION == 4


def test_a_version_that_the_table_takes_keeps_the_sheet_that_it_had(table: Table, dear: Callable[[], None]) -> None:
    match = begin(table, 2)
    first = close(match, 1, {"rest": "B"})
    rival = close(match, 1, costly(2)[0], kind=kinds.DEAL_CONTESTED)
    before = said(match)[1][1]
    dear()
    told: Any = {"deal": 1, "entry": first, "side": "B", "takes": rival}
    proposed = NewEntry(kinds.PROPOSED, told)
    with writing():
        commands.record(match, [proposed], author="B")
    answered: Any = {"deal": 1, "entry": first, "side": "A", "asked": proposed.id}
    with writing():
        commands.record(match, [NewEntry(kinds.PROPOSAL_ACCEPTED, answered)], author="A")
    assert [afresh(match).result["sheets"][0][part] for part in ("lines", "points", "status")] == [  # type: ignore[literal-required]
        before[part] for part in ("lines", "points", "status")
    ]


def test_a_closing_of_today_is_read_within_bounds_in_a_match_of_the_first_rules(
    table: Table, dear: Callable[[], None]
) -> None:
    match = begin(table, 2, version=1)
    close(match, 1, costly(2)[0], v=2)
    close(match, 2, costly(2)[0], v=4)
    dear()
    assert [sheet["status"] for sheet in afresh(match).result["sheets"]] == ["complete", "open"]


# ---------------------------------------------------------------- stored by the migration


@pytest.fixture
def moved_on(table: Table) -> tuple[list[Match], list[Any]]:
    """Matches from before the migration, after it, with what was said of them before."""
    long, soon, two, no_bounds = begin(table, 4), begin(table, 4), begin(table, 2), begin(table, 2, version=1)
    for deal, facts in enumerate((*costly(4)[:3], {"rest": "A"}), 1):
        close(long, deal, facts)
    close(long, 4, costly(4)[0], kind=kinds.DEAL_CONTESTED)
    close(soon, 1, {"rest": "A"})
    close(two, 1, costly(2)[0])
    close(no_bounds, 1, {"rest": "B"}, v=1)
    matches = [long, soon, two, no_bounds]
    before = [said(match) for match in matches]
    db.session.commit()
    downgrade(directory=str(MIGRATIONS), revision="0003")
    upgrade(directory=str(MIGRATIONS))
    db.session.expire_all()
    return matches, before


def stored(match: Match) -> list[Any]:
    return [entry.sheets for entry in entries_of(match) if "facts" in entry.payload]


@pytest.mark.own_app
def test_the_migration_stores_the_sheets_of_what_takes_long_and_of_nothing_else(
    moved_on: tuple[list[Match], list[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    (long, *others), before = moved_on
    assert [bool(sheets) for sheets in stored(long)] == [True] * 5
    assert [sheets for match in others for sheets in stored(match)] == [None] * 3
    assert [said(match) for match in (long, *others)] == before

    def fail(*_told: Any) -> None:
        raise AssertionError("scored again")

    # By its full name the package has a function, and not the module.
    monkeypatch.setattr(sys.modules["scorekeeper.rules.match"], "score_deal", fail)
    assert said(long) == before[0]


@pytest.mark.own_app
def test_no_match_takes_long_after_the_migration(moved_on: tuple[list[Match], list[Any]]) -> None:
    for match in moved_on[0]:
        state = replay(entries_of(match))
        assert slow_sheets.nanoseconds_of(state) <= slow_sheets.LONG_NANOSECONDS


@pytest.mark.own_app
def test_rebuild_keeps_what_was_stored_and_comes_to_the_same(moved_on: tuple[list[Match], list[Any]]) -> None:
    (long, *_others), before = moved_on
    which = (long.table_id, long.number)
    totals, kept = db.session.get_one(MatchSummary, which).totals, stored(long)
    assert totals == before[0][0]["totals"]
    db.session.execute(sa.update(MatchSummary).values(totals={}))
    db.session.commit()
    assert len(list(rebuild())) == 4
    db.session.expire_all()
    assert db.session.get_one(MatchSummary, which).totals == totals
    assert stored(long) == kept


@pytest.mark.own_app
def test_play_goes_on_in_a_match_that_keeps_sheets(moved_on: tuple[list[Match], list[Any]]) -> None:
    (long, *_others), before = moved_on
    with writing():
        commands.record(long, [NewEntry(kinds.DEAL_CLOSED, {"deal": 5, "facts": {"rest": "B"}})])
    assert entries_of(long)[-1].sheets is None
    result = said(long)[0]
    assert result["sheets"][:4] == before[0][0]["sheets"]
    correct(long, {"rest": "B"})
    restore(long)
    # Alone it was scored as in its match, which it is the first of.
    assert said(long)[0] == result


@pytest.mark.own_app
def test_stored_sheets_go_with_their_table(moved_on: tuple[list[Match], list[Any]]) -> None:
    (long, *_others), _before = moved_on
    with writing():
        db.session.execute(sa.delete(Table).where(Table.id == long.table_id))
    assert db.session.scalar(sa.select(sa.func.count()).select_from(Entry)) == 0
