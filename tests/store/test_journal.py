"""The journal: appended, never overwritten; a repeated post is one entry."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorekeeper.store import commands
from scorekeeper.store.db import writing
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import NewEntry, NoSuchEntry, Stale, append, entries_of, voiding
from scorekeeper.store.journal.replay import replay
from scorekeeper.store.models import Match, Table

from ..helpers.databases import on_both
from .conftest import start

pytestmark = on_both


def sweep(side: str, deal: int = 1) -> NewEntry:
    return NewEntry(kinds.SWEPT, {"deal": deal, "side": side, "count": 1})


def write(match: Match, *new: NewEntry, **how: Any) -> bool:
    with writing():
        return commands.record(match, new, **how)


def kinds_in(match: Match) -> list[str]:
    return [entry.kind for entry in entries_of(match)]


def test_entries_are_numbered_in_the_order_they_arrive(match: Match) -> None:
    write(match, sweep("A"), sweep("B"))
    write(match, sweep("A"))
    assert [entry.seq for entry in entries_of(match)] == [1, 2, 3, 4]
    assert match.head == 4


def test_each_match_has_its_own_order(table: Table, match: Match) -> None:
    with writing():
        other = start(table)
    write(match, sweep("A"))
    assert (match.number, match.head) == (1, 2)
    assert (other.number, other.head) == (2, 1)


def test_a_repeated_post_is_one_entry(match: Match) -> None:
    once = sweep("A")
    assert write(match, once)
    assert not write(match, once)
    assert kinds_in(match) == ["match_started", "swept"]


def test_a_used_id_with_something_else_in_it_is_refused(match: Match) -> None:
    once = sweep("A")
    write(match, once)
    with pytest.raises(Stale):
        write(match, NewEntry(kinds.SWEPT, {"deal": 1, "side": "B", "count": 1}, id=once.id))
    assert replay(entries_of(match)).current.facts()["sweeps"] == {"A": 1}


def test_a_form_drawn_before_someone_else_wrote_is_stale_and_says_what_was_written(match: Match) -> None:
    drawn_from = match.head
    write(match, sweep("A"))
    with pytest.raises(Stale) as refused:
        write(match, sweep("B"), drawn_from=drawn_from)
    assert [entry.payload["side"] for entry in refused.value.since] == ["A"]
    assert kinds_in(match) == ["match_started", "swept"]


def test_a_repeated_post_of_a_form_that_is_stale_by_now_is_still_the_same_entry(match: Match) -> None:
    once, drawn_from = sweep("A"), match.head
    write(match, once, drawn_from=drawn_from)
    write(match, sweep("B"))
    assert not write(match, once, drawn_from=drawn_from)


def test_sweeps_of_two_phones_add_up(match: Match) -> None:
    write(match, sweep("A"))
    write(match, sweep("A"))
    write(match, sweep("B"))
    assert replay(entries_of(match)).current.facts()["sweeps"] == {"A": 2, "B": 1}


def test_voiding_names_one_entry_and_not_the_last(match: Match) -> None:
    first, second = sweep("A"), sweep("B")
    write(match, first, second)
    with writing():
        commands.undo(match, first.id)
    assert replay(entries_of(match)).current.facts()["sweeps"] == {"B": 1}
    assert kinds_in(match) == ["match_started", "swept", "swept", "voided"]


def test_voiding_twice_voids_once(match: Match) -> None:
    first = sweep("A")
    write(match, first)
    with writing():
        assert commands.undo(match, first.id)
        assert not commands.undo(match, first.id)
    assert kinds_in(match) == ["match_started", "swept", "voided"]


@pytest.mark.parametrize("of_which", ["nothing", "match_started", "another match"])
def test_what_cannot_be_voided(table: Table, match: Match, of_which: str) -> None:
    with writing():
        other = start(table)
    write(other, sweep("A"))
    entry_id = {
        "nothing": str(uuid4()),
        "match_started": entries_of(match)[0].id,
        "another match": entries_of(other)[-1].id,
    }[of_which]
    with pytest.raises(NoSuchEntry), writing():
        commands.undo(match, entry_id)


def test_a_started_match_posted_again_is_the_same_match(table: Table) -> None:
    form = str(uuid4())
    with writing():
        first = start(table, form)
    with writing():
        again = start(table, form)
    assert again.number == first.number


def test_the_newest_note_of_the_layout_counts(match: Match) -> None:
    write(match, NewEntry(kinds.LAYOUT_NOTED, {"deal": 1, "layout": ["2O", "3C", "4E", "6B"]}))
    write(match, NewEntry(kinds.LAYOUT_NOTED, {"deal": 1, "layout_result": "30"}))
    assert replay(entries_of(match)).current.facts() == {"layout_result": "30"}


def test_partners_sit_opposite_and_the_deal_goes_round(table: Table) -> None:
    with writing():
        match = start(table, per_side=2)
    for number in (1, 2, 3):
        write(match, NewEntry(kinds.DEAL_CLOSED, {"deal": number, "facts": {}}))
    state = replay(entries_of(match))
    assert state.setup.seats == [1, 2, 3, 4]
    assert [side.players for side in state.setup.sides] == [(1, 3), (2, 4)]
    assert [deal.dealer_seat for deal in state.deals] == [0, 1, 2, 3]
    assert state.deal_request(state.deals[2])["dealer"] == "A"


def test_a_redeal_by_the_same_dealer_keeps_the_seat(match: Match) -> None:
    write(match, NewEntry(kinds.DEAL_CLOSED, {"deal": 1, "facts": {}, "redeal": "same"}))
    assert replay(entries_of(match)).current.dealer_seat == 0


def test_a_deal_reopened_in_the_middle_keeps_its_place_and_its_dealer(match: Match) -> None:
    closings = [NewEntry(kinds.DEAL_CLOSED, {"deal": number, "facts": {}}) for number in (1, 2, 3)]
    write(match, *closings)
    with writing():
        append(match, voiding(entries_of(match), closings[1].id))
    state = replay(entries_of(match))
    assert state.current.number == 2
    assert state.current.former is not None
    assert [deal.number for deal in state.closed] == [1, 3]
    assert [deal.dealer_seat for deal in state.deals] == [0, 1, 0]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_replay_after_a_void_equals_never_written(table: Table, data: st.DataObject) -> None:
    with writing():
        match = start(table)
        plain = start(table)
    sides = data.draw(st.lists(st.sampled_from("AB"), min_size=1, max_size=6))
    gone = data.draw(st.integers(0, len(sides) - 1))
    told = [sweep(side) for side in sides]
    write(match, *told)
    write(plain, *[sweep(side) for index, side in enumerate(sides) if index != gone])
    with writing():
        commands.undo(match, told[gone].id)
    assert replay(entries_of(match)).current.facts() == replay(entries_of(plain)).current.facts()
