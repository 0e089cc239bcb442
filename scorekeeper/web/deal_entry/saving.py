"""Writing what a page reports, and drawing the page again where it is refused."""

from __future__ import annotations

from collections.abc import Callable

from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from ...store.journal import Full, Locked, Stale
from ...store.standings import BrokenMatch
from ..base.htmx import go
from ..match.author import written_by
from ..words.problems import full_words, in_words, locked_words
from .incoming import EntryRefused, IncomingEntry

Draw = Callable[[int, list[str]], BaseResponse]
"""Draws a page with a status, and the reasons why nothing was written."""


def save(entry: IncomingEntry, address: str, draw: Draw) -> BaseResponse:
    """Write what was reported and lead to ``address``; where it is refused, return the page that ``draw`` draws."""
    try:
        entry.write(**written_by(entry.match))
    except EntryRefused as refused:
        return draw(422, refused.words)
    except Stale:
        return draw(409, [_("Somebody wrote in this match meanwhile: look at it, and try again.")])
    except Locked as locked:
        return draw(409, [locked_words(locked.deal)])
    except Full as full:
        return draw(422, [full_words(full)])
    except BrokenMatch as broken:
        return draw(422, [in_words(problem) for problem in broken.problems])
    return go(address)
