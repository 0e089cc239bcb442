"""The first question of a page is answered by one statement, alike on both databases."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from scorekeeper.store import commands, deleted, direct, people
from scorekeeper.store.db import db, writing
from scorekeeper.store.direct import Facts
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import NewEntry
from scorekeeper.store.models import Match, Table

from ..helpers.databases import on_both
from .conftest import start

pytestmark = on_both


def found(table: Table, number: int | None = None) -> Facts:
    facts = direct.facts_of("play", table.play_key, number)
    assert facts is not None
    return facts


def sweep(match: Match) -> None:
    tap = NewEntry(kinds.SWEPT, {"deal": 1, "side": "A", "count": 1})
    commands.write(match, lambda: commands.draft(match, [tap]))


def guest(table: Table) -> None:
    people.mark_guest(table, 3, is_guest=True)


def merged(table: Table) -> None:
    people.merge(table, 4, 3, str(uuid4()))


def forgotten(table: Table) -> None:
    people.forget(table, 1, str(uuid4()))


def brought_back(table: Table) -> None:
    people.bring_back(table, 1, str(uuid4()))


def test_the_facts_are_those_of_the_table_and_of_the_match_asked_for(table: Table, match: Match) -> None:
    sweep(match)
    with writing():
        newer = start(table)
    facts = found(table)
    assert (facts.table, facts.name, facts.match, facts.head) == (table.id, "Los jueves", newer.number, 1)
    facts = found(table, match.number)
    assert (facts.table, facts.name, facts.match, facts.head) == (table.id, "Los jueves", match.number, 2)
    assert facts.current == newer.number
    assert facts.moved_to is None


@pytest.mark.parametrize("link", ["play", "watch", "owner"])
def test_each_link_leads_to_the_facts_of_its_table_alone(table: Table, match: Match, link: str) -> None:
    with writing():
        start(commands.open_table("Los viernes", str(uuid4())))
    keys = {"play": table.play_key, "watch": table.watch_key, "owner": table.owner_key}
    assert direct.facts_of(link, keys[link]) == found(table)
    others = [other for other in keys if other != link]
    assert [direct.facts_of(other, keys[link]) for other in others] == [None, None]


def test_what_is_written_about_a_player_changes_the_facts(table: Table, match: Match) -> None:
    with writing():
        commands.seat_players(table, ["Leo", "Cata"])
    seen = [found(table)]
    for do in (guest, merged, forgotten, brought_back):
        with writing():
            do(table)
        assert found(table) == found(table)
        seen.append(found(table))
    assert all(one != other for place, one in enumerate(seen) for other in seen[:place])
    assert {(one.table, one.name, one.match) for one in seen} == {(table.id, "Los jueves", 1)}


def test_a_plain_write_changes_the_facts_of_every_match_of_its_table(table: Table, match: Match) -> None:
    with writing():
        newer = start(table)
    before = found(table, newer.number)
    sweep(match)
    after = found(table, newer.number)
    assert before != after
    assert (after.match, after.head) == (before.match, before.head)


def test_where_there_is_no_table_or_no_match_there_are_no_facts(table: Table, match: Match) -> None:
    with writing():
        start(table)
    assert direct.facts_of("play", "nothing") is None
    assert direct.facts_of("play", table.play_key, 3) is None
    with writing():
        deleted.hide(table, db.session.get_one(Match, (table.id, 2)))
    assert direct.facts_of("play", table.play_key, 2) is None
    assert found(table).match == 1


def test_the_facts_are_those_of_now_beside_a_session_that_reads(table: Table, match: Match) -> None:
    before: Any = found(table)
    assert db.session.get_one(Match, (table.id, 1)).head == before.head
    sweep(match)
    db.session.get_one(Match, (table.id, 1))
    assert found(table).head == before.head + 1
