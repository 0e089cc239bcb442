"""Why a table's file was refused, in words: the place, and the reason."""

from __future__ import annotations

import re

from flask_babel import gettext as _

_PLACE = re.compile(r"matches\[([0-9]+)\](?:\.entries\[([0-9]+)\])?(?:\.(.+))?")


def place_words(at: str) -> str:
    """Return a place in a file in words: counted from one, as a person counts; "" for the file as a whole."""
    found = _PLACE.fullmatch(at)
    if found is None:
        return at
    match, entry, field = found.groups()
    words = _("match %(number)d of the file", number=int(match) + 1)
    if entry is not None:
        words += ", " + _("entry %(number)d", number=int(entry) + 1)
    return f"{words}: {field}" if field else words


def refused_words(code: str) -> str:
    """Return the reason of a refusal, with what to do; "" for a code that only says what is wrong with a value."""
    known = {
        "not_a_table": _("This is not the file of a table. Choose the one that was saved by “Take the table along”."),
        "newer_version": _("A newer version of the scorekeeper has made this file: this server must be renewed first."),
        "in_the_future": _("Something in it is in the future: look whether the clocks of both servers are right."),
        "part_waits": _("Another part is being taken in: wait for it, and send this one again."),
        "not_imported": _("This table was not made of a file, so nothing can be added to it."),
        "other_head": _("This part is of another table, or of another moment: save all parts again, and begin again."),
        "taken": _("These matches are here already. Choose the next part."),
        "written_since": _("Somebody has written here since the first part came, so no other part fits any more."),
        "moved": _("This table has just moved, and is only read here. Load the page again."),
        "not_accepted": _("By the rules a deal in it cannot have come out so."),
        "malformed": _("What is there is not what a scorekeeper writes: the file was changed, or damaged on its way."),
    }
    return known.get(code, known["malformed"])
