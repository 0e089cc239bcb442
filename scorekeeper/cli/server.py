"""Commands of the app: ``serve``, ``migrate``, ``rebuild``, ``rotate-secret``, ``backup``, ``restore``, ``delete`` …"""

from __future__ import annotations

import argparse
import errno
import os
import secrets
import socket
import sqlite3
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from .. import file_modes, limits
from .engine import reader_left

if TYPE_CHECKING:
    from datetime import date

    from flask import Flask

    from ..store.models import Table
    from ..store.table_file.export import Part

PATIENCE = 60
"""How many times longer than a page a command waits for the database, because nobody at a table waits for it."""
REVIVED = 20
"""Tables that ``restore`` names."""
PAUSE = 0.1
"""Seconds between two checks whether a taken port is free."""


def register(commands: Any) -> None:
    """Add the commands to the parser's subparsers."""
    at_least_one = partial(_whole_number, 1, 10_000)
    serve_command = _add(commands, serve, "start the app and print its address for a phone", "serve --port 8080")
    serve_command.add_argument("--host", default="0.0.0.0", help="address to listen on (default: every one)")
    serve_command.add_argument("--port", type=partial(_whole_number, 1, 65535), default=8000)
    serve_command.add_argument("--workers", type=at_least_one, default=2, help="processes")
    threads_help = "threads of each process; four in five may follow a table live"
    serve_command.add_argument("--threads", type=at_least_one, default=256, help=threads_help)
    log_help = "print every request, without the tables' keys"
    serve_command.add_argument("--access-log", action="store_true", help=log_help)
    migrate_command = _add(commands, migrate, "bring the database to the newest shape", "migrate")
    secret_help = "make a new secret where the one of the app is lost: phones then open their tables by the links again"
    migrate_command.add_argument("--new-secret", action="store_true", help=secret_help)
    _add(commands, rebuild, "make every summary again from the journal", "rebuild")
    _add_rotate_secret(commands)
    _add_copies(commands)
    _register_for_a_table(commands)


def _register_for_a_table(commands: Any) -> None:
    """Add the commands that take or make a table, or delete it."""
    delete_command = _add(
        commands,
        delete,
        "delete a table for good, with all its matches",
        "delete https://example.org/t/KEY",
        description="Delete the table that LINK opens, for whoever has lost its owner link. It cannot be undone.",
    )
    delete_command.add_argument("link", metavar="LINK", help="the owner link or the link to play, or the key in it")
    delete_command.add_argument("--yes", action="store_true", help="do not ask")
    expire_command = _add(
        commands,
        expire,
        "delete the tables that nobody has opened for long",
        "expire --months 24",
        description="Without --months: do the daily work of SCOREKEEPER_EXPIRE_MONTHS now, if no process has done it "
        "today. With --months: delete every table that nobody has opened for N whole months, also those of which no "
        "phone has said so before.",
    )
    months = partial(_whole_number, 1, limits.EXPIRE_MONTHS[1])
    expire_command.add_argument("--months", type=months, metavar="N", help="whole months without an opening")
    expire_command.add_argument("--yes", action="store_true", help="do not ask")
    export_command = _add(
        commands,
        export,
        "write a table with all its matches to one file, for another server",
        "export https://example.org/t/KEY table.json",
        description="Write the table that LINK opens to FILE: its matches, entries, players, names and notes. No key "
        "is in it, and no mark of a phone. 'scorekeeper import FILE' makes a table of it.",
    )
    export_command.add_argument("link", metavar="LINK", help="the owner link or the link to play, or the key in it")
    export_command.add_argument("file", metavar="FILE", help="where to; a file that is there is kept; - is the output")
    matches_help = "only these matches, by the numbers of the first and the last (default: all)"
    export_command.add_argument("--matches", type=_range_of_matches, metavar="1-200", help=matches_help)
    import_command = _add(
        commands,
        import_,
        "make a table of a file that export wrote, here or on another server",
        "import table.json",
        description="Make a table of FILE and print its links, which are new. Several files are the parts of one "
        "table, in their order. A file that does not hold is refused as a whole, with place and reason.",
    )
    import_command.add_argument("files", nargs="+", metavar="FILE", help="a table's file, or its parts; - is the input")


def _add_copies(commands: Any) -> None:
    backup_command = _add(
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
    restore_command = _add(
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


def _add_rotate_secret(commands: Any) -> None:
    command = _add(
        commands,
        rotate_secret,
        "make a new secret, and seal the links of all tables anew under it, also while the app runs",
        "rotate-secret",
        description="Make a new secret in the instance folder, which the app takes over by itself, and seal the links "
        "of all tables anew under it. The secret before opens cookies and forms until no phone can have one of its "
        f"time; then, after {limits.COOKIE_DAYS + 1} days, the next rotation removes it. Where SECRET_KEY sets the "
        "secret, the command prints the steps.",
    )
    seal_help = "make no new secret: only seal anew what an earlier one has sealed, and remove those that are over"
    command.add_argument("--seal", action="store_true", help=seal_help)


Command = Callable[[argparse.Namespace], int]


def _add(commands: Any, run: Command, about: str, example: str, **more: Any) -> argparse.ArgumentParser:
    """Add a command, whose help ends with an example, and return its parser."""
    epilog = f"example: scorekeeper {example}"
    # A name that is a word of Python ends with a line there.
    name = run.__name__.rstrip("_").replace("_", "-")
    parser: argparse.ArgumentParser = commands.add_parser(name, help=about, epilog=epilog, **more)
    parser.set_defaults(run=partial(_in_words, run))
    return parser


def _whole_number(least: int, most: int, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most)) and least <= int(text) <= most):
        raise argparse.ArgumentTypeError(f"a whole number from {least} to {most} is needed, not {text!r}")
    return int(text)


def _range_of_matches(text: str) -> Part:
    from ..store.table_file.export import part_named

    part = part_named(text)
    if part is None:
        raise argparse.ArgumentTypeError(f"the numbers of the first and the last match are needed, not {text!r}")
    return part


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
    from alembic.util import CommandError

    from ..config import UnsafeConfiguration
    from ..store.backup import Unusable
    from ..store.faults import cause_of, text_of

    if isinstance(error, (CommandRefused, UnsafeConfiguration, Unusable)):
        return str(error)
    if isinstance(error, CommandError) and "Can't locate revision" in str(error):
        return "This database was made by a newer version of the scorekeeper: install that one, or restore a copy."
    if isinstance(error, ModuleNotFoundError) and error.name == "psycopg":
        return "PostgreSQL needs the package psycopg: install the app with its extra 'postgres', or run: make setup."
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror or error}."
    cause = cause_of(error)
    return f"{cause}: {text_of(error)}." if cause else None


def _patient_app(**settings: Any) -> Flask:
    from ..app import create_app

    return create_app({"PATIENCE": PATIENCE, **settings})


def _unkept_secret() -> str:
    """Return a secret for a command that signs nothing: none is written into the instance because of it."""
    return secrets.token_urlsafe(48)


def _need_data(places: dict[str, str]) -> None:
    """Raise ``CommandRefused`` where there is no database: the command would make an empty one, beside a new secret."""
    from sqlalchemy import make_url

    if make_url(places["SQLALCHEMY_DATABASE_URI"]).get_backend_name() != "sqlite":
        return
    database = _sqlite_file(places)
    if not database.exists():
        raise CommandRefused(
            f"There is no database {database}. SCOREKEEPER_INSTANCE names the folder of the app's data; "
            "'scorekeeper serve' makes a new one."
        )


def migrate(args: argparse.Namespace) -> int:
    """Make or migrate the database."""
    _migrate(may_make_secret=args.new_secret)
    return 0


def _migrate(may_make_secret: bool = False) -> None:
    from ..config import has_secret, secret_file
    from ..store.db import migrate_database

    if not may_make_secret and not has_secret() and _has_open_keys():
        raise CommandRefused(
            "This update seals the keys of the tables under the secret of the app, and there is none: set the "
            f"SECRET_KEY that the app runs with, or put {secret_file()} back. If it is lost: 'scorekeeper migrate "
            "--new-secret' makes another one; links go on opening for whoever has them, and phones join anew by them."
        )
    migrate_database(_patient_app())


def _has_open_keys() -> bool:
    from ..config import places
    from ..store.db import db, has_open_keys

    with suppress(CommandRefused):
        _need_data(places())
        with _patient_app(SECRET_KEY=_unkept_secret()).app_context():
            try:
                return has_open_keys()
            finally:
                db.engine.dispose()
    return False


def _need_secret() -> None:
    """Raise ``CommandRefused`` where the app has no secret: what is sealed under a new one the app could not show."""
    from ..config import has_secret, secret_file

    if not has_secret():
        raise CommandRefused(
            "The links of a table are sealed under the secret of the app, and there is none: set the SECRET_KEY that "
            f"the app runs with, or start it once, which makes {secret_file()}."
        )


def rebuild(_args: argparse.Namespace) -> int:
    """Make every summary row again from the journal."""
    from ..config import places
    from ..store.summaries import rebuild as rebuild_summaries

    _need_data(places())
    with _patient_app(SECRET_KEY=_unkept_secret()).app_context():
        _need_newest()
        count = sum(1 for _match in rebuild_summaries())
    print(f"{_count(count, 'match', 'matches')} rebuilt")
    return 0


def rotate_secret(args: argparse.Namespace) -> int:
    """Make a new secret and seal all links anew under it; where it is from the environment, print the steps."""
    from .. import app_secrets
    from ..config import has_secret, new_secret, places, secret_file

    _need_data(places())
    if not has_secret():
        raise CommandRefused(f"There is no secret to rotate: no SECRET_KEY is set, and there is no {secret_file()}.")
    is_from_outside = bool(os.environ.get("SECRET_KEY"))
    if is_from_outside and not args.seal:
        print(_steps(new_secret(), app_secrets.today() + app_secrets.NEEDED))
        return 0
    _need_links()
    if not args.seal:
        with app_secrets.changing(secret_file()) as known:
            if len(known.earlier) >= limits.SECRETS:
                day = min(each.until for each in known.earlier)
                raise CommandRefused(f"There are {limits.SECRETS} earlier secrets already: the first goes on {day}.")
            app_secrets.put(secret_file(), known.followed_by(new_secret(), app_secrets.today()).written())
        print(f"A new secret is in {secret_file()}. The app takes it over by itself, without a restart.", flush=True)
    _seal_anew()
    if not is_from_outside:
        _drop_those_over()
    return 0


def _need_newest() -> None:
    """Raise ``CommandRefused`` where the database is not of this version. Call inside the app's context."""
    from ..store.db import is_newest

    if not is_newest():
        raise CommandRefused("The database is not of this version yet. First: scorekeeper migrate")


def _need_links() -> None:
    """Raise ``CommandRefused`` where the database is not of this version: nothing is sealed in it yet."""
    from ..store.db import db

    with _patient_app(SECRET_KEY=_unkept_secret()).app_context():
        try:
            _need_newest()
        finally:
            db.session.remove()
            db.engine.dispose()


def _seal_anew() -> None:
    """Seal all links anew, and print how many; raise ``CommandRefused`` if some are left."""
    from ..store.links import seal_anew

    with _patient_app().app_context():
        done = seal_anew()
    print(f"{_count(done.anew, 'link was', 'links were')} sealed anew.")
    if done.lost:
        print(
            f"{_count(done.lost, 'link was', 'links were')} sealed under a secret that the app does not have. If it "
            "is one of before, put it into SECRET_KEY_FALLBACKS and run 'scorekeeper rotate-secret --seal'. If it is "
            "lost, such links open their tables and cannot be shown; the owner of each makes new ones on the owner's "
            "page."
        )
    if done.left:
        raise CommandRefused(
            f"{_count(done.left, 'link is', 'links are')} left, in use all the while: scorekeeper rotate-secret --seal"
        )


def _drop_those_over() -> None:
    """Remove the earlier secrets that nobody needs any more, once nothing is sealed under them; print what is left."""
    from .. import app_secrets
    from ..config import secret_file

    with app_secrets.changing(secret_file()) as known:
        needed = known.without_those_over(app_secrets.today())
        if needed != known:
            app_secrets.put(secret_file(), needed.written())
            removed = _count(len(known.earlier) - len(needed.earlier), "earlier secret is", "earlier secrets are")
            print(f"{removed} removed: nobody needs that any more.")
    for each in needed.earlier:
        print(f"An earlier secret is needed until {each.until}, for phones whose cookies it has signed.")


def _steps(secret: str, day: date) -> str:
    """Return the steps by which hosts whose secret is in the environment get another one."""
    others = "those that are in it already"
    return f"""SECRET_KEY is set in the environment, so nothing was changed. A new secret:

{secret}

1. On every host: add the new secret to SECRET_KEY_FALLBACKS, beside {others}, with a space between.
   Restart the hosts one after the other: then each of them reads what the new one will sign.
   (A single host begins with step 2.)
2. On every host: set SECRET_KEY to the new secret, and SECRET_KEY_FALLBACKS to the SECRET_KEY of before,
   beside {others}. Restart the hosts one after the other.
3. On one host, with these settings: scorekeeper rotate-secret --seal
4. From {day} on: take the secret of before out of SECRET_KEY_FALLBACKS. Until then phones bring cookies
   that it has signed; without it they forget their tables."""


def backup(args: argparse.Namespace) -> int:
    """Copy the SQLite database at one moment to a file, and the phones' secret to another beside it.

    An existing file is refused, not overwritten. A secret from the environment is not copied.
    """
    from ..config import places
    from ..store.backup import copy_to, secret_beside
    from ..store.db import database_file, db

    _need_data(places())
    for path in (args.file, secret_beside(args.file)):
        if path.exists():
            raise CommandRefused(f"{path} is there already; name another file.")
    secret = _secret_to_copy(args.no_secret)
    with _patient_app(SECRET_KEY=_unkept_secret()).app_context():
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
    from ..store.db import MIGRATIONS
    from ..store.faults import LOCKED, Unreachable
    from ..store.locks import alone

    if not args.file.is_file():
        raise CommandRefused(f"There is no file {args.file}.")
    settings = load({} if os.environ.get("SECRET_KEY") else {"SECRET_KEY": _unkept_secret()})
    database = _sqlite_file(settings)
    instance = Path(settings["INSTANCE"])
    try:
        with alone(instance / file_modes.APP_LOCK):
            aside = put_back(args.file, database, MIGRATIONS, links_of=args.links_of)
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


def export(args: argparse.Namespace) -> int:
    """Write a table's file, read at one moment. An existing file is refused, not overwritten."""
    from ..config import places
    from ..store.db import read_at_once
    from ..store.table_file.export import ALL, pieces_of

    _need_data(places())
    with _patient_app(SECRET_KEY=_unkept_secret()).app_context():
        _need_newest()
        table = _table_of(args.link)
        with read_at_once(), _new_file(args.file) as file:
            try:
                for piece in pieces_of(table, args.matches or ALL):
                    file.write(piece)
                file.flush()
            except BrokenPipeError:
                return reader_left()
    return 0


def _table_of(link: str) -> Table:
    """Return the table of an owner link or a link to play, or of its key. Raises ``CommandRefused``."""
    from ..store.queries import table_by_key
    from ..web.base.links import LETTERS, find

    _top, letter, key = (find(link) or "//").split("/")
    for kind in ("owner", "play"):
        table = table_by_key(kind, key) if letter == LETTERS[kind] else None
        if table is not None:
            return table
    raise CommandRefused("This opens no table. The owner link (…/o/KEY) or the link to play (…/t/KEY) is needed.")


def delete(args: argparse.Namespace) -> int:
    """Delete a table after a confirmation."""
    from ..config import places
    from ..store.cleaning import wait_until_clean
    from ..store.db import writing
    from ..store.ownership import contents, delete_table

    _need_data(places())
    with _patient_app(SECRET_KEY=_unkept_secret()).app_context():
        _need_newest()
        table = _table_of(args.link)
        holds = contents(table)
        matches, players = _count(holds.matches, "match", "matches"), _count(holds.players, "player", "players")
        _confirm(f"“{table.name}” with {matches} of {players}", args.yes)
        with writing():
            delete_table(table, by="command")
        wait_until_clean(limits.CLEANED_SECONDS)
    print("Deleted. Its links open nothing any more; copies made by backup still have it.")
    return 0


def expire(args: argparse.Namespace) -> int:
    """Delete tables that nobody has opened for long: those whose day has come, or all of so many months."""
    from ..config import places
    from ..store import expiry
    from ..store.cleaning import wait_until_clean
    from ..store.models import now

    _need_data(places())
    app, today = _patient_app(SECRET_KEY=_unkept_secret()), now().date()
    with app.app_context():
        _need_newest()
        if args.months is None:
            if not (months := app.config["EXPIRE_MONTHS"]):
                raise CommandRefused("Name the months (--months 24), or set SCOREKEEPER_EXPIRE_MONTHS.")
            count = expiry.daily_work(months, today)
            wait_until_clean(limits.CLEANED_SECONDS)
            print("This was done today already." if count is None else f"{_count(count, 'table', 'tables')} deleted")
            return 0
        count = len(expiry.expired(args.months, today, is_announced=False))
        if count:
            months = _count(args.months, "month", "months")
            _confirm(f"{_count(count, 'table', 'tables')} that nobody has opened for {months}", args.yes)
            count = expiry.delete_expired(args.months, today, is_announced=False)
            wait_until_clean(limits.CLEANED_SECONDS)
    print(f"{_count(count, 'table', 'tables')} deleted")
    return 0


def _count(number: int, one: str, more: str) -> str:
    """Return a number with the word for what is counted."""
    return f"{number} {one if number == 1 else more}"


def _confirm(what: str, is_confirmed: bool) -> None:
    """Ask whether to delete something for good. Raises ``CommandRefused`` unless the answer is yes."""
    if is_confirmed:
        return
    if not sys.stdin.isatty():
        raise CommandRefused(f"Nothing was deleted: {what}. Nobody is here to ask; add --yes.")
    if input(f"Delete for good: {what}? Write yes: ").strip().lower() != "yes":
        raise CommandRefused("Nothing was deleted.")


@contextmanager
def _new_file(name: str) -> Iterator[IO[bytes]]:
    """Yield a new file that only its owner can read, or the output for ``-``; after an error no file is left.

    Raises ``CommandRefused`` if there is a file of that name, ``OSError``.
    """
    if name == "-":
        yield sys.stdout.buffer
        return
    try:
        file_modes.make_new_file(path := Path(name))
    except FileExistsError as error:
        raise CommandRefused(f"{name} is there already; name another file.") from error
    try:
        with path.open("wb") as file:
            yield file
            os.fsync(file.fileno())
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def import_(args: argparse.Namespace) -> int:
    """Make a table of its file, or of its parts, and print its links."""
    from ..config import places
    from ..store.table_file import jobs, whole
    from ..store.table_file.values import Refused
    from ..web.base.links import path_of

    _need_data(places())
    _need_secret()
    reading = ""

    def parts() -> Iterator[bytes]:
        nonlocal reading
        for reading in args.files:
            yield from whole.in_parts(sys.stdin.buffer.read() if reading == "-" else Path(reading).read_bytes())

    app = _patient_app()
    with app.app_context():
        try:
            table = whole.take_in(parts())
        except Refused as refused:
            raise CommandRefused(f"{reading} was refused. {refused}") from refused
        except jobs.TooLarge as large:
            raise CommandRefused(f"{reading} was refused: a match in it is too large.") from large
        except jobs.Busy as busy:
            raise CommandRefused(f"{busy.most} files are being checked: try again in some minutes.") from busy
        address = app.config["URL"]
        print(f"The table is there. Its links{'' if address else ', behind the address of this server'}:")
        for link in ("owner", "play", "watch"):
            print(f"{address}{path_of(table, link)}  {link}")
    return 0


def _sqlite_file(settings: dict[str, Any]) -> Path:
    from sqlalchemy import make_url

    url = make_url(settings["SQLALCHEMY_DATABASE_URI"])
    if url.get_backend_name() != "sqlite" or not url.database:
        raise CommandRefused(
            "This database is not SQLite: restore it with its own tool (PostgreSQL: pg_restore, psql)."
        )
    # As in the app: a relative path starts at the instance folder.
    return Path(settings["INSTANCE"]) / url.database


def serve(args: argparse.Namespace) -> int:
    """Migrate, print the address and its QR code, and serve until interrupted."""
    try:
        # gunicorn takes long to import and may be missing; no other command needs it.
        from .gunicorn_app import Server
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "gunicorn":
            raise
        print("gunicorn is not installed; run: make setup", file=sys.stderr)
        return 1

    _wait_for_port(args.host, args.port)
    # Only the app's own user may read the database, its copies and the log.
    os.umask(file_modes.OTHERS)
    _migrate()
    with suppress(OSError):
        # The output may go to a file on a full disk.
        _announce(args.host, args.port)
    Server(args.host, args.port, workers=args.workers, threads=args.threads, access_log=args.access_log).run()
    return 0


def _wait_for_port(host: str, port: int) -> None:
    """Wait until the port is free: workers whose master was killed hold it for a while. Raises ``CommandRefused``."""
    until = time.monotonic() + limits.PORT_SECONDS
    if (fault := _fault_at(host, port)) is not None and fault.errno == errno.EADDRINUSE:
        print(f"Port {port} is taken: waiting {limits.PORT_SECONDS} seconds for it …", file=sys.stderr, flush=True)
    while (fault := _fault_at(host, port)) is not None and fault.errno == errno.EADDRINUSE:
        if time.monotonic() > until:
            raise CommandRefused(f"Port {port} is taken. Choose another: scorekeeper serve --port {port % 65535 + 1}")
        time.sleep(PAUSE)
    if fault is not None:
        raise CommandRefused(f"The app cannot listen on {host}, port {port}: {fault.strerror}.")


def _fault_at(host: str, port: int) -> OSError | None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as fault:
            return fault
    return None


def _local_address() -> str:
    """Return this machine's address on the local network, or 127.0.0.1 without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a datagram socket sends nothing: the system only picks a route.
            probe.connect(("192.0.2.1", 9))
            address: str = probe.getsockname()[0]
        except OSError:
            return "127.0.0.1"
    return address


def _announce(host: str, port: int) -> None:
    import segno

    from ..config import own_address

    shown = _local_address() if host in ("0.0.0.0", "::") else host
    address = f"{own_address() or f'http://{shown}:{port}'}/"
    where = "" if own_address() else " on this machine, or on a phone of the same network"
    print(f"\nOpen {address}{where}:\n")
    segno.make(address, error="l").terminal(compact=True)
    print("\nStop with Ctrl-C.", flush=True)
