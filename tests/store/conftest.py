"""A table with a match just started, inside the app's context."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask

from scorekeeper import rules
from scorekeeper.store import commands
from scorekeeper.store.db import db, writing
from scorekeeper.store.journal.match_setup import Setup, sides_of
from scorekeeper.store.models import Match, Table


@pytest.fixture(autouse=True)
def in_the_app(app: Flask) -> Iterator[None]:
    with app.app_context():
        yield


def resolved(game: str = "chorizo", **options: Any) -> dict[str, Any]:
    sheet = rules.score({"game": game, "options": options, "sides": ["A", "B"], "deal": {}})
    return dict(sheet["options"])


NAMES = ("Ana", "Beto", "Leo", "Cata")


def start(
    table: Table,
    entry_id: str | None = None,
    per_side: int = 1,
    sides: int = 2,
    names: Sequence[str] = NAMES,
    **options: Any,
) -> Match:
    """Start a chorizo match of the first of these names, of two sides unless more are asked for; Ana deals first."""
    numbers = commands.seat_players(table, names[: sides * per_side])
    seated = sides_of([numbers[side::sides] for side in range(sides)])
    agreed = Setup("chorizo", "flores", resolved(**options), seated, first_dealer=0)
    return commands.start_match(table, entry_id or str(uuid4()), agreed)


@pytest.fixture
def table() -> Table:
    with writing():
        return commands.open_table("Los jueves", str(uuid4()))


@pytest.fixture
def match(table: Table) -> Match:
    with writing():
        return start(table)


@pytest.fixture
def three(table: Table) -> Match:
    """A match of three sides."""
    with writing():
        return start(table, sides=3)


@pytest.fixture
def files(app: Flask, database: str, request: pytest.FixtureRequest) -> Callable[[], Iterator[Path]]:
    """Where the bytes of the database are: all its files."""

    def of_sqlite() -> Iterator[Path]:
        yield from (path for path in Path(app.config["INSTANCE"]).iterdir() if path.name.startswith("scorekeeper.db"))

    def of_postgresql() -> Iterator[Path]:
        server = request.getfixturevalue("postgres_server")
        # What was replaced goes with the next checkpoint.
        server.run("CHECKPOINT")
        [(folder,)] = server.run("SHOW data_directory")
        name = db.engine.url.database
        ids = dict(server.run("SELECT datname, oid FROM pg_database"))
        yield from (path for path in (Path(folder) / "base" / str(ids[name])).iterdir() if path.is_file())

    return of_sqlite if database == "sqlite" else of_postgresql
