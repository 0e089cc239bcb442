"""Events that concern security, one line each in the log: no key, no name, no address, no text of a stranger.

``link_renewed``, ``table_deleted``, ``match_deleted``, ``refused``, ``brake``, ``secret_rotated``. Tables and matches
are in it by their numbers in the database. Of each kind and reason a process logs only so many lines a minute.
"""

from __future__ import annotations

import logging

from .limits import EVENT_LINES
from .logs import Sparing

log = logging.getLogger(__name__)
_kinds, _brakes = Sparing(lines=EVENT_LINES), Sparing()


def note(kind: str, **numbers: int | str) -> None:
    """Log an event of a kind, with numbers or words of the app's own that say more of it."""
    # Forms that anybody may post must not leave out the refused rights.
    counted = f"{kind} why={numbers['why']}" if "why" in numbers else kind
    left_out = _kinds.next(counted)
    if left_out is None:
        return
    if left_out:
        log.warning("event %s left_out=%d", counted, left_out)
    log.warning("event %s", " ".join([kind, *(f"{name}={value}" for name, value in numbers.items())]))


def note_brake(name: str) -> None:
    """Log that a brake holds, once a minute. No address is in it: that would be of a person."""
    left_out = _brakes.next(name)
    if left_out is not None:
        note("brake", name=name, more=left_out)
