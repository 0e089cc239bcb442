"""The stream of versions that an open page follows, and the header that names the version of an answer."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

from flask import Blueprint, Response, current_app, g, make_response, request

from ...brakes.streams import Place
from ...store.db import db
from ...store.hung_up import Connection
from ...store.live import CURRENT, Follower, Hub, follow, hub
from ..base.access import LINKS, table_or_404
from ..base.brakes import place_of_stream
from ..base.marks import for_watchers
from ..base.request_bounds import number_in

bp = Blueprint("live", __name__, url_prefix=LINKS)

HEARTBEAT = 7
"""Seconds after which a silent stream names the version once more: a page that hears nothing for longer says so."""
RETRY = b"retry: 1000\n\n"
HAND_OVER = "scorekeeper.hand_over"
"""The name in a request's environment of a server's ``HandOver``, where it has one."""
# A proxy that buffers the answer would hold the versions back.
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@bp.get("/live")
@for_watchers
def stream(key: str) -> Response:
    """Stream the version of the match being played, or of match ``match``, each time it differs from ``v``.

    Between them events called ``beat`` name the newest version too. The version that a browser heard last
    (``Last-Event-ID``) counts for nothing: its page may not have got what it heard of.

    Answers 204 if this process has no room for another stream, or this table or address has as many as it may; the page
    then asks again every two seconds.
    """
    table = table_or_404(key)
    match = number_in(request.args, "match")
    topic = (table.id, CURRENT if match is None else match)
    place = None if request.method == "HEAD" else place_of_stream(table.id)
    hand_over: HandOver | None = request.environ.get(HAND_OVER)
    known = request.args.get("v")
    follower = None if place is None else follow(topic, known, _connection(), holds_thread=hand_over is None)
    if place is None or follower is None:
        if place is not None:
            place.leave()
        return make_response("", 204)
    g.follower, g.place = follower, place
    try:
        # A stream is open for minutes, and must not hold a connection of the pool for so long.
        db.session.remove()
        return _stream(follower, place, hand_over)
    except BaseException:
        _leave(hub(), follower, place)
        raise


def _connection() -> Connection | None:
    """Return the connection of this request, where the server gives it."""
    connection: Connection | None = request.environ.get("gunicorn.socket")
    return connection


def _leave(of_app: Hub, follower: Follower, place: Place) -> None:
    of_app.leave(follower)
    place.leave()


@bp.teardown_app_request
def give_back(error: BaseException | None) -> None:
    """Give back the room of a stream whose request failed after it was opened: nobody will close its answer."""
    follower, place = g.pop("follower", None), g.pop("place", None)
    if follower is not None and error is not None:
        _leave(hub(), follower, place)


class Stream:
    """The stream of one page: what it says, and when it ends."""

    __slots__ = ("follower", "is_begun", "of_app", "place", "until")

    def __init__(self, of_app: Hub, follower: Follower, place: Place) -> None:
        self.of_app, self.follower, self.place = of_app, follower, place
        # Not all at once, after a server has started.
        self.until = time.monotonic() + current_app.config["LIVE_SECONDS"] * random.uniform(1, 2)
        """When the page is to open a new one: without an end, a phone that vanished would have its place for ever."""
        self.is_begun = False

    @property
    def pause(self) -> float:
        """Seconds without news after which it says that it is there."""
        return HEARTBEAT

    @property
    def is_released(self) -> bool:
        """True if nothing more will come."""
        return self.follower.is_released

    def wake_by(self, wake: Callable[[], None]) -> None:
        """From now on call ``wake`` when there may be news. It is called by another thread."""
        # The loop itself sees that the page is gone.
        self.follower.connection = None
        self.follower.wake = wake

    def news(self) -> bytes:
        """Return the event of a version that the page does not show; empty if there is none."""
        version = self.follower.take()
        return f"data: {version}\n\n".encode() if version else b""

    def beat(self) -> bytes:
        """Return the event that names the newest version; while the hub cannot read the database, a comment alone."""
        if not self.of_app.is_hearing:
            return b": still here\n\n"
        return f"event: beat\ndata: {self.follower.latest or '-'}\n\n".encode()

    def leave(self) -> None:
        """Give back its room. A second call does nothing."""
        self.of_app.leave(self.follower)
        self.place.leave()

    def leave_unless_begun(self) -> None:
        """Give back its room at the end of the answer, unless the server goes on with it."""
        if not self.is_begun:
            self.leave()


HandOver = Callable[[Stream], None]
"""Gives the connection of an answer, with what it still has to say, to the server's loop; it does not return."""


def _stream(follower: Follower, place: Place, hand_over: HandOver | None) -> Response:
    """Return the stream of a follower. It gives its room back when it is closed, even if it was never begun."""
    stream = Stream(hub(), follower, place)
    events = _events(stream) if hand_over is None else _first_event(stream, hand_over)
    response = Response(events, mimetype="text/event-stream", headers=HEADERS)
    response.call_on_close(stream.leave_unless_begun)
    return response


def _first_event(stream: Stream, hand_over: HandOver) -> Iterator[bytes]:
    """Yield what a page hears at once; all the rest is said by the server's loop, which needs no thread for it."""
    yield RETRY + (stream.news() or stream.beat())
    hand_over(stream)


def _events(stream: Stream) -> Iterator[bytes]:
    """Yield versions as server-sent events until the time is up; the page then opens a new stream."""
    yield RETRY
    pause, follower = 0.0, stream.follower
    while (left := stream.until - time.monotonic()) > 0 and not follower.is_released:
        version = follower.next(min(pause, left))
        yield f"data: {version}\n\n".encode() if version else stream.beat()
        pause = HEARTBEAT


@bp.after_app_request
def name_version(response: Response) -> Response:
    """Name the version that the answer shows in a header, so that a phone does not ask for its own entry again."""
    if "table_version" in g:
        response.headers["Table-Version"] = g.table_version
    return response
