"""Settlement: two closings of one deal are both kept; two voices that agree lock it; opening it again takes both."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask

from scorekeeper.store import commands, journal
from scorekeeper.store.agreement import Agreement, agreement_of, versions
from scorekeeper.store.db import db, writing
from scorekeeper.store.journal import DealState, JournalEntry, Locked, NewEntry, NoSuchEntry, entries_of, replay
from scorekeeper.store.models import Match
from scorekeeper.store.standings import BrokenMatch, standing_of

SAID = {"cards": "A", "coins": "B", "seven_of_coins": "A", "two_of_clubs": "A", "prime": "B"}
"""Ana 6, Beto 2."""
OTHERWISE = {**SAID, "prime": "A"}
"""Ana 7, Beto 1."""
ANA, BETO = {"author": "A", "device": "x"}, {"author": "B", "device": "y"}
ONE_PHONE, OTHER_PHONE = {"device": "x"}, {"device": "y"}


def closing(awards: dict[str, Any] = SAID, deal: int = 1, **facts: Any) -> NewEntry:
    return NewEntry(journal.DEAL_CLOSED, {"deal": deal, "facts": {"awards": awards, **facts}})


def write(match: Match, *new: NewEntry, **how: Any) -> str:
    """Write entries and return the id of the last."""
    with writing():
        commands.record(match, new, **how)
    return new[-1].id


def say(match: Match, kind: str, entry: str, side: str, who: dict[str, str], **told: Any) -> str:
    return write(match, NewEntry(kind, {"deal": 1, "entry": entry, "side": side, **told}), **who)


def deal_of(match: Match) -> DealState:
    return replay(entries_of(match)).deals[0]


def settled(match: Match) -> Agreement:
    return agreement_of(deal_of(match))


def totals(match: Match) -> dict[str, int]:
    told: dict[str, int] = standing_of(match).result["totals"]
    return told


def last(match: Match) -> JournalEntry:
    return entries_of(match)[-1]


class TestASecondClosing:
    def test_that_differs_is_kept_beside_the_first_which_goes_on_to_stand(self, match: Match) -> None:
        write(match, closing(), **ONE_PHONE)
        write(match, closing(OTHERWISE), **OTHER_PHONE)
        assert last(match).kind == "deal_contested"
        assert last(match).payload["facts"] == {"awards": OTHERWISE}
        assert totals(match) == {"A": 6, "B": 2}
        assert [one.sheet["points"] for one in versions(standing_of(match).state, deal_of(match))] == [
            {"A": 6, "B": 2},
            {"A": 7, "B": 1},
        ]

    def test_that_says_the_same_agrees(self, match: Match) -> None:
        write(match, closing(), **ONE_PHONE)
        write(match, closing(), **OTHER_PHONE)
        assert last(match).kind == "confirmed"
        assert not deal_of(match).contested
        assert settled(match).is_locked

    def test_that_comes_to_the_same_by_counting_agrees_and_keeps_its_counts(self, match: Match) -> None:
        write(match, closing(), **ONE_PHONE)
        counted = {"A": {"cards": 23}, "B": {"coins": 6}}
        write(match, closing(counts=counted), **OTHER_PHONE)
        assert last(match).kind == "confirmed"
        assert last(match).payload["facts"]["counts"] == counted

    def test_with_the_same_points_but_other_counts_does_not_agree(self, match: Match) -> None:
        write(match, closing(counts={"A": {"cards": 23}}), **ONE_PHONE)
        write(match, closing(counts={"A": {"cards": 24}}), **OTHER_PHONE)
        assert last(match).kind == "deal_contested"

    def test_with_the_same_points_but_a_card_in_another_pile_does_not_agree(self, match: Match) -> None:
        write(match, closing(piles={"A": ["6B"]}), **ONE_PHONE)
        write(match, closing(piles={"B": ["6B"]}), **OTHER_PHONE)
        assert last(match).kind == "deal_contested"

    def test_posted_twice_is_kept_once(self, match: Match) -> None:
        write(match, closing(), **ONE_PHONE)
        once = closing(OTHERWISE)
        assert [write(match, once, **OTHER_PHONE) for _turn in range(2)] == [once.id] * 2
        assert len(entries_of(match)) == 3

    def test_is_kept_whatever_else_was_written_since_its_form_was_drawn(self, match: Match) -> None:
        drawn_from = match.head
        write(match, closing(), **ONE_PHONE)
        write(match, NewEntry(journal.SWEPT, {"deal": 2, "side": "A", "count": 1}))
        write(match, closing(OTHERWISE), drawn_from=drawn_from, **OTHER_PHONE)
        assert len(deal_of(match).contested) == 1

    def test_that_is_impossible_writes_nothing(self, match: Match) -> None:
        write(match, closing())
        with pytest.raises(BrokenMatch):
            write(match, closing(piles={"A": ["7O"], "B": ["7O"]}))
        assert len(entries_of(match)) == 2

    def test_of_phones_at_the_same_moment_is_never_lost(self, app: Flask, match: Match) -> None:
        number, table_id = match.number, match.table_id
        tellings = [{**SAID, "prime": prime, "coins": coins} for prime in "AB" for coins in "AB"]

        def close(turn: int) -> None:
            with app.app_context(), writing():
                mine = db.session.get_one(Match, (table_id, number))
                commands.record(mine, [closing(tellings[turn])], device=f"phone {turn}", drawn_from=1)

        with ThreadPoolExecutor(4) as phones:
            list(phones.map(close, range(4)))
        db.session.rollback()
        deal = deal_of(match)
        assert deal.closed is not None
        kept = [deal.closed, *deal.contested]
        assert sorted(str(one.payload["facts"]["awards"]) for one in kept) == sorted(map(str, tellings))

    def test_without_the_notebook_replaces_nothing_either(self, match: Match) -> None:
        write(match, closing())
        with writing():
            journal.append(match, [closing(OTHERWISE)])
        assert totals(match) == {"A": 6, "B": 2}
        assert len(deal_of(match).contested) == 1


class TestChoosing:
    @pytest.fixture
    def two(self, match: Match) -> tuple[str, str]:
        """Ana's phone closed the deal, then Beto's in another way."""
        return write(match, closing(), **ANA), write(match, closing(OTHERWISE), **BETO)

    def choose(self, match: Match, entry: str, who: dict[str, str], form: str | None = None) -> bool:
        with writing():
            return commands.take(match, 1, entry, form or str(uuid4()), **who)

    def test_the_one_that_stands_leaves_the_other_in_the_journal(self, match: Match, two: tuple[str, str]) -> None:
        self.choose(match, two[0], BETO)
        assert not deal_of(match).contested
        assert totals(match) == {"A": 6, "B": 2}
        assert two[1] in [entry.id for entry in entries_of(match)]

    def test_the_other_one_takes_its_place_as_it_was_told(self, match: Match, two: tuple[str, str]) -> None:
        self.choose(match, two[1], ANA)
        assert not deal_of(match).contested
        assert totals(match) == {"A": 7, "B": 1}
        assert two[0] in [entry.id for entry in entries_of(match)]

    @pytest.mark.parametrize(
        ("mine", "who", "locked"), [(0, BETO, True), (1, ANA, True), (0, ANA, False), (1, BETO, False)]
    )
    def test_giving_in_is_agreeing_and_insisting_is_not(
        self, match: Match, two: tuple[str, str], mine: int, who: dict[str, str], locked: bool
    ) -> None:
        self.choose(match, two[mine], who)
        assert settled(match).is_locked is locked

    def test_posted_twice_chooses_once(self, match: Match, two: tuple[str, str]) -> None:
        form = str(uuid4())
        assert [self.choose(match, two[1], ANA, form) for _turn in range(2)] == [True, False]

    def test_of_what_is_not_there(self, match: Match, two: tuple[str, str]) -> None:
        with pytest.raises(NoSuchEntry):
            self.choose(match, str(uuid4()), ANA)
        self.choose(match, two[0], ANA)
        with pytest.raises(NoSuchEntry):
            self.choose(match, two[1], BETO)

    def test_another_than_the_agreed_one_needs_it_opened_first(self, match: Match) -> None:
        write(match, closing(), **ANA)
        write(match, closing(), **BETO)
        third = write(match, closing(OTHERWISE), device="z")
        with pytest.raises(Locked):
            self.choose(match, third, ANA)
        assert deal_of(match).contested


class TestLocking:
    def test_takes_two_sides_or_two_phones(self, match: Match) -> None:
        mine = write(match, closing(), **ONE_PHONE)
        assert not settled(match).is_locked
        say(match, journal.CONFIRMED, mine, "B", ONE_PHONE)
        # One shared phone, and nobody knows who held it.
        assert not settled(match).is_locked
        say(match, journal.CONFIRMED, mine, "A", ONE_PHONE)
        assert settled(match).is_locked

    def test_by_the_other_side_on_its_own_phone(self, match: Match) -> None:
        say(match, journal.CONFIRMED, write(match, closing(), **ONE_PHONE), "B", OTHER_PHONE)
        assert settled(match).is_locked

    def test_is_not_for_two_phones_of_one_side(self, match: Match) -> None:
        say(match, journal.CONFIRMED, write(match, closing(), **ANA), "A", OTHER_PHONE)
        assert not settled(match).is_locked

    def test_is_never_needed_to_go_on(self, match: Match) -> None:
        write(match, closing())
        write(match, closing(deal=2))
        assert totals(match) == {"A": 12, "B": 4}


class TestALockedDeal:
    @pytest.fixture
    def agreed(self, match: Match) -> str:
        mine = write(match, closing(), **ANA)
        say(match, journal.CONFIRMED, mine, "B", BETO)
        return mine

    def correct(self, match: Match, former: str) -> None:
        write(match, NewEntry(journal.VOIDED, {"entry": former}), closing(OTHERWISE), **ANA)

    def test_refuses_a_correction_and_writes_nothing(self, match: Match, agreed: str) -> None:
        with pytest.raises(Locked):
            self.correct(match, agreed)
        assert len(entries_of(match)) == 3

    def test_refuses_to_be_taken_back_with_all_that_agreed(self, match: Match, agreed: str) -> None:
        for entry in (agreed, last(match).id):
            with pytest.raises(Locked), writing():
                commands.undo(match, entry)
        assert settled(match).is_locked

    def test_opens_when_one_asks_and_the_other_accepts(self, match: Match, agreed: str) -> None:
        asked = say(match, journal.REOPENING_ASKED, agreed, "A", ANA)
        assert settled(match).is_locked
        say(match, journal.REOPENING_ACCEPTED, agreed, "A", ANA, asked=asked)
        assert settled(match).is_locked
        say(match, journal.REOPENING_ACCEPTED, agreed, "B", BETO, asked=asked)
        assert not settled(match).is_locked
        self.correct(match, agreed)
        assert totals(match) == {"A": 7, "B": 1}
        assert not settled(match).is_locked

    def test_stays_locked_when_nobody_accepts_or_the_asking_is_taken_back(self, match: Match, agreed: str) -> None:
        asked = say(match, journal.REOPENING_ASKED, agreed, "A", ANA)
        with writing():
            commands.undo(match, asked)
        say(match, journal.REOPENING_ACCEPTED, agreed, "B", BETO, asked=asked)
        assert settled(match).is_locked

    def test_keeps_a_closing_that_comes_late_from_a_third_phone(self, match: Match, agreed: str) -> None:
        write(match, closing(OTHERWISE), device="z")
        assert settled(match).is_locked
        assert len(deal_of(match).contested) == 1


class TestADispute:
    def test_shows_until_that_side_accepts(self, match: Match) -> None:
        mine = write(match, closing(), **ANA)
        say(match, journal.DISPUTED, mine, "B", BETO, line="prime")
        assert [one.payload["line"] for one in settled(match).disputes] == ["prime"]
        say(match, journal.CONFIRMED, mine, "B", ONE_PHONE)
        assert not settled(match).disputes

    def test_shows_until_the_deal_is_corrected(self, match: Match) -> None:
        mine = write(match, closing(), **ANA)
        say(match, journal.DISPUTED, mine, "B", BETO)
        write(match, NewEntry(journal.VOIDED, {"entry": mine}), closing(OTHERWISE), **ANA)
        assert not settled(match).disputes

    def test_takes_back_that_sides_own_word(self, match: Match) -> None:
        mine = write(match, closing(), **ONE_PHONE)
        say(match, journal.CONFIRMED, mine, "B", ONE_PHONE)
        say(match, journal.DISPUTED, mine, "B", ONE_PHONE)
        assert "B" not in settled(match).sides

    def test_makes_no_other_form_stale(self, match: Match) -> None:
        mine, drawn_from = write(match, closing(), **ANA), match.head
        say(match, journal.DISPUTED, mine, "B", BETO)
        write(match, closing(deal=2), drawn_from=drawn_from, **ANA)
        assert last(match).kind == "deal_closed"
