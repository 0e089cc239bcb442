"""The connections of a worker: one that is slow takes no thread, and none may take as long as it likes.

gunicorn's own worker gives each connection to a thread at once, which then waits for its request without an end, and
closes connections in the one loop that also accepts them. Here that loop collects what comes, and a thread has a
request only when it is here. What a thread still waits for, a long body or a phone that takes its answer, has an end.
"""

from __future__ import annotations

import errno
import re
import select
import socket
import threading
import time
from collections import Counter
from contextlib import suppress
from selectors import EVENT_READ, EVENT_WRITE
from typing import Any

from flask import Flask
from gunicorn.http import get_parser
from gunicorn.http.unreader import SocketUnreader
from gunicorn.util import write_error
from gunicorn.workers.gthread import TConn, ThreadWorker
from werkzeug.exceptions import RequestTimeout

from .. import events
from ..config import Proxies
from ..limits import (
    ANSWER_AHEAD,
    ANSWER_SECONDS,
    BODY_SECONDS,
    BODY_THREADS,
    HANG_UP_SECONDS,
    HEAD_SECONDS,
    HURRIED_SECONDS,
    REQUEST_BYTES,
    UNNAMED_PROXIES,
)
from ..web.base.addresses import FORWARDING, Address, network_of, read_address
from ..web.pages.live import HAND_OVER
from .arriving import Arriving
from .streams import Stream, Streams, Words
from .turns import Turns

PIECE = 64 * 1024
"""Bytes that are read at once."""
LOOK = 1.0
"""Seconds between two looks at whose time is over."""
OF_A_PROXY = re.compile(rb"\n(?:%s):" % "|".join(FORWARDING).encode(), re.IGNORECASE)


class HandedOver(BaseException):
    """Ends the thread's part of an answer that the loop goes on with. No fault, so that nobody answers it as one."""


def _has_room_to_send(sock: socket.socket) -> bool:
    """Return whether the system takes an answer at once: on Linux, whether a third of its room for them is free."""
    look = select.poll()
    try:
        look.register(sock, select.POLLOUT)
        return bool(look.poll(0))
    except (OSError, ValueError):
        # It is closed: the thread that writes to it finds that out.
        return True


class Reader(SocketUnreader):  # type: ignore[misc]
    """Reads the request of a connection, and gives up when its time is over."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection.sock)
        self._connection = connection

    def chunk(self, size_hint: int | None = None) -> bytes:
        """Return the next piece.

        Raises ``RequestTimeout`` for a body that the app reads, and ``TimeoutError`` for the rest of one that it did
        not want, which gunicorn reads with a time of its own.
        """
        usual = self.sock.gettimeout()
        left = self._connection.deadline - time.monotonic()
        try:
            if left > 0:
                self.sock.settimeout(min(left, usual or left))
                piece: bytes = super().chunk(size_hint)
                return piece
        except TimeoutError:
            pass
        finally:
            self.sock.settimeout(usual)
        if usual != ANSWER_SECONDS:
            raise TimeoutError
        # The rest of the body would be read as the next request.
        self._connection.parser.mesg.force_close()
        raise RequestTimeout


class Connection(TConn):  # type: ignore[misc]
    """A connection, what has come of its next request, and when its time is over."""

    def __init__(self, worker: ConnectionWorker, sock: socket.socket, client: Any, server: Any) -> None:
        super().__init__(worker.cfg, sock, client, server)
        self._worker = worker
        self.peer = read_address(client[0]) if isinstance(client, tuple) else None
        self.network = worker.network_of_peer(self.peer)
        self.begin_anew()
        self.initialized = self.data_ready = True
        self.arriving = Arriving()
        self.deadline = 0.0
        self.is_leaving = False
        """True while the phone is to close the connection itself."""
        self.drained = 0
        self.is_behind = False
        """True while the phone has not taken enough of its answers for another one."""
        self.words: Words | None = None
        """The stream that goes on by this connection without a thread."""
        with suppress(OSError):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, ANSWER_AHEAD)

    def begin_anew(self) -> None:
        """Read the next request as if it was the first."""
        self.parser = get_parser(self.cfg, self.sock, self.client)
        self.parser.unreader = Reader(self)

    def hand_over(self, words: Words) -> None:
        """Let the loop go on with an answer that lasts. Raises ``HandedOver``, which ends the part of the thread."""
        words.is_begun = True
        self.words = words
        raise HandedOver

    def init(self) -> None:
        """Let a thread read and write: gunicorn calls this before each request."""
        self.sock.settimeout(ANSWER_SECONDS)

    def close(self, graceful: bool = False) -> None:
        """Close it, or let the phone do so, which gunicorn would wait for in the loop of all connections."""
        if graceful:
            self._worker.let_leave(self)
        else:
            super().close()
            self._worker.forget(self)


class ConnectionWorker(ThreadWorker):  # type: ignore[misc]
    """A worker whose threads have requests that are here. All of it but ``handle`` runs in the one loop."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._proxies = Proxies()
        self._most = 0
        self._waiting: dict[Connection, None] = {}
        self._of_network: Counter[str] = Counter()
        self._unnamed: set[str] = set()
        self._in_body: dict[Connection, None] = {}
        self._in_threads: dict[Connection, float] = {}
        """Since when each connection has a thread, or waits for one; the longest first."""
        self._turns = Turns[Connection](super().enqueue_req)
        self._looked = 0.0
        self._needs_room = False
        self._here = threading.local()
        """The connection that a thread answers."""
        self._streams: Streams | None = None

    def load_wsgi(self) -> None:
        """Make the app, and read its settings."""
        super().load_wsgi()
        self._offer_loop(self.wsgi)
        config = self.wsgi.config
        self._proxies = config["PROXIES"]
        self._most = 0 if config["BRAKES"] == "off" else config["BRAKED"]["CONNECTIONS"]

    def _offer_loop(self, app: Flask) -> None:
        """Offer to the app that the loop goes on with an answer that lasts."""
        answer = app.wsgi_app

        def offering(environ: dict[str, Any], start_response: Any) -> Any:
            environ[HAND_OVER] = self._here.connection.hand_over
            return answer(environ, start_response)

        app.wsgi_app = offering  # type: ignore[method-assign]

    def handle(self, connection: Connection) -> Any:
        """Answer a request, in a thread."""
        self._here.connection = connection
        try:
            return super().handle(connection)
        except HandedOver:
            return False
        finally:
            self._here.connection = None

    def network_of_peer(self, peer: Address | None) -> str | None:
        """Return the network whose connections are counted; None for a proxy, who asks for many."""
        if peer is None or self._proxies.believe(peer):
            return None
        network = network_of(peer)
        return None if network in self._unnamed else network

    def accept(self, listener: Any) -> None:
        """Accept a connection, or close it where its network has enough."""
        try:
            sock, client = listener.accept()
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.ECONNABORTED, errno.EWOULDBLOCK):
                raise
            return
        connection = Connection(self, sock, client, listener.getsockname())
        network = connection.network
        if network and 0 < self._most <= self._of_network[network]:
            events.note_brake("connections")
            sock.close()
            return
        if network:
            self._of_network[network] += 1
        self.nr_conns += 1
        self.enqueue_req(connection)

    def wait_for_and_dispatch_events(self, timeout: float) -> None:
        """Do what there is to do, after a wait of so many seconds at most, and see whose turn it is."""
        super().wait_for_and_dispatch_events(self._turns.pause(timeout))
        self._turns.go_on()

    def make_room(self) -> None:
        """Close the connection that has waited the longest for its request, once this turn of the loop is over."""
        self._needs_room = True

    def enqueue_req(self, connection: Connection) -> None:
        """Wait for a request: on a new connection, on one that became readable, after the request before it."""
        connection.sock.setblocking(False)
        connection.arriving = Arriving()
        connection.deadline = time.monotonic() + HEAD_SECONDS
        if read_before := connection.parser.unreader.take_buffered():
            self._add(connection, read_before)
        else:
            self._read(connection)

    def _read(self, connection: Connection) -> None:
        try:
            piece = connection.sock.recv(PIECE)
        except BlockingIOError:
            self._watch(connection)
            return
        except OSError:
            piece = b""
        if not piece:
            self._drop(connection)
        elif connection.is_leaving:
            connection.drained += len(piece)
            if connection.drained > REQUEST_BYTES:
                self._drop(connection)
            else:
                self._watch(connection)
        else:
            self._add(connection, piece)

    def _add(self, connection: Connection, piece: bytes) -> None:
        arriving = connection.arriving
        had_head = arriving.has_head
        arriving.add(piece)
        if arriving.has_head and not had_head:
            connection.deadline = time.monotonic() + BODY_SECONDS
        if arriving.is_enough:
            self._hand_over(connection)
        elif arriving.is_too_long:
            self._refuse(connection, 431, "Request Header Fields Too Large")
        else:
            self._watch(connection)

    def _hand_over(self, connection: Connection) -> None:
        """Give a request to a thread. Its body, where it is a long one, has a thread of few to wait for it.

        A phone that asks on and takes no answer waits here, where that costs no thread.
        """
        self._unwatch(connection)
        connection.is_behind = not _has_room_to_send(connection.sock)
        if connection.is_behind:
            connection.deadline = time.monotonic() + ANSWER_SECONDS
            self._waiting[connection] = None
            self.poller.register(connection.sock, EVENT_WRITE, lambda _sock: self._hand_over(connection))
            return
        self._look_for_proxy(connection)
        if not connection.arriving.is_whole:
            if not self._has_thread_for_body(connection):
                events.note_brake("bodies")
                self._refuse(connection, 503, "Service Unavailable")
                return
            self._in_body[connection] = None
        connection.deadline = time.monotonic() + BODY_SECONDS
        connection.parser.unreader.unread(bytes(connection.arriving.came))
        connection.arriving = Arriving()
        self._in_threads[connection] = time.monotonic()
        self._turns.add(connection)

    def _has_thread_for_body(self, connection: Connection) -> bool:
        most = max(1, self.cfg.threads // BODY_THREADS)
        of_each = Counter(other.network for other in self._in_body)
        of_network = of_each[connection.network]
        if connection.network is not None and of_network >= max(1, most // 2):
            # Nobody takes all of them.
            return False
        if len(self._in_body) < most:
            return True
        network, largest = of_each.most_common(1)[0]
        if of_network or largest < 2:
            return False
        # Nor do a few: who has none gets one of those who have the most.
        oldest = next(other for other in self._in_body if other.network == network)
        del self._in_body[oldest]
        with suppress(OSError):
            oldest.sock.shutdown(socket.SHUT_RDWR)
        return True

    def _look_for_proxy(self, connection: Connection) -> None:
        """Stop counting a peer that turns out to be a proxy which no setting names: it asks for many."""
        network, peer = connection.network, connection.peer
        if self._proxies or network is None or peer is None or peer.is_global or len(self._unnamed) >= UNNAMED_PROXIES:
            return
        if OF_A_PROXY.search(connection.arriving.came):
            connection.network = None
            self._unnamed.add(network)
            self._of_network.pop(network, None)

    def finish_request(self, connection: Connection, future: Any) -> None:
        """Go on with a connection whose request was answered."""
        self._in_body.pop(connection, None)
        self._in_threads.pop(connection, None)
        self._turns.done(connection)
        if connection.words is None:
            super().finish_request(connection, future)
        else:
            self._go_on_without_thread(connection, connection.words)

    def _go_on_without_thread(self, connection: Connection, words: Words) -> None:
        """Have the loop send a stream. It has its own bound, so that requests have all the other connections."""
        self.nr_conns -= 1
        is_in_pieces = connection.parser.mesg.version > (1, 0)
        connection.words = connection.parser = None

        def ended(is_whole: bool) -> None:
            if is_whole and is_in_pieces and self.alive:
                connection.begin_anew()
                self.nr_conns += 1
                self.enqueue_req(connection)
            else:
                connection.close(graceful=is_whole)

        streams = self._all_streams()
        streams.add(Stream(connection.sock, words, is_in_pieces, ended))
        if not self.alive:
            streams.end_all()

    def _all_streams(self) -> Streams:
        if self._streams is None:
            self._streams = Streams(self.poller, self.method_queue.defer)
        return self._streams

    def set_accept_enabled(self, enabled: bool) -> None:
        """Accept connections, or no more of them; a worker that stops ends its streams, which end by nothing else."""
        if not self.alive and not enabled:
            self._all_streams().end_all()
        super().set_accept_enabled(enabled)

    def _refuse(self, connection: Connection, status: int, reason: str) -> None:
        """Answer what never gets to the app, and close the connection."""
        with suppress(OSError):
            write_error(connection.sock, status, reason, "")
        self._unwatch(connection)
        self.nr_conns -= 1
        connection.close(graceful=True)

    def let_leave(self, connection: Connection) -> None:
        """Send the end, and wait for the phone's: what it still sends would else destroy the answer on its way."""
        self.nr_conns += 1
        connection.is_leaving = True
        connection.arriving = Arriving()
        connection.deadline = time.monotonic() + HANG_UP_SECONDS
        try:
            connection.sock.shutdown(socket.SHUT_WR)
            connection.sock.setblocking(False)
        except OSError:
            self._drop(connection)
        else:
            self._read(connection)

    def murder_pending(self) -> None:
        """Close the connections whose time is over, and one for which there is no room; in every turn of the loop."""
        if self._needs_room or self.nr_conns >= self.worker_connections:
            self._needs_room = False
            self._drop_oldest()
        self._all_streams().turn()
        now = time.monotonic()
        if now < self._looked + LOOK:
            return
        self._looked = now
        self._free_threads(now)
        for connection in [*self._waiting]:
            if self._is_over(connection, now):
                if connection.arriving.came and not connection.is_behind:
                    self._refuse(connection, 408, "Request Timeout")
                else:
                    self._drop(connection)

    def _free_threads(self, now: float) -> None:
        """End connections whose phone has not taken its answer for some seconds, if requests wait for a thread.

        A request that waits for a thread itself has been answered nothing, so there is room to send.
        """
        if len(self._in_threads) <= self.cfg.threads:
            return
        for connection, since in [*self._in_threads.items()]:
            if now - since < HURRIED_SECONDS:
                break
            if not _has_room_to_send(connection.sock):
                events.note_brake("answers")
                with suppress(OSError):
                    connection.sock.shutdown(socket.SHUT_RDWR)

    def _is_over(self, connection: Connection, now: float) -> bool:
        if self.alive or connection.is_leaving or connection.arriving.came:
            return connection.deadline <= now
        # A server that stops waits no longer for those who have said nothing.
        return connection.deadline - HEAD_SECONDS + HANG_UP_SECONDS <= now

    def _drop_oldest(self) -> None:
        if oldest := next(iter(self._waiting), None):
            self._drop(oldest)
        elif self.keepalived_conns:
            self._drop(self.keepalived_conns.popleft())
        else:
            return
        events.note_brake("all_connections")

    def forget(self, connection: Connection) -> None:
        """Stop counting a connection that is closed."""
        network = connection.network
        if network and network in self._of_network:
            self._of_network[network] -= 1
            if self._of_network[network] <= 0:
                del self._of_network[network]

    def _watch(self, connection: Connection) -> None:
        if connection not in self._waiting:
            self._waiting[connection] = None
            self.poller.register(connection.sock, EVENT_READ, lambda _sock: self._read(connection))

    def _unwatch(self, connection: Connection) -> None:
        self._waiting.pop(connection, None)
        with suppress(OSError, KeyError, ValueError):
            self.poller.unregister(connection.sock)

    def _drop(self, connection: Connection) -> None:
        self._unwatch(connection)
        self.nr_conns -= 1
        connection.close()
