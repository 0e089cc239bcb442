"""A pad that counts at once: the tap that reaches the target ends the match, and its undo opens both again."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper import rules
from scorekeeper.limits import TAPPED_NOTES
from scorekeeper.rules import contract
from scorekeeper.store import commands
from scorekeeper.store.db import db, writing
from scorekeeper.store.journal import entries, kinds
from scorekeeper.store.journal.entries import Full, NewEntry, entries_of
from scorekeeper.store.journal.match_setup import Setup, sides_of
from scorekeeper.store.journal.replay import replay
from scorekeeper.store.models import Match, MatchSummary
from scorekeeper.store.standings import Standing, standing_of


def pad(sides: int = 2, own_lines: tuple[contract.OwnLine, ...] = (), **options: Any) -> Match:
    """Return a match on the pad that counts at once, of so many sides."""
    asked: Any = {
        "game": "free",
        "options": {"count": "at_once", **options},
        "sides": [chr(ord("A") + side) for side in range(sides)],
    }
    agreed, problems = rules.agree(asked)
    assert agreed is not None, problems.as_json()
    with writing():
        table = commands.open_table("Pad", "00000000-0000-4000-8000-000000000099")
        numbers = commands.seat_players(table, [f"Player {side}" for side in range(sides)])
        seated = sides_of([[number] for number in numbers])
        setup = Setup("free", "free", agreed, seated, 0, own_lines=own_lines)
        return commands.start_match(table, "00000000-0000-4000-8000-000000000098", setup)


def tap(match: Match, side: str, points: int) -> str:
    """Tap points for a side; return the id of the entry."""
    new = NewEntry(
        kinds.POINTS_NOTED, {"deal": standing_of(match).state.current.number, "side": side, "points": points}
    )
    commands.write(match, lambda: commands.draft(match, [new]))
    db.session.expire_all()
    return new.id


def undo(match: Match, entry_id: str) -> Standing:
    """Take an entry back, and return where the match stands."""
    commands.write(match, lambda: commands.draft_undo(match, entry_id))
    db.session.expire_all()
    return standing_of(match)


def summary(match: Match) -> MatchSummary:
    """Return what history has of the match."""
    return db.session.get_one(MatchSummary, (match.table_id, match.number))


def test_the_tap_that_reaches_the_target_ends_the_match() -> None:
    match = pad(end="target", target=10)
    tap(match, "B", 3)
    tap(match, "A", 9)
    tap(match, "A", 1)
    standing = standing_of(match)
    assert standing.winners == ["A"]
    assert standing.totals == {"A": 10, "B": 3}
    assert [deal.number for deal in standing.state.closed] == [1]
    assert summary(match).status == "won"


@pytest.mark.parametrize("which", ["tap", "closing"])
def test_its_undo_opens_round_and_match_again(which: str) -> None:
    match = pad(end="target", target=10)
    tap(match, "B", 3)
    last = tap(match, "A", 10)
    closing = standing_of(match).state.closed[0].closed
    assert closing is not None
    standing = undo(match, last if which == "tap" else closing.id)
    assert not standing.is_over
    assert standing.totals == {"A": 0, "B": 3}
    assert not standing.state.closed
    assert summary(match).status == "playing"
    tap(match, "A", 10)
    assert standing_of(match).winners == ["A"]


def test_an_earlier_tap_taken_back_opens_the_match_where_the_target_is_missed() -> None:
    match = pad(end="target", target=10)
    first = tap(match, "A", 4)
    tap(match, "A", 6)
    standing = undo(match, first)
    assert not standing.is_over
    assert standing.totals == {"A": 6, "B": 0}


def test_a_tap_taken_back_may_leave_the_match_won() -> None:
    match = pad(end="target", target=10)
    other = tap(match, "B", 2)
    tap(match, "A", 10)
    standing = undo(match, other)
    assert standing.winners == ["A"]
    assert standing.totals == {"A": 10, "B": 0}


def test_with_the_lowest_who_reaches_the_target_loses() -> None:
    match = pad(3, end="target", target=10, winner="lowest")
    tap(match, "B", 2)
    tap(match, "C", 1)
    tap(match, "A", 11)
    assert standing_of(match).winners == ["C"]


def test_a_tie_at_the_target_is_played_on() -> None:
    match = pad(3, end="target", target=10, winner="lowest")
    tap(match, "A", 10)
    assert not standing_of(match).is_over
    tap(match, "B", 1)
    assert standing_of(match).winners == ["C"]


@pytest.mark.parametrize("options", [{}, {"end": "rounds", "rounds": 2}, {"end": "manual"}])
def test_without_a_target_no_tap_ends_a_match(options: dict[str, Any]) -> None:
    match = pad(**options)
    for _turn in range(3):
        tap(match, "A", 999)
    standing = standing_of(match)
    assert not standing.is_over
    assert standing.totals == {"A": 2997, "B": 0}
    assert not standing.state.closed


def test_a_pad_of_rounds_ends_with_its_closing_only() -> None:
    match = pad(end="target", target=10, count="rounds")
    tap(match, "A", 10)
    assert not standing_of(match).is_over
    assert standing_of(match).totals == {"A": 0, "B": 0}


def test_two_phones_that_tap_from_the_same_board_are_both_kept() -> None:
    match = pad(end="target", target=10)
    tap(match, "A", 5)
    one, other = (NewEntry(kinds.POINTS_NOTED, {"deal": 1, "side": side, "points": 2}) for side in "AB")
    drafts = [commands.draft(match, [one])]
    commands.write(match, lambda: commands.draft(match, [other]))
    db.session.expire_all()
    commands.write(match, lambda: drafts.pop() if drafts else commands.draft(match, [one]))
    db.session.expire_all()
    assert standing_of(match).totals == {"A": 7, "B": 2}


def test_two_taps_at_once_that_reach_the_target_together_end_the_match() -> None:
    match = pad(end="target", target=10)
    one, other = (NewEntry(kinds.POINTS_NOTED, {"deal": 1, "side": "A", "points": 5}) for _phone in "12")
    drafts = [commands.draft(match, [one])]
    commands.write(match, lambda: commands.draft(match, [other]))
    db.session.expire_all()
    commands.write(match, lambda: drafts.pop() if drafts else commands.draft(match, [one]))
    db.session.expire_all()
    assert standing_of(match).winners == ["A"]


def test_the_state_is_that_of_a_replay_of_the_whole_journal() -> None:
    match = pad(end="target", target=10)
    for side, points in (("A", 5), ("B", 5), ("A", -1), ("B", 6)):
        tap(match, side, points)
        assert standing_of(match).state == replay(entries_of(match))


def test_a_round_has_room_for_a_thousand_taps() -> None:
    match = pad()
    with writing():
        commands.record(
            match,
            [NewEntry(kinds.POINTS_NOTED, {"deal": 1, "side": "A", "points": 1}) for _tap in range(TAPPED_NOTES)],
        )
    assert standing_of(match).totals["A"] == TAPPED_NOTES
    with pytest.raises(Full):
        tap(match, "A", 1)
    assert standing_of(match).totals["A"] == TAPPED_NOTES


def test_no_tap_wins_while_nobody_has_said_who_took_a_line_of_the_tables_own() -> None:
    line: contract.OwnLine = {"name": "Flor", "points": 3, "how": "one"}
    match = pad(own_lines=(line,), end="target", target=10)
    tap(match, "B", 2)
    tap(match, "A", 10)
    assert not standing_of(match).is_over
    assert standing_of(match).totals == {"A": 10, "B": 2}


def test_where_a_round_has_a_fixed_sum_the_tap_that_completes_it_wins() -> None:
    match = pad(end="target", target=10, round_sum=0)
    tap(match, "A", 10)
    assert not standing_of(match).is_over
    assert standing_of(match).totals == {"A": 10, "B": 0}
    tap(match, "B", -10)
    assert standing_of(match).winners == ["A"]


def test_a_tap_that_wins_has_room_for_its_closing_or_is_refused_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    match = pad(end="target", target=10)
    tap(match, "A", 9)
    monkeypatch.setattr(entries, "MATCH_ENTRIES", 3)
    with pytest.raises(Full) as full:
        tap(match, "A", 1)
    assert full.value.what == "entries"
    db.session.expire_all()
    assert standing_of(match).totals == {"A": 9, "B": 0}
