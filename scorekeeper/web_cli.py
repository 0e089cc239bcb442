"""Commands of the app: ``serve``, ``migrate``, ``rebuild``, ``backup``."""

from __future__ import annotations

import argparse
import re
import socket
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

_KEYS = re.compile(r"/(t|w|o)/[^/?\s\"]+")


def register(commands: Any) -> None:
    """Add the commands to the parser's subparsers."""
    serve_command = commands.add_parser("serve", help="start the app and print its address for a phone")
    serve_command.add_argument("--host", default="0.0.0.0", help="address to listen on (default: every one)")
    serve_command.add_argument("--port", type=int, default=8000)
    serve_command.add_argument("--workers", type=int, default=2, help="processes")
    serve_command.add_argument(
        "--threads", type=int, default=256, help="threads of each process; four in five may follow a table live"
    )
    serve_command.add_argument(
        "--access-log", action="store_true", help="print every request, without the tables' keys"
    )
    serve_command.set_defaults(run=serve)
    migrate_command = commands.add_parser("migrate", help="bring the database to the newest shape")
    migrate_command.set_defaults(run=migrate)
    rebuild_command = commands.add_parser("rebuild", help="make every summary again from the journal")
    rebuild_command.set_defaults(run=rebuild)
    backup_command = commands.add_parser("backup", help="copy the database to a file, also while the app runs")
    backup_command.add_argument("file", type=Path, help="where to; a file that is there already is kept")
    backup_command.set_defaults(run=backup)


def migrate(_args: argparse.Namespace) -> int:
    """Make or migrate the database."""
    from . import create_app
    from .store.db import migrate_database

    migrate_database(create_app())
    return 0


def rebuild(_args: argparse.Namespace) -> int:
    """Make every summary row again from the journal."""
    from . import create_app
    from .store import notebook

    with create_app().app_context():
        count = sum(1 for _match in notebook.rebuild())
    print(f"{count} matches rebuilt")
    return 0


def backup(args: argparse.Namespace) -> int:
    """Copy the SQLite database to a file, as it is at one moment."""
    from . import create_app
    from .store.db import db

    if args.file.exists():
        print(f"{args.file} is there already; name another file.", file=sys.stderr)
        return 1
    with create_app().app_context():
        if db.engine.dialect.name != "sqlite":
            print("This database is not SQLite: back it up with its own tool (PostgreSQL: pg_dump).", file=sys.stderr)
            return 1
        with closing(sqlite3.connect(args.file)) as copy, closing(sqlite3.connect(str(db.engine.url.database))) as own:
            own.backup(copy)
    print(f"Copied to {args.file}. To restore: stop the app and put the file in the place of scorekeeper.db.")
    return 0


def serve(args: argparse.Namespace) -> int:
    """Migrate, print the address and its QR code, and serve until interrupted."""
    try:
        from gunicorn.app.base import BaseApplication
        from gunicorn.glogging import Logger
        from gunicorn.workers.gthread import ThreadWorker
    except ModuleNotFoundError:
        print("gunicorn is not installed; run: make setup", file=sys.stderr)
        return 1
    if not _is_free(args.host, args.port):
        print(f"Port {args.port} is taken. Choose another: scorekeeper serve --port {args.port + 1}", file=sys.stderr)
        return 1
    migrate(args)

    class Discreet(Logger):  # type: ignore[misc]
        """The access log without the keys of the tables: whoever reads a log must not get into a table."""

        def atoms(self, *values: Any) -> dict[str, Any]:
            atoms: dict[str, Any] = super().atoms(*values)
            return {
                name: _KEYS.sub(r"/\1/…", value) if isinstance(value, str) else value for name, value in atoms.items()
            }

    class Worker(ThreadWorker):  # type: ignore[misc]
        """A process that, told to stop, lets the open pages go at once instead of waiting for them in vain."""

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
                "bind": f"{args.host}:{args.port}",
                "workers": args.workers,
                "worker_class": Worker,
                "threads": args.threads,
                "control_socket_disable": True,
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
            from . import create_app
            from .config import load

            # A stream holds its thread: some must be left for everybody else.
            return create_app({"LIVE_STREAMS": min(load()["LIVE_STREAMS"], args.threads * 4 // 5)})

    _announce(args.host, args.port)
    Server(prog="scorekeeper").run()
    return 0


def _is_free(host: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


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
