"""A kept page is what would be drawn now: its key names all that it shows."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from unittest import mock
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.store import doubts, queries
from scorekeeper.store.lru import LruCache
from scorekeeper.store.models import now
from scorekeeper.web.base import by_facts

from ...helpers.reading import Page
from ..conftest import Player, join, open_table
from ..deal_entry.test_closing import TRUST
from ..pages.test_agreement import OTHERWISE, filled
from ..test_voices import ANA, BETO, newest, say, undo

OF_ONE_READER = re.compile(r'name="(?:id|csrf_token)"(?: type="hidden")? value="[^"]*"|data-key="[^"]*"')
PAGES = ("", "/faces", "/board", "/matches/1", "/matches/2", "/matches/1/deals/1")
OF_THE_TABLE = ("/history?who=pairs&period=ever", "/players/1", "/matches/1/deals/2/close")
TO_PLAY = ("/faces", "/close")


@contextmanager
def at_one_moment() -> Iterator[None]:
    """Stop the clock of the app."""
    at, ours = now(), [module for name, module in [*sys.modules.items()] if name.startswith("scorekeeper.")]
    with ExitStack() as stopped:
        for module in ours:
            if getattr(module, "now", None) is now:
                stopped.enter_context(mock.patch.object(module, "now", return_value=at))
        yield


class Readers:
    """The phones of a table: one with the owner's link, two of players, and one that watches."""

    def __init__(self, app: Flask, table: Player) -> None:
        self.app, self.table = app, table
        self.ana, self.beto = join(app, table, ANA), join(app, table, BETO)
        self.clients: list[tuple[FlaskClient, str]] = [
            *((one.client, f"/t/{table.key}") for one in (table, self.ana, self.beto)),
            (app.test_client(), f"/w/{self.other_key('watch')}"),
        ]

    def other_key(self, link: str) -> str:
        """Return the key of another link of the table."""
        with self.app.app_context():
            found = queries.table_by_play_key(self.table.key)
            assert found is not None
            return queries.key_of(found, link)

    def pages(self, paths: tuple[str, ...] = PAGES) -> Iterator[tuple[str, str]]:
        """Yield each page that somebody may read, with its address."""
        for number, (client, start) in enumerate(self.clients):
            for path in paths:
                if path.endswith(TO_PLAY) and start.startswith("/w"):
                    continue
                page = Page(client.get(start + path))
                if page.status in (200, 303):
                    yield f"{number}{path}", OF_ONE_READER.sub("", page.html)

    def compare(self) -> None:
        """Draw all pages as they are kept, and then anew: at one moment, as some say how long it goes."""
        with at_one_moment():
            for paths in (PAGES, OF_THE_TABLE):
                self._compare(paths)

    def _compare(self, paths: tuple[str, ...]) -> None:
        # What is said once, of a table just opened, is said now.
        list(self.pages(paths))
        kept = dict(self.pages(paths))
        parts = self.app.extensions["scorekeeper.parts"]
        # One that keeps nothing: else a page that is given another's would be given it again.
        self.app.extensions["scorekeeper.parts"] = LruCache[object](0)
        anew = dict(self.pages(paths))
        self.app.extensions["scorekeeper.parts"] = parts
        assert kept.keys() == anew.keys()
        for address, html in anew.items():
            assert kept[address] == html, address


def another_match(readers: Readers) -> None:
    table = readers.table
    table.post("/matches/2/resume", {"id": str(uuid4())})


def rename(readers: Readers) -> None:
    form = {"name": "Anita", "id": str(uuid4()), "player": "1"}
    assert readers.table.client.post(f"/o/{readers.other_key('owner')}/players/1", data=form).status_code == 303


def rename_the_table(readers: Readers) -> None:
    form = {"name": "Thursdays", "id": str(uuid4())}
    assert readers.table.client.post(f"/o/{readers.other_key('owner')}/name", data=form).status_code == 303


def renew_the_link_to_watch(readers: Readers) -> None:
    client, page = readers.table.client, f"/o/{readers.other_key('owner')}/renew/watch"
    assert client.post(page, data=Page(client.get(page)).form("renew")).status_code == 303
    watcher, _former = readers.clients.pop()
    readers.clients.append((watcher, f"/w/{readers.other_key('watch')}"))


def take_up_the_first(readers: Readers) -> None:
    readers.table.post("/matches/1/resume", {"id": str(uuid4())})


def quarrel(readers: Readers) -> None:
    form = filled(readers.beto, 2, **OTHERWISE)
    readers.ana.close(2, **TRUST)
    readers.beto.post(readers.beto.deal(2) + "/close", form)


def undo_of_another(readers: Readers) -> None:
    readers.beto.sweep("B")
    undo(readers.ana, newest(readers.beto))


ACTS: list[Callable[[Readers], object]] = [
    lambda readers: readers.ana.close(1, **TRUST),
    lambda readers: readers.ana.sweep("A", 2),
    undo_of_another,
    lambda readers: readers.ana.close(1, **OTHERWISE),
    lambda readers: say(readers.beto, "dispute", "B"),
    quarrel,
    lambda readers: readers.ana.hold(BETO),
    lambda readers: readers.table.post("/matches/new", {"id": str(uuid4())}),
    another_match,
    rename,
    rename_the_table,
    renew_the_link_to_watch,
    take_up_the_first,
    lambda readers: readers.table.stop(leader=True),
]


@pytest.fixture
def readers(app: Flask) -> Readers:
    return Readers(app, open_table(app))


@pytest.mark.whole
def test_after_each_act_every_kept_page_is_as_it_would_be_drawn_anew(readers: Readers) -> None:
    readers.compare()
    for act in ACTS:
        act(readers)
        readers.compare()


def test_a_match_left_for_another_day_offers_to_go_on_on_its_own_page(readers: Readers) -> None:
    table = readers.table
    table.close(1, **TRUST)
    assert "go on" not in table.get("/matches/1").words
    with readers.app.app_context():
        found = queries.table_by_play_key(table.key)
        assert found is not None
    form = table.get("/matches/new").form("agree")
    form["step"] = "save"
    table.post("/matches/new", form)
    assert table.kinds(2) == ["match_started"], table.get("/matches/new").words
    assert "6–2, go on" in table.get("/matches/1").words
    readers.compare()


@pytest.mark.whole
def test_a_quarrel_that_is_dropped_by_now_is_on_no_kept_page(readers: Readers, monkeypatch: pytest.MonkeyPatch) -> None:
    readers.ana.close(1, **TRUST)
    say(readers.beto, "dispute", "B")
    readers.compare()
    for place in (doubts, by_facts):
        monkeypatch.setattr(place, "now", lambda: now() + timedelta(days=31))
    readers.compare()
    assert "is disputed" not in readers.ana.get().words


@pytest.mark.whole
def test_a_best_of_three_is_on_kept_pages_as_its_other_matches_are_now(app: Flask) -> None:
    readers = Readers(app, open_table(app, opt__target="1", best_of_three="y"))
    table, owner = readers.table, f"/o/{readers.other_key('owner')}"
    acts: list[Callable[[], Page]] = [
        lambda: table.close(1, **TRUST),
        lambda: table.post("/matches/1/rematch", table.get().form(action="/rematch")),
        lambda: table.close(1, **OTHERWISE),
        lambda: table.post("/matches/1/delete", table.get("/matches/1/delete").form(action="/delete")),
        lambda: table.post("/matches/1/restore", {"id": str(uuid4())}),
    ]
    assert table.client.get(owner).status_code == 200
    for act in acts:
        readers.compare()
        assert act().status == 303
    readers.compare()
    assert "in the best of three" in table.get().words
