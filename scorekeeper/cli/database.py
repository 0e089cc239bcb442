"""The shape of the database: ``migrate`` and ``rebuild``."""

from __future__ import annotations

import argparse
from contextlib import suppress
from typing import Any

from .command import CommandRefused, add, counted, need_data, need_newest, patient_app, unkept_secret


def register(commands: Any) -> None:
    """Add ``migrate`` and ``rebuild`` to the command line."""
    migrate_command = add(commands, migrate, "bring the database to the newest shape", "migrate")
    secret_help = "make a new secret where the one of the app is lost: phones then open their tables by the links again"
    migrate_command.add_argument("--new-secret", action="store_true", help=secret_help)
    add(commands, rebuild, "make every summary again from the journal", "rebuild")


def migrate(args: argparse.Namespace) -> int:
    """Make or migrate the database."""
    migrate_or_refuse(may_make_secret=args.new_secret)
    return 0


def migrate_or_refuse(may_make_secret: bool = False) -> None:
    """Bring the database to the newest shape.

    Raises ``CommandRefused`` where its keys must be sealed and the app has no secret, unless one may be made.
    """
    from ..config import has_secret, secret_file
    from ..store.db import migrate_database

    if not may_make_secret and not has_secret() and _has_open_keys():
        raise CommandRefused(
            "This update seals the keys of the tables under the secret of the app, and there is none: set the "
            f"SECRET_KEY that the app runs with, or put {secret_file()} back. If it is lost: 'scorekeeper migrate "
            "--new-secret' makes another one; links go on opening for whoever has them, and phones join anew by them."
        )
    migrate_database(patient_app())


def _has_open_keys() -> bool:
    from ..config import places
    from ..store.db import db, has_open_keys

    with suppress(CommandRefused):
        need_data(places())
        with patient_app(SECRET_KEY=unkept_secret()).app_context():
            try:
                return has_open_keys()
            finally:
                db.engine.dispose()
    return False


def rebuild(_args: argparse.Namespace) -> int:
    """Make every summary row again from the journal."""
    from ..config import places
    from ..store.summaries import rebuild as rebuild_summaries

    need_data(places())
    with patient_app(SECRET_KEY=unkept_secret()).app_context():
        need_newest()
        count = sum(1 for _match in rebuild_summaries())
    print(f"{counted(count, 'match', 'matches')} rebuilt")
    return 0
