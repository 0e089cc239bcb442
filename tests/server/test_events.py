"""Events in the log: one line each, so many a minute, without anything that a stranger chooses."""

from __future__ import annotations

import pytest

from scorekeeper import events
from scorekeeper.limits import EVENT_LINES, QUIET_SECONDS
from scorekeeper.logs import Sparing


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(events, "_kinds", Sparing(clock, lines=EVENT_LINES))
    monkeypatch.setattr(events, "_brakes", Sparing(clock))
    return clock


def test_an_event_is_one_line(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    events.note("link_renewed", link="play", table=7)
    assert caplog.messages == ["event link_renewed link=play table=7"]


def test_of_each_kind_there_are_so_many_lines_a_minute_and_then_how_many_more(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    for _request in range(1000):
        events.note("refused", why="form", at="deals.close")
    events.note("table_deleted", by="owner", table=3)
    assert len(caplog.messages) == EVENT_LINES + 1
    assert caplog.messages[-1] == "event table_deleted by=owner table=3"
    caplog.clear()
    clock.seconds += QUIET_SECONDS
    events.note("refused", why="form", at="deals.close")
    assert caplog.messages == [
        f"event refused why=form left_out={1000 - EVENT_LINES}",
        "event refused why=form at=deals.close",
    ]


def test_refused_forms_leave_no_refused_right_out(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    """Anybody may post forms that are refused."""
    for _request in range(1000):
        events.note("refused", why="form", at="deals.close")
    events.note("refused", why="right", at="matches.delete")
    assert caplog.messages[-1] == "event refused why=right at=matches.delete"


def test_a_few_events_a_minute_leave_nothing_out(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    for _minute in range(5):
        for table in range(EVENT_LINES):
            events.note("table_deleted", by="owner", table=table)
        clock.seconds += QUIET_SECONDS
    assert len(caplog.messages) == 5 * EVENT_LINES


def test_a_brake_that_holds_is_one_line_a_minute_with_how_many_more(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    for _request in range(3):
        events.note_brake("wrong_keys")
        events.note_brake("new_tables")
    clock.seconds += QUIET_SECONDS
    events.note_brake("wrong_keys")
    assert caplog.messages == [
        "event brake name=wrong_keys more=0",
        "event brake name=new_tables more=0",
        "event brake name=wrong_keys more=2",
    ]
