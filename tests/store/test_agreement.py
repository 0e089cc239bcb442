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
from scorekeeper.store.journal.entries import JournalEntry, Locked, NewEntry, NoSuchEntry, append, entries_of
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
    def test_that_differs_is_kept_beside_the_first_which_goes_on_to_stand(self, match: Match) -> None:
        write(match, closing(), **ONE_PHONE)
        write(match, closing(OTHERWISE), **OTHER_PHONE)
        assert last(match).kind == "deal_contested"
        assert last(match).payload["facts"] == {"awards": OTHERWISE}
        assert totals(match) == {"A": 6, "B": 2}
        assert points_of_versions(match) == [{"A": 6, "B": 2}, {"A": 7, "B": 1}]

    def test_of_the_other_side_that_says_the_same_agrees(self, match: Match) -> None:
        write(match, closing(), **ANA)
        write(match, closing(), **BETO)
        assert last(match).kind == "confirmed"
        assert not deal_of(match).contested
        assert settled(match).is_locked

    def test_that_says_the_same_on_two_phones_of_nobody_leaves_both_sides_to_be_asked(self, match: Match) -> None:
        write(match, closing(), **ONE_PHONE)
        write(match, closing(), **OTHER_PHONE)
        assert last(match).kind == "confirmed"
        assert not settled(match).is_locked

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
        write(match, NewEntry(kinds.SWEPT, {"deal": 2, "side": "A", "count": 1}))
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
            append(match, [closing(OTHERWISE)])
        assert totals(match) == {"A": 6, "B": 2}
        assert len(deal_of(match).contested) == 1


class TestChoosing:
    """Ana's phone closed the deal, then Beto's in another way. A version counts once every side has said yes to it."""

    @pytest.fixture
    def two(self, match: Match) -> tuple[str, str]:
        return write(match, closing(), **ANA), write(match, closing(OTHERWISE), **BETO)

    def test_the_version_that_counts_leaves_the_other_to_be_read(self, match: Match, two: tuple[str, str]) -> None:
        propose(match, BETO, takes=two[0])
        deal = deal_of(match)
        assert not deal.contested
        assert totals(match) == {"A": 6, "B": 2}
        assert [entry.id for entry in deal.not_taken] == [two[1]]

    def test_the_other_one_takes_its_place_as_it_was_told(self, match: Match, two: tuple[str, str]) -> None:
        propose(match, ANA, takes=two[1])
        deal = deal_of(match)
        assert not deal.contested
        assert totals(match) == {"A": 7, "B": 1}
        assert [entry.id for entry in deal.not_taken] == [two[0]]
        assert [points["A"] for points in points_of_versions(match)] == [7, 6]

    @pytest.mark.parametrize(
        ("mine", "who", "holds"), [(0, BETO, True), (1, ANA, True), (0, ANA, False), (1, BETO, False)]
    )
    def test_giving_in_is_agreeing_and_insisting_only_asks(
        self, match: Match, two: tuple[str, str], mine: int, who: dict[str, str], holds: bool
    ) -> None:
        propose(match, who, takes=two[mine])
        assert settled(match).is_locked is holds
        assert bool(deal_of(match).contested) is not holds
        assert totals(match) == ({"A": 7, "B": 1} if holds and mine else {"A": 6, "B": 2})

    def test_ones_own_counts_when_the_other_side_says_yes(self, match: Match, two: tuple[str, str]) -> None:
        asked = propose(match, BETO, takes=two[1])
        assert settled(match).waits_for == ["A"]
        answer(match, asked, "A", ANA)
        assert settled(match).is_locked
        assert totals(match) == {"A": 7, "B": 1}

    def test_stays_in_doubt_when_the_other_side_says_no(self, match: Match, two: tuple[str, str]) -> None:
        asked = propose(match, BETO, takes=two[1])
        answer(match, asked, "A", ANA, kinds.PROPOSAL_DECLINED)
        now = settled(match)
        assert now.proposal is None
        assert now.declined is not None
        answer(match, asked, "A", ANA)
        assert deal_of(match).contested

    def test_on_a_phone_of_everybody_asks_each_side_that_has_not_said_it(
        self, match: Match, two: tuple[str, str]
    ) -> None:
        asked = propose(match, ONE_PHONE, takes=two[1])
        assert settled(match).waits_for == ["A"]
        answer(match, asked, "A", ONE_PHONE)
        assert totals(match) == {"A": 7, "B": 1}

    def test_between_two_phones_of_nobody_asks_both_sides(self, match: Match) -> None:
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

    def test_a_third_version_that_is_impossible_is_not_even_proposed(self, match: Match, two: tuple[str, str]) -> None:
        with pytest.raises(BrokenMatch):
            propose(match, ANA, facts={"piles": {"A": ["7O"], "B": ["7O"]}})

    def test_a_newer_proposal_takes_the_place_of_the_older(self, match: Match, two: tuple[str, str]) -> None:
        older = propose(match, ANA, takes=two[0])
        newer = propose(match, BETO, takes=two[1])
        answer(match, older, "B", BETO)
        assert deal_of(match).contested
        answer(match, newer, "A", ANA)
        assert totals(match) == {"A": 7, "B": 1}

    def test_posted_twice_chooses_once(self, match: Match, two: tuple[str, str]) -> None:
        form, written = str(uuid4()), []
        payload: Any = {"deal": 1, "entry": two[0], "takes": two[1]}
        for _turn in range(2):
            with writing():
                written.append(commands.record(match, [NewEntry(kinds.PROPOSED, payload, id=form)], **ANA))
        assert written == [True, False]

    def test_of_what_is_not_there(self, match: Match, two: tuple[str, str]) -> None:
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

    def test_another_than_the_agreed_one_takes_every_side_again(self, match: Match) -> None:
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
    def test_takes_every_side_on_whatever_phone(self, match: Match) -> None:
        mine = write(match, closing(), **ONE_PHONE)
        assert not settled(match).is_locked
        say(match, kinds.CONFIRMED, mine, "B", ONE_PHONE)
        assert not settled(match).is_locked
        say(match, kinds.CONFIRMED, mine, "A", ONE_PHONE)
        assert settled(match).is_locked

    def test_needs_only_the_other_side_where_one_side_closed_it(self, match: Match) -> None:
        say(match, kinds.CONFIRMED, write(match, closing(), **ANA), "B", BETO)
        assert settled(match).is_locked

    def test_is_not_for_two_phones_of_one_side(self, match: Match) -> None:
        say(match, kinds.CONFIRMED, write(match, closing(), **ANA), "A", OTHER_PHONE)
        assert not settled(match).is_locked

    def test_is_never_needed_to_go_on(self, match: Match) -> None:
        write(match, closing())
        write(match, closing(deal=2))
        assert totals(match) == {"A": 12, "B": 4}

    def test_by_two_phones_of_nobody_was_enough_once_and_stays(self, match: Match) -> None:
        payload: Any = {"v": 1, "deal": 1, "facts": {"awards": SAID}}
        mine = write(match, NewEntry(kinds.DEAL_CLOSED, payload), **ONE_PHONE)
        yes: Any = {"v": 1, "deal": 1, "entry": mine}
        with writing():
            append(match, [NewEntry(kinds.CONFIRMED, yes)], **OTHER_PHONE)
        assert settled(match).is_locked


class TestALockedDeal:
    @pytest.fixture
    def agreed(self, match: Match) -> str:
        mine = write(match, closing(), **ANA)
        say(match, kinds.CONFIRMED, mine, "B", BETO)
        return mine

    def correct(self, match: Match, former: str) -> None:
        write(match, NewEntry(kinds.VOIDED, {"entry": former}), closing(OTHERWISE), **ANA)

    def test_refuses_a_correction_and_writes_nothing(self, match: Match, agreed: str) -> None:
        with pytest.raises((Locked, NotTheirVoice)):
            self.correct(match, agreed)
        assert len(entries_of(match)) == 3

    def test_is_corrected_when_the_other_side_says_yes_to_the_correction(self, match: Match, agreed: str) -> None:
        asked = propose(match, ANA, facts={"awards": OTHERWISE})
        assert totals(match) == {"A": 6, "B": 2}
        answer(match, asked, "B", BETO)
        assert totals(match) == {"A": 7, "B": 1}
        assert settled(match).is_locked
        assert [entry.id for entry in deal_of(match).not_taken] == [agreed]

    def test_refuses_to_be_taken_back_with_all_that_agreed(self, match: Match, agreed: str) -> None:
        for entry in (agreed, last(match).id):
            with pytest.raises((Locked, NotTheirVoice)), writing():
                commands.undo(match, entry)
        assert settled(match).is_locked

    def test_opens_when_one_asks_and_the_other_accepts(self, match: Match, agreed: str) -> None:
        asked = propose(match, ANA, opens=True)
        assert settled(match).is_locked
        answer(match, asked, "A", ANA)
        assert settled(match).is_locked
        answer(match, asked, "B", BETO)
        assert not settled(match).is_locked
        self.correct(match, agreed)
        assert totals(match) == {"A": 7, "B": 1}
        assert not settled(match).is_locked

    def test_opens_when_a_request_of_an_earlier_version_is_accepted(self, match: Match, agreed: str) -> None:
        asked = say(match, kinds.REOPENING_ASKED, agreed, "A", ANA)
        answer(match, asked, "B", BETO)
        assert not settled(match).is_locked

    def test_stays_locked_when_nobody_accepts_or_the_asking_is_taken_back(self, match: Match, agreed: str) -> None:
        asked = propose(match, ANA, opens=True)
        with writing():
            commands.undo(match, asked, **ANA)
        answer(match, asked, "B", BETO)
        assert settled(match).is_locked

    def test_keeps_a_closing_that_comes_late_from_a_third_phone(self, match: Match, agreed: str) -> None:
        write(match, closing(OTHERWISE), device="z")
        assert settled(match).is_locked
        assert len(deal_of(match).contested) == 1


class TestADispute:
    def test_shows_until_that_side_accepts(self, match: Match) -> None:
        mine = write(match, closing(), **ANA)
        say(match, kinds.DISPUTED, mine, "B", BETO, line="prime")
        assert [one.payload["line"] for one in settled(match).disputes] == ["prime"]
        say(match, kinds.CONFIRMED, mine, "B", ONE_PHONE)
        assert not settled(match).disputes

    def test_is_settled_by_another_version_to_which_the_other_side_says_yes(self, match: Match) -> None:
        mine = write(match, closing(), **ANA)
        say(match, kinds.DISPUTED, mine, "B", BETO, line="prime")
        with pytest.raises((Locked, NotTheirVoice)):
            write(match, NewEntry(kinds.VOIDED, {"entry": mine}), closing(OTHERWISE), **ANA)
        asked = propose(match, ANA, facts={"awards": OTHERWISE})
        assert settled(match).disputes
        answer(match, asked, "B", BETO)
        assert not settled(match).disputes
        assert settled(match).is_locked

    def test_is_taken_back_by_that_side_alone(self, match: Match) -> None:
        disputed = say(match, kinds.DISPUTED, write(match, closing(), **ANA), "B", BETO)
        with pytest.raises((Locked, NotTheirVoice)), writing():
            commands.undo(match, disputed, **ANA)
        with writing():
            commands.undo(match, disputed, **BETO)
        assert not settled(match).disputes

    def test_takes_back_that_sides_own_word(self, match: Match) -> None:
        mine = write(match, closing(), **ONE_PHONE)
        say(match, kinds.CONFIRMED, mine, "B", ONE_PHONE)
        say(match, kinds.DISPUTED, mine, "B", ONE_PHONE)
        assert "B" not in settled(match).sides

    def test_makes_no_other_form_stale(self, match: Match) -> None:
        mine, drawn_from = write(match, closing(), **ANA), match.head
        say(match, kinds.DISPUTED, mine, "B", BETO)
        write(match, closing(deal=2), drawn_from=drawn_from, **ANA)
        assert last(match).kind == "deal_closed"
