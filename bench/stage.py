"""The app on its own database with a played table: the start of every measurement."""

from __future__ import annotations

import os
import platform
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any
from uuid import uuid4

from flask import Flask
from flask.sessions import SecureCookieSessionInterface
from flask.testing import FlaskClient

from scorekeeper import rules
from scorekeeper.app import create_app
from scorekeeper.store import commands
from scorekeeper.store.db import db, migrate_database, writing
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import NewEntry
from scorekeeper.store.journal.match_setup import Setup, sides_of
from scorekeeper.store.models import Match, Table, new_key, now
from tests.helpers.databases import postgres

Row = list[str]
SECRET = "only for measuring, nothing to hide"
GAME, PRESET = "chorizo", "flores"
BUSY = os.getloadavg()[0]
"""The load of the machine before the measurements."""
FOREVER = {"target": 1000}
"""With this target no match is won before it is measured."""
AS_A_PHONE = {
    "User-Agent": "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36",
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
    "Accept-Encoding": "gzip, deflate, br",
    "Accept-Language": "es-UY,es;q=0.9,en;q=0.8",
    "Upgrade-Insecure-Requests": "1",
    "Sec-Fetch-Site": "same-origin",
    "Sec-Fetch-Mode": "navigate",
    "Sec-Fetch-User": "?1",
    "Sec-Fetch-Dest": "document",
}
"""What a browser sends with each request for a page, besides its cookies."""


@dataclass(frozen=True)
class Stage:
    """An app and a table in it."""

    app: Flask
    key: str
    table_id: int


def browser(app: Flask) -> FlaskClient:
    """Return a client that asks as a phone's browser does."""
    client = app.test_client()
    client.environ_base.update({f"HTTP_{name.upper().replace('-', '_')}": said for name, said in AS_A_PHONE.items()})
    return client


def phone_of(app: Flask, *keys: str) -> FlaskClient:
    """Return a phone that remembers the tables of these play links, and so is not asked who holds it."""
    client = browser(app)
    with client.session_transaction() as session:
        session["tables"] = list(keys)
    return client


def cookies_of(app: Any, key: str) -> dict[str, str]:
    """Return the cookies of a phone that has tapped at a table."""
    signing = SecureCookieSessionInterface().get_signing_serializer(app)
    assert signing is not None
    keys = {"tables": [key], "device": new_key(), "month": f"{now():%Y-%m}", "_permanent": True}
    return {app.config["SESSION_COOKIE_NAME"]: str(signing.dumps(keys))}


@contextmanager
def stage(deals: int = 40, url: str | None = None) -> Iterator[Stage]:
    """Yield the app on a new database (``url``, else SQLite) with a match of ``deals`` closed deals."""
    with tempfile.TemporaryDirectory(prefix="scorekeeper-bench-") as folder, instance(folder, url):
        app = create_app({"SECRET_KEY": SECRET})
        migrate_database(app)
        with app.app_context():
            match = open_match()
            play(match, deals)
            table = db.session.get_one(Table, match.table_id)
            staged = Stage(app, table.play_key, table.id)
            db.session.remove()
        try:
            yield staged
        finally:
            with app.app_context():
                db.engine.dispose()


@contextmanager
def instance(folder: str, url: str | None) -> Iterator[None]:
    """Set the environment, so that this process and the servers it starts use the same database."""
    wanted = {"SCOREKEEPER_INSTANCE": folder, "SECRET_KEY": SECRET, "DATABASE_URL": url or ""}
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def open_match(name: str = "Los jueves") -> Match:
    """Open a table of two and start a match at it."""
    with writing():
        table = commands.open_table(name, str(uuid4()))
        return start(table)


def start(table: Table) -> Match:
    """Start a match at the table; call inside ``writing()``."""
    numbers = commands.seat_players(table, ["Ana", "Beto"])
    agreed = Setup(GAME, PRESET, options(), sides_of([numbers[:1], numbers[1:]]), first_dealer=0)
    return commands.start_match(table, str(uuid4()), agreed)


def options() -> dict[str, Any]:
    """Return every option of the game, resolved."""
    asked = {"game": GAME, "preset": PRESET, "options": FOREVER, "sides": ["A", "B"], "deal": {}}
    return dict(rules.score(asked)["options"])


def facts(random: Random) -> dict[str, Any]:
    """Return the facts of a deal: the side that took each item, and the sweeps."""
    awards = {row: random.choice("AB") for row in ("cards", "coins", "seven_of_coins", "two_of_clubs", "prime")}
    return {"awards": awards, "sweeps": {"A": random.randint(0, 3), "B": random.randint(0, 3)}}


def play(match: Match, deals: int, seed: int = 1) -> None:
    """Close ``deals`` deals of a match."""
    random = Random(seed)
    for number in range(1, deals + 1):
        with writing():
            commands.record(match, [NewEntry(kinds.DEAL_CLOSED, {"deal": number, "facts": facts(random)})])


def cpu(work: Callable[[], Any], seconds: float = 0.4) -> float:
    """Return the CPU seconds that one call of ``work`` takes, over about ``seconds`` of calls."""
    calls, began = 0, time.process_time()
    while (spent := time.process_time() - began) < seconds:
        work()
        calls += 1
    return spent / calls


def side_by_side(works: dict[str, Callable[[], Any]], turns: int = 7) -> dict[str, float]:
    """Return the median CPU seconds of each, measured in turn so that a busy machine affects all."""
    for work in works.values():
        work()
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _turn in range(turns):
        for name, work in works.items():
            taken[name].append(cpu(work))
    return {name: statistics.median(each) for name, each in taken.items()}


def on_each_database(measure: Callable[[str, int, str | None], Row], sizes: Iterable[int]) -> tuple[str, list[Row]]:
    """Return the version of PostgreSQL, and a row of each size on new SQLite and PostgreSQL databases."""
    with postgres(durable=True) as server:
        version = server.run("SELECT version()")[0][0].split(" on ")[0]
        rows = [measure("SQLite", size, None) for size in sizes]
        for size in sizes:
            with server.database() as url:
                rows.append(measure("PostgreSQL", size, url))
    return version, rows


def percentile(values: list[float], share: float) -> float:
    """Return the value that ``share`` of the values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def print_table(title: str, head: list[str], rows: list[list[str]]) -> None:
    """Print a table in the form of docs/scale.md."""
    print(f"\n{title}\n")
    for row in [head, ["---"] * len(head), *rows]:
        print("| " + " | ".join(row) + " |")


def machine() -> str:
    """Return a description of the machine: versions, cores, and the load before."""
    versions = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    return f"{versions}, {os.cpu_count()} cores, load {BUSY:.1f} before"


def print_machine() -> None:
    """Print the description of the machine."""
    print(machine())
