"""The stream of versions that an open page follows, and the header that names the version of an answer."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

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
    follower = None if place is None else follow(topic, request.args.get("v"), _connection())
    if place is None or follower is None:
        if place is not None:
            place.leave()
        return make_response("", 204)
    g.follower, g.place = follower, place
    try:
        # A stream is open for minutes, and must not hold a connection of the pool for so long.
        db.session.remove()
        return _stream(follower, place)
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


def _stream(follower: Follower, place: Place) -> Response:
    """Return the stream of a follower. It gives its room back when it is closed, even if it was never begun."""
    seconds = current_app.config["LIVE_SECONDS"] * random.uniform(1, 2)
    of_app = hub()
    response = Response(_events(of_app, follower, seconds), mimetype="text/event-stream", headers=HEADERS)
    response.call_on_close(lambda: _leave(of_app, follower, place))
    return response


def _events(of_app: Hub, follower: Follower, seconds: float) -> Iterator[str]:
    """Yield versions as server-sent events until the time is up; the page then opens a new stream.

    Without an end, a phone that vanished could hold its thread for ever.
    """
    until = time.monotonic() + seconds
    yield "retry: 1000\n\n"
    pause = 0.0
    while (left := until - time.monotonic()) > 0 and not follower.is_released:
        version = follower.next(min(pause, left))
        yield f"data: {version}\n\n" if version else _beat(of_app, follower)
        pause = HEARTBEAT


def _beat(of_app: Hub, follower: Follower) -> str:
    """Return the event that names the newest version; while the hub cannot read the database, a comment alone."""
    return f"event: beat\ndata: {follower.latest or '-'}\n\n" if of_app.is_hearing else ": still here\n\n"


@bp.after_app_request
def name_version(response: Response) -> Response:
    """Name the version that the answer shows in a header, so that a phone does not ask for its own entry again."""
    if "table_version" in g:
        response.headers["Table-Version"] = g.table_version
    return response
