"""One page that asks for what cannot be takes no news and no room from the others."""

from __future__ import annotations

import time
from collections.abc import Collection

import pytest

from scorekeeper.store import commands, live
from scorekeeper.store.db import writing
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import NewEntry
from scorekeeper.store.live import CURRENT, Topic, follow, hub
from scorekeeper.store.models import Match, Table

from ..helpers.databases import on_both
from .conftest import start

pytestmark = on_both

LONG = 20.0
BAD = 7


def sweep(match: Match) -> None:
    with writing():
        commands.record(match, [NewEntry(kinds.SWEPT, {"deal": 1, "side": "A", "count": 1})])


@pytest.mark.parametrize("number", [2**31, 2**63, -1])
def test_a_number_that_no_match_has_is_not_followed(match: Match, number: int) -> None:
    assert follow((match.table_id, number), None) is None
    assert not hub()._followers


def test_a_follower_without_a_first_version_gives_its_room_back(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_topic: Topic) -> str:
        raise OSError("the database is away")

    monkeypatch.setattr(live, "current_version", broken)
    with pytest.raises(OSError, match="away"):
        follow((match.table_id, CURRENT), "1.1")
    assert not hub()._followers


def test_a_follower_that_is_lost_makes_room(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub(), "_most", 1)
    for _turn in range(3):
        found, until = None, time.monotonic() + 10
        # The hub may be looking at the one that was lost at this very moment.
        while found is None and time.monotonic() < until:
            found = follow((match.table_id, CURRENT), "1.1")
        assert found is not None
        del found


@pytest.mark.parametrize("reconnects", [False, True])
def test_a_page_that_breaks_the_question_leaves_the_others_their_news(
    table: Table, match: Match, monkeypatch: pytest.MonkeyPatch, reconnects: bool
) -> None:
    for kind in (live.SqliteFeed, live.PostgresFeed):
        whole = kind.versions

        def versions(feed: object, topics: Collection[Topic], whole: object = whole) -> object:
            if any(number == BAD for _table, number in topics):
                raise OverflowError("out of range")
            return whole(feed, topics)  # type: ignore[operator]

        monkeypatch.setattr(kind, "versions", versions)
    with writing():
        other = start(commands.open_table("Los viernes", "11111111-1111-4111-8111-111111111111"))
    monkeypatch.setattr(live, "RETRY", 0.01)
    good = follow((match.table_id, CURRENT), "1.1")
    bad = follow((other.table_id, BAD), "1.1")
    assert good is not None
    assert bad is not None
    if reconnects:
        # Whoever comes back asks for every page anew.
        monkeypatch.setattr(live.SqliteFeed, "wait", lambda _feed: None)
    sweep(other)
    sweep(match)
    assert good.next(LONG) == "1.2"
    sweep(match)
    assert good.next(LONG) == "1.3"
    assert bad.next(LONG) is None
    assert bad.is_released
    assert list(hub()._followers) == [good]
    hub().leave(good)
