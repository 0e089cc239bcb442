"""A table's file taken in: the same bytes come out again; of what does not hold nothing stays."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from datetime import UTC, date, datetime, timedelta
from threading import Thread
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from sqlalchemy import func, select, update

from scorekeeper.limits import (
    ADDRESS_IMPORTS,
    FILE_CLOCK_MINUTES,
    FILE_ENTRIES,
    FILE_VALUES,
    IMPORT_MINUTES,
)
from scorekeeper.store import commands, history_rows, moved, ownership
from scorekeeper.store.db import Gone, db, writing
from scorekeeper.store.faults import Unreachable
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import NewEntry
from scorekeeper.store.journal.match_setup import Setup, sides_of
from scorekeeper.store.models import (
    Entry,
    Import,
    ImportMatch,
    LineUp,
    Match,
    MatchSummary,
    Phone,
    Player,
    Seat,
    Table,
    new_key,
    now,
)
from scorekeeper.store.table_file import jobs, whole
from scorekeeper.store.table_file.export import Part
from scorekeeper.store.table_file.values import Refused

from ..helpers import draws
from ..helpers.evenings import OTHER, Evening, closing, evenings
from ..helpers.table_files import file_of, taken_in
from .conftest import start


def sweep(side: str = "A", deal: int = 1) -> NewEntry:
    return NewEntry(kinds.SWEPT, {"deal": deal, "side": side, "count": 1})


def write(match: Match, *new: NewEntry, **how: Any) -> None:
    with writing():
        commands.record(match, new, **how)


@pytest.fixture
def played(table: Table, match: Match) -> Table:
    """A table with two matches: one with two deals, of which one was corrected, and one with a note."""
    write(match, sweep("B"), author="A", device=new_key(), player=1)
    write(match, closing(), device=new_key())
    first = db.session.scalars(select(Entry).where(Entry.kind == kinds.DEAL_CLOSED)).one()
    write(match, NewEntry(kinds.VOIDED, {"entry": first.id}), closing(facts=OTHER))
    write(match, closing(2))
    with writing():
        second = start(table)
    write(second, sweep())
    return table


@pytest.fixture
def parsed(played: Table) -> dict[str, Any]:
    """Its file, to be changed."""
    found: dict[str, Any] = json.loads(file_of(played))
    return found


def as_bytes(file: object) -> bytes:
    return json.dumps(file).encode()


class TestTheRoundTrip:
    def test_gives_the_same_bytes_on_the_other_database(self, played: Table, elsewhere: Flask) -> None:
        file = file_of(played)
        with elsewhere.app_context():
            assert file_of(taken_in(file)) == file

    def test_has_new_links_and_marks(self, played: Table) -> None:
        taken = taken_in(file_of(played))
        assert {taken.owner_key, taken.play_key, taken.watch_key}.isdisjoint(
            {played.owner_key, played.play_key, played.watch_key}
        )
        marks = {table.id: set(db.session.scalars(_marks(table))) for table in (played, taken)}
        assert len(marks[taken.id]) == len(marks[played.id]) == 2
        assert marks[taken.id].isdisjoint(marks[played.id])

    def test_says_that_it_came_from_a_file_and_of_how_many_entries(self, played: Table) -> None:
        taken = taken_in(file_of(played))
        assert taken.imported_at is not None
        entries = select(func.count()).select_from(Entry).where(Entry.table_id == taken.id)
        assert taken.imported_entries == db.session.scalar(entries)

    def test_has_the_rows_that_history_and_ranking_read(self, played: Table) -> None:
        taken = taken_in(file_of(played))
        for rows in (MatchSummary, Seat, LineUp):
            assert rows_in(rows, taken) == rows_in(rows, played)

    def test_goes_on_with_the_numbers_of_phones_and_of_matches(self, played: Table) -> None:
        taken = taken_in(file_of(played))
        with writing():
            match = start(taken)
        assert match.number == 3
        write(match, sweep(), device=new_key())
        numbers = list(db.session.scalars(select(Phone.number).where(Phone.table_id == taken.id)))
        assert sorted(numbers) == [1, 2, 3]

    def test_of_merged_guests_and_forgotten_people(self, played: Table, elsewhere: Flask) -> None:
        with writing():
            commands.seat_players(played, ["Anita", "Zoe"])
            its = update(Player).where(Player.table_id == played.id)
            db.session.execute(its.where(Player.number == 3).values(into=1))
            db.session.execute(its.where(Player.number == 2).values(forgotten_at=now(), guest=True))
        file = file_of(played)
        with elsewhere.app_context():
            assert file_of(taken_in(file)) == file

    def test_of_a_result_from_paper(self, table: Table, elsewhere: Flask) -> None:
        with writing():
            ownership.set_zone(table, "America/Montevideo")
            numbers = commands.seat_players(table, ["Ana", "Beto"])
            agreed = Setup("carioca", None, {}, sides_of([numbers[:1], numbers[1:]]), 0)
            result = commands.TypedResult(date(2026, 5, 3), {"A": 40, "B": 12.5}, ["B"])
            commands.type_result(table, str(uuid4()), agreed, result)
        file = file_of(table)
        with elsewhere.app_context():
            taken = taken_in(file)
            assert file_of(taken) == file
            assert rows_in(MatchSummary, taken)[0]["evening"] == date(2026, 5, 3)


def _marks(table: Table) -> Any:
    return select(Phone.mark).where(Phone.table_id == table.id)


def rows_in(model: Any, table: Table) -> list[dict[str, Any]]:
    """Return the rows of a table, without its id, and without sums that have come to nothing."""
    columns = [column for column in model.__table__.c if column.name != "table_id"]
    rows = db.session.execute(select(*columns).where(model.table_id == table.id)).mappings()
    return sorted((dict(row) for row in rows if row.get("matches", 1)), key=str)


@given(evenings)
@settings(max_examples=draws.examples(20), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_evening_comes_out_as_it_came_in(elsewhere: Flask, done: list[tuple[str, int]]) -> None:
    evening = Evening()
    for act, pick in done:
        evening.do(act, pick)
    file = file_of(evening.table)
    with elsewhere.app_context():
        taken = taken_in(file)
        assert file_of(taken) == file
        there = {rows: rows_in(rows, taken) for rows in (MatchSummary, LineUp)}
    for rows, found in there.items():
        assert found == rows_in(rows, evening.table), rows


Change = Callable[[dict[str, Any]], object]


def entry(file: dict[str, Any], number: int, match: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = file["matches"][match]["entries"][number]
    return found


def in_future(minutes: int) -> str:
    return (now() + timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")


HOSTILE: dict[str, tuple[Change, str, str]] = {
    "another format": (lambda f: f.update(format="ledger"), "format", "not_a_table"),
    "a newer version": (lambda f: f.update(version=2), "version", "newer_version"),
    "a field that nobody knows": (lambda f: f.update(owner_key="x"), "owner_key", "unknown_field"),
    "a zone that is none": (lambda f: f.update(zone="../etc/passwd"), "zone", "malformed"),
    "a name that shows nothing": (lambda f: f.update(name="\u202eAna"), "name", "malformed"),
    "a player who is there twice": (lambda f: f["players"][1].update(number=1), "players[1].number", "malformed"),
    "a circle of players": (lambda f: f["players"][0].update(into=1), "players[0].into", "no_such_player"),
    "a number beyond the last": (lambda f: f.update(last=1), "matches[1].number", "malformed"),
    "an id that is there twice": (
        lambda f: entry(f, 1, 1).update(id=entry(f, 1)["id"]),
        "matches[1].entries[1].id",
        "twice",
    ),
    "a match that is there twice": (lambda f: f["matches"][1].update(number=1), "matches[1].number", "malformed"),
    "a phone's time without a zone": (
        lambda f: entry(f, 1).update(told="2026-05-03T18:00:00"),
        "matches[0].entries[1].told",
        "malformed",
    ),
    "a player whom nobody knows": (lambda f: entry(f, 1).update(by=9), "matches[0].entries[1].by", "no_such_player"),
    "a version of tomorrow": (lambda f: entry(f, 1).update(v=2), "matches[0].entries[1].v", "malformed"),
    "a voiding of the beginning": (
        lambda f: entry(f, 3)["payload"].update(entry=entry(f, 0)["id"]),
        "matches[0].entries[3].payload.entry",
        "wrong_entry",
    ),
    "another game than its set-up": (lambda f: f["matches"][0].update(game="scopa"), "matches[0].game", "malformed"),
    "a match on the board that was never played": (
        lambda f: f["matches"][0].update(taken_up=0),
        "matches[0].taken_up",
        "malformed",
    ),
    "a kind that nobody knows": (
        lambda f: entry(f, 1).update(kind="cheated"),
        "matches[0].entries[1].kind",
        "unknown_value",
    ),
    "a second beginning": (
        lambda f: entry(f, 1).update(kind="match_started"),
        "matches[0].entries[1].kind",
        "malformed",
    ),
    "a time in the future": (
        lambda f: entry(f, 1).update(at=in_future(FILE_CLOCK_MINUTES + 1)),
        "matches[0].entries[1].at",
        "in_the_future",
    ),
    "a side that does not play": (
        lambda f: entry(f, 1)["payload"].update(side="C"),
        "matches[0].entries[1].payload.side",
        "no_such_side",
    ),
    "a phone beyond all numbers": (
        lambda f: entry(f, 1).update(phone=2**31 - 1),
        "matches[0].entries[1].phone",
        "malformed",
    ),
    "a field of another kind": (
        lambda f: entry(f, 1)["payload"].update(facts={}),
        "matches[0].entries[1].payload.facts",
        "unknown_field",
    ),
    "a field that is missing": (
        lambda f: entry(f, 1)["payload"].pop("count"),
        "matches[0].entries[1].payload.count",
        "missing",
    ),
    "a voiding of a later entry": (
        lambda f: entry(f, 3)["payload"].update(entry=entry(f, 4)["id"]),
        "matches[0].entries[3].payload.entry",
        "no_such_entry",
    ),
    "options that the game does not have": (
        lambda f: [one["options"].update(target="lots") for one in setups(f)],
        "matches[0].setup.options.target",
        "not_accepted",
    ),
    "a closing that cannot be": (
        lambda f: entry(f, 5)["payload"]["facts"]["awards"].update(cards="Z"),
        "matches[0].entries[5].payload.facts",
        "not_accepted",
    ),
    "a closing that no longer counts and never could": (
        lambda f: entry(f, 2)["payload"]["facts"].update(sweeps={"A": 99}),
        "matches[0].entries[2].payload.facts",
        "not_accepted",
    ),
    "facts nested without end": (
        lambda f: entry(f, 5)["payload"].update(facts=nested(60)),
        "matches[0].entries[5].payload",
        "too_deep",
    ),
    "a list without end": (
        lambda f: entry(f, 5)["payload"]["facts"].update(accept=["pile_parity"] * 1000),
        "matches[0].entries[5].payload",
        "too_long",
    ),
    "a zero byte": (
        lambda f: [one.update(rules_name="a\0b") for one in setups(f)],
        "matches[0].setup.rules_name",
        "malformed",
    ),
}


def setups(file: dict[str, Any]) -> list[dict[str, Any]]:
    return [file["matches"][0]["setup"], entry(file, 0)["payload"]["setup"]]


def nested(levels: int) -> Any:
    value: Any = {}
    for _level in range(levels):
        value = {"a": value}
    return value


class TestWhatDoesNotHold:
    @pytest.mark.parametrize("what", HOSTILE)
    def test_is_refused_whole_with_place_and_reason(self, parsed: dict[str, Any], what: str) -> None:
        change, at, code = HOSTILE[what]
        change(parsed)
        before = db.session.scalar(select(func.count()).select_from(Table))
        with pytest.raises(Refused) as refused:
            taken_in(as_bytes(parsed))
        assert (refused.value.at, refused.value.code) == (at, code)
        assert refused.value.message
        assert db.session.scalar(select(func.count()).select_from(Table)) == before
        assert db.session.scalar(select(func.count()).select_from(ImportMatch)) == 0

    @pytest.mark.parametrize(
        "text", [b"", b"{}", b"[]", b"\xff", b'{"format": "scorekeeper-table", "version": NaN}', b"[" * 10_000]
    )
    def test_is_refused_where_it_is_no_file_at_all(self, text: bytes) -> None:
        with pytest.raises(Refused):
            jobs.begin(str(uuid4()), text, "")


class TestPieces:
    def test_a_small_file_is_done_at_once(self, played: Table) -> None:
        jobs.begin("form", file_of(played), "")
        far = jobs.go_on("form", 60)
        assert far is not None
        assert far.is_over

    def test_a_match_is_judged_a_closing_at_a_time(self, played: Table) -> None:
        file = file_of(played)
        jobs.begin("form", file, "")
        checked = []
        far = jobs.progress("form")
        while far is not None and not far.is_over:
            far = jobs.go_on("form", 0)
            rows = db.session.scalars(select(ImportMatch.checked).order_by(ImportMatch.number))
            checked.append((far.done if far else 0, *rows))
        # Three closings, then the match is written; the second match has none, and is checked, then written.
        assert checked == [(0, 1, 0), (0, 2, 0), (0, 3, 0), (1, -2, 0), (1, -2, -1), (2,)]
        assert far is not None
        assert far.table is not None
        assert file_of(far.table) == file

    def test_matches_in_the_wrong_order_of_time_cost_no_more(
        self, played: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # Each begins a little before the one with the number before it: all are one evening, of ever another day.
        file = json.loads(file_of(played))
        first = file["matches"][0]
        first["entries"] = first["entries"][:1]
        file["matches"] = [deepcopy(first) for _number in range(30)]
        file["last"] = len(file["matches"])
        for number, match in enumerate(file["matches"], 1):
            began = datetime(2026, 1, 31, tzinfo=UTC) - number * timedelta(hours=5)
            started = began.strftime("%Y-%m-%dT%H:%M:%SZ")
            match.update(number=number, started=started, taken_up=number)
            match["entries"][0].update(id=str(uuid4()), at=started)
        moved_rows: list[object] = []
        set_evenings = history_rows._set_evenings

        def counted(table_id: int, changed: list[Any]) -> None:
            moved_rows.extend(changed)
            set_evenings(table_id, changed)

        monkeypatch.setattr(history_rows, "_set_evenings", counted)
        taken = taken_in(as_bytes(file))
        assert len(moved_rows) <= len(file["matches"])
        found = {rows: rows_in(rows, taken) for rows in (MatchSummary, Seat, LineUp)}
        with writing():
            history_rows.file_anew(taken.id, taken.zone)
        for rows, those in found.items():
            assert those == rows_in(rows, taken)
        assert len({row["evening"] for row in found[MatchSummary]}) == 1

    def test_nobody_knows_the_table_before_all_is_written(self, played: Table) -> None:
        jobs.begin("form", file_of(played), "")
        far = jobs.go_on("form", 0)
        assert far is not None
        assert far.table is None

    def test_the_same_form_makes_one_table(self, played: Table) -> None:
        tables = {taken_in(file_of(played), form_id="form").id for _time in range(2)}
        assert len(tables) == 1

    def test_two_that_go_on_at_once_do_nothing_twice(self, app: Flask, played: Table) -> None:
        file = file_of(played)
        jobs.begin("form", file, "")
        db.session.rollback()

        def go_on() -> None:
            with app.app_context():
                while (far := jobs.go_on("form", 0)) is not None and not far.is_over:
                    pass

        threads = [Thread(target=go_on) for _thread in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        far = jobs.progress("form")
        assert far is not None
        assert far.table is not None
        assert file_of(far.table) == file
        assert far.table.imported_entries == sum(len(match["entries"]) for match in json.loads(file)["matches"])

    def test_what_is_forgotten_leaves_nothing(self, played: Table) -> None:
        before = db.session.scalar(select(func.count()).select_from(Table))
        jobs.begin("form", file_of(played), "")
        for _piece in range(4):
            jobs.go_on("form", 0)
        jobs.forget("form")
        assert jobs.progress("form") is None
        assert db.session.scalar(select(func.count()).select_from(Table)) == before

    def test_what_is_cancelled_while_it_goes_on_is_gone(self, played: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        class Cancelled(jobs._Piece):
            def __init__(self, *judged: Any) -> None:
                super().__init__(*judged)
                jobs.forget("form")

        jobs.begin("form", file_of(played), "")
        monkeypatch.setattr(jobs, "_Piece", Cancelled)
        assert jobs.go_on("form") is None

    def test_what_is_abandoned_goes_with_any_write_of_the_next_minute(
        self, app: Flask, played: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        jobs.begin("form", file_of(played), "")
        an_hour_old("form")
        match = db.session.get_one(Match, (played.id, 2))
        write(match, sweep())
        assert db.session.get(Import, "form") is not None
        monkeypatch.setitem(app.extensions, "scorekeeper.tidied", [-jobs.TIDY_SECONDS])
        write(match, sweep())
        assert db.session.get(Import, "form") is None
        assert db.session.scalar(select(func.count()).select_from(Table)) == 1

    def test_a_table_that_is_done_stays_when_its_file_is_forgotten(self, played: Table) -> None:
        taken = taken_in(file_of(played), form_id="form")
        jobs.forget("form")
        an_hour_old("form")
        jobs.forget_abandoned()
        assert db.session.scalar(select(Table.id).where(Table.id == taken.id)) is not None


def an_hour_old(form_id: str) -> None:
    with writing():
        then = now() - timedelta(minutes=IMPORT_MINUTES, seconds=1)
        db.session.execute(update(Import).where(Import.id == form_id).values(touched_at=then))


class TestBounds:
    def test_an_address_may_have_some_files_and_others_have_theirs(self, played: Table) -> None:
        file = file_of(played)
        for _file in range(ADDRESS_IMPORTS):
            jobs.begin(str(uuid4()), file, "here")
        with pytest.raises(jobs.Busy) as busy:
            jobs.begin(str(uuid4()), file, "here")
        assert (busy.value.most, busy.value.where) == (ADDRESS_IMPORTS, "address")
        jobs.begin(str(uuid4()), file, "there")

    def test_a_host_may_have_some_files(self, played: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(jobs, "HOST_IMPORTS", 2)
        for _file in range(2):
            jobs.begin(str(uuid4()), file_of(played), "")
        with pytest.raises(jobs.Busy) as busy:
            jobs.begin(str(uuid4()), file_of(played), "")
        assert busy.value.where == "host"

    def test_many_who_begin_at_once_are_counted(self, app: Flask, played: Table) -> None:
        file, refused = file_of(played), []
        db.session.rollback()

        def begin() -> None:
            with app.app_context():
                try:
                    jobs.begin(str(uuid4()), file, "here")
                except jobs.Busy as busy:
                    refused.append(busy)

        threads = [Thread(target=begin) for _thread in range(ADDRESS_IMPORTS + 3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(refused) == 3

    def test_several_matches_of_too_many_entries_are_no_part(self, parsed: dict[str, Any]) -> None:
        parsed["matches"][0]["entries"] *= FILE_ENTRIES // 10
        for one in parsed["matches"][0]["entries"] + parsed["matches"][1]["entries"]:
            one["id"] = str(uuid4())
        parsed["matches"].append({**deepcopy(parsed["matches"][0]), "number": 3})
        parsed["last"] = 3
        for match in parsed["matches"]:
            match["entries"] = [{**one, "id": str(uuid4())} for one in match["entries"]]
        with pytest.raises(jobs.TooLarge):
            jobs.begin(str(uuid4()), as_bytes(parsed), "")

    def test_more_values_than_are_soon_read_are_no_part(self, parsed: dict[str, Any]) -> None:
        del parsed["matches"][1]
        entry(parsed, 1)["payload"]["cards"] = [1] * FILE_VALUES
        with pytest.raises(jobs.TooLarge):
            jobs.begin(str(uuid4()), as_bytes(parsed), "")


class TestParts:
    @pytest.fixture
    def parts(self, played: Table) -> list[bytes]:
        """The file of a table of three matches, in three parts."""
        with writing():
            start(played)
        return [file_of(played, Part(number, number)) for number in (1, 2, 3)]

    def test_one_after_the_other_are_the_same_as_the_whole(self, played: Table, parts: list[bytes]) -> None:
        table = taken_in(parts[0])
        for part in parts[1:]:
            assert taken_in(part, table).id == table.id
        assert file_of(table) == file_of(played)
        for rows in (MatchSummary, Seat, LineUp):
            assert rows_in(rows, table) == rows_in(rows, played)

    def test_are_written_once_all_of_a_part_is_judged(self, played: Table, parts: list[bytes]) -> None:
        table = taken_in(parts[2])
        jobs.begin("form", file_of(played, Part(1, 2)), "", table)
        numbers = []
        far = jobs.progress("form")
        while far is not None and not far.is_over:
            far = jobs.go_on("form", 0)
            found = select(Match.number).where(Match.table_id == table.id).order_by(Match.number)
            numbers.append(list(db.session.scalars(found)))
        assert numbers[-3:] == [[3], [1, 3], [1, 2, 3]]

    def test_of_another_head_are_refused(self, played: Table, parts: list[bytes]) -> None:
        table = taken_in(parts[0])
        with writing():
            ownership.rename_table(table, "Los viernes", str(uuid4()))
        assert code_of(parts[1], table) == "other_head"

    def test_whose_numbers_are_taken_are_refused(self, parts: list[bytes]) -> None:
        assert code_of(parts[0], taken_in(parts[0])) == "taken"

    def test_are_refused_after_something_was_written_there(self, parts: list[bytes]) -> None:
        table = taken_in(parts[0])
        match = db.session.get(Match, (table.id, 1))
        assert match is not None
        write(match, sweep(deal=3))
        assert code_of(parts[1], table) == "written_since"

    def test_are_refused_at_a_table_that_was_played_here(self, played: Table, parts: list[bytes]) -> None:
        assert code_of(parts[1], played) == "not_imported"

    def test_are_not_written_two_at_once(self, parts: list[bytes]) -> None:
        table = taken_in(parts[0])
        jobs.begin("one", parts[1], "", table)
        assert code_of(parts[2], table) == "part_waits"

    def test_are_refused_if_something_is_written_while_they_are_judged(self, parts: list[bytes]) -> None:
        table = taken_in(parts[0])
        jobs.begin("form", parts[1], "", table)
        match = db.session.get_one(Match, (table.id, 1))
        write(match, sweep(deal=3))
        was = file_of(table)
        assert is_refused(jobs.go_on("form"), "written_since")
        assert file_of(table) == was

    def test_are_not_written_to_a_table_that_has_moved_meanwhile(self, parts: list[bytes]) -> None:
        table = taken_in(parts[0])
        was = file_of(table)
        jobs.begin("form", parts[1], "", table)
        with writing():
            moved.close(table, "https://elsewhere.example/t/key")
        assert is_refused(jobs.go_on("form"), "moved")
        assert file_of(table) == was

    def test_leave_the_table_as_it_was_if_they_are_refused(self, parts: list[bytes]) -> None:
        table = taken_in(parts[0])
        was = file_of(table)
        part = json.loads(parts[1])
        part["matches"][0]["entries"][1]["payload"]["side"] = "Z"
        assert code_of(as_bytes(part), table) == "no_such_side"
        assert file_of(table) == was
        taken_in(parts[1], table)

    @pytest.mark.parametrize("ends", ["cancelled", "abandoned", "whole"])
    def test_are_not_played_on_before_all_of_a_part_is_there(
        self, played: Table, parts: list[bytes], ends: str
    ) -> None:
        table = taken_in(parts[2])
        was = rows_in(LineUp, table)
        jobs.begin("form", file_of(played, Part(1, 2)), "", table)
        while (early := db.session.get(Match, (table.id, 1))) is None:
            jobs.go_on("form", 0)
        with pytest.raises(Unreachable):
            write(early, sweep(deal=3))
        # The others of the table are played on meanwhile.
        write(db.session.get_one(Match, (table.id, 3)), sweep())
        if ends == "whole":
            far = jobs.go_on("form", 60)
            assert far is not None
            assert far.table is not None
            write(db.session.get_one(Match, (table.id, 1)), sweep(deal=3))
            return
        if ends == "abandoned":
            an_hour_old("form")
            jobs.forget_abandoned()
        else:
            jobs.forget("form")
        with pytest.raises(Gone):
            write(early, sweep(deal=3))
        assert [match["number"] for match in json.loads(file_of(table))["matches"]] == [3]
        assert rows_in(LineUp, table) == was

    def test_are_cut_and_taken_in_by_a_command(
        self, played: Table, parts: list[bytes], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file = file_of(played)
        monkeypatch.setattr(whole, "FILE_ENTRIES", 3)
        assert list(whole.in_parts(file)) == [*parts[:1], file_of(played, Part(2, 3))]
        assert file_of(whole.take_in(whole.in_parts(file))) == file

    def test_leave_nothing_if_a_command_finds_one_that_does_not_hold(
        self, played: Table, parts: list[bytes], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(whole, "FILE_ENTRIES", 3)
        before = db.session.scalar(select(func.count()).select_from(Table))
        broken = json.loads(file_of(played))
        broken["matches"][2]["started"] = "tonight"
        with pytest.raises(Refused):
            whole.take_in(whole.in_parts(as_bytes(broken)))
        assert db.session.scalar(select(func.count()).select_from(Table)) == before


def is_refused(far: jobs.Progress | None, code: str) -> bool:
    """Return whether a file has come to its end because it was refused for this reason."""
    return far is not None and far.problem is not None and far.problem["code"] == code


def code_of(part: bytes, table: Table) -> str:
    """Return why a part is refused."""
    with pytest.raises(Refused) as refused:
        taken_in(part, table)
    return refused.value.code


def test_a_clock_that_goes_back_a_little_is_no_reason_to_refuse(parsed: dict[str, Any]) -> None:
    entry(parsed, 1)["at"] = datetime(2026, 1, 1, tzinfo=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    taken_in(as_bytes(parsed))
