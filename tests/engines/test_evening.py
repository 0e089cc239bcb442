"""The main way of a thumb in every engine: from a new table to the rematch, on a server that may fail."""

from __future__ import annotations

import json
import os
import signal
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from selenium.webdriver.remote.webdriver import WebDriver

from ..helpers.serving import Server
from .thumb import Thumb
from .window import Window

DEAL = {"cards": "A", "coins": "B", "seven_of_coins": "A", "two_of_clubs": "B", "prime": "A"}
PRIME = ("7O", "6C", "6E", "5B", "2O")
"""Ana's best cards, and Beto's coin: more is not needed to settle the prime."""
SHOWN = ("1O", "4C", "6E", "5B")


class App(Server):
    """The app on a port that it comes back to, with a phone that has no screen."""

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Stand still: the port takes what comes, and nobody answers."""
        processes = self._processes()
        try:
            for process in processes:
                os.kill(process, signal.SIGSTOP)
            yield
        finally:
            for process in processes:
                os.kill(process, signal.SIGCONT)

    def _processes(self) -> list[int]:
        """Return the processes of this very server: those started with its folder."""
        mark = f"SCOREKEEPER_INSTANCE={self.folder}".encode()
        found = []
        for file in Path("/proc").glob("[0-9]*/environ"):
            try:
                if mark in file.read_bytes().split(b"\0"):
                    found.append(int(file.parent.name))
            except OSError:
                continue  # It has ended meanwhile.
        assert found, "the server is not running"
        return found

    def entries(self, table: str) -> list[dict[str, Any]]:
        """Return the journal of a table's match."""
        found: list[dict[str, Any]] = self._ask("entries?match=1", table)["entries"]
        return found

    def push(self, table: str, kind: str, **payload: Any) -> None:
        """Write an entry as another phone does."""
        entry = {"id": str(uuid4()), "match": 1, "kind": kind, **payload}
        (answer,) = self._ask("entries", table, {"table": key_of(table), "entries": [entry]})["answers"]
        assert answer["status"] == "written", answer

    def _ask(self, path: str, table: str, body: dict[str, Any] | None = None) -> Any:
        asked = urllib.request.Request(
            f"{self.address}/api/v1/{path}",
            json.dumps(body).encode() if body else None,
            {"Authorization": f"Bearer {key_of(table)}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(asked) as answer:
            return json.load(answer)


def key_of(table: str) -> str:
    return table.removeprefix("/t/")


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    """A server of the test's own, which may fail."""
    with App(tmp_path) as app:
        yield app


@pytest.fixture
def thumb(driver: WebDriver, app: App) -> Iterator[Thumb]:
    with Window(app.address) as opened:
        yield Thumb(driver, opened)


def noted(thumb: Thumb, number: int) -> None:
    """Wait until the board has so many entries of this deal from the server."""
    thumb.until(
        lambda: thumb.run("return document.querySelectorAll('.log .log-text').length") == number, f"{number} noted"
    )
    thumb.settle()


def close(thumb: Thumb, **takers: str) -> None:
    """Close the deal in play cell by cell; the last cell saves it."""
    thumb.press("Close the deal")
    thumb.see("#closing")
    for item, taker in takers.items():
        thumb.say(item, taker)
    saved(thumb)


def saved(thumb: Thumb) -> None:
    thumb.until(lambda: "saved=1" in thumb.path(), "the sheet")


def kinds(app: App, table: str) -> list[str]:
    return [entry["kind"] for entry in app.entries(table)]


def test_a_match_is_played_to_its_end_and_again(thumb: Thumb, app: App) -> None:
    table = thumb.start("Ana", "Beto")
    thumb.sweep("A")
    thumb.sweep("A")
    thumb.sweep("B")
    noted(thumb, 3)
    close(thumb, **DEAL)
    thumb.is_told("Beto 6 in all +6")
    thumb.press("Deal 2: ")
    thumb.see(".sweep")
    assert thumb.totals() == ["5", "6"]
    for deal in (2, 3):
        for _sweep in range(2):
            thumb.sweep("A")
        noted(thumb, 2)
        thumb.press("Close the deal")
        thumb.tap(".rest-row .cell.side-1")
        saved(thumb)
        if deal == 2:
            thumb.press("Deal 3: ")
    thumb.press("Rematch: ")
    thumb.see(".sweep")
    assert thumb.totals() == ["0", "0"]
    assert kinds(app, table).count("deal_closed") == 3


def test_a_deal_is_told_by_counts_and_by_cards_and_corrected(thumb: Thumb, app: App) -> None:
    table = thumb.start("Ana", "Beto")
    thumb.press("Close the deal")
    thumb.tap("#row-cards .opener > summary")
    thumb.see(".keypad .key")
    thumb.write("#count-cards-A", "23")
    thumb.run("document.activeElement.blur()")
    thumb.see(".cell:has([name='award-cards'][value='A'].theirs), #row-cards .theirs")
    thumb.tap("#row-cards .opener > summary")
    thumb.tap("#show-cards > summary")
    for card in SHOWN:
        thumb.tap(f".tile:has([name='pile-A'][value='{card}'])")
    thumb.is_told("4 cards")
    thumb.tap("#show-cards > summary")
    thumb.tap("#row-prime .row-label")
    for card in PRIME:
        thumb.tap(f".tile:has([value='{card[:-1]}']).suit-{card[-1]}")
    thumb.press("Note it")
    thumb.see("#row-coins")
    # The cards have said who has the coins.
    for item in ("seven_of_coins", "two_of_clubs"):
        thumb.say(item, DEAL[item])
    saved(thumb)
    thumb.press("Correct this deal")
    thumb.say("two_of_clubs", "A")
    thumb.press("Save")
    saved(thumb)
    assert kinds(app, table).count("deal_closed") == 2


def test_news_of_another_phone_come_to_an_open_board(thumb: Thumb, app: App) -> None:
    table = thumb.start("Ana", "Beto")
    app.push(table, "swept", deal=1, fields={"side": ["B"]})
    thumb.until(lambda: thumb.sweeps("B") == 1, "the sweep of the other phone")
    thumb.sweep("A")
    noted(thumb, 2)
    assert [entry["payload"]["side"] for entry in app.entries(table)[1:]] == ["B", "A"]


def nothing_waits(thumb: Thumb, app: App, table: str, sweeps: int) -> None:
    """Wait until what was tapped is in the journal, once, and on the board."""
    thumb.until(lambda: kinds(app, table).count("swept") >= sweeps, "the taps in the journal")
    thumb.miss("#waiting")
    assert kinds(app, table).count("swept") == sweeps
    thumb.until(lambda: thumb.sweeps("A") == sweeps, "the taps on the board")


def test_what_is_tapped_while_the_server_stands_still_is_counted_once(thumb: Thumb, app: App) -> None:
    table = thumb.start("Ana", "Beto")
    with app.frozen():
        thumb.sweep("A")
        thumb.sweep("A")
    nothing_waits(thumb, app, table, 2)


def test_a_board_without_signal_is_there_after_a_reload(thumb: Thumb, app: App) -> None:
    table = thumb.start("Ana", "Beto")
    thumb.until(lambda: thumb.run("return !!navigator.serviceWorker.controller"), "the service worker")
    thumb.reload()
    thumb.see(".sweep")
    app.stop()
    thumb.reload()
    thumb.sweep("A")
    thumb.see("#waiting")
    thumb.reload()
    thumb.see("#waiting")
    app.start()
    nothing_waits(thumb, app, table, 1)


def is_ready(thumb: Thumb) -> bool:
    """Say whether the phone can go on without signal."""
    kept: bool = thumb.run(
        "const isKept = (name) => name.startsWith('ahead:') && JSON.parse(localStorage[name]).isKept;"
        "return Object.keys(localStorage).some(isKept);"
    )
    return kept


def keep(thumb: Thumb, deal: int) -> None:
    """Close a deal without signal, cell by cell."""
    thumb.press("Close the deal")
    thumb.is_told(f"Close deal {deal}")
    for item, taker in DEAL.items():
        thumb.say(item, taker)
    thumb.press("Save and send")
    thumb.is_told(f"Deal {deal + 1} ·")


def test_the_evening_goes_on_while_the_server_is_gone(thumb: Thumb, app: App) -> None:
    table = thumb.start("Ana", "Beto")
    thumb.until(lambda: thumb.run("return !!navigator.serviceWorker.controller"), "the service worker")
    thumb.reload()
    thumb.see(".sweep")
    thumb.until(lambda: is_ready(thumb), "the kept form")
    app.stop()
    thumb.sweep("A")
    keep(thumb, 1)
    thumb.reload()
    thumb.see(".score-number.provisional")
    keep(thumb, 2)
    own = thumb.totals()
    app.start()
    thumb.until(lambda: kinds(app, table).count("deal_closed") == 2, "both deals in the journal")
    thumb.miss(".score-number.provisional")
    assert thumb.totals() == own
    assert [entry["payload"].get("deal") for entry in app.entries(table)[1:]] == [1, 1, 2]
    app.stop()
    keep(thumb, 3)
    thumb.reload()
    app.start()
    thumb.until(lambda: kinds(app, table).count("deal_closed") == 3, "the third deal in the journal")
