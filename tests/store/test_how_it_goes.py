"""A match as it really goes: who deals out of turn, who comes and leaves, other rules, points by agreement."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import func, select

from scorekeeper import rules
from scorekeeper.limits import DEAL_ADJUSTMENTS, DEAL_DEALINGS
from scorekeeper.store import commands, deleted, queries
from scorekeeper.store.db import Gone, db, writing
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import Full, Locked, NewEntry, Stale
from scorekeeper.store.journal.match_setup import Setup, sides_of
from scorekeeper.store.journal.replay import MatchState
from scorekeeper.store.models import Entry, Match, MatchSummary, Table, now
from scorekeeper.store.player_records import record_of
from scorekeeper.store.standings import BrokenMatch, standing_of
from scorekeeper.store.voices import NotTheirVoice

from .conftest import start

ANA, BETO, LEO, CATA = 1, 2, 3, 4


def write(match: Match, kind: str, *, author: str | None = None, device: str | None = None, **payload: Any) -> str:
    entry = NewEntry(kind, payload, str(uuid4()))  # type: ignore[arg-type]
    with writing():
        commands.record(match, [entry], author=author, device=device)
    return entry.id


def sweep(match: Match, deal: int, side: str = "A") -> str:
    return write(match, kinds.SWEPT, deal=deal, side=side, count=1)


def close(match: Match, deal: int, **points: int) -> str:
    """Close a deal with plain points."""
    facts = {"points": points, **_adjustments(match)}
    return write(match, kinds.DEAL_CLOSED, deal=deal, facts=facts)


def _adjustments(match: Match) -> dict[str, Any]:
    agreed = state_of(match).current.noted_adjustments()
    return {"adjustments": agreed} if agreed else {}


def undo(match: Match, entry_id: str) -> None:
    with writing():
        commands.undo(match, entry_id)


def state_of(match: Match) -> MatchState:
    return standing_of(match).state


def dealer(match: Match) -> int:
    deal = state_of(match).current
    return deal.setup.seats[deal.dealer_seat]


@pytest.fixture
def pairs(table: Table) -> Match:
    """Ana and Leo against Beto and Cata; Ana deals first."""
    with writing():
        return start(table, per_side=2)


@pytest.fixture
def pad(table: Table) -> Match:
    """Three at the free pad, until the table ends it."""
    with writing():
        numbers = commands.seat_players(table, ["Ana", "Beto", "Leo"])
        options = rules.agree({"game": "free", "sides": ["A", "B", "C"]})[0]
        assert options is not None
        agreed = Setup("free", None, options, sides_of([[number] for number in numbers]), first_dealer=0)
        return commands.start_match(table, str(uuid4()), agreed)


class TestWhoDeals:
    def test_the_turn_goes_on_from_who_really_dealt(self, three: Match) -> None:
        write(three, kinds.DEALT, deal=1, player=LEO)
        assert dealer(three) == LEO
        close(three, 1, A=1, B=0, C=0)
        assert dealer(three) == ANA

    def test_only_this_deal_leaves_the_turn_as_it_was(self, three: Match) -> None:
        write(three, kinds.DEALT, deal=1, player=LEO, once=True)
        assert dealer(three) == LEO
        close(three, 1, A=1, B=0, C=0)
        assert dealer(three) == BETO

    def test_who_really_dealt_is_what_the_sheet_goes_by(self, match: Match) -> None:
        write(match, kinds.DEALT, deal=1, player=BETO)
        asked: Any = state_of(match).deal_request(state_of(match).current)
        assert asked["dealer"] == "B"

    def test_dealing_out_of_turn_is_undone(self, three: Match) -> None:
        undo(three, write(three, kinds.DEALT, deal=1, player=LEO))
        assert dealer(three) == ANA


class TestDealtAgain:
    def test_the_deal_keeps_its_number_and_loses_what_was_noted(self, match: Match) -> None:
        sweep(match, 1)
        write(match, kinds.DEALT_AGAIN, deal=1, redeal="next", again=1, why="shown")
        state = state_of(match)
        assert (state.current.number, state.current.noted, dealer(match)) == (1, [], BETO)

    def test_the_same_player_deals_again_where_the_table_says_so(self, match: Match) -> None:
        write(match, kinds.DEALT_AGAIN, deal=1, redeal="same", again=1)
        assert dealer(match) == ANA

    def test_two_phones_that_note_one_redeal_note_it_once(self, three: Match) -> None:
        for _phone in range(2):
            write(three, kinds.DEALT_AGAIN, deal=1, redeal="next", again=1)
        assert dealer(three) == BETO
        write(three, kinds.DEALT_AGAIN, deal=1, redeal="next", again=2)
        assert dealer(three) == LEO

    def test_undoing_a_redeal_brings_the_notes_back(self, match: Match) -> None:
        swept = sweep(match, 1)
        undo(match, write(match, kinds.DEALT_AGAIN, deal=1, redeal="next", again=1))
        assert [entry.id for entry in state_of(match).current.noted] == [swept]
        assert dealer(match) == ANA

    def test_points_that_the_table_agreed_on_stay(self, match: Match) -> None:
        write(match, kinds.ADJUSTED, deal=1, side="B", points=2, reason="a head start")
        write(match, kinds.DEALT_AGAIN, deal=1, redeal="same", again=1)
        assert state_of(match).current.noted_adjustments() == [{"side": "B", "points": 2, "reason": "a head start"}]

    def test_a_deal_has_room_for_a_limited_number_of_redeals(self, match: Match) -> None:
        for again in range(1, DEAL_DEALINGS + 1):
            write(match, kinds.DEALT_AGAIN, deal=1, redeal="same", again=again)
        with pytest.raises(Full, match="dealings"):
            write(match, kinds.DEALT_AGAIN, deal=1, redeal="same", again=DEAL_DEALINGS + 1)


class TestPointsByAgreement:
    def test_adjustments_are_lines_of_the_sheet_and_count(self, match: Match) -> None:
        write(match, kinds.ADJUSTED, deal=1, side="A", points=-2, reason="played out of turn")
        close(match, 1, A=5, B=3)
        standing = standing_of(match)
        assert standing.totals == {"A": 3, "B": 3}
        assert [line["item"] for line in standing.result["sheets"][0]["lines"]] == ["points", "adjustment"]

    def test_a_deal_entered_in_points_becomes_a_full_sheet_later(self, match: Match) -> None:
        first = close(match, 1, A=4, B=1)
        full = {"awards": {"cards": "A", "coins": "A", "seven_of_coins": "B", "two_of_clubs": "A", "prime": "B"}}
        with writing():
            entries = [
                NewEntry(kinds.VOIDED, {"entry": first}),
                NewEntry(kinds.DEAL_CLOSED, {"deal": 1, "facts": full}),
            ]  # type: ignore[typeddict-item]
            commands.record(match, entries)
        assert len(standing_of(match).result["sheets"][0]["lines"]) > 4

    def test_a_deal_has_room_for_a_limited_number_of_adjustments(self, match: Match) -> None:
        for _time in range(DEAL_ADJUSTMENTS):
            write(match, kinds.ADJUSTED, deal=1, side="A", points=1, reason="again")
        with pytest.raises(Full, match="adjustments"):
            write(match, kinds.ADJUSTED, deal=1, side="A", points=1, reason="again")


class TestWhoPlays:
    def test_seats_change_while_no_deal_is_closed(self, pairs: Match) -> None:
        sides = [{"label": "A", "players": [ANA, BETO]}, {"label": "B", "players": [LEO, CATA]}]
        write(pairs, kinds.SEATED, sides=sides, first_dealer=1)
        state = state_of(pairs)
        assert state.setup.seats == [ANA, LEO, BETO, CATA]
        assert dealer(pairs) == LEO

    def test_a_substitute_takes_the_seat_and_the_turn(self, pairs: Match, table: Table) -> None:
        close(pairs, 1, A=3, B=1)
        with writing():
            (dora,) = commands.seat_players(table, ["Dora"])
        write(pairs, kinds.SUBSTITUTED, deal=2, player=dora, other=BETO)
        state = state_of(pairs)
        assert state.setup.seats == [ANA, dora, LEO, CATA]
        assert [deal.setup.seats[1] for deal in state.deals] == [BETO, dora]
        assert dealer(pairs) == dora

    def test_figures_count_only_what_each_has_played(self, pairs: Match, table: Table) -> None:
        with writing():
            (dora,) = commands.seat_players(table, ["Dora"])
        close(pairs, 1, A=3, B=5)
        write(pairs, kinds.SUBSTITUTED, deal=2, player=dora, other=BETO)
        close(pairs, 2, A=1, B=16)
        summary = db.session.get_one(MatchSummary, (table.id, 1))
        beto, new, cata = (record_of(number, [summary]) for number in (BETO, dora, CATA))
        assert (beto.games["chorizo"].deals, beto.games["chorizo"].points) == (1, 5)
        assert (new.games["chorizo"].deals, new.games["chorizo"].points) == (1, 16)
        assert (cata.games["chorizo"].deals, cata.games["chorizo"].points) == (2, 21)
        assert (beto.won, new.won, cata.won) == (0, 1, 1)

    def test_a_latecomer_enters_with_agreed_points(self, pad: Match, table: Table) -> None:
        close(pad, 1, A=3, B=5, C=1)
        with writing():
            (dora,) = commands.seat_players(table, ["Dora"])
        write(pad, kinds.ENTERED, deal=2, side="D", player=dora, points=2)
        close(pad, 2, A=1, B=1, C=1, D=4)
        standing = standing_of(pad)
        assert standing.totals == {"A": 4, "B": 6, "C": 2, "D": 6}
        assert standing.course[0] == {"A": 3, "B": 5, "C": 1, "D": 0}

    def test_two_phones_do_not_seat_one_player_twice_or_two_under_one_label(self, pad: Match, table: Table) -> None:
        close(pad, 1, A=3, B=5, C=1)
        with writing():
            dora, eva = commands.seat_players(table, ["Dora", "Eva"])
        write(pad, kinds.ENTERED, deal=2, side="D", player=dora, points=0)
        for side, player in (("E", dora), ("D", eva)):
            with pytest.raises(Stale):
                write(pad, kinds.ENTERED, deal=2, side=side, player=player, points=0)
        with pytest.raises(Stale):
            write(pad, kinds.SUBSTITUTED, deal=2, player=dora, other=BETO)
        write(pad, kinds.LEFT, deal=2, side="D")
        with pytest.raises(Stale):
            write(pad, kinds.LEFT, deal=2, side="D")

    def test_the_label_of_who_left_is_given_to_nobody_again(self, pad: Match, table: Table) -> None:
        close(pad, 1, A=3, B=5, C=1)
        write(pad, kinds.LEFT, deal=2, side="C")
        close(pad, 2, A=3, B=5)
        with writing():
            (dora,) = commands.seat_players(table, ["Dora"])
        with pytest.raises(Stale):
            write(pad, kinds.ENTERED, deal=3, side="C", player=dora, points=0)
        write(pad, kinds.ENTERED, deal=3, side="D", player=dora, points=0)

    def test_who_leaves_keeps_the_total_and_wins_no_more(self, pad: Match, table: Table) -> None:
        close(pad, 1, A=3, B=50, C=1)
        write(pad, kinds.LEFT, deal=2, side="B")
        close(pad, 2, A=4, C=9)
        write(pad, kinds.MATCH_ENDED)
        standing = standing_of(pad)
        assert standing.totals == {"A": 7, "B": 50, "C": 10}
        assert standing.winners == ["C"]
        summary = db.session.get_one(MatchSummary, (table.id, 1))
        assert record_of(BETO, [summary]).games["free"].deals == 1

    def test_the_turn_of_who_leaves_passes_on(self, pad: Match) -> None:
        close(pad, 1, A=3, B=5, C=1)
        write(pad, kinds.LEFT, deal=2, side="B")
        assert dealer(pad) == LEO


class TestWhatAClosedDealWasPlayedBy:
    """Who sat there and who dealt is not taken back any more once the deal is closed: its sheet rests on it."""

    def test_a_substitution_before_a_closed_deal_is_not_undone(self, pairs: Match, table: Table) -> None:
        with writing():
            (dora,) = commands.seat_players(table, ["Dora"])
        entry = write(pairs, kinds.SUBSTITUTED, deal=1, player=dora, other=BETO)
        close(pairs, 1, A=3, B=5)
        with pytest.raises(Stale):
            undo(pairs, entry)

    def test_no_player_or_seat_of_a_closed_deal_changes_afterwards(self, pairs: Match, table: Table) -> None:
        with writing():
            (dora,) = commands.seat_players(table, ["Dora"])
        close(pairs, 1, A=3, B=5)
        sides = [{"label": "A", "players": [ANA, BETO]}, {"label": "B", "players": [LEO, CATA]}]
        with pytest.raises(Stale):
            write(pairs, kinds.SUBSTITUTED, deal=1, player=dora, other=BETO)
        with pytest.raises(Stale):
            write(pairs, kinds.SEATED, sides=sides, first_dealer=1)

    def test_a_departure_before_a_closed_deal_is_not_undone(self, pad: Match) -> None:
        entry = write(pad, kinds.LEFT, deal=1, side="B")
        close(pad, 1, A=3, C=5)
        with pytest.raises(Stale):
            undo(pad, entry)

    def test_the_dealer_of_a_closed_deal_is_not_undone(self, three: Match) -> None:
        entry = write(three, kinds.DEALT, deal=1, player=LEO)
        close(three, 1, A=1, B=0, C=0)
        with pytest.raises(Stale):
            undo(three, entry)
        later = write(three, kinds.DEALT, deal=2, player=BETO)
        undo(three, later)


class TestOtherRules:
    def propose(self, match: Match, **options: Any) -> str:
        return write(match, kinds.RULES_PROPOSED, author="A", options=options)

    def test_other_rules_are_valid_once_every_side_has_said_yes(self, three: Match) -> None:
        asked = self.propose(three, target=31)
        write(three, kinds.RULES_ACCEPTED, side="B", asked=asked)
        assert state_of(three).setup.options["target"] == 21
        write(three, kinds.RULES_ACCEPTED, side="C", asked=asked)
        assert state_of(three).setup.options["target"] == 31
        assert state_of(three).proposal is None

    def test_other_rules_are_valid_from_the_next_deal_if_this_one_has_begun(self, match: Match) -> None:
        sweep(match, 1)
        write(match, kinds.RULES_ACCEPTED, side="B", asked=self.propose(match, target=31))
        assert state_of(match).setup.options["target"] == 21
        close(match, 1, A=1, B=1)
        assert state_of(match).setup.options["target"] == 31

    def test_other_rules_do_not_change_closed_deals(self, match: Match) -> None:
        facts = {"awards": {"cards": "A", "coins": "A", "seven_of_coins": "A", "two_of_clubs": "A", "prime": "B"}}
        write(match, kinds.DEAL_CLOSED, deal=1, facts=facts)
        before = standing_of(match).totals
        write(match, kinds.RULES_ACCEPTED, side="B", asked=self.propose(match, pts_two_of_clubs=0))
        del facts["awards"]["two_of_clubs"]
        write(match, kinds.DEAL_CLOSED, deal=2, facts=facts)
        standing = standing_of(match)
        assert standing.result["sheets"][0]["points"] == before
        assert standing.totals["A"] == before["A"] * 2 - 4
        assert standing.result["sheets"][1]["options"]["pts_two_of_clubs"] == 0

    def test_a_no_leaves_the_rules_unchanged(self, match: Match) -> None:
        asked = self.propose(match, target=31)
        write(match, kinds.RULES_DECLINED, side="B", asked=asked)
        write(match, kinds.RULES_ACCEPTED, side="B", asked=asked)
        assert state_of(match).setup.options["target"] == 21
        assert state_of(match).proposal is None

    def test_options_that_the_game_does_not_have_are_not_proposed(self, match: Match) -> None:
        for options in ({"pts_two_of_clubs": 6}, {"pts_nonsense": 1}):
            with pytest.raises(BrokenMatch):
                self.propose(match, **options)

    def test_changed_rules_are_undone_in_one_step_if_no_side_has_a_voice(self, match: Match) -> None:
        write(match, kinds.RULES_ACCEPTED, side="B", asked=self.propose(match, target=31))
        (changed,) = state_of(match).changes
        undo(match, changed.id)
        assert state_of(match).setup.options["target"] == 21

    def test_nobody_undoes_alone_what_the_phones_of_both_sides_agreed_to(self, match: Match) -> None:
        write(match, kinds.PHONE_HELD, device="b" * 22, player=BETO)
        on_beto = {"author": "B", "device": "b" * 22}
        write(match, kinds.RULES_ACCEPTED, **on_beto, side="B", asked=self.propose(match, target=31))
        (changed,) = state_of(match).changes
        with pytest.raises((Locked, NotTheirVoice)), writing():
            commands.undo(match, changed.id, device="a" * 22, author="A")
        assert state_of(match).setup.options["target"] == 31


class TestALife:
    def test_the_match_last_taken_up_is_the_one_being_played(self, table: Table) -> None:
        with writing():
            first = start(table)
        with writing():
            start(table)
        write(first, kinds.MATCH_RESUMED)
        current = queries.current_match(table)
        assert current is not None
        assert current.number == 1
        with writing():
            assert start(table).number == 3
        current = queries.current_match(table)
        assert current is not None
        assert current.number == 3

    def test_cut_with_a_leader_it_is_won_and_without_one_it_counts_for_nobody(self, table: Table) -> None:
        for leader in (True, False):
            with writing():
                match = start(table)
            close(match, 1, A=3, B=1)
            write(match, kinds.MATCH_ENDED, **({"leader": True} if leader else {}))
            summary = db.session.get_one(MatchSummary, (table.id, match.number))
            assert (summary.status, summary.winners) == (("won", ["A"]) if leader else ("ended", []))

    def test_a_deleted_match_is_hidden_and_comes_back_as_it_was(self, table: Table, match: Match) -> None:
        close(match, 1, A=3, B=1)
        with writing():
            deleted.hide(table, match)
        assert queries.match_by_number(table, 1) is None
        assert queries.current_match(table) is None
        assert queries.history(table, size=5) == ([], None)
        assert [one.number for one in deleted.deleted_matches(table)] == [1]
        with pytest.raises(Gone):
            sweep(match, 2)
        with writing():
            deleted.bring_back(table, 1)
        (summary,), _more = queries.history(table, size=5)
        assert summary.totals == {"A": 3, "B": 1}
        sweep(match, 2)

    def test_no_match_gets_the_number_of_a_deleted_one(self, table: Table, match: Match) -> None:
        with writing():
            deleted.hide(table, match)
        with writing():
            assert start(table).number == 2

    def test_deleted_twice_it_was_deleted_the_first_time(self, table: Table, match: Match) -> None:
        hours_ago = now() - timedelta(hours=2)
        with writing():
            match.deleted_at = hours_ago
        with writing():
            deleted.hide(table, match)
        assert match.deleted_at == hours_ago
        assert deleted.newest_deletion(table) == (match.number, hours_ago)

    def test_the_rows_of_a_deleted_match_go_with_the_first_entry_after_a_day(self, table: Table) -> None:
        with writing():
            another = start(commands.open_table("Another table", str(uuid4())))
        with writing():
            first = start(table)
        with writing():
            second = start(table)
        with writing():
            deleted.hide(table, first)
        sweep(second, 1)
        assert db.session.scalar(select(func.count()).select_from(Entry).where(Entry.match == 1)) == 2
        with writing():
            first.deleted_at = now() - timedelta(hours=25)
        with pytest.raises(Gone), writing():
            deleted.bring_back(table, 1)
        assert (deleted.newest_deletion(table), list(deleted.deleted_matches(table))) == (None, [])
        sweep(second, 1)
        for column in (Entry.match, Match.number):
            key = Entry.table_id if column is Entry.match else Match.table_id
            left = db.session.scalars(select(key).where(column == 1)).all()
            assert left == [another.table_id], "that of another table has the same number, and stays"
        with writing():
            assert start(table).number == 3
