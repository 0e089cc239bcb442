"""Commands of the app: ``serve``, ``migrate``, ``rebuild``, ``backup``, ``restore``."""

from __future__ import annotations

import argparse
import errno
import os
import socket
import sqlite3
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import file_modes, limits

if TYPE_CHECKING:
    from flask import Flask

PATIENCE = 60
"""How many times longer than a page a command waits for the database: nobody at a table waits for it."""
PAUSE = 0.1
"""Between two looks whether what is used up has come free."""


def register(commands: Any) -> None:
    """Add the commands to the parser's subparsers."""
    at_least_one = partial(_whole_number, 1, 10_000)
    serve_command = commands.add_parser("serve", help="start the app and print its address for a phone")
    serve_command.add_argument("--host", default="0.0.0.0", help="address to listen on (default: every one)")
    serve_command.add_argument("--port", type=partial(_whole_number, 1, 65535), default=8000)
    serve_command.add_argument("--workers", type=at_least_one, default=2, help="processes")
    serve_command.add_argument(
        "--threads",
        type=at_least_one,
        default=256,
        help="threads of each process; four in five may follow a table live",
    )
    serve_command.add_argument(
        "--access-log", action="store_true", help="print every request, without the tables' keys"
    )
    serve_command.set_defaults(run=partial(_in_words, serve))
    migrate_command = commands.add_parser("migrate", help="bring the database to the newest shape")
    migrate_command.set_defaults(run=partial(_in_words, migrate))
    rebuild_command = commands.add_parser("rebuild", help="make every summary again from the journal")
    rebuild_command.set_defaults(run=partial(_in_words, rebuild))
    backup_command = commands.add_parser(
        "backup",
        help="copy the database to a file, also while the app runs; the copy is checked",
        description="Copy the SQLite database to FILE, also while the app runs, and check that the copy is whole. "
        "Beside it, FILE.secret_key is the secret with which phones prove which tables are theirs. Whoever reads "
        "either can open every table: keep both in a safe place. 'scorekeeper restore FILE' puts them back.",
    )
    backup_command.add_argument("file", type=Path, metavar="FILE", help="where to; a file that is there is kept")
    backup_command.set_defaults(run=partial(_in_words, backup))
    restore_command = commands.add_parser(
        "restore",
        help="put a copy made by backup in the place of the database, while the app is stopped",
        description="Check that FILE is a whole copy, and put it in the place of the SQLite database; with it the "
        "secret beside it, FILE.secret_key. The app must be stopped. What was there is kept under another name.",
    )
    restore_command.add_argument("file", type=Path, metavar="FILE", help="a copy that 'scorekeeper backup' made")
    restore_command.set_defaults(run=partial(_in_words, restore))


def _whole_number(least: int, most: int, told: str) -> int:
    if not (told.isascii() and told.isdigit() and len(told) <= len(str(most)) and least <= int(told) <= most):
        raise argparse.ArgumentTypeError(f"a whole number from {least} to {most} is needed, not {told!r}")
    return int(told)


class CommandRefused(Exception):
    """A command that cannot do what it is asked; the message says why."""


def _in_words(command: Callable[[argparse.Namespace], int], args: argparse.Namespace) -> int:
    """Run a command; what goes wrong outside the app is told in a sentence, with exit status 1."""
    try:
        return command(args)
    except Exception as error:
        sentence = _sentence(error)
        if sentence is None:
            raise
        print(sentence, file=sys.stderr)
        return 1


def _sentence(error: Exception) -> str | None:
    """Return what to tell of an error, or None where it is a mistake of the app."""
    from alembic.util import CommandError

    from ..config import UnsafeConfiguration
    from ..store.backup import Unusable
    from ..store.faults import cause_of, text_of

    if isinstance(error, (CommandRefused, UnsafeConfiguration, Unusable)):
        return str(error)
    if isinstance(error, CommandError) and "Can't locate revision" in str(error):
        return "This database was made by a newer version of the scorekeeper: install that one, or restore a copy."
    if isinstance(error, ModuleNotFoundError) and error.name == "psycopg":
        return "PostgreSQL needs the package psycopg: install the app with its extra 'postgres'."
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror or error}."
    cause = cause_of(error)
    return f"{cause}: {text_of(error)}." if cause else None


def _patient_app() -> Flask:
    from ..app import create_app

    return create_app({"PATIENCE": PATIENCE})


def migrate(_args: argparse.Namespace) -> int:
    """Make or migrate the database."""
    from ..store.db import migrate_database

    migrate_database(_patient_app())
    return 0


def rebuild(_args: argparse.Namespace) -> int:
    """Make every summary row again from the journal."""
    from ..store.summaries import rebuild as rebuild_summaries

    with _patient_app().app_context():
        count = sum(1 for _match in rebuild_summaries())
    print(f"{count} matches rebuilt")
    return 0


def backup(args: argparse.Namespace) -> int:
    """Copy the SQLite database to a file, as it is at one moment, with the secret of the phones beside it."""
    from ..store.backup import copy_to, secret_beside
    from ..store.db import database_file, db

    for path in (args.file, secret_beside(args.file)):
        if path.exists():
            raise CommandRefused(f"{path} is there already; name another file.")
    app = _patient_app()
    is_from_outside = bool(os.environ.get("SECRET_KEY"))
    with app.app_context():
        if db.engine.dialect.name != "sqlite":
            raise CommandRefused("This database is not SQLite: back it up with its own tool (PostgreSQL: pg_dump).")
        try:
            copy_to(database_file(), args.file, None if is_from_outside else app.config["SECRET_KEY"])
        except sqlite3.Error as error:
            raise CommandRefused(f"No copy was made: {error}.") from error
        except OSError as error:
            raise CommandRefused(f"No copy was made: {args.file}: {error.strerror or error}.") from error
    print(f"Copied to {args.file}, and checked: the copy is whole.")
    if is_from_outside:
        print("Phones know their tables by SECRET_KEY, which is in the environment and not in the copy: keep it too.")
    else:
        print(f"Phones know their tables by the secret: it is beside the copy, in {secret_beside(args.file)}.")
    print(f"To restore: stop the app, then: scorekeeper restore {args.file}")
    return 0


def restore(args: argparse.Namespace) -> int:
    """Put a copy in the place of the SQLite database, and the secret that lies beside it in the place of the app's."""
    from ..config import load
    from ..store.backup import put_back, put_secret_back, secret_beside
    from ..store.db import MIGRATIONS
    from ..store.faults import Unreachable
    from ..store.locks import alone

    settings = load()
    database = _sqlite_file(settings)
    instance = Path(settings["INSTANCE"])
    try:
        with alone(instance / file_modes.APP_LOCK):
            aside = put_back(args.file, database, MIGRATIONS)
            is_with_secret = secret_beside(args.file).is_file() and not os.environ.get("SECRET_KEY")
            old_secret = put_secret_back(args.file, instance / file_modes.SECRET) if is_with_secret else None
    except Unreachable:
        raise CommandRefused("The app is running, or another program has the database open: stop it first.") from None
    print(f"{args.file} is now the database, {database}.")
    if aside is not None:
        print(f"What was there before is kept as {aside}")
    if old_secret is not None:
        print(f"The secret before is kept as {old_secret}")
    if not is_with_secret:
        print("There is no secret beside the copy, or SECRET_KEY is set: phones know their tables again only if the")
        print(f"app has the secret that it had when the copy was made (SECRET_KEY, or {instance / file_modes.SECRET}).")
    print("Start the app now: it brings the database to its newest shape by itself.")
    return 0


def _sqlite_file(settings: dict[str, Any]) -> Path:
    from sqlalchemy import make_url

    url = make_url(settings["SQLALCHEMY_DATABASE_URI"])
    if url.get_backend_name() != "sqlite" or not url.database:
        raise CommandRefused(
            "This database is not SQLite: restore it with its own tool (PostgreSQL: pg_restore, psql)."
        )
    # As the app itself finds it, where the address does not begin at the root.
    return Path(settings["INSTANCE"]) / url.database


def serve(args: argparse.Namespace) -> int:
    """Migrate, print the address and its QR code, and serve until interrupted."""
    try:
        from gunicorn.app.base import BaseApplication
        from gunicorn.glogging import Logger
        from gunicorn.workers.gthread import ThreadWorker
    except ModuleNotFoundError:
        print("gunicorn is not installed; run: make setup", file=sys.stderr)
        return 1
    from ..logs import Sparing, and_more, keep_discreet
    from ..store.faults import cause_of

    _wait_for_port(args.host, args.port)
    # What the server writes is the app's alone, whatever it is and whoever starts it.
    os.umask(file_modes.OTHERS)
    migrate(args)

    class Discreet(Logger):  # type: ignore[misc]
        """The server's log without the keys of the tables: whoever reads a log must not get into a table."""

        def setup(self, cfg: Any) -> None:
            self._sparing = Sparing()
            super().setup(cfg)
            keep_discreet()

        def exception(self, msg: Any, *args: Any, **kwargs: Any) -> None:
            """Log a trace, the same one once a minute; of a fault that passes, the cause alone."""
            _kind, error, _trace = sys.exc_info()
            cause = cause_of(error) if error is not None else None
            left_out = self._sparing.next(cause or (msg, type(error)))
            if left_out is None:
                return
            if cause is None:
                super().exception(f"{msg}{and_more(left_out)}", *args, **kwargs)
            else:
                self.error("%s: %s%s", cause, error, and_more(left_out))

    class Worker(ThreadWorker):  # type: ignore[misc]
        """A process that, told to stop, lets the open pages go at once instead of waiting for them in vain.

        Without file handles it waits for some to come free: those who ask meanwhile are answered then.
        """

        _without = Sparing()

        def accept(self, listener: Any) -> None:
            try:
                super().accept(listener)
            except OSError as error:
                if error.errno not in (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM):
                    raise
                left_out = self._without.next(error.errno)
                if left_out is not None:
                    self.log.error("Nobody can come in: %s%s", error.strerror, and_more(left_out))
                # Whoever knocks is still there at once: without a pause this would be all that the process does.
                time.sleep(PAUSE)

        def handle_exit(self, *told: Any) -> None:
            self._let_go()
            super().handle_exit(*told)

        def handle_quit(self, *told: Any) -> None:
            self._let_go()
            super().handle_quit(*told)

        def _let_go(self) -> None:
            if self.wsgi:
                self.wsgi.extensions["scorekeeper.hub"].stop()

    class Server(BaseApplication):  # type: ignore[misc]
        def load_config(self) -> None:
            settings = {
                "bind": f"[{args.host}]:{args.port}" if ":" in args.host else f"{args.host}:{args.port}",
                "workers": args.workers,
                "worker_class": Worker,
                "threads": args.threads,
                "control_socket_disable": True,
                # No header says under which path the app is; what a proxy tells of HTTPS is another setting.
                "forwarder_headers": "",
                # Longer than a phone's polling pause, so that its connection is kept.
                "keepalive": 10,
                "graceful_timeout": 5,
                "logger_class": Discreet,
                "accesslog": "-" if args.access_log else None,
                "loglevel": "warning",
            }
            for name, value in settings.items():
                self.cfg.set(name, value)

        def load(self) -> Any:
            from ..app import create_app
            from ..config import load

            # A stream holds its thread: some must be left for everybody else.
            return create_app({"LIVE_STREAMS": min(load()["LIVE_STREAMS"], args.threads * 4 // 5)})

    _announce(args.host, args.port)
    Server(prog="scorekeeper").run()
    return 0


def _wait_for_port(host: str, port: int) -> None:
    """Wait until nobody else has the port: workers whose master was killed still do for a while. Raises ``Refused``."""
    until = time.monotonic() + limits.PORT_SECONDS
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


def _own_address() -> str:
    """Return this machine's address on the local network (nothing is sent: the system only picks a route)."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            address: str = probe.getsockname()[0]
        except OSError:
            return "127.0.0.1"
    return address


def _announce(host: str, port: int) -> None:
    import segno

    shown = _own_address() if host in ("0.0.0.0", "::") else host
    address = f"http://{shown}:{port}/"
    print(f"\nOpen {address} on this machine, or on a phone of the same network:\n")
    segno.make(address, error="l").terminal(compact=True)
    print("\nStop with Ctrl-C.", flush=True)
