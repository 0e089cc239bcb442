"""Tables that nobody opens: announced two months before, deleted on their day, and saved by any opening."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from uuid import uuid4

import pytest
from flask import Flask, current_app
from sqlalchemy import event, update
from sqlalchemy.exc import OperationalError

from scorekeeper.limits import EXPIRY_ANNOUNCED_DAYS, EXPIRY_GAP_DAYS
from scorekeeper.store import commands, expiry
from scorekeeper.store.db import db, writing
from scorekeeper.store.models import Link, Match, Table, this_month

from ..helpers.databases import on_both
from .conftest import start

pytestmark = pytest.mark.whole

TODAY = date(2027, 6, 15)
MONTHS = 12
ANNOUNCED = timedelta(days=EXPIRY_ANNOUNCED_DAYS)


def opened(name: str, in_month: date) -> int:
    """Open a table with a match, whose last opening was in that month."""
    with writing():
        table = commands.open_table(name, str(uuid4()))
        start(table)
        table.opened_in = in_month
    return table.id


def names() -> list[str]:
    db.session.rollback()
    return list(db.session.scalars(db.select(Table.name).order_by(Table.id)))


def ends(table_id: int) -> date | None:
    db.session.rollback()
    return db.session.get_one(Table, table_id).expires_on


def work(day: date) -> int | None:
    return expiry.daily_work(MONTHS, day)


def announce(months: int, day: date) -> None:
    expiry.begin(day)
    expiry.announce(months, day)


def days_of_work(first: date, last: date) -> None:
    """Do the work of every day from the first to the last."""
    while first <= last:
        work(first)
        first += timedelta(days=1)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test waits between two deletions."""
    monkeypatch.setattr(expiry.time, "sleep", lambda _seconds: None)


@pytest.mark.parametrize(
    ("month", "months", "then"),
    [
        (date(2027, 6, 1), 7, date(2028, 1, 1)),
        (date(2027, 1, 1), -1, date(2026, 12, 1)),
        (date(2027, 6, 1), -1200, date(1927, 6, 1)),
    ],
)
def test_months_are_those_of_the_calendar(month: date, months: int, then: date) -> None:
    assert expiry.months_after(month, months) == then


def test_a_new_table_is_opened_now_and_needs_no_note() -> None:
    with writing():
        table = commands.open_table("Los jueves", str(uuid4()))
    assert expiry.is_noted(table)


def test_an_opening_is_noted_by_its_month_and_takes_the_day_away() -> None:
    table_id = opened("Los jueves", date(2020, 1, 1))
    announce(MONTHS, TODAY)
    assert ends(table_id) == TODAY + ANNOUNCED
    assert not expiry.is_noted(db.session.get_one(Table, table_id))
    expiry.note_opening(table_id)
    assert ends(table_id) is None
    assert db.session.get_one(Table, table_id).opened_in == this_month()
    assert expiry.is_noted(db.session.get_one(Table, table_id))


def test_an_opening_that_cannot_be_noted_is_tried_again_after_a_while_and_not_at_every_request() -> None:
    table_id = opened("Los jueves", date(2020, 1, 1))
    tries: list[str] = []

    def refuse(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        if statement.startswith("UPDATE tables"):
            tries.append(statement)
            raise OperationalError(statement, None, Exception("database or disk is full"))

    event.listen(db.engine, "before_cursor_execute", refuse)
    with pytest.raises(OperationalError):
        expiry.note_opening(table_id)
    db.session.rollback()
    for _request in range(5):
        expiry.note_opening(table_id)
    event.remove(db.engine, "before_cursor_execute", refuse)
    assert len(tries) == 1
    current_app.extensions["scorekeeper.openings"].put(table_id, expiry.now() - expiry.TRIED_EVERY)
    expiry.note_opening(table_id)
    assert db.session.get_one(Table, table_id).opened_in == this_month()


def test_a_table_expires_after_so_many_whole_months_and_says_so_two_months_before() -> None:
    table_id = opened("Los jueves", date(2026, 3, 1))
    # Whoever opened it on March 31 has twelve months, to the end of March.
    days_of_work(date(2027, 1, 25), date(2027, 1, 31))
    assert ends(table_id) is None
    work(date(2027, 2, 1))
    assert ends(table_id) == date(2027, 2, 1) + ANNOUNCED
    days_of_work(date(2027, 2, 2), date(2027, 1, 31) + ANNOUNCED)
    assert names() == ["Los jueves"]
    assert work(date(2027, 2, 1) + ANNOUNCED) == 1
    assert names() == []


def test_where_the_setting_is_new_nothing_is_deleted_that_was_not_announced() -> None:
    opened("Long ago", date(2020, 1, 1))
    assert work(TODAY) == 0
    assert names() == ["Long ago"]
    days_of_work(TODAY + timedelta(days=1), TODAY + ANNOUNCED - timedelta(days=1))
    assert names() == ["Long ago"]
    assert work(TODAY + ANNOUNCED) == 1


def test_after_a_gap_all_is_announced_anew() -> None:
    """A server that was off, and a copy of the database that was put back: no phone could see the day."""
    table_id = opened("Long ago", date(2020, 1, 1))
    work(TODAY)
    back = TODAY + 2 * ANNOUNCED
    assert work(back) == 0
    assert ends(table_id) == back + ANNOUNCED
    # A gap of some days, as on a holiday of the host, changes nothing.
    work(back + timedelta(days=EXPIRY_GAP_DAYS))
    assert ends(table_id) == back + ANNOUNCED


class TestAWrongClock:
    """Of a host, or of all: it deletes nothing that people had no two months to see announced, and delays no work."""

    TWO_MONTHS = timedelta(days=61)
    YEAR = timedelta(days=365)
    A_BIT = timedelta(days=EXPIRY_GAP_DAYS)
    LITTLE = A_BIT - timedelta(days=1)
    """Between one host's day and the other's next day there is no gap."""

    def test_that_was_ahead_stops_no_work_once_it_is_right(self, caplog: pytest.LogCaptureFixture) -> None:
        table_id = opened("Long ago", date(2020, 1, 1))
        work(TODAY + self.YEAR)
        assert caplog.messages == []
        assert work(TODAY) == 0
        assert "today is 2027-06-15: the clock of a host is wrong" in caplog.text
        assert ends(table_id) == TODAY + ANNOUNCED
        days_of_work(TODAY + timedelta(days=1), TODAY + ANNOUNCED - timedelta(days=1))
        assert names() == ["Long ago"]
        assert work(TODAY + ANNOUNCED) == 1

    @pytest.mark.parametrize("wrong", [YEAR, -2 * A_BIT])
    def test_on_the_day_of_a_table_deletes_nothing(self, wrong: timedelta) -> None:
        table_id = opened("Long ago", date(2020, 1, 1))
        days_of_work(TODAY, TODAY + timedelta(days=40))
        last = TODAY + timedelta(days=40) + wrong
        assert work(last) == 0
        assert ends(table_id) == last + ANNOUNCED

    def test_takes_no_table_that_the_right_one_says_was_opened(self) -> None:
        table_id = opened("Los jueves", TODAY.replace(day=1))
        work(TODAY)
        work(TODAY + 2 * self.YEAR)
        assert ends(table_id) is not None
        work(TODAY + timedelta(days=1))
        assert ends(table_id) is None

    @pytest.mark.parametrize("wrong", [YEAR, -YEAR, LITTLE])
    @pytest.mark.parametrize("right_first", [True, False])
    def test_of_one_of_two_hosts_takes_no_table_before_its_two_months(
        self, wrong: timedelta, right_first: bool
    ) -> None:
        opened("Long ago", date(2020, 1, 1))
        for days in range(self.TWO_MONTHS.days):
            day = TODAY + timedelta(days=days)
            for host in (day, day + wrong) if right_first else (day + wrong, day):
                assert not work(host), days
        assert names() == ["Long ago"]
        # Clocks that differ by little are no reason to wait much longer.
        later = TODAY + ANNOUNCED + self.A_BIT
        days_of_work(day + timedelta(days=1), later)
        assert names() == ([] if abs(wrong) <= self.LITTLE else ["Long ago"])

    def test_of_another_host_ends_the_work_that_has_begun(self) -> None:
        """The day that the other gives to a table is long over by this clock."""
        table_id = opened("Long ago", date(2020, 1, 1))
        ahead = TODAY + self.YEAR
        assert expiry.begin(ahead)
        work(TODAY)
        expiry.announce(MONTHS * 100, ahead)
        assert expiry.delete_expired(MONTHS, ahead, is_announced=True) == 0
        assert ends(table_id) == TODAY + ANNOUNCED

    def test_that_is_behind_makes_no_opening_earlier(self) -> None:
        month = expiry.months_after(this_month(), 3)
        table_id = opened("Los jueves", month)
        expiry.note_opening(table_id)
        assert db.session.get_one(Table, table_id).opened_in == month


def test_around_midnight_hosts_do_the_work_of_each_day_once() -> None:
    days = TODAY, TODAY + timedelta(days=1)
    assert [expiry.begin(day) for day in (days[0], days[1], days[0], days[1], days[0])] == [
        True,
        True,
        False,
        False,
        False,
    ]
    assert expiry.begin(days[1] + timedelta(days=1))


def test_more_months_take_the_day_away_again() -> None:
    table_id = opened("Los jueves", date(2026, 3, 1))
    announce(MONTHS, TODAY)
    assert ends(table_id) is not None
    announce(MONTHS * 2, TODAY)
    assert ends(table_id) is None


@on_both
def test_of_many_processes_that_begin_at_once_one_does_the_work(app: Flask) -> None:
    def begin(day: date) -> bool:
        with app.app_context():
            return expiry.begin(day)

    with ThreadPoolExecutor(4) as processes:
        for day in (TODAY, TODAY + timedelta(days=1)):
            assert sorted(processes.map(begin, [day] * 4)) == [False, False, False, True]


@on_both
def test_only_what_expired_goes_with_all_its_rows() -> None:
    gone, stays = opened("Long ago", date(2020, 1, 1)), opened("Los jueves", this_month())
    assert expiry.delete_expired(MONTHS, TODAY.replace(year=2027), is_announced=False) == 1
    assert names() == ["Los jueves"]
    for rows in (Match.table_id, Link.table_id):
        assert set(db.session.scalars(db.select(rows))) == {stays} != {gone}


def test_a_table_that_is_opened_while_others_are_deleted_stays() -> None:
    opened("One", date(2020, 1, 1))
    second = opened("Two", date(2020, 1, 1))

    def somebody_opens(_seconds: float) -> None:
        expiry.note_opening(second)

    assert expiry.delete_expired(MONTHS, TODAY, is_announced=False, pause=somebody_opens) == 1
    assert names() == ["Two"]


def test_many_are_announced_several_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expiry, "EXPIRY_BATCH", 2)
    ids = [opened(name, date(2020, 1 + index % 2, 1)) for index, name in enumerate("ABCDE")]
    announce(MONTHS, TODAY)
    assert {ends(table_id) for table_id in ids} == {TODAY + ANNOUNCED}


def test_a_table_without_a_month_never_expires() -> None:
    table_id = opened("Los jueves", date(2020, 1, 1))
    with writing():
        db.session.execute(update(Table).where(Table.id == table_id).values(opened_in=None))
    assert expiry.expired(3, date(2127, 1, 1), is_announced=False) == []


def test_the_log_says_that_a_table_expired_by_its_number(caplog: pytest.LogCaptureFixture) -> None:
    table_id = opened("Los jueves", date(2020, 1, 1))
    expiry.delete_expired(MONTHS, TODAY, is_announced=False)
    assert f"event table_deleted by=expiry table={table_id}" in caplog.messages
    assert "jueves" not in caplog.text
