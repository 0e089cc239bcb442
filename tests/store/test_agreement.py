"""Agreement: two closings of one deal are both kept; every side that says yes locks it; then all sides change it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask

from scorekeeper.store import commands
from scorekeeper.store.agreement import Agreement, agreement_of, scored, versions
from scorekeeper.store.db import db, writing
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import JournalEntry, Locked, NewEntry, NoSuchEntry, entries_of
from scorekeeper.store.journal.replay import DealState, replay
from scorekeeper.store.models import Match
from scorekeeper.store.standings import BrokenMatch, standing_of
from scorekeeper.store.voices import NotTheirVoice

SAID = {"cards": "A", "coins": "B", "seven_of_coins": "A", "two_of_clubs": "A", "prime": "B"}
"""Ana 6, Beto 2."""
OTHERWISE = {**SAID, "prime": "A"}
"""Ana 7, Beto 1."""
ANA, BETO = {"author": "A", "device": "x"}, {"author": "B", "device": "y"}
ONE_PHONE, OTHER_PHONE = {"device": "x"}, {"device": "y"}


def closing(awards: dict[str, Any] = SAID, deal: int = 1, **facts: Any) -> NewEntry:
    return NewEntry(kinds.DEAL_CLOSED, {"deal": deal, "facts": {"awards": awards, **facts}})


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
    state = replay(entries_of(match))
    return agreement_of(state, state.deals[0])


def points_of_versions(match: Match) -> list[dict[str, int]]:
    """Return the points of each version of deal 1, the one that counts first."""
    state = standing_of(match).state
    deal = state.deals[0]
    return [dict(one.sheet["points"]) for one in scored(state, deal, versions(state, deal))]


def propose(match: Match, who: dict[str, str], form: str | None = None, **proposed: Any) -> str:
    """Propose a version of deal 1, or to open it again, and return the proposal's id."""
    counts = deal_of(match).closed
    assert counts is not None
    payload: Any = {"deal": 1, "entry": counts.id, **proposed}
    return write(match, NewEntry(kinds.PROPOSED, payload, id=form or str(uuid4())), **who)


def answer(match: Match, asked: str, side: str, who: dict[str, str], kind: str = kinds.PROPOSAL_ACCEPTED) -> str:
    """Say yes to a proposal about deal 1 for a side, or no."""
    counts = deal_of(match).closed
    assert counts is not None
    return say(match, kind, counts.id, side, who, asked=asked)


def totals(match: Match) -> dict[str, int]:
    told: dict[str, int] = standing_of(match).result["totals"]
    return told


def last(match: Match) -> JournalEntry:
    return entries_of(match)[-1]


class TestASecondClosing:
    def test_a_second_closing_that_differs_is_a_rival_and_the_first_still_counts(self, match: Match) -> None:
        write(match, closing(), **ONE_PHONE)
        write(match, closing(OTHERWISE), **OTHER_PHONE)
        assert last(match).kind == "deal_contested"
        assert last(match).payload["facts"] == {"awards": OTHERWISE}
        assert totals(match) == {"A": 6, "B": 2}
        assert points_of_versions(match) == [{"A": 6, "B": 2}, {"A": 7, "B": 1}]

    def test_a_second_closing_of_the_other_side_with_the_same_facts_agrees(self, match: Match) -> None:
        write(match, closing(), **ANA)
        write(match, closing(), **BETO)
        assert last(match).kind == "confirmed"
        assert not deal_of(match).contested
        assert settled(match).is_locked

    def test_a_second_closing_by_phones_without_holder_is_no_yes_of_a_side(self, match: Match) -> None:
        write(match, closing(), **ONE_PHONE)
        write(match, closing(), **OTHER_PHONE)
        assert last(match).kind == "confirmed"
        assert not settled(match).is_locked

    def test_a_second_closing_with_the_same_sheet_from_counts_agrees_and_stores_its_counts(self, match: Match) -> None:
        write(match, closing(), **ONE_PHONE)
        counted = {"A": {"cards": 23}, "B": {"coins": 6}}
        write(match, closing(counts=counted), **OTHER_PHONE)
        assert last(match).kind == "confirmed"
        assert last(match).payload["facts"]["counts"] == counted

    def test_a_second_closing_with_a_card_in_another_pile_does_not_agree(self, match: Match) -> None:
        write(match, closing(piles={"A": ["6B"]}), **ONE_PHONE)
        write(match, closing(piles={"B": ["6B"]}), **OTHER_PHONE)
        assert last(match).kind == "deal_contested"

    def test_a_second_closing_posted_twice_is_stored_once(self, match: Match) -> None:
        write(match, closing(), **ONE_PHONE)
        once = closing(OTHERWISE)
        assert [write(match, once, **OTHER_PHONE) for _turn in range(2)] == [once.id] * 2
        assert len(entries_of(match)) == 3

    def test_a_second_closing_is_stored_also_from_a_stale_form(self, match: Match) -> None:
        drawn_from = match.head
        write(match, closing(), **ONE_PHONE)
        write(match, NewEntry(kinds.SWEPT, {"deal": 2, "side": "A", "count": 1}))
        write(match, closing(OTHERWISE), drawn_from=drawn_from, **OTHER_PHONE)
        assert len(deal_of(match).contested) == 1

    def test_an_impossible_second_closing_writes_nothing(self, match: Match) -> None:
        write(match, closing())
        with pytest.raises(BrokenMatch):
            write(match, closing(piles={"A": ["7O"], "B": ["7O"]}))
        assert len(entries_of(match)) == 2

    def test_closings_at_the_same_moment_are_all_stored(self, app: Flask, match: Match) -> None:
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


class TestChoosing:
    """Ana's phone closed the deal, then Beto's in another way. A version counts once every side has said yes to it."""

    @pytest.fixture
    def two(self, match: Match) -> tuple[str, str]:
        return write(match, closing(), **ANA), write(match, closing(OTHERWISE), **BETO)

    def test_choosing_the_version_that_counts_leaves_the_other_readable(
        self, match: Match, two: tuple[str, str]
    ) -> None:
        propose(match, BETO, takes=two[0])
        deal = deal_of(match)
        assert not deal.contested
        assert totals(match) == {"A": 6, "B": 2}
        assert [entry.id for entry in deal.not_taken] == [two[1]]

    def test_choosing_the_other_version_repeats_its_facts(self, match: Match, two: tuple[str, str]) -> None:
        propose(match, ANA, takes=two[1])
        deal = deal_of(match)
        assert not deal.contested
        assert totals(match) == {"A": 7, "B": 1}
        assert [entry.id for entry in deal.not_taken] == [two[0]]
        assert [points["A"] for points in points_of_versions(match)] == [7, 6]

    @pytest.mark.parametrize(
        ("mine", "who", "holds"), [(0, BETO, True), (1, ANA, True), (0, ANA, False), (1, BETO, False)]
    )
    def test_proposing_the_version_of_the_other_side_agrees_and_ones_own_asks(
        self, match: Match, two: tuple[str, str], mine: int, who: dict[str, str], holds: bool
    ) -> None:
        propose(match, who, takes=two[mine])
        assert settled(match).is_locked is holds
        assert bool(deal_of(match).contested) is not holds
        assert totals(match) == ({"A": 7, "B": 1} if holds and mine else {"A": 6, "B": 2})

    def test_a_proposed_version_counts_when_the_other_side_says_yes(self, match: Match, two: tuple[str, str]) -> None:
        asked = propose(match, BETO, takes=two[1])
        assert settled(match).waits_for == ["A"]
        answer(match, asked, "A", ANA)
        assert settled(match).is_locked
        assert totals(match) == {"A": 7, "B": 1}

    def test_a_deal_stays_in_doubt_when_the_other_side_says_no(self, match: Match, two: tuple[str, str]) -> None:
        asked = propose(match, BETO, takes=two[1])
        answer(match, asked, "A", ANA, kinds.PROPOSAL_DECLINED)
        now = settled(match)
        assert now.proposal is None
        assert now.declined is not None
        answer(match, asked, "A", ANA)
        assert deal_of(match).contested

    def test_a_proposal_on_a_shared_phone_asks_each_side_that_did_not_enter_it(
        self, match: Match, two: tuple[str, str]
    ) -> None:
        asked = propose(match, ONE_PHONE, takes=two[1])
        assert settled(match).waits_for == ["A"]
        answer(match, asked, "A", ONE_PHONE)
        assert totals(match) == {"A": 7, "B": 1}

    def test_a_proposal_between_phones_without_holder_asks_both_sides(self, match: Match) -> None:
        write(match, closing(), **ONE_PHONE)
        other = write(match, closing(OTHERWISE), **OTHER_PHONE)
        asked = propose(match, OTHER_PHONE, takes=other)
        assert settled(match).waits_for == ["A", "B"]
        answer(match, asked, "B", OTHER_PHONE)
        assert deal_of(match).contested
        answer(match, asked, "A", OTHER_PHONE)
        assert totals(match) == {"A": 7, "B": 1}

    def test_a_third_version_counts_when_every_side_says_yes_to_it(self, match: Match, two: tuple[str, str]) -> None:
        third = {**SAID, "cards": "B"}
        asked = propose(match, ANA, facts={"awards": third})
        assert [points["A"] for points in points_of_versions(match)] == [6, 7, 5]
        answer(match, asked, "B", BETO)
        assert totals(match) == {"A": 5, "B": 3}
        assert [entry.id for entry in deal_of(match).not_taken] == [two[0], two[1]]

    def test_a_newer_proposal_replaces_the_older(self, match: Match, two: tuple[str, str]) -> None:
        older = propose(match, ANA, takes=two[0])
        newer = propose(match, BETO, takes=two[1])
        answer(match, older, "B", BETO)
        assert deal_of(match).contested
        answer(match, newer, "A", ANA)
        assert totals(match) == {"A": 7, "B": 1}

    def test_a_choice_posted_twice_is_made_once(self, match: Match, two: tuple[str, str]) -> None:
        form, written = str(uuid4()), []
        payload: Any = {"deal": 1, "entry": two[0], "takes": two[1]}
        for _turn in range(2):
            with writing():
                written.append(commands.record(match, [NewEntry(kinds.PROPOSED, payload, id=form)], **ANA))
        assert written == [True, False]

    def test_choosing_a_version_that_does_not_exist_is_refused(self, match: Match, two: tuple[str, str]) -> None:
        with pytest.raises(NoSuchEntry):
            propose(match, ANA, takes=str(uuid4()))
        propose(match, BETO, takes=two[0])
        with pytest.raises(NoSuchEntry):
            propose(match, ANA, takes=two[1])

    def test_a_side_takes_back_its_own_version_and_not_that_of_another(
        self, match: Match, two: tuple[str, str]
    ) -> None:
        for who in (ANA, {"author": "A", "device": "z"}, {"device": "z"}):
            with pytest.raises((Locked, NotTheirVoice)), writing():
                commands.undo(match, two[1], **who)
        with writing():
            commands.undo(match, two[1], **BETO)
        assert not deal_of(match).contested

    def test_a_side_withdraws_its_own_proposal_and_not_that_of_another(
        self, match: Match, two: tuple[str, str]
    ) -> None:
        asked = propose(match, BETO, takes=two[1])
        with pytest.raises((Locked, NotTheirVoice)), writing():
            commands.undo(match, asked, **ANA)
        with writing():
            commands.undo(match, asked, **BETO)
        assert settled(match).proposal is None

    def test_neither_side_takes_back_the_closing_that_counts(self, match: Match, two: tuple[str, str]) -> None:
        with pytest.raises((Locked, NotTheirVoice)), writing():
            commands.undo(match, two[0])

    def test_another_version_than_the_agreed_one_needs_every_side_again(self, match: Match) -> None:
        write(match, closing(), **ANA)
        write(match, closing(), **BETO)
        third = write(match, closing(OTHERWISE), device="z")
        asked = propose(match, ANA, takes=third)
        assert totals(match) == {"A": 6, "B": 2}
        answer(match, asked, "B", BETO)
        assert totals(match) == {"A": 7, "B": 1}
        assert settled(match).is_locked


class TestThreeSides:
    @pytest.fixture
    def match(self, three: Match) -> Match:
        return three

    def test_a_deal_is_agreed_when_all_three_have_said_yes(self, match: Match) -> None:
        mine = write(match, closing(), **ANA)
        say(match, kinds.CONFIRMED, mine, "B", BETO)
        assert not settled(match).is_locked
        say(match, kinds.CONFIRMED, mine, "C", BETO)
        assert settled(match).is_locked

    def test_a_version_counts_when_all_others_have_said_yes(self, match: Match) -> None:
        write(match, closing(), **ANA)
        other = write(match, closing(OTHERWISE), **BETO)
        asked = propose(match, ANA, takes=other)
        assert settled(match).waits_for == ["C"]
        answer(match, asked, "C", ANA)
        assert settled(match).is_locked
        assert not deal_of(match).contested

    def test_an_agreed_deal_opens_when_all_others_have_said_yes(self, match: Match) -> None:
        mine = write(match, closing(), **ANA)
        for side in "BC":
            say(match, kinds.CONFIRMED, mine, side, BETO)
        asked = propose(match, ANA, opens=True)
        answer(match, asked, "B", BETO)
        assert settled(match).is_locked
        answer(match, asked, "C", BETO)
        assert not settled(match).is_locked


class TestLocking:
    def test_locking_needs_every_side_on_any_phone(self, match: Match) -> None:
        mine = write(match, closing(), **ONE_PHONE)
        assert not settled(match).is_locked
        say(match, kinds.CONFIRMED, mine, "B", ONE_PHONE)
        assert not settled(match).is_locked
        say(match, kinds.CONFIRMED, mine, "A", ONE_PHONE)
        assert settled(match).is_locked

    def test_locking_needs_only_the_other_side_if_one_side_closed_the_deal(self, match: Match) -> None:
        say(match, kinds.CONFIRMED, write(match, closing(), **ANA), "B", BETO)
        assert settled(match).is_locked

    def test_two_phones_of_one_side_do_not_lock_a_deal(self, match: Match) -> None:
        say(match, kinds.CONFIRMED, write(match, closing(), **ANA), "A", OTHER_PHONE)
        assert not settled(match).is_locked

    def test_the_next_deal_needs_no_lock(self, match: Match) -> None:
        write(match, closing())
        write(match, closing(deal=2))
        assert totals(match) == {"A": 12, "B": 4}


class TestALockedDeal:
    @pytest.fixture
    def agreed(self, match: Match) -> str:
        mine = write(match, closing(), **ANA)
        say(match, kinds.CONFIRMED, mine, "B", BETO)
        return mine

    def correct(self, match: Match, former: str) -> None:
        write(match, NewEntry(kinds.VOIDED, {"entry": former}), closing(OTHERWISE), **ANA)

    def test_a_locked_deal_refuses_a_correction_and_writes_nothing(self, match: Match, agreed: str) -> None:
        with pytest.raises((Locked, NotTheirVoice)):
            self.correct(match, agreed)
        assert len(entries_of(match)) == 3

    def test_a_locked_deal_is_corrected_when_the_other_side_says_yes(self, match: Match, agreed: str) -> None:
        asked = propose(match, ANA, facts={"awards": OTHERWISE})
        assert totals(match) == {"A": 6, "B": 2}
        answer(match, asked, "B", BETO)
        assert totals(match) == {"A": 7, "B": 1}
        assert settled(match).is_locked
        assert [entry.id for entry in deal_of(match).not_taken] == [agreed]

    def test_the_closing_of_a_locked_deal_and_its_agreements_cannot_be_voided(self, match: Match, agreed: str) -> None:
        for entry in (agreed, last(match).id):
            with pytest.raises((Locked, NotTheirVoice)), writing():
                commands.undo(match, entry)
        assert settled(match).is_locked

    def test_a_locked_deal_opens_when_one_side_asks_and_the_other_accepts(self, match: Match, agreed: str) -> None:
        asked = propose(match, ANA, opens=True)
        assert settled(match).is_locked
        answer(match, asked, "A", ANA)
        assert settled(match).is_locked
        answer(match, asked, "B", BETO)
        assert not settled(match).is_locked
        self.correct(match, agreed)
        assert totals(match) == {"A": 7, "B": 1}
        assert not settled(match).is_locked

    def test_a_locked_deal_stays_locked_without_a_yes_or_after_the_request_is_voided(
        self, match: Match, agreed: str
    ) -> None:
        asked = propose(match, ANA, opens=True)
        with writing():
            commands.undo(match, asked, **ANA)
        answer(match, asked, "B", BETO)
        assert settled(match).is_locked

    def test_a_locked_deal_stores_a_late_closing_of_a_third_phone(self, match: Match, agreed: str) -> None:
        write(match, closing(OTHERWISE), device="z")
        assert settled(match).is_locked
        assert len(deal_of(match).contested) == 1


class TestADispute:
    def test_a_dispute_is_open_until_its_side_accepts(self, match: Match) -> None:
        mine = write(match, closing(), **ANA)
        say(match, kinds.DISPUTED, mine, "B", BETO, line="prime")
        assert [one.payload["line"] for one in settled(match).disputes] == ["prime"]
        say(match, kinds.CONFIRMED, mine, "B", ONE_PHONE)
        assert not settled(match).disputes

    def test_a_dispute_is_settled_by_a_version_that_the_other_side_accepts(self, match: Match) -> None:
        mine = write(match, closing(), **ANA)
        say(match, kinds.DISPUTED, mine, "B", BETO, line="prime")
        with pytest.raises((Locked, NotTheirVoice)):
            write(match, NewEntry(kinds.VOIDED, {"entry": mine}), closing(OTHERWISE), **ANA)
        asked = propose(match, ANA, facts={"awards": OTHERWISE})
        assert settled(match).disputes
        answer(match, asked, "B", BETO)
        assert not settled(match).disputes
        assert settled(match).is_locked

    def test_only_its_own_side_voids_a_dispute(self, match: Match) -> None:
        disputed = say(match, kinds.DISPUTED, write(match, closing(), **ANA), "B", BETO)
        with pytest.raises((Locked, NotTheirVoice)), writing():
            commands.undo(match, disputed, **ANA)
        with writing():
            commands.undo(match, disputed, **BETO)
        assert not settled(match).disputes

    def test_a_dispute_removes_the_agreement_of_its_side(self, match: Match) -> None:
        mine = write(match, closing(), **ONE_PHONE)
        say(match, kinds.CONFIRMED, mine, "B", ONE_PHONE)
        say(match, kinds.DISPUTED, mine, "B", ONE_PHONE)
        assert "B" not in settled(match).sides

    def test_a_dispute_makes_no_form_stale(self, match: Match) -> None:
        mine, drawn_from = write(match, closing(), **ANA), match.head
        say(match, kinds.DISPUTED, mine, "B", BETO)
        write(match, closing(deal=2), drawn_from=drawn_from, **ANA)
        assert last(match).kind == "deal_closed"
