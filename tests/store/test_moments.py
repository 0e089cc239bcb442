"""Every write at a table moves the table's moment, by which its pages are cached; nothing else moves it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
import sqlalchemy as sa
from flask import Flask
from hypothesis import HealthCheck, given, settings

from scorekeeper.limits import DELETED_HOURS, FORGET_HOURS
from scorekeeper.store import commands, deleted, expiry, heard, links, moments, moved, ownership, people, summaries
from scorekeeper.store.db import MOVE_MOMENT, db, writing
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import NewEntry
from scorekeeper.store.models import Match, Moment, Player, Table, new_key, now
from scorekeeper.store.table_file import jobs

from ..helpers import draws
from ..helpers.databases import on_both
from ..helpers.evenings import Evening, long_evenings
from ..helpers.table_files import file_of, taken_in
from ..web.test_same_pages import EVERYTHING
from .conftest import start

pytestmark = [on_both, pytest.mark.whole]

Rows = dict[str, list[Any]]
SHOWN_BY_NO_PAGE = frozenset({"heard_phones", "moments", "imports"})
OF_NO_PAGE = frozenset({"opened_in", "expires_on"})


def rows_of(table_id: int) -> Rows:
    """Return all rows of a table from which its pages follow."""
    db.session.rollback()
    found: Rows = {}
    for rows in db.metadata.sorted_tables:
        if rows.name not in SHOWN_BY_NO_PAGE and (rows.name == "tables" or "table_id" in rows.c):
            own = rows.c.id if rows.name == "tables" else rows.c.table_id
            columns = [column for column in rows.c if column.name not in OF_NO_PAGE]
            found[rows.name] = sorted(map(repr, db.session.execute(sa.select(*columns).where(own == table_id))))
    db.session.rollback()
    return found


def moment_of(table_id: int) -> int:
    db.session.rollback()
    number = db.session.scalar(sa.select(Moment.number).where(Moment.table_id == table_id)) or 0
    db.session.rollback()
    return number


def assert_moves(table_id: int, do: Callable[..., object], *given: Any) -> bool:
    """Do something, and return whether rows of a table have changed by it: then its moment has moved."""
    rows, moment = rows_of(table_id), moment_of(table_id)
    do(*given)
    has_changed = rows_of(table_id) != rows
    assert moment_of(table_id) > moment or not has_changed, given
    return has_changed


def written(do: Callable[..., object], *given: Any, **how: Any) -> Callable[[], None]:
    def write() -> None:
        with writing():
            do(*given, **how)

    return write


def tap(match: Match) -> None:
    commands.record(match, [NewEntry(kinds.SWEPT, {"deal": 1, "side": "A", "count": 1})])


def test_every_act_of_an_evening_moves_the_moment(app: Flask) -> None:
    evening = Evening()
    for act in EVERYTHING.split(","):
        what, pick = act.split()
        assert assert_moves(evening.table.id, evening.do, what, int(pick)), act


@pytest.mark.whole
@given(long_evenings)
@settings(max_examples=draws.examples(3), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_evening_changes_a_table_without_its_moment(app: Flask, done: list[tuple[str, int]]) -> None:
    evening = Evening()
    for act, pick in done:
        assert_moves(evening.table.id, evening.do, act, pick)


def test_what_an_owner_does_moves_the_moment(app: Flask, table: Table, match: Match) -> None:
    key = table.play_key
    for do in (
        written(ownership.rename_table, table, "Thursdays", str(uuid4())),
        written(ownership.rename_player, table, 1, "Anita", str(uuid4())),
        written(ownership.give_zone, table, "America/Montevideo"),
        written(ownership.set_zone, table, "Asia/Tokyo"),
        written(ownership.renew_key, table, "play", key, new_key()),
        written(people.mark_guest, table, 2, is_guest=True),
        written(people.forget, table, 2, str(uuid4())),
        written(people.bring_back, table, 2, str(uuid4())),
        written(deleted.hide, table, match),
        written(deleted.bring_back, table, match.number),
        written(moved.close, table, "https://cards.example/t/key"),
        written(moved.open_again, table),
    ):
        assert assert_moves(table.id, do)


def test_two_made_one_and_made_two_again_move_the_moment(table: Table, match: Match) -> None:
    with writing():
        start(table, names=("Leo", "Cata"))
    assert assert_moves(table.id, written(people.merge, table, 3, 1, str(uuid4())))
    assert assert_moves(table.id, written(people.separate, table, 3, str(uuid4())))


def test_what_goes_by_itself_with_a_write_moves_the_moment(table: Table, match: Match) -> None:
    with writing():
        other = start(table)
        people.forget(table, 2, str(uuid4()))
        deleted.hide(table, match)
    with writing():
        match.deleted_at = now() - timedelta(hours=DELETED_HOURS + 1)
        db.session.get_one(Player, (table.id, 2)).forgotten_at = now() - timedelta(hours=FORGET_HOURS + 1)
    assert assert_moves(table.id, written(tap, other))


def test_a_rebuild_moves_the_moment_of_each_table(table: Table, match: Match) -> None:
    db.session.execute(sa.text("UPDATE match_summaries SET deals = 7"))
    db.session.execute(sa.text("DELETE FROM seats"))
    db.session.commit()
    assert assert_moves(table.id, lambda: list(summaries.rebuild()))


def test_a_table_of_a_file_has_its_moment(table: Table, match: Match) -> None:
    written(tap, match)()
    made = taken_in(file_of(table))
    assert moment_of(made.id) > 0


def test_a_file_that_is_given_up_leaves_no_moment(table: Table, match: Match) -> None:
    written(tap, match)()
    form = str(uuid4())
    jobs.begin(form, file_of(table), "here")
    assert db.session.scalar(sa.select(sa.func.count()).select_from(Moment)) == 2
    jobs.forget(form)
    assert list(db.session.scalars(sa.select(Moment.table_id))) == [table.id]


def test_a_deleted_table_leaves_no_moment(table: Table, match: Match) -> None:
    own = table.id
    assert moment_of(own)
    written(ownership.delete_table, table)()
    assert moment_of(own) == 0
    assert list(db.session.scalars(sa.select(Moment.table_id))) == []


def test_a_write_at_one_table_moves_no_other(table: Table, match: Match) -> None:
    with writing():
        other = commands.open_table("Los viernes", str(uuid4()))
    before = moment_of(other.id)
    written(tap, match)()
    assert moment_of(other.id) == before


def test_what_is_taken_back_moves_nothing(table: Table, match: Match) -> None:
    before = moment_of(table.id)

    def tap_and_fail(match: Match) -> None:
        tap(match)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        written(tap_and_fail, match)()
    assert moment_of(table.id) == before
    with writing():
        pass
    assert moment_of(table.id) == before


def test_the_same_post_sent_twice_moves_it_once(table: Table, match: Match) -> None:
    entry = NewEntry(kinds.SWEPT, {"deal": 1, "side": "A", "count": 1}, str(uuid4()))
    written(commands.record, match, [entry])()
    before = moment_of(table.id)
    written(commands.record, match, [entry])()
    assert moment_of(table.id) == before


def test_a_phone_that_is_heard_and_a_table_that_is_opened_move_nothing(table: Table, match: Match) -> None:
    before = moment_of(table.id)
    heard.note(table.id, new_key(), is_used=True)
    expiry.note_opening(table.id)
    links.seal_anew()
    assert moment_of(table.id) == before


def test_a_moment_is_later_than_any_that_was_lost_with_a_copy_put_back(table: Table, match: Match) -> None:
    before = moment_of(table.id)
    db.session.execute(sa.update(Moment).values(number=1))
    db.session.commit()
    written(tap, match)()
    assert moment_of(table.id) > before
    ahead = 1 << 45
    db.session.execute(sa.update(Moment).values(number=ahead))
    db.session.execute(MOVE_MOMENT, {"of_table": table.id, "at_least": 5})
    db.session.commit()
    assert moment_of(table.id) == ahead + 1


def test_a_table_without_a_row_is_at_0_and_gets_one_with_the_next_write(table: Table, match: Match) -> None:
    db.session.execute(sa.delete(Moment))
    db.session.commit()
    assert moments.of_table(table).moment == 0
    written(tap, match)()
    assert moments.of_table(table).moment > 0


def test_a_table_without_a_match_has_a_moment(table: Table) -> None:
    assert moments.of_table(table)[1:] == (None, None)
    assert moments.of_match(table, 1) is None
