"""Copies of the SQLite database: ``backup`` and ``restore``."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from .. import file_modes
from .command import CommandRefused, add, need_data, patient_app, sqlite_file, unkept_secret

REVIVED = 20
"""Tables that ``restore`` names."""


def register(commands: Any) -> None:
    """Add ``backup`` and ``restore`` to the command line."""
    backup_command = add(
        commands,
        backup,
        "copy the database to a file, also while the app runs; the copy is checked",
        "backup scores.db",
        description="Copy the SQLite database to FILE, also while the app runs, and check that the copy is whole. "
        "Beside it, FILE.secret_key is the secret with which phones prove which tables are theirs. Whoever reads "
        "both can open every table: keep them in a safe place. 'scorekeeper restore FILE' puts them back.",
    )
    backup_command.add_argument("file", type=Path, metavar="FILE", help="where to; a file that is there is kept")
    without_help = "put no secret beside the copy, which then opens no table; keep the secret elsewhere"
    backup_command.add_argument("--no-secret", action="store_true", help=without_help)
    restore_command = add(
        commands,
        restore,
        "put a copy made by backup in the place of the database, while the app is stopped",
        "restore scores.db",
        description="Check that FILE is a whole copy, and put it in the place of the SQLite database; with it the "
        "secret beside it, FILE.secret_key. The app must be stopped. What was there is kept under another name.",
    )
    restore_command.add_argument("file", type=Path, metavar="FILE", help="a copy that 'scorekeeper backup' made")
    links_help = "give each table the links that it has in DATABASE, so that no link that was renewed since opens again"
    restore_command.add_argument("--links-of", type=Path, metavar="DATABASE", help=links_help)


def backup(args: argparse.Namespace) -> int:
    """Copy the SQLite database at one moment to a file, and the phones' secret to another beside it.

    An existing file is refused, not overwritten. A secret from the environment is not copied.
    """
    import sqlite3

    from ..config import places
    from ..store.backup import copy_to, secret_beside
    from ..store.db import database_file, db

    need_data(places())
    for path in (args.file, secret_beside(args.file)):
        if path.exists():
            raise CommandRefused(f"{path} is there already; name another file.")
    secret = _secret_to_copy(args.no_secret)
    with patient_app(SECRET_KEY=unkept_secret()).app_context():
        if db.engine.dialect.name != "sqlite":
            raise CommandRefused("This database is not SQLite: back it up with its own tool (PostgreSQL: pg_dump).")
        try:
            copy_to(database_file(), args.file, secret)
        except sqlite3.Error as error:
            raise CommandRefused(f"No copy was made: {error}.") from error
        except OSError as error:
            raise CommandRefused(f"No copy was made: {args.file}: {error.strerror or error}.") from error
    print(f"Copied to {args.file}, and checked: the copy is whole.")
    print(_words_of_secret(args, secret))
    print(f"To restore: stop the app, then: scorekeeper restore {args.file}")
    return 0


def _secret_to_copy(no_secret: bool) -> str | None:
    """Return the text of the secret's file; None if it is not wanted, or the secret is not from there."""
    from ..config import secret_file

    if no_secret or os.environ.get("SECRET_KEY") or not secret_file().exists():
        return None
    return secret_file().read_text().strip()


def _words_of_secret(args: argparse.Namespace, secret: str | None) -> str:
    """Return where the secret is without which a copy opens no table."""
    from ..config import secret_file
    from ..store.backup import secret_beside

    if secret is not None:
        return f"Phones know their tables by the secret: it is beside the copy, in {secret_beside(args.file)}."
    if os.environ.get("SECRET_KEY"):
        return "Phones know their tables by SECRET_KEY, which is in the environment and not in the copy: keep it too."
    if not secret_file().exists():
        return f"There is no secret beside it, because there is none: no SECRET_KEY is set, and no {secret_file()}."
    return (
        "No secret is in the copy or beside it, so the copy alone opens no table, and nobody reads links in it. Keep "
        f"{secret_file()} elsewhere: without it phones forget their tables after a restore, and links open but cannot "
        "be shown."
    )


def restore(args: argparse.Namespace) -> int:
    """Replace the SQLite database with a copy, and the app's secret with the one beside the copy, if there is one.

    The earlier files remain under other names. Refused while the app runs.
    """
    from ..config import load
    from ..store.backup import put_back, put_secret_back, secret_beside
    from ..store.faults import LOCKED, Unreachable
    from ..store.locks import alone

    if not args.file.is_file():
        raise CommandRefused(f"There is no file {args.file}.")
    settings = load({} if os.environ.get("SECRET_KEY") else {"SECRET_KEY": unkept_secret()})
    database = sqlite_file(settings)
    instance = Path(settings["INSTANCE"])
    try:
        with alone(instance / file_modes.APP_LOCK):
            aside = put_back(args.file, database, links_of=args.links_of)
            is_with_secret = secret_beside(args.file).is_file() and not os.environ.get("SECRET_KEY")
            old_secret = put_secret_back(args.file, instance / file_modes.SECRET) if is_with_secret else None
    except Unreachable as unreachable:
        if unreachable.args[0] != LOCKED:
            raise
        raise CommandRefused("The app is running, or another program has the database open: stop it first.") from None
    print(f"{args.file} is now the database, {database}.")
    if aside is not None:
        print(f"What was there before is kept as {aside}")
        # The database itself has another name by now.
        newer = aside if args.links_of is None or args.links_of.samefile(database) else args.links_of
        print(*_words_of_revived(args.file, database, newer), sep="\n")
    if old_secret is not None:
        print(f"The file of the secret before is kept as {old_secret}")
    if not is_with_secret:
        print("There is no secret beside the copy, or SECRET_KEY is set: phones know their tables again, and links are")
        print("shown, only if the app has the secret that it had when the copy was made (SECRET_KEY, or")
        print(f"{instance / file_modes.SECRET}), as the secret or among the earlier ones.")
    print("Start the app now: it brings the database to its newest shape by itself.")
    return 0


def _words_of_revived(copy: Path, database: Path, newer: Path) -> Iterator[str]:
    """Yield what the copy brings back that a newer database had given up, and how to give it up again, by lines."""
    from ..store.backup import revived

    found = revived(database, newer)
    if found is None:
        yield "It cannot be read, so nobody knows which links were renewed since the copy was made: they open again."
        return
    if found.links:
        yield "Links that were renewed since the copy was made open again, and the newer ones are dead, at so many"
        yield f"tables: {len(found.links)}."
        yield from _some(f"{name}: {', '.join(kinds)}" for name, kinds in found.links)
        yield "To give each table the links that it had just now:"
        yield f"  scorekeeper restore {copy} --links-of {newer}"
        yield "Or the owner of each makes new ones on the owner's page."
    if found.tables:
        yield f"Tables that were deleted since are here again: {len(found.tables)}. Their owners delete them again, or"
        yield "you do with 'scorekeeper delete LINK'."
        yield from _some(found.tables)
    yield "Matches and names that were deleted, changed or forgotten since the copy was made are as they were then."


def _some(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines a little to the right, and in place of those beyond a bound how many they are."""
    every = list(lines)
    yield from (f"  {line}" for line in every[:REVIVED])
    if len(every) > REVIVED:
        yield f"  and {len(every) - REVIVED} more"
