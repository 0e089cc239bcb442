"""The shape of the database: ``migrate`` and ``rebuild``."""

from __future__ import annotations

import argparse
from typing import Any

from .command import add, counted, need_data, need_newest, patient_app, unkept_secret


def register(commands: Any) -> None:
    """Add ``migrate`` and ``rebuild`` to the command line."""
    migrate_command = add(commands, migrate, "bring the database to the newest shape", "migrate")
    secret_help = "make a new secret where the one of the app is lost: phones then open their tables by the links again"
    migrate_command.add_argument("--new-secret", action="store_true", help=secret_help)
    add(commands, rebuild, "make every summary again from the journal", "rebuild")


def migrate(args: argparse.Namespace) -> int:
    """Make or migrate the database."""
    from ..config import make_secret
    from ..store.db import migrate_database

    if args.new_secret:
        make_secret()
    migrate_database(patient_app())
    return 0


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
