"""Two who are one, guests, and people who are forgotten: read at once, taken back, and gone for good after a day."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import select, update

from scorekeeper.limits import DELETED_HOURS, FORGET_HOURS
from scorekeeper.store import commands, deleted, ownership, people, player_records, queries, ranking
from scorekeeper.store.db import Gone, db, writing
from scorekeeper.store.finding import ALL
from scorekeeper.store.forgotten import forgotten_players, without_forgotten
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import NewEntry, entries_of
from scorekeeper.store.journal.match_setup import Setup, sides_of
from scorekeeper.store.models import Entry, Match, Player, Table, now

from ..helpers.databases import on_both
from .conftest import resolved

WON = {"A": {"A": 9, "B": 2}, "B": {"A": 2, "B": 9}}


def play(table: Table, names: str, winner: str = "") -> Match:
    """Play a match of one deal between two."""
    with writing():
        numbers = commands.seat_players(table, names.split())
        agreed = Setup("chorizo", "flores", resolved(target=9), sides_of([[one] for one in numbers]), first_dealer=0)
        match = commands.start_match(table, str(uuid4()), agreed, beside_newer=True)
        if winner:
            closing = NewEntry(kinds.DEAL_CLOSED, {"deal": 1, "facts": {"points": WON[winner]}}, id=str(uuid4()))
            commands.record(match, [closing])
    return match


def merge(table: Table, number: int, into: int) -> bool:
    with writing():
        return people.merge(table, number, into, str(uuid4()))


def separate(table: Table, number: int) -> bool:
    with writing():
        return people.separate(table, number, str(uuid4()))


def forget(table: Table, number: int) -> None:
    with writing():
        people.forget(table, number, str(uuid4()))


def bring_back(table: Table, number: int) -> None:
    with writing():
        people.bring_back(table, number, str(uuid4()))


def rename(table: Table, number: int, name: str) -> None:
    with writing():
        ownership.rename_player(table, number, name, str(uuid4()))


def names(table: Table) -> queries.Names:
    return queries.player_names(table)


def a_day_later(table: Table) -> None:
    """Let the day pass in which the forgotten can be brought back."""
    passed = now() - timedelta(hours=FORGET_HOURS, seconds=1)
    with writing():
        forgotten = (Player.table_id == table.id, Player.forgotten_at.is_not(None))
        db.session.execute(update(Player).where(*forgotten).values(forgotten_at=passed))


def stored(table: Table) -> str:
    """Return everything that is stored of names: the rows of players, and the payloads of renamings."""
    rows = db.session.scalars(select(Player.name).where(Player.table_id == table.id)).all()
    of_kind = (Entry.table_id == table.id, Entry.kind == kinds.PLAYER_RENAMED)
    return str([*rows, *db.session.scalars(select(Entry.payload).where(*of_kind)).all()])


@pytest.fixture
def three(table: Table) -> Table:
    """Ana has played with Beto; Anita, who is Ana, with Leo."""
    play(table, "Ana Beto", "A")
    play(table, "Anita Leo", "A")
    return table


ANA, BETO, ANITA, LEO = 1, 2, 3, 4


class TestTwoWhoAreOne:
    def test_have_one_name_and_are_offered_once(self, three: Table) -> None:
        assert merge(three, ANITA, ANA)
        assert dict(names(three)) == {ANA: "Ana", BETO: "Beto", ANITA: "Ana", LEO: "Leo"}
        assert names(three).people == {ANA: "Ana", BETO: "Beto", LEO: "Leo"}

    def test_are_counted_as_one_in_ranking_and_record(self, three: Table) -> None:
        merge(three, ANITA, ANA)
        merged = names(three).merged
        ranked = ranking.ranking(three, ALL, merged, together=False)
        assert [(one.players, one.played, one.won) for one in ranked][:1] == [((ANA,), 2, 2)]
        summaries, _more = player_records.window(three)
        record = player_records.record_of(ANA, summaries, merged=merged)
        assert (record.won, sorted(record.against)) == (2, [BETO, LEO])

    def test_are_seated_under_the_number_that_stays(self, three: Table) -> None:
        merge(three, ANITA, ANA)
        with writing():
            assert commands.seat_players(three, ["Ana", "Anita"]) == [ANA, 5]

    def test_can_be_two_again(self, three: Table) -> None:
        merge(three, ANITA, ANA)
        assert separate(three, ANITA)
        assert names(three)[ANITA] == "Anita"
        assert not separate(three, ANITA)

    def test_may_have_been_merged_with_others_before(self, three: Table) -> None:
        play(three, "Nita Leo")
        merge(three, 5, ANITA)
        merge(three, ANITA, ANA)
        assert names(three).merged == {ANITA: ANA, 5: ANA}
        assert not merge(three, 5, ANA)

    def test_are_merged_once_however_often_it_is_posted(self, three: Table) -> None:
        id = str(uuid4())
        for changed in (True, False):
            with writing():
                assert people.merge(three, ANITA, ANA, id) is changed
        current = queries.current_match(three)
        assert current is not None
        assert [entry.kind for entry in entries_of(current)].count(kinds.PLAYER_RENAMED) == 1

    def test_cannot_be_those_who_sat_in_one_match(self, three: Table) -> None:
        with pytest.raises(people.SatTogether) as refused:
            merge(three, BETO, ANA)
        assert (refused.value.match, refused.value.is_deleted) == (1, False)

    def test_cannot_be_those_whose_others_sat_in_one_match(self, three: Table) -> None:
        merge(three, ANITA, ANA)
        with pytest.raises(people.SatTogether) as refused:
            merge(three, ANA, LEO)
        assert refused.value.match == 2

    def test_cannot_be_those_who_sat_in_a_deleted_match_until_that_is_gone(self, three: Table) -> None:
        match = queries.match_by_number(three, 1)
        assert match is not None
        with writing():
            deleted.hide(three, match)
        with pytest.raises(people.SatTogether) as refused:
            merge(three, BETO, ANA)
        assert refused.value.is_deleted
        with writing():
            match.deleted_at = now() - timedelta(hours=DELETED_HOURS, seconds=1)
        assert merge(three, BETO, ANA)

    def test_are_two(self, three: Table) -> None:
        with pytest.raises(people.SamePerson):
            merge(three, ANA, ANA)

    @pytest.mark.parametrize("pair", [(ANA, 99), (99, ANA)])
    def test_are_at_the_table(self, three: Table, pair: tuple[int, int]) -> None:
        with pytest.raises(Gone):
            merge(three, *pair)

    def test_have_the_name_that_the_one_who_stays_gets(self, three: Table) -> None:
        merge(three, ANITA, ANA)
        rename(three, ANA, "Ana María")
        assert names(three)[ANITA] == "Ana María"
        with pytest.raises(Gone):
            rename(three, ANITA, "Somebody")


class TestAGuest:
    def test_is_offered_last(self, three: Table) -> None:
        with writing():
            people.mark_guest(three, ANA, is_guest=True)
        assert list(names(three).people) == [BETO, ANITA, LEO, ANA]
        assert names(three).guests == {ANA}
        with writing():
            people.mark_guest(three, ANA, is_guest=False)
        assert names(three).guests == set()


def test_a_table_called_by_its_players_follows_their_names() -> None:
    with writing():
        table = commands.open_table("Ana, Beto", str(uuid4()))
    play(table, "Ana Beto")
    play(table, "Anita Leo")
    merge(table, ANA, ANITA)
    assert table.name == "Anita, Beto"
    separate(table, ANA)
    forget(table, BETO)
    assert table.name == "Ana, —"
    rename(table, ANA, "Ana María")
    bring_back(table, BETO)
    assert table.name == "Ana María, Beto"


class TestAForgottenPerson:
    def test_has_no_name_from_the_first_second(self, three: Table) -> None:
        forget(three, ANA)
        assert names(three)[ANA] == ""
        assert ANA not in names(three).people
        assert forgotten_players(three.id) == {ANA}

    @on_both
    def test_is_forgotten_with_who_was_merged_into_them(self, three: Table) -> None:
        merge(three, ANITA, ANA)
        forget(three, ANITA)
        assert forgotten_players(three.id) == {ANA, ANITA}
        bring_back(three, ANA)
        assert names(three)[ANITA] == names(three)[ANA] == "Ana"

    def test_has_scores_that_stay(self, three: Table) -> None:
        forget(three, ANA)
        ranked = ranking.ranking(three, ALL, names(three).merged, together=False)
        assert (ANA,) in [one.players for one in ranked]

    def test_is_another_than_a_newcomer_of_that_name(self, three: Table) -> None:
        forget(three, ANA)
        with writing():
            assert commands.seat_players(three, ["Ana"]) == [5]
        bring_back(three, ANA)
        assert names(three)[ANA] == "Ana"
        assert names(three)[5] == "Ana (5)"

    def test_is_no_person_to_rename_mark_or_merge(self, three: Table) -> None:
        forget(three, ANA)
        with pytest.raises(Gone):
            rename(three, ANA, "Ana")
        with pytest.raises(Gone):
            merge(three, ANITA, ANA)
        with pytest.raises(Gone):
            merge(three, ANA, ANITA)
        with writing(), pytest.raises(Gone):
            people.mark_guest(three, ANA, is_guest=True)

    def test_comes_back_within_a_day(self, three: Table) -> None:
        rename(three, ANA, "Ana María")
        forget(three, ANA)
        assert list(people.restorable(three)) == [ANA]
        bring_back(three, ANA)
        assert names(three)[ANA] == "Ana María"
        assert people.restorable(three) == {}

    def test_stays_stored_until_the_first_write_after_a_day(self, three: Table) -> None:
        rename(three, ANA, "Ana María")
        forget(three, ANA)
        play(three, "Beto Leo")
        assert "María" in stored(three)
        a_day_later(three)
        assert people.restorable(three) == {}
        assert "María" in stored(three)
        play(three, "Beto Leo")
        assert "Ana" not in stored(three).replace("Anita", "")

    def test_cannot_come_back_after_a_day(self, three: Table) -> None:
        forget(three, ANA)
        a_day_later(three)
        with pytest.raises(Gone):
            bring_back(three, ANA)
        play(three, "Beto Leo")
        with pytest.raises(Gone):
            bring_back(three, ANA)
        assert names(three)[ANA] == ""

    def test_is_blanked_in_deleted_matches_too(self, three: Table) -> None:
        rename(three, ANA, "Ana María")
        match = queries.current_match(three)
        assert match is not None
        with writing():
            deleted.hide(three, match)
        forget(three, ANA)
        a_day_later(three)
        with writing():
            commands.record(match_of(three, 1), [NewEntry(kinds.MATCH_NOTED, {"note": "x", "stakes": ""})])
        assert "María" not in stored(three)

    def test_leaves_the_renamings_of_others(self, three: Table) -> None:
        rename(three, BETO, "Alberto")
        rename(three, ANA, "Ana María")
        forget(three, ANA)
        a_day_later(three)
        play(three, "Leo Alberto")
        renamings = [
            entry.payload
            for number in (1, 2, 3)
            for entry in entries_of(match_of(three, number))
            if entry.kind == kinds.PLAYER_RENAMED
        ]
        assert [(one["player"], one["from"], one["to"]) for one in renamings] == [
            (BETO, "Beto", "Alberto"),
            (ANA, "", ""),
            (ANA, "", ""),
        ]
        assert list(renamings[1]) == ["v", "player", "from", "to"]

    def test_has_renamings_that_are_read_without_a_name(self) -> None:
        payload: dict[str, Any] = {"v": 1, "player": ANA, "from": "Ana", "to": "Anna"}
        assert without_forgotten(kinds.PLAYER_RENAMED, payload, {ANA}) == {"v": 1, "player": ANA, "from": "", "to": ""}
        assert without_forgotten(kinds.PLAYER_RENAMED, payload, {BETO}) is payload
        assert without_forgotten(kinds.TABLE_RENAMED, payload, {ANA}) is payload


def match_of(table: Table, number: int) -> Match:
    match = queries.match_by_number(table, number)
    assert match is not None
    return match
