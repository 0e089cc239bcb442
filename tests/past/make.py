"""Keep the past: write down, with the code of one version, what it stores, what phones hold of it, and what it says.

Run with the code of the version that is to be kept, never with newer code: it is the past. Copy this folder into a
checkout of that version and run there:

    cp -r tests/past ../then/tests/ && cd ../then && python -m tests.past.make ../now/tests/past/data/rules-1

The same version writes the same files again, to the letter: chance, ids, keys and the clock are fixed. ``data/rules-1``
is version 03a80d8, the last one before the rules became stricter. ``data/rules-3`` is version 90cc394, the last one in
which every step of work was charged alike: ``since.py`` plays it, and the last part of the folder's name says which of
the two is played. A later version that should be kept gets a folder of its own beside them; what is there is never made
again.

- ``rows.jsonl``: every row of the database, one a line with the name of its table, as it stood under the revision of
  that version (0001, 0003).
- ``answers.jsonl``: one line a match: its totals, status and winner, and the sheet of every closing.
- ``pages.json``: the addresses of every table with what they answered, by table and status.
- ``phone.json``: two phones' cookies and the secret that signed them, forms that were drawn and not yet sent, and
  entries that were queued without signal, each with what became of it when it was sent.

``test_past.py`` reads all of it with the code of today.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

from flask import Flask
from itsdangerous import TimestampSigner
from sqlalchemy import MetaData, select

from scorekeeper.app import create_app
from scorekeeper.store import models
from scorekeeper.store.db import db, migrate_database

from .. import conftest
from . import answers, evenings, happenings, kept
from .addresses import addresses
from .phones import Phone

START = datetime(2026, 7, 1, 19, tzinfo=UTC)
STEP = timedelta(seconds=7)


class Clock(datetime):
    """A clock that goes on by itself, a step at a look."""

    moment: Any = START

    @classmethod
    def now(cls, tz: Any = None) -> Clock:
        """Return the next moment."""
        cls.moment += STEP
        return cast(Clock, cls.moment)


def fix() -> None:
    """Fix chance, and with it ids, keys and tokens, and the clock."""
    chance = random.Random("the past")
    for place, name, fixed in (
        (os, "urandom", chance.randbytes),
        (random, "_urandom", chance.randbytes),
        (models, "datetime", Clock),
        (TimestampSigner, "get_timestamp", lambda _self: int(Clock.now().timestamp())),
    ):
        setattr(place, name, fixed)


@contextmanager
def started(instance: Path) -> Iterator[Flask]:
    """Run the app as it is in production, proof of origin included, on the database of a folder."""
    app = create_app({"INSTANCE": instance, "SECRET_KEY": conftest.SECRET, **conftest.UNBRAKED})
    try:
        yield app
    finally:
        with app.app_context():
            db.session.connection().exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
            db.session.remove()
            db.engine.dispose()


def play(app: Flask) -> dict[str, Any]:
    """Play what came until ``rules-1``; return what the phones hold in the end."""
    keeper, guest = Phone(app), Phone(app)
    happenings.gone(keeper, guest)
    for game in evenings.GAMES:
        chance = random.Random(game)
        evening = evenings.every_line_up(keeper, game, chance)
        evenings.every_option(game, evening, chance)
        evenings.all_to_one(evening, game)
        Clock.moment += timedelta(hours=9)
    for happens in happenings.HAPPENINGS:
        happens(keeper, guest)
        Clock.moment += timedelta(hours=9)
    _evening, dead = happenings.renewed(keeper, guest)
    happenings.empty(app)
    forms = kept.drawn_forms(keeper, guest)
    pushes = kept.queued_pushes(keeper, guest)
    return held(keeper, guest, dead, forms, pushes)


def play_since(app: Flask) -> dict[str, Any]:
    """Play what came since then; return what the phones hold in the end."""
    from . import since

    keeper, guest = since.play(app)
    Clock.moment += timedelta(hours=9)
    return held(keeper, guest, [], since.drawn_forms(keeper, guest), since.queued_pushes(keeper, guest))


def held(keeper: Phone, guest: Phone, dead: list[str], forms: list[Any], pushes: list[Any]) -> dict[str, Any]:
    """Return what two phones hold: cookies, dead links, drawn forms, queued entries."""
    cookies = {"keeper": keeper.cookie, "guest": guest.cookie}
    return {
        "secret": conftest.SECRET,
        "when": int(Clock.moment.timestamp()),
        "cookies": cookies,
        "home": keys_on(keeper.get("/").html),
        "dead": dead,
        "forms": forms,
        "pushes": pushes,
    }


def keys_on(html: str) -> list[str]:
    """Return the keys of the tables that a page leads to."""
    return list(dict.fromkeys(re.findall(r"/t/([\w-]{22})", html)))


def rows(app: Flask) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every row with the name of its table, in an order in which they can be loaded."""
    with app.app_context():
        known = MetaData()
        known.reflect(db.engine)
        for name in ("tables", "players", "matches", "entries", "match_summaries"):
            table = known.tables[name]
            for row in db.session.execute(select(table).order_by(*table.primary_key.columns)):
                yield (
                    name,
                    {
                        column: value.isoformat() if isinstance(value, datetime) else value
                        for column, value in row._mapping.items()
                    },
                )


def said(app: Flask) -> Iterator[dict[str, Any]]:
    """Yield what is said of each match."""
    with app.app_context():
        for table in db.session.scalars(select(models.Table).order_by(models.Table.id)):
            for number, answer in answers.of_table(table.id).items():
                yield {"table": table.id, "name": table.name, "match": number, **answer}


def looked_at(app: Flask, cookie: str, of_table: Callable[[models.Table], list[str]]) -> dict[str, Any]:
    """Open every address of every table on the phone that keeps them; return them by table and status."""
    found: dict[str, dict[str, list[str]]] = {}
    with app.app_context():
        of_tables = {table.id: of_table(table) for table in db.session.scalars(select(models.Table))}
    for table_id, paths in of_tables.items():
        client = app.test_client()
        client.set_cookie("scorekeeper", cookie)
        by_status = found.setdefault(str(table_id), {})
        for path in paths:
            by_status.setdefault(str(client.get(path).status_code), []).append(path)
    return found


def addresses_since(table: models.Table) -> list[str]:
    """Return the addresses of a table of the second set: where each page takes long, some of every kind."""
    from . import since

    found = [*addresses(table), *since.more_addresses(table)]
    return found[:: since.LOOKED_AT if table.name.startswith("Costly") else 1]


def post_forms(instance: Path, phone: dict[str, Any]) -> None:
    """Send the drawn forms and the queued entries to a copy of the database, twice; note what became of each."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(instance / "scorekeeper.db", folder)
        with started(Path(folder)) as app:
            for form in phone["forms"]:
                form["then"] = answers.sent_twice(app, phone["cookies"][form["phone"]], form)
            for push in phone["pushes"]:
                push["then"] = answers.pushed_twice(app, push["body"])


def write(path: Path, things: Callable[[], Iterator[Any]]) -> None:
    """Write things as JSON, one a line."""
    lines = [json.dumps(one, ensure_ascii=True, separators=(",", ":")) for one in things()]
    path.write_text("\n".join(lines) + "\n")


def main(out: Path) -> None:
    """Write the files into a folder."""
    out.mkdir(parents=True, exist_ok=True)
    is_first = out.name == "rules-1"
    fix()
    with tempfile.TemporaryDirectory() as folder:
        instance = Path(folder)
        with started(instance) as app:
            migrate_database(app)
            phone = play(app) if is_first else play_since(app)
            write(out / "rows.jsonl", lambda: rows(app))
            write(out / "answers.jsonl", lambda: said(app))
            pages = looked_at(app, phone["cookies"]["keeper"], addresses if is_first else addresses_since)
            (out / "pages.json").write_text(json.dumps(pages, indent=0) + "\n")
        post_forms(instance, phone)
    (out / "phone.json").write_text(json.dumps(phone, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
