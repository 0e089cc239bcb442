"""Writing what a page reports, and drawing the page again where it is refused."""

from __future__ import annotations

from collections.abc import Callable

from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from ...store.journal.entries import Full, Locked, Stale, TakeBackFirst
from ...store.standings import BrokenMatch
from ..base.htmx import go
from ..match.author import written_by
from ..match.entry_words import first_words
from ..words.problems import full_words, in_words, locked_words
from .incoming import EntryRefused, IncomingEntry

Draw = Callable[[int, list[str]], BaseResponse]
"""Draws a page with a status, and the reasons why nothing was written."""


REFUSALS = (EntryRefused, Stale, Locked, Full, BrokenMatch)
"""The exceptions raised if an entry is not written."""


def status_and_words(refused: Exception) -> tuple[int, list[str]]:
    """Return the status of the page that says why an entry was not written, and the reasons; one of ``REFUSALS``."""
    match refused:
        case EntryRefused():
            return 422, refused.words
        case Stale():
            return 409, [_("Somebody wrote in this match meanwhile: look at it, and try again.")]
        case Locked():
            return 409, [locked_words(refused.deal)]
        case Full():
            return 422, [full_words(refused)]
        case BrokenMatch():
            return 422, [in_words(problem) for problem in refused.problems]
    raise refused


def save(entry: IncomingEntry, address: str, draw: Draw) -> BaseResponse:
    """Write what was reported and lead to ``address``; where it is refused, return the page that ``draw`` draws."""
    try:
        entry.write(**written_by(entry.match))
    except TakeBackFirst as refused:
        return draw(409, [first_words(entry.match, refused.first)])
    except REFUSALS as refused:
        return draw(*status_and_words(refused))
    return go(address)
