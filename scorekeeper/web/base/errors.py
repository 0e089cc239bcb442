"""Answers to faults: a page, the part of a page that htmx asked for, or JSON; never a stack trace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, jsonify, make_response, render_template, request, session
from flask_babel import gettext as _
from flask_wtf.csrf import CSRFError
from sqlalchemy.orm.exc import ObjectDeletedError
from werkzeug.exceptions import (
    BadRequest,
    Conflict,
    HTTPException,
    InternalServerError,
    MethodNotAllowed,
    NotFound,
    ServiceUnavailable,
    UnprocessableEntity,
)
from werkzeug.routing import RequestRedirect

from ... import events
from ...limits import FORM_FIELDS, RETRY_SECONDS
from ...logs import Sparing, and_more
from ...store.db import Gone
from ...store.faults import cause_of, text_of
from ...store.journal.entries import FromPaper, Full, JournalError
from ...store.models import LostKey
from ...store.moved import Moved
from ...store.standings import BrokenMatch
from ..words.cards import cards_for_no_game
from ..words.problems import from_paper_words, full_words, in_words
from .access import DeadLink, TableMoved
from .brakes import TooMany, TooManyKeys
from .cookies import brought_cookies
from .hosts import is_own_origin
from .htmx import wants_fragment
from .links import in_this_app, lost_link

# htmx puts the message beside the refused form instead of replacing it, so that what was typed stays.
BESIDE = {"HX-Retarget": "#refused", "HX-Reselect": ".error", "HX-Reswap": "innerHTML", "HX-Push-Url": "false"}

FORBIDDEN = 403
AGAIN = frozenset({429, 503})
"""Statuses that are over after a while: the page that was asked for is one tap away."""


def _advice(code: int) -> tuple[str, str]:
    """Return title and advice for a status."""
    known = {
        400: (_("That could not be read"), _("Go back, load the page again and try once more.")),
        403: (_("Not allowed"), _("This link may look, not write. Ask the table for the link to play.")),
        404: (_("Nothing here"), _("The link is mistyped, or no longer leads anywhere.")),
        405: (_("Not that way"), _("Go back and use the buttons of the page.")),
        408: (
            _("That took too long"),
            _("It did not arrive in time, and nothing was changed. Go back and send it again."),
        ),
        409: (_("Someone else was quicker"), _("Load the page again: nothing was overwritten.")),
        413: (_("Too much at once"), _("This is more than a card table needs. Send less.")),
        414: (_("Too much at once"), _("This is more than a card table needs. Send less.")),
        422: (_("That cannot be"), _("Look at what is marked and correct it.")),
        429: (_("Too much at once"), _("Try it again in a minute.")),
        503: (_("Out of reach for a moment"), _unavailable()),
    }
    return known.get(
        code, (_("Something broke on our side"), _("Nothing you entered was changed. Try again in a moment."))
    )


def _unavailable() -> str:
    """Return what to do while the database is away. The phone's script adds the entries that wait."""
    if request.method in ("GET", "HEAD"):
        return _("The notebook cannot be opened just now; what is in it is safe. Load the page again in a moment.")
    return _(
        "The notebook cannot be opened just now. Go back and send it again in a moment: "
        "what did arrive is not counted twice."
    )


Fields = list[tuple[str, str]]


def _typed() -> Fields:
    """Return the fields of the refused form, to be offered again, without its token, which no longer counts.

    Empty for a form with more fields than any of ours.
    """
    if sum(len(values) for _name, values in request.form.lists()) > FORM_FIELDS:
        return []
    return [(name, value) for name, value in request.form.items(multi=True) if name != "csrf_token"]


def _is_from_here() -> bool:
    """Return whether a page of ours drew the form. A form of another site must never be offered again."""
    site, origin = request.headers.get("Sec-Fetch-Site", "same-origin"), request.headers.get("Origin", "null")
    ours = site in ("same-origin", "none") and (origin == "null" or is_own_origin(origin))
    return ours and brought_cookies()


def _answer(error: HTTPException, advice: str | None = None, typed: Fields | None = None) -> Response:
    response = _drawn(error, advice, typed or [])
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        response.headers["Allow"] = ", ".join(sorted(error.valid_methods))
    return response


def _drawn(error: HTTPException, advice: str | None, typed: Fields) -> Response:
    code = error.code or 500
    title, usual = _advice(code)
    if isinstance(error, DeadLink):
        title = _("This link is dead")
    if isinstance(error, LostLink):
        title = _("This link cannot be shown")
    if isinstance(error, TableMoved):
        title = _("This table has moved")
    # Werkzeug's own descriptions are for developers; a description that a view wrote is for the reader.
    own = error.description if error.description != type(error).description else None
    advice = advice or own or usual
    if request.path.startswith("/api/"):
        problem = {"severity": "error", "code": f"http_{code}", "where": "", "at": ""}
        problem["message"] = f"{title}. {advice}"
        response = jsonify({"status": "invalid", "problems": [problem]})
        response.status_code = code
        return response
    cards_for_no_game()
    template = "errors/_message.html" if wants_fragment() else "errors/error.html"
    # Another link may be the right one.
    is_dead = isinstance(error, (DeadLink, TooManyKeys))
    again = in_this_app(request.full_path) if code in AGAIN and request.method == "GET" else None
    page = render_template(template, title=title, advice=advice, is_dead=is_dead, typed=typed, again=again)
    response = make_response(page, code)
    response.vary.add("HX-Request")
    if wants_fragment():
        response.headers.update(BESIDE)
    return response


def init_errors(app: Flask) -> None:
    """Answer every fault in the reader's language."""
    app.extensions["scorekeeper.faults"] = Sparing()
    handlers: dict[type[Exception], Callable[[Any], Response]] = {
        CSRFError: form_expired,
        HTTPException: refused,
        TableMoved: moved,
        TooMany: too_many,
        LostKey: cannot_be_shown,
        Moved: moved_meanwhile,
        Gone: deleted,
        ObjectDeletedError: deleted,
        JournalError: not_written,
        BrokenMatch: not_scored,
        Exception: broken,
    }
    for error, handler in handlers.items():
        app.register_error_handler(error, handler)
    app.after_request(redirect_within_the_app)


def form_expired(error: CSRFError) -> Response:
    """Answer a form whose token is missing or wrong; what was typed is offered again if the form was ours."""
    events.note("refused", why="form", at=str(request.endpoint))
    advice = _("This page was open too long, or cookies are off. Load it again: nothing was lost.")
    return _answer(error, advice, _typed() if _is_from_here() else [])


def refused(error: HTTPException) -> Response:
    """Answer a request that a view or Flask refused; an exception that is no error (a redirect) is the answer."""
    if error.code is not None and error.code < 400:
        response = error.get_response()
        assert isinstance(response, Response)
        return response
    if error.code == FORBIDDEN:
        events.note("refused", why="right", at=str(request.endpoint))
    return _answer(error)


def moved(error: TableMoved) -> Response:
    """Answer a post to a table that is only read; what was typed is offered again, in case its owner opens it again."""
    return _answer(error, typed=_typed() if _is_from_here() else [])


def too_many(error: TooMany) -> Response:
    """Answer a request that a brake refuses; what was typed is offered again."""
    response = _answer(error, typed=_typed() if _is_from_here() else [])
    response.headers["Retry-After"] = str(error.seconds)
    return response


class LostLink(NotFound):
    """A link cannot be shown: its key is lost."""


def cannot_be_shown(_error: LostKey) -> Response:
    """Answer a request for a link that no secret of the app opens any more; what was typed is offered again."""
    return _answer(LostLink(lost_link()), typed=_typed() if _is_from_here() else [])


def moved_meanwhile(_error: Moved) -> Response:
    """Answer a post whose table has moved while it was being answered."""
    return moved(TableMoved(_("This table has just moved, and is only read here. Load the page again.")))


def deleted(_error: Exception) -> Response:
    """Answer a request whose table was deleted while it was being answered."""
    return _answer(DeadLink(_("Whoever keeps this table has deleted it meanwhile: nothing more can be noted.")))


def not_written(error: JournalError) -> Response:
    """Answer a post that the journal refused: the table is full, or the id belongs to an entry with other content."""
    if isinstance(error, Full):
        return _answer(UnprocessableEntity(full_words(error)))
    if isinstance(error, FromPaper):
        return _answer(Conflict(from_paper_words()))
    return _answer(Conflict(_("This was already noted with something else in it. Load the page again.")))


def not_scored(error: BrokenMatch) -> Response:
    """Answer with the problems for which a match cannot be scored."""
    return _answer(UnprocessableEntity(" ".join(filter(None, map(in_words, error.problems)))))


def broken(error: Exception) -> Response:
    """Answer any other fault: 503 if something that the app needs is away for a moment, 500 if the app is wrong."""
    if type(error).__module__.startswith("gunicorn.http"):
        # The server reads a body only when a view asks for it, so an unreadable body is found no earlier.
        return _answer(BadRequest())
    cause = cause_of(error)
    if cause is None:
        log_mistake("Unexpected fault", error)
        return _answer(InternalServerError())
    left_out = _faults().next(cause)
    if left_out is not None:
        current_app.logger.error("%s: %s%s", cause, text_of(error), and_more(left_out))
    return _out_of_reach()


def log_mistake(what: str, error: Exception) -> None:
    """Log a mistake of the app with its trace; the same one in the same place at most once a minute."""
    left_out = _faults().next((type(error), _place(error)))
    if left_out is not None:
        current_app.logger.error("%s%s", what, and_more(left_out), exc_info=error)


def _faults() -> Sparing:
    of_app: Sparing = current_app.extensions["scorekeeper.faults"]
    return of_app


def redirect_within_the_app(response: Response) -> Response:
    """Make the router's own redirects lead to a path of this app, not to the host that the request names."""
    if isinstance(request.routing_exception, RequestRedirect):
        address = urlsplit(request.routing_exception.new_url)
        response.location = address._replace(scheme="", netloc="", path="/" + address.path.lstrip("/")).geturl()
    return response


def _place(error: Exception) -> tuple[str, int] | None:
    """Return the file and the line that raised an error, or None if it was never raised."""
    trace, place = error.__traceback__, None
    while trace is not None:
        place, trace = (trace.tb_frame.f_code.co_filename, trace.tb_lineno), trace.tb_next
    return place


def _out_of_reach() -> Response:
    """Answer 503 with a page that needs no database; in plain text if even its template cannot be read."""
    try:
        _restore_cookie()
        response = _answer(ServiceUnavailable(), typed=_typed() if _is_from_here() else [])
    except Exception as another:
        if cause_of(another) is None:
            raise
        # Without a free file handle the template cannot be read.
        response = make_response("503: out of reach for a moment. Please try again.\n", 503)
        response.mimetype = "text/plain"
    response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


def _restore_cookie() -> None:
    """Undo what the request has changed in the phone's cookie, because the request as a whole has failed."""
    before = current_app.session_interface.open_session(current_app, request)
    if before is not None and session.modified:
        session.clear()
        session.update(before)
        session.modified = False
