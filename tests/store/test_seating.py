"""Who plays, changed and taken back in any order: as many as the game takes, nobody twice, and a file that holds."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorekeeper import rules
from scorekeeper.store import commands, seating
from scorekeeper.store.db import writing
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import JournalError, NewEntry, Stale, TakeBackFirst
from scorekeeper.store.journal.match_setup import Setup, sides_of
from scorekeeper.store.journal.replay import MatchState
from scorekeeper.store.models import Match, Table
from scorekeeper.store.standings import BrokenMatch, standing_of
from scorekeeper.store.table_file.values import Refused

from ..helpers import draws
from .conftest import start
from .test_table_file_in import as_bytes, file_of, taken_in

MOST = 10
"""The most sides of the free pad."""
ANA, BETO, LEO, CATA = 1, 2, 3, 4
NAMES = [f"Player {number}" for number in range(1, MOST + 5)]
NEWCOMER, ANOTHER = MOST + 1, MOST + 2


def pad_of(table: Table, sides: int, per_side: int = 1) -> Match:
    """Start a match of the free pad. Everybody whom a test needs is known at the table."""
    labels = [chr(ord("A") + side) for side in range(sides)]
    options = rules.agree({"game": "free", "sides": labels, "players_per_side": per_side})[0]
    assert options is not None
    with writing():
        numbers = commands.seat_players(table, NAMES)
        seated = sides_of([numbers[side : sides * per_side : sides] for side in range(sides)])
        return commands.start_match(table, str(uuid4()), Setup("free", None, options, seated, first_dealer=0))


def write(match: Match, kind: str, **payload: Any) -> str:
    entry = NewEntry(kind, payload, str(uuid4()))  # type: ignore[arg-type]
    with writing():
        commands.record(match, [entry])
    return entry.id


def undo(match: Match, id: str) -> None:
    with writing():
        commands.undo(match, id)


def in_the_way(match: Match, id: str) -> str:
    """Return the id of the entry that has to be taken back before this one."""
    with pytest.raises(TakeBackFirst) as refused:
        undo(match, id)
    return refused.value.first.id


def state_of(match: Match) -> MatchState:
    return standing_of(match).state


def close(match: Match) -> None:
    deal = state_of(match).current
    points = {label: place for place, label in enumerate(deal.setup.labels)}
    write(match, kinds.DEAL_CLOSED, deal=deal.number, facts={"points": points})


class TestWhatOtherChangesRestOn:
    """It is taken back after them."""

    @pytest.mark.parametrize("deals", [0, 1])
    def test_who_left_does_not_come_back_to_a_full_table(self, table: Table, deals: int) -> None:
        match = pad_of(table, MOST)
        for _deal in range(deals):
            close(match)
        left = write(match, kinds.LEFT, deal=deals + 1, side="B")
        entered = write(match, kinds.ENTERED, deal=deals + 1, side="K", player=NEWCOMER, points=0)
        assert in_the_way(match, left) == entered
        undo(match, entered)
        undo(match, left)
        assert len(state_of(match).setup.sides) == MOST

    def test_who_came_in_is_not_missed_by_the_last_one_who_stays(self, table: Table) -> None:
        match = pad_of(table, 2)
        entered = write(match, kinds.ENTERED, deal=1, side="C", player=NEWCOMER, points=0)
        left = write(match, kinds.LEFT, deal=1, side="A")
        assert in_the_way(match, entered) == left

    def test_who_was_replaced_and_came_in_again_does_not_play_twice(self, table: Table) -> None:
        match = pad_of(table, 3)
        replaced = write(match, kinds.SUBSTITUTED, deal=1, player=NEWCOMER, other=ANA)
        entered = write(match, kinds.ENTERED, deal=1, side="D", player=ANA, points=0)
        assert in_the_way(match, replaced) == entered

    def test_nobody_plays_in_both_pairs(self, table: Table) -> None:
        with writing():
            match = start(table, per_side=2)
            (dora,) = commands.seat_players(table, ["Dora"])
        first = write(match, kinds.SUBSTITUTED, deal=1, player=dora, other=BETO)
        second = write(match, kinds.SUBSTITUTED, deal=1, player=BETO, other=ANA)
        assert in_the_way(match, first) == second
        undo(match, second)
        undo(match, first)
        assert state_of(match).setup.seats == [ANA, BETO, LEO, CATA]

    def test_who_came_in_and_sits_elsewhere_since_stays(self, table: Table) -> None:
        match = pad_of(table, 2)
        entered = write(match, kinds.ENTERED, deal=1, side="C", player=NEWCOMER, points=3)
        sides = [{"label": label, "players": [one]} for label, one in zip("ABC", (NEWCOMER, ANA, BETO), strict=True)]
        seated = write(match, kinds.SEATED, sides=sides, first_dealer=0)
        assert state_of(match).setup.seats == [NEWCOMER, ANA, BETO]
        assert in_the_way(match, entered) == seated
        close(match)
        assert standing_of(match).totals == {"A": 0, "B": 1, "C": 5}

    def test_a_change_on_which_nothing_rests_is_taken_back_in_any_order(self, table: Table) -> None:
        match = pad_of(table, 4)
        left = write(match, kinds.LEFT, deal=1, side="A")
        write(match, kinds.SUBSTITUTED, deal=1, player=NEWCOMER, other=BETO)
        undo(match, left)
        assert state_of(match).setup.seats == [ANA, NEWCOMER, LEO, CATA]


class TestNobodySitsWhereItCannotBe:
    def test_while_a_substitute_has_the_seat(self, table: Table) -> None:
        match = pad_of(table, 2)
        replaced = write(match, kinds.SUBSTITUTED, deal=1, player=NEWCOMER, other=ANA)
        sides = [{"label": "A", "players": [BETO]}, {"label": "B", "players": [ANA]}]
        with pytest.raises(TakeBackFirst) as refused:
            write(match, kinds.SEATED, sides=sides, first_dealer=0)
        assert refused.value.first.id == replaced

    def test_who_comes_now_finds_no_room_that_is_free_only_with_the_next_round(self, table: Table) -> None:
        match = pad_of(table, MOST)
        write(match, kinds.LEFT, deal=2, side="A")
        with pytest.raises(Stale):
            write(match, kinds.ENTERED, deal=1, side="K", player=NEWCOMER, points=0)

    def test_who_leaves_with_the_next_round_takes_no_other_seat_in_this_one(self, table: Table) -> None:
        match = pad_of(table, 3)
        write(match, kinds.LEFT, deal=2, side="A")
        with pytest.raises(Stale):
            write(match, kinds.SUBSTITUTED, deal=1, player=ANA, other=BETO)

    def test_nobody_comes_in_alone_where_pairs_play(self, table: Table) -> None:
        match = pad_of(table, 2, per_side=2)
        with pytest.raises(Stale):
            write(match, kinds.ENTERED, deal=1, side="C", player=NEWCOMER, points=0)


class TestAFileThatNoVersionWrote:
    @pytest.fixture
    def file(self, table: Table) -> dict[str, Any]:
        match = pad_of(table, 3)
        write(match, kinds.LEFT, deal=1, side="A")
        found: dict[str, Any] = json.loads(file_of(table))
        return found

    def leave(self, file: dict[str, Any], *labels: str) -> None:
        entries = file["matches"][0]["entries"]
        for label in labels:
            entries.append({**entries[-1], "id": str(uuid4()), "payload": {"deal": 1, "side": label}})

    def test_leaves_too_few_though_nothing_was_taken_back(self, file: dict[str, Any]) -> None:
        self.leave(file, "B")
        with pytest.raises(Refused):
            taken_in(as_bytes(file))

    def test_closed_a_deal_of_too_few(self, table: Table, file: dict[str, Any]) -> None:
        entries = file["matches"][0]["entries"]
        self.leave(file, "B")
        facts = {"facts": {"points": {"C": 1}}}
        entries.append({**entries[-1], "id": str(uuid4()), "kind": kinds.DEAL_CLOSED, "payload": {"deal": 1, **facts}})
        voids = {"kind": kinds.VOIDED, "payload": {"entry": entries[1]["id"]}}
        with pytest.raises(Refused):
            taken_in(as_bytes({**file, "matches": [{**file["matches"][0], "entries": [*entries]}]}))
        entries.insert(2, {**entries[-1], "id": str(uuid4()), **voids})
        self.leave(file, "A")
        with pytest.raises(Refused):
            taken_in(as_bytes(file))


def unwind(match: Match) -> None:
    """Take the newest change of who plays back until none is left, but for those of closed deals."""
    while True:
        state = state_of(match)
        last = max((deal.number for deal in state.closed), default=0)
        changes = [one for one in seating.seats_that_count(state) if one.payload.get("deal", 1) > last]
        if not changes:
            return
        undo(match, changes[-1].id)


def check_seats(match: Match) -> None:
    """Check that in every deal as many play as can play this game, and nobody twice."""
    state = state_of(match)
    for setup in (*(deal.setup for deal in state.deals), state.setup_to_come):
        problems = rules.Problems()
        assert rules.read_table(state.engine_setup(setup), problems) is not None, list(problems)
        assert len(set(setup.seats)) == len(setup.seats)


acts = st.lists(
    st.tuples(
        st.sampled_from(("enter", "leave", "replace", "sit", "undo", "undo", "undo", "close", "note")),
        st.integers(0, 1),
        st.integers(0, 40),
    ),
    max_size=14,
)


def act(match: Match, what: str, later: int, pick: int) -> None:
    state = state_of(match)
    deal, seats, labels = state.current.number, state.setup.seats, state.setup_to_come.labels
    player = NAMES.index(NAMES[pick % len(NAMES)]) + 1
    counted = seating.seats_that_count(state)
    if what == "enter":
        ever = {side.label for side in (*state.everybody, *state.setup_to_come.sides)}
        side = chr(ord(max(ever)) + 1)
        write(match, kinds.ENTERED, deal=deal + later, side=side, player=player, points=pick)
    elif what == "leave":
        write(match, kinds.LEFT, deal=deal + later, side=labels[pick % len(labels)])
    elif what == "replace":
        write(match, kinds.SUBSTITUTED, deal=deal, player=player, other=seats[pick % len(seats)])
    elif what == "sit" and not state.closed:
        sitting = [*seats[pick % len(seats) :], *seats[: pick % len(seats)]]
        setup = state.setup
        sides = [
            {**side.as_json(), "players": sitting[place :: len(setup.sides)]} for place, side in enumerate(setup.sides)
        ]
        write(match, kinds.SEATED, sides=sides, first_dealer=pick % len(seats))
    elif what == "undo" and counted:
        undo(match, counted[-1 - pick % len(counted)].id)
    elif what == "note":
        write(match, kinds.POINTS_NOTED, deal=deal, side=state.setup.labels[0], points=1)
    elif what == "close":
        close(match)


@pytest.mark.whole
@given(st.sampled_from(((2, 1), (3, 1), (MOST - 1, 1), (MOST, 1), (2, 2))), acts)
@settings(max_examples=draws.examples(30), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_order_of_changes_and_undos_is_a_file_that_is_taken_in(
    line_up: tuple[int, int], done: list[tuple[str, int, int]]
) -> None:
    with writing():
        table = commands.open_table("Los jueves", str(uuid4()))
    match = pad_of(table, *line_up)
    for what, later, pick in done:
        with suppress(JournalError, BrokenMatch):
            act(match, what, later, pick)
        check_seats(match)
    assert file_of(taken_in(file_of(table))) == file_of(table)
    unwind(match)
    check_seats(match)
