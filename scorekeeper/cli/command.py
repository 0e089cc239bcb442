"""Shared by the commands of the server: errors as sentences, the app and its database as commands use them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flask import Flask

PATIENCE = 60
"""How many times longer than a page a command waits for the database, because nobody at a table waits for it."""

Command = Callable[[argparse.Namespace], int]


def add(commands: Any, run: Command, about: str, example: str, **more: Any) -> argparse.ArgumentParser:
    """Add a command, whose help ends with an example, and return its parser."""
    epilog = f"example: scorekeeper {example}"
    # A name that is a word of Python ends with a line there.
    name = run.__name__.rstrip("_").replace("_", "-")
    parser: argparse.ArgumentParser = commands.add_parser(name, help=about, epilog=epilog, **more)
    parser.set_defaults(run=partial(_in_words, run))
    return parser


def whole_number(least: int, most: int, text: str) -> int:
    """Return the number that a text is. Raises ``ArgumentTypeError`` unless it is one from ``least`` to ``most``."""
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most)) and least <= int(text) <= most):
        raise argparse.ArgumentTypeError(f"a whole number from {least} to {most} is needed, not {text!r}")
    return int(text)


class CommandRefused(Exception):
    """The command cannot do what it should; the message says why."""


def _in_words(command: Command, args: argparse.Namespace) -> int:
    """Run a command; for a fault outside the app print a sentence and return exit status 1."""
    try:
        return command(args)
    except Exception as error:
        sentence = _sentence(error)
        if sentence is None:
            raise
        print(sentence, file=sys.stderr)
        return 1


def _sentence(error: Exception) -> str | None:
    """Return a sentence about an error; None if the error is a bug of the app."""
    from ..config import UnsafeConfiguration
    from ..store.backup import Unusable
    from ..store.db import OfOthers
    from ..store.faults import cause_of, text_of

    if isinstance(error, (CommandRefused, OfOthers, UnsafeConfiguration, Unusable)):
        return str(error)
    if isinstance(error, ModuleNotFoundError) and error.name == "psycopg":
        return "PostgreSQL needs the package psycopg: install the app with its extra 'postgres', or run: make setup."
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror or error}."
    cause = cause_of(error)
    return f"{cause}: {text_of(error)}." if cause else None


def patient_app(**settings: Any) -> Flask:
    """Return an app that waits long for the database; ``settings`` replace those of the environment."""
    from ..app import create_app

    return create_app({"PATIENCE": PATIENCE, **settings})


def unkept_secret() -> str:
    """Return a secret for a command that signs nothing: none is written into the instance because of it."""
    # Imported late, as are the libraries of the app: the command line must start fast, for its help too.
    import secrets

    return secrets.token_urlsafe(48)


def need_data(places: dict[str, str]) -> None:
    """Raise ``CommandRefused`` where there is no database: the command would make an empty one, beside a new secret."""
    from sqlalchemy import make_url

    if make_url(places["SQLALCHEMY_DATABASE_URI"]).get_backend_name() != "sqlite":
        return
    database = sqlite_file(places)
    if not database.exists():
        raise CommandRefused(
            f"There is no database {database}. SCOREKEEPER_INSTANCE names the folder of the app's data; "
            "'scorekeeper serve' makes a new one."
        )


def need_newest() -> None:
    """Raise ``CommandRefused`` where the database is not of this version. Call inside the app's context."""
    from ..store.db import is_newest

    if not is_newest():
        raise CommandRefused("The database is not of this version yet. First: scorekeeper migrate")


def sqlite_file(settings: dict[str, Any]) -> Path:
    """Return the file of the SQLite database of these settings. Raises ``CommandRefused`` for another database."""
    from sqlalchemy import make_url

    url = make_url(settings["SQLALCHEMY_DATABASE_URI"])
    if url.get_backend_name() != "sqlite" or not url.database:
        raise CommandRefused(
            "This database is not SQLite: restore it with its own tool (PostgreSQL: pg_restore, psql)."
        )
    # As in the app: a relative path starts at the instance folder.
    return Path(settings["INSTANCE"]) / url.database


def counted(number: int, one: str, more: str) -> str:
    """Return a number with the word for what is counted."""
    return f"{number} {one if number == 1 else more}"
