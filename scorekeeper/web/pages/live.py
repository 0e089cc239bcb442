"""The stream of versions that an open page follows, and the header that names the version of an answer."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

from flask import Blueprint, Response, current_app, g, make_response, request

from ...store.db import db
from ...store.live import CURRENT, Follower, follow, hub
from ..base.access import LINKS, for_watchers, table_or_404
from ..base.incoming import number_in

bp = Blueprint("live", __name__, url_prefix=LINKS)

HEARTBEAT = 15
"""Seconds after which a silent stream sends a comment, so that a connection that is dead is noticed."""
# A proxy that buffers the answer would hold the versions back.
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@bp.get("/live")
@for_watchers
def stream(key: str) -> Response:
    """Stream the version of the match being played, or of match ``match``, each time it differs from ``v``.

    Answers 204 where this process has no room for another stream; the page then asks again every two seconds.
    """
    table = table_or_404(key)
    known = request.headers.get("Last-Event-ID") or request.args.get("v")
    match = number_in(request.args, "match")
    topic = (table.id, CURRENT if match is None else match)
    follower = None if request.method == "HEAD" else follow(topic, known)
    if follower is None:
        return make_response("", 204)
    g.follower = follower
    try:
        # A stream is open for minutes, and must not hold a connection of the pool for so long.
        db.session.remove()
        return _stream(follower)
    except BaseException:
        hub().leave(follower)
        raise


@bp.teardown_app_request
def give_back(error: BaseException | None) -> None:
    """Give back the room of a stream whose request failed after it was opened: nobody will close its answer."""
    follower = g.pop("follower", None)
    if follower is not None and error is not None:
        hub().leave(follower)


def _stream(follower: Follower) -> Response:
    """Return the stream of a follower. It gives its room back when it is closed, even if it was never begun."""
    seconds = current_app.config["LIVE_SECONDS"] * random.uniform(1, 2)
    response = Response(_events(follower, seconds), mimetype="text/event-stream", headers=HEADERS)
    leave = hub().leave
    response.call_on_close(lambda: leave(follower))
    return response


def _events(follower: Follower, seconds: float) -> Iterator[str]:
    """Yield versions as server-sent events until the time is up; the page then opens a new stream.

    Without an end, a phone that vanished could hold its thread for ever.
    """
    until = time.monotonic() + seconds
    yield "retry: 1000\n\n"
    while (left := until - time.monotonic()) > 0 and not follower.is_released:
        version = follower.next(min(HEARTBEAT, left))
        yield f"id: {version}\ndata: {version}\n\n" if version else ": still here\n\n"


@bp.after_app_request
def tell_version(response: Response) -> Response:
    """Name the version that the answer shows in a header, so that a phone does not ask for its own entry again."""
    if "table_version" in g:
        response.headers["Table-Version"] = g.table_version
    return response
