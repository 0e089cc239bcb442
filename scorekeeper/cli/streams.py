"""The live streams of a worker: its one loop sends them all, so that none holds a thread."""

from __future__ import annotations

import heapq
import socket
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from selectors import EVENT_READ, EVENT_WRITE, BaseSelector
from typing import Protocol

from ..limits import TAKING_SECONDS

END = b"0\r\n\r\n"
"""The end of an answer in pieces."""


class Words(Protocol):
    """The part of a stream that the app has: the words."""

    is_begun: bool
    until: float

    @property
    def pause(self) -> float:
        """Seconds without news after which it says that it is there."""

    @property
    def is_released(self) -> bool:
        """True if nothing more will come."""

    def wake_by(self, wake: Callable[[], None]) -> None:
        """From now on call ``wake`` when there may be news."""

    def news(self) -> bytes:
        """Return what is new; empty if nothing is."""

    def beat(self) -> bytes:
        """Return that it is there."""

    def leave(self) -> None:
        """Give back its room."""


class Stream:
    """A stream, and the connection by which it goes."""

    __slots__ = ("due", "ended", "is_in_pieces", "is_open", "rest", "sock", "words")

    def __init__(self, sock: socket.socket, words: Words, is_in_pieces: bool, ended: Callable[[bool], None]) -> None:
        self.sock, self.words, self.is_in_pieces = sock, words, is_in_pieces
        self.ended = ended
        """Called once with the end; with True if the connection is whole."""
        self.is_open = True
        self.rest = b""
        """Words that the phone has not taken yet. Nothing else is said before it has."""
        self.due = 0.0
        """When it says that it is there, or ends because the phone takes nothing."""


class Streams:
    """The streams of one loop. Only ``notify`` is called by other threads."""

    def __init__(self, poller: BaseSelector, soon: Callable[[Callable[[], None]], None]) -> None:
        self._poller = poller
        self._soon = soon
        self._open: set[Stream] = set()
        self._due: list[tuple[float, int, Stream]] = []
        """Each stream once, with a time that is not later than its own."""
        self._numbers = count()
        self._news: deque[Stream] = deque()
        self._is_woken = False

    def add(self, stream: Stream) -> None:
        """Begin to send a stream whose first words were sent by a thread."""
        stream.sock.setblocking(False)
        self._open.add(stream)
        self._poller.register(stream.sock, EVENT_READ, lambda _sock: self._on_ready(stream))
        self._said(stream)
        heapq.heappush(self._due, (stream.due, next(self._numbers), stream))
        stream.words.wake_by(lambda: self.notify(stream))
        # There may have been news meanwhile.
        self._go_on(stream)

    def notify(self, stream: Stream) -> None:
        """Have the loop send what is new."""
        self._news.append(stream)
        if not self._is_woken:
            self._is_woken = True
            self._soon(self._send_news)

    def turn(self) -> None:
        """Send a beat by those that were silent, and end those whose time is over."""
        now = time.monotonic()
        while self._due and self._due[0][0] <= now:
            _due, number, stream = heapq.heappop(self._due)
            if not stream.is_open:
                continue
            if stream.due <= now:
                if stream.rest:
                    self._end(stream, is_whole=False)
                elif stream.words.until <= now:
                    self._end(stream)
                else:
                    self._send(stream, stream.words.beat())
            if stream.is_open:
                heapq.heappush(self._due, (stream.due, number, stream))

    def end_all(self) -> None:
        """End every stream, because the server stops."""
        for stream in [*self._open]:
            self._end(stream)

    def _send_news(self) -> None:
        self._is_woken = False
        for _turn in range(len(self._news)):
            self._go_on(self._news.popleft())

    def _go_on(self, stream: Stream) -> None:
        if not stream.is_open:
            return
        if stream.words.is_released:
            self._end(stream)
        elif not stream.rest and (words := stream.words.news()):
            self._send(stream, words)

    def _send(self, stream: Stream, words: bytes) -> None:
        stream.rest = b"%X\r\n%b\r\n" % (len(words), words) if stream.is_in_pieces else words
        self._said(stream)
        self._send_rest(stream)
        if stream.is_open and stream.rest:
            # What a slow phone takes is the newest, once it takes anything.
            stream.due = time.monotonic() + TAKING_SECONDS
            self._poller.modify(stream.sock, EVENT_READ | EVENT_WRITE, lambda _sock: self._on_ready(stream))

    def _said(self, stream: Stream) -> None:
        stream.due = min(time.monotonic() + stream.words.pause, stream.words.until)

    def _send_rest(self, stream: Stream) -> None:
        try:
            sent = stream.sock.send(stream.rest)
        except BlockingIOError:
            return
        except OSError:
            self._end(stream, is_whole=False)
            return
        stream.rest = stream.rest[sent:]

    def _on_ready(self, stream: Stream) -> None:
        """Go on with a connection that can be written to, or end the stream of one that says or closes something."""
        if not stream.is_open:
            return
        try:
            stream.sock.recv(1)
        except BlockingIOError:
            pass
        except OSError:
            self._end(stream, is_whole=False)
            return
        else:
            # A page that follows has nothing to say but that it is gone.
            self._end(stream, is_whole=False)
            return
        if stream.rest:
            self._send_rest(stream)
            if stream.is_open and not stream.rest:
                self._poller.modify(stream.sock, EVENT_READ, lambda _sock: self._on_ready(stream))
                self._said(stream)
                self._go_on(stream)

    def _end(self, stream: Stream, is_whole: bool = True) -> None:
        stream.is_open = False
        self._open.discard(stream)
        with suppress(OSError, KeyError, ValueError):
            self._poller.unregister(stream.sock)
        stream.words.leave()
        is_whole = is_whole and not stream.rest
        if is_whole and stream.is_in_pieces:
            try:
                is_whole = stream.sock.send(END) == len(END)
            except OSError:
                is_whole = False
        stream.ended(is_whole)
