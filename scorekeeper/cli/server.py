"""The server: ``serve`` waits for its port, brings the database to the newest shape and prints the address."""

from __future__ import annotations

import argparse
import errno
import os
import socket
import sys
import time
from contextlib import suppress
from functools import partial
from typing import Any

from .. import file_modes, limits
from .command import CommandRefused, add, patient_app, whole_number

PAUSE = 0.1
"""Seconds between two checks whether a taken port is free."""


def register(commands: Any) -> None:
    """Add ``serve`` to the command line."""
    at_least_one = partial(whole_number, 1, 10_000)
    serve_command = add(commands, serve, "start the app and print its address for a phone", "serve --port 8080")
    serve_command.add_argument("--host", default="0.0.0.0", help="address to listen on (default: every one)")
    serve_command.add_argument("--port", type=partial(whole_number, 1, 65535), default=8000)
    serve_command.add_argument("--workers", type=at_least_one, default=2, help="processes")
    threads_help = "threads of each process: requests that it has at the same time, most of which wait"
    serve_command.add_argument("--threads", type=at_least_one, default=256, help=threads_help)
    log_help = "print every request, without the tables' keys"
    serve_command.add_argument("--access-log", action="store_true", help=log_help)


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
    from ..store.db import migrate_database

    _wait_for_port(args.host, args.port)
    # Only the app's own user may read the database, its copies and the log.
    os.umask(file_modes.OTHERS)
    migrate_database(patient_app())
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
