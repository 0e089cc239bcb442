"""The shape of the database: ``migrate`` and ``rebuild``."""

from __future__ import annotations

import argparse
from typing import Any

from .command import add, counted, need_data, need_newest, patient_app, unkept_secret


def register(commands: Any) -> None:
    """Add ``migrate`` and ``rebuild`` to the command line."""
    add(commands, migrate, "bring the database to the newest shape", "migrate")
    add(commands, rebuild, "make every summary again from the journal", "rebuild")


def migrate(_args: argparse.Namespace) -> int:
    """Make or migrate the database."""
    from ..store.db import migrate_database

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
