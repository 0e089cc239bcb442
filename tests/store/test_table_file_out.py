"""A table's file: what is in it to the letter, what is not, and parts that one after the other are the whole."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, update

from scorekeeper.store import commands, deleted, ownership
from scorekeeper.store.db import db, read_at_once, writing
from scorekeeper.store.forgotten import without_forgotten
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import NewEntry
from scorekeeper.store.models import Entry, Match, Player, Table, new_key, now
from scorekeeper.store.table_file import export
from scorekeeper.store.table_file.export import ALL, Part, TooLarge, part_named, part_of, parts_of, pieces_of
from scorekeeper.store.table_file.shape import ENTRY_KEYS, HEAD_KEYS, MATCH_KEYS, PLAYER_KEYS, written

from ..helpers.databases import on_both
from .conftest import start

ANA, BETO = new_key(), new_key()
"""The marks of two phones."""


def sweep(side: str, **more: Any) -> NewEntry:
    return NewEntry(kinds.SWEPT, {"deal": 1, "side": side, "count": 1, **more})


def write(match: Match, *new: NewEntry, **how: Any) -> None:
    with writing():
        commands.record(match, new, **how)


def file_of(table: Table, asked: Part = ALL) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(part_of(table, asked))
    return found


def whole(table: Table) -> bytes:
    with read_at_once():
        return b"".join(pieces_of(table))


def matches_in(table: Table) -> list[int]:
    return [match["number"] for match in file_of(table)["matches"]]


@pytest.fixture
def several(table: Table) -> Table:
    """A table of six matches of 1 to 6 entries, of which the third and the last are deleted."""
    for number in range(1, 7):
        with writing():
            match = start(table)
        for _sweep in range(number - 1):
            write(match, sweep("A"))
        if number in (3, 6):
            with writing():
                deleted.hide(table, match)
    return table


class TestTheFile:
    def test_has_its_keys_in_the_order_of_the_contract(self, match: Match, table: Table) -> None:
        file = file_of(table)
        assert tuple(file) == (*HEAD_KEYS, "matches")
        assert HEAD_KEYS == ("format", "version", "name", "created", "zone", "last", "players")
        assert tuple(file["players"][0]) == PLAYER_KEYS == ("number", "name", "guest", "into")
        assert tuple(file["matches"][0]) == MATCH_KEYS
        assert MATCH_KEYS == ("number", "started", "game", "setup", "taken_up", "entries")
        assert tuple(file["matches"][0]["entries"][0]) == ENTRY_KEYS
        assert ENTRY_KEYS == ("id", "kind", "v", "at", "told", "side", "by", "phone", "payload")

    def test_is_utf_8_without_spaces_and_ends_with_one_newline(self, table: Table, match: Match) -> None:
        with writing():
            ownership.rename_table(table, "Los jueves de Íñigo 🂡", str(uuid4()))
        text = part_of(table).decode()
        assert '"name":"Los jueves de Íñigo 🂡"' in text
        assert ": " not in text
        assert ", " not in text
        assert text.endswith("]}]}\n")
        assert text.count("\n") == 1
        assert written(json.loads(text)) + b"\n" == text.encode()

    def test_names_the_zone_of_the_table_and_null_where_it_is_unknown(self, table: Table) -> None:
        assert file_of(table)["zone"] is None
        with writing():
            ownership.set_zone(table, "America/Montevideo")
        assert file_of(table)["zone"] == "America/Montevideo"

    def test_has_no_key_and_no_mark(self, table: Table, match: Match) -> None:
        write(match, sweep("A"), device=ANA)
        text = part_of(table).decode()
        for secret in (table.owner_key, table.play_key, table.watch_key, ANA):
            assert secret not in text


class TestMatches:
    def test_leave_out_the_deleted_and_keep_their_numbers_used(self, several: Table) -> None:
        assert matches_in(several) == [1, 2, 4, 5]
        assert file_of(several)["last"] == 6
        assert [match["taken_up"] for match in file_of(several)["matches"]] == [1, 2, 4, 5]

    def test_have_the_set_up_of_their_first_entry(self, match: Match, table: Table) -> None:
        [one] = file_of(table)["matches"]
        assert one["setup"] == one["entries"][0]["payload"]["setup"]
        assert one["game"] == "chorizo"
        assert datetime.fromisoformat(one["started"]) == match.created_at

    def test_have_their_entries_in_the_order_of_the_journal(self, match: Match, table: Table) -> None:
        ids = [str(uuid4()) for _ in range(20)]
        for id in ids:
            write(match, NewEntry(kinds.SWEPT, {"deal": 1, "side": "A", "count": 1}, id=id))
        [one] = file_of(table)["matches"]
        assert [entry["id"] for entry in one["entries"][1:]] == ids


class TestEntries:
    def test_say_when_and_by_whom_beside_the_payload(self, match: Match, table: Table) -> None:
        at = "2026-05-03T21:00:00.250000+00:00"
        write(match, sweep("A", at=at), author="B", device=ANA, player=2)
        entry = file_of(table)["matches"][0]["entries"][1]
        assert entry["told"] == at
        assert (entry["v"], entry["side"], entry["by"], entry["phone"]) == (1, "B", 2, 1)
        assert entry["payload"] == {"deal": 1, "side": "A", "count": 1}
        assert datetime.fromisoformat(entry["at"]).tzinfo == UTC
        assert len(entry["at"]) == len("2026-05-03T21:00:00Z")

    @pytest.mark.parametrize(
        "payload",
        [
            '{"v": 1, "z": 3.0, "a": 3, "n": 1e+22, "m": 123456789012345678901234567890}',
            '{"v": 1, "b": {"y": 0.1, "x": [null, true]}, "a": "\\u00d1\\u0007\\"\\\\/ \\u2028"}',
        ],
    )
    def test_have_keys_and_numbers_as_they_are_stored(self, match: Match, table: Table, payload: str) -> None:
        with writing():
            db.session.execute(update(Entry).where(Entry.match == 1).values(payload=json.loads(payload)))
        [entry] = file_of(table)["matches"][0]["entries"]
        without_version = {name: value for name, value in json.loads(payload).items() if name != "v"}
        assert json.dumps(entry["payload"]) == json.dumps(without_version)

    def test_half_a_character_is_escaped(self) -> None:
        assert written("\ud83c!") == b'"\\ud83c!"'

    def test_a_number_that_json_does_not_have_is_refused(self) -> None:
        with pytest.raises(ValueError, match="JSON"):
            written(float("nan"))


class TestPhones:
    def test_have_numbers_in_the_order_of_their_first_entries(self, match: Match, table: Table) -> None:
        for mark in (BETO, ANA, BETO):
            write(match, sweep("A"), device=mark)
        entries = file_of(table)["matches"][0]["entries"]
        assert [entry["phone"] for entry in entries] == [None, 1, 2, 1]

    def test_that_a_match_takes_over_are_named_by_their_numbers(self, match: Match, table: Table) -> None:
        write(match, NewEntry(kinds.PHONE_HELD, {"player": 2}), device=BETO, player=2)
        write(match, sweep("A"), device=ANA)
        with writing():
            db.session.execute(
                update(Entry).where(Entry.kind == kinds.MATCH_STARTED).values(
                    payload={"v": 1, "setup": match.setup, "phones": {ANA: None, BETO: 2, new_key(): 1}}
                )
            )  # fmt: skip
        payload = file_of(table)["matches"][0]["entries"][0]["payload"]
        # Nobody has numbered the third.
        assert list(payload["phones"].items()) == [("2", None), ("1", 2)]
        assert list(payload) == ["setup", "phones"]


class TestPeople:
    def test_who_was_merged_names_the_next_and_has_the_own_name(self, match: Match, table: Table) -> None:
        with writing():
            db.session.execute(update(Player).where(Player.number == 2).values(into=1, guest=True))
        assert file_of(table)["players"] == [
            {"number": 1, "name": "Ana", "guest": False, "into": None},
            {"number": 2, "name": "Beto", "guest": True, "into": 1},
        ]

    def test_who_was_forgotten_has_no_name_anywhere(self, match: Match, table: Table) -> None:
        with writing():
            ownership.rename_player(table, 2, "Roberto", str(uuid4()))
            ownership.rename_player(table, 1, "Anita", str(uuid4()))
        with writing():
            db.session.execute(update(Player).where(Player.number == 2).values(forgotten_at=now()))
        file = file_of(table)
        assert [player["name"] for player in file["players"]] == ["Anita", ""]
        assert [entry["payload"] for entry in file["matches"][0]["entries"][1:]] == [
            {"player": 2, "from": "", "to": ""},
            {"player": 1, "from": "Ana", "to": "Anita"},
        ]
        assert "Roberto" not in part_of(table).decode()

    def test_other_payloads_of_the_forgotten_are_as_they_were(self) -> None:
        payload = {"v": 1, "player": 2, "from": "a", "to": "b"}
        assert without_forgotten(kinds.TABLE_RENAMED, payload, {2}) == payload
        assert without_forgotten(kinds.PLAYER_RENAMED, payload, {1}) == payload


class TestParts:
    def test_a_small_table_is_one(self, several: Table) -> None:
        assert parts_of(several) == [Part(1, 5)]
        assert part_of(several) == whole(several)

    def test_have_at_most_so_many_entries_or_one_match(self, several: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(export, "FILE_ENTRIES", 4)
        assert parts_of(several) == [Part(1, 2), Part(4, 4), Part(5, 5)]
        assert parts_of(several, Part(2, 4)) == [Part(2, 2), Part(4, 4)]
        with pytest.raises(TooLarge) as refused:
            part_of(several)
        assert list(map(str, refused.value.parts)) == ["1-2", "4-4", "5-5"]

    def test_have_at_most_so_many_bytes_or_one_match(self, several: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(export, "FILE_BYTES", len(whole(several)) // 2)
        parts = parts_of(several)
        assert len(parts) > 1
        for part in parts:
            assert len(part_of(several, part)) <= export.FILE_BYTES or part.first == part.last

    def test_of_a_very_large_table_end_with_the_rest(self, several: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(export, "FILE_ENTRIES", 1)
        monkeypatch.setattr(export, "FILE_PARTS", 2)
        assert parts_of(several) == [Part(1, 1), Part(2, 2), Part(4, 5)]
        assert parts_of(several, Part(4, 5)) == [Part(4, 4), Part(5, 5)]

    def test_are_measured_in_pieces_as_at_once(self, several: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(export, "FILE_ENTRIES", 4)
        at_once = parts_of(several)
        monkeypatch.setattr(export, "MEASURED_TOGETHER", 3)
        assert parts_of(several) == at_once

    def test_a_match_too_large_for_any_file_has_none(self, several: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(export, "FILE_BYTES", 10)
        monkeypatch.setattr(export, "FILE_MATCH_BYTES", 300)
        with pytest.raises(TooLarge) as refused:
            part_of(several, Part(5, 5))
        assert refused.value.parts == ()

    def test_of_a_range_without_a_match_there_are_none_and_its_file_is_a_head(self, several: Table) -> None:
        assert parts_of(several, Part(7, 900)) == []
        assert file_of(several, Part(3, 3))["matches"] == []

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=15)
    @given(entries=st.integers(1, 20), size=st.integers(1, 12_000))
    def test_one_after_the_other_they_are_the_whole(self, several: Table, entries: int, size: int) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(export, "FILE_ENTRIES", entries)
            patch.setattr(export, "FILE_BYTES", size)
            parts = parts_of(several)
            files = [file_of(several, part) for part in parts]
        everything = json.loads(whole(several))
        heads = [{name: value for name, value in file.items() if name != "matches"} for file in files]
        assert all({**head, "matches": everything["matches"]} == everything for head in heads)
        together = {**everything, "matches": [match for file in files for match in file["matches"]]}
        assert written(together) + b"\n" == whole(several)
        for part, file in zip(parts, files, strict=True):
            numbers = [match["number"] for match in file["matches"]]
            assert (numbers[0], numbers[-1]) == part
            assert len(numbers) == 1 or sum(len(match["entries"]) for match in file["matches"]) <= entries

    def test_are_named_by_two_numbers(self) -> None:
        for text in ("", "1", "-", "1-", "-2", "2-1", "0-3", "1-2-3", "a-b", "١-٢", "1 - 2", "9" * 99):
            assert part_named(text) is None
        assert part_named("1-200") == Part(1, 200)
        assert part_named("7-9999999999") == Part(7, ALL.last)


def test_an_entry_is_never_longer_than_its_part_was_reckoned_with(table: Table, match: Match) -> None:
    write(match, sweep("A", at="2026-05-03T21:00:00+00:00"), author='Ñ"' * 20, device=ANA, player=2)
    write(match, NewEntry(kinds.MATCH_NOTED, {"note": '¡Ñandú! 🂡 "x" \\ \u0007', "stakes": ""}), device=BETO)
    with writing():
        ownership.rename_player(table, 2, "Ñ" * 40, str(uuid4()))
    with read_at_once():
        [(number, entries, most)] = export._sizes(
            table, db.session.execute(export._shown(table, ALL, *export.MEASURED)).all()
        )
    [one] = file_of(table)["matches"]
    assert (number, entries) == (1, 4)
    assert len(written(one)) <= most <= 1.5 * len(written(one))


@on_both
def test_a_file_is_read_at_one_moment(several: Table, database: str) -> None:
    """What is written meanwhile is in the next file, and no writer waits."""
    before = whole(several)
    with read_at_once():
        pieces = pieces_of(several)
        first = next(pieces)
        id = several.id
        with db.engine.connect() as other:
            if database == "sqlite":
                other = other.execution_options(sqlite_begin="IMMEDIATE")
            other.execute(update(Match).where(Match.table_id == id).values(taken_up=77))
            other.execute(update(Table).where(Table.id == id).values(name="Los viernes"))
            other.commit()
        assert first + b"".join(pieces) == before
    assert b"Los viernes" in whole(several)
    assert db.session.scalar(select(Match.taken_up).limit(1)) == 77
