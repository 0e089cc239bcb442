"""The app under gunicorn: its log, its worker and its settings. Imported only when the app is served."""

from __future__ import annotations

import ctypes
import errno
import gc
import os
import resource
import select
import signal
import sys
import tempfile
import time
from contextlib import suppress
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication
from gunicorn.glogging import Logger

from ..app import create_app
from ..brakes.host import HostCounts
from ..config import load
from ..limits import ALL_CONNECTIONS, OTHER_HANDLES
from ..logs import Sparing, and_more, mask_all_logs
from ..store.faults import cause_of
from .connections import ConnectionWorker

PAUSE = 0.1
"""Seconds that a worker without file handles waits before it tries again."""
BOOT_PAUSE = 1.0
"""Seconds that a worker waits after a failed start, before the master starts another."""
IN_MEMORY = "/dev/shm"
"""A folder in memory that Linux has."""
PARENT_DEATH = 1
"""The number of Linux's ``PR_SET_PDEATHSIG``."""
UNREADABLE = "Invalid request"
"""How gunicorn's line about a request that it cannot read begins."""
NO_HANDLES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class DiscreetLogger(Logger):  # type: ignore[misc]
    """The server's log without the keys of the tables, which would give its readers access."""

    def setup(self, cfg: Any) -> None:
        """Set up the log as gunicorn does, then mask the keys in it."""
        self._sparing = Sparing()
        super().setup(cfg)
        mask_all_logs()

    def warning(self, msg: Any, *args: Any, **kwargs: Any) -> None:
        """Log a warning; of a request that cannot be read only the kind of its fault, once a minute.

        gunicorn logs each with the address that sent it and with its text, so a stranger could fill the log.
        """
        if not str(msg).startswith(UNREADABLE):
            super().warning(msg, *args, **kwargs)
            return
        kind = type(sys.exc_info()[1]).__name__
        left_out = self._sparing.next((UNREADABLE, kind))
        if left_out is not None:
            super().warning("A request that cannot be read was refused: %s%s", kind, and_more(left_out))

    def exception(self, msg: Any, *args: Any, **kwargs: Any) -> None:
        """Log a trace, the same at most once a minute; for a fault that passes by itself, log only the cause."""
        _kind, error, _trace = sys.exc_info()
        if isinstance(error, TimeoutError):
            # A phone that took too long: no fault, and a stranger could fill the log with it.
            return
        cause = cause_of(error) if error is not None else None
        left_out = self._sparing.next(cause or (msg, type(error)))
        if left_out is None:
            return
        if cause is None:
            super().exception(f"{msg}{and_more(left_out)}", *args, **kwargs)
        else:
            self.error("%s: %s%s", cause, error, and_more(left_out))


class Worker(ConnectionWorker):
    """A process that serves requests in threads.

    It ends with its master, which alone could replace it. When it stops it closes the live streams at once, because
    they do not end by themselves. Without a free file handle it waits, and then answers the connections that came
    meanwhile.
    """

    _no_handles = Sparing()

    def init_process(self) -> None:
        """Start this process, after asking the system to stop it when its master dies."""
        _end_with_parent()
        super().init_process()

    def load_wsgi(self) -> None:
        """Make the app. After a fault outside the app, wait a moment and end, and the master tries again.

        An exception here would end the whole server, although other workers still answer.
        """
        try:
            super().load_wsgi()
        except Exception as error:
            cause = cause_of(error)
            if cause is None:
                raise
            self.log.error("A worker cannot start: %s: %s", cause, error)
            time.sleep(BOOT_PAUSE)
            sys.exit(1)
        # What the app is made of stays: to look through all of it for garbage would stop everything for a tenth of a
        # second each time.
        gc.collect()
        gc.freeze()

    def accept(self, listener: Any) -> None:
        """Accept a connection; without a free file handle, log that and pause."""
        try:
            super().accept(listener)
        except OSError as error:
            if error.errno not in NO_HANDLES:
                raise
            left_out = self._no_handles.next(error.errno)
            if left_out is not None:
                self.log.error("Nobody can come in: %s%s", error.strerror, and_more(left_out))
            self.make_room()
            # The connection still waits: without a pause this process would only try again.
            time.sleep(PAUSE)

    def set_accept_enabled(self, enabled: bool) -> None:
        """Let connections in or not. A process that stops takes in those that wait, and then shuts its door.

        Behind an open door they would wait until it has ended, and get no answer; at a shut one a proxy asks elsewhere.
        """
        super().set_accept_enabled(enabled)
        if self.alive:
            return
        while self.sockets:
            listener = self.sockets.pop()
            for _turn in range(self.cfg.backlog):
                if not select.select([listener.fileno()], [], [], 0)[0]:
                    break
                self.accept(listener)
            listener.close()

    def handle_exit(self, *signal_and_frame: Any) -> None:
        """Stop after the requests that are being answered."""
        self._close_streams()
        super().handle_exit(*signal_and_frame)

    def handle_quit(self, *signal_and_frame: Any) -> None:
        """Stop at once."""
        self._close_streams()
        super().handle_quit(*signal_and_frame)

    def _close_streams(self) -> None:
        # A worker that is stopped while it starts has no app yet.
        if self.wsgi:
            self.wsgi.extensions["scorekeeper.hub"].stop()


def _end_with_parent() -> None:
    """Ask Linux to stop this process when its parent dies; on other systems gunicorn itself checks."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PARENT_DEATH, signal.SIGTERM, 0, 0, 0)


def folder_of_signs() -> str | None:
    """Return the folder of the empty files by which workers show that they live; None for the usual one.

    If all disks are full or read-only, Python finds no folder for temporary files, and gunicorn would not start.
    """
    if not os.access(IN_MEMORY, os.W_OK):
        return None
    try:
        tempfile.gettempdir()
    except OSError:
        tempfile.tempdir = IN_MEMORY
    return IN_MEMORY


def _take_handles(wanted: int) -> None:
    """Have as many file handles as are wanted, as far as the system lets this process have them."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or wanted <= soft:
        return
    with suppress(OSError, ValueError):
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


class Server(BaseApplication):  # type: ignore[misc]
    """The app as gunicorn serves it; ``run()`` returns when it is interrupted."""

    def __init__(self, host: str, port: int, *, workers: int, threads: int, access_log: bool) -> None:
        self._access_log = access_log
        # Before the workers are forked: they count in it together.
        self._counts = HostCounts()
        self._settings = {
            "bind": f"[{host}]:{port}" if ":" in host else f"{host}:{port}",
            "workers": workers,
            "worker_class": Worker,
            "threads": threads,
            "worker_connections": max(ALL_CONNECTIONS, 2 * threads),
            "control_socket_disable": True,
            # A proxy's headers must not set the path of the app; HTTPS behind a proxy has its own settings.
            "forwarder_headers": "",
            # Longer than a phone's polling pause, so that its connection stays open.
            "keepalive": 10,
            "graceful_timeout": 5,
            "worker_tmp_dir": folder_of_signs(),
            "logger_class": DiscreetLogger,
            "accesslog": "-" if access_log else None,
            "loglevel": "warning",
        }
        super().__init__(prog="scorekeeper")
        _take_handles(load()["LIVE_STREAMS"] + self.cfg.worker_connections + OTHER_HANDLES)

    def load_config(self) -> None:
        """Set gunicorn's settings; its own configuration files are not read."""
        for name, value in self._settings.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """Return the app of one worker."""
        # Each stream has a file handle: some must be left for everything else.
        handles, _most = resource.getrlimit(resource.RLIMIT_NOFILE)
        left = max(0, handles - self.cfg.worker_connections - OTHER_HANDLES)
        streams = load()["LIVE_STREAMS"] if handles == resource.RLIM_INFINITY else min(load()["LIVE_STREAMS"], left)
        given = {"LIVE_STREAMS": streams, "BRAKES_MEMORY": self._counts, "ACCESS_LOG": self._access_log}
        return create_app(given)
