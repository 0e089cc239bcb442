"""The time zone of a table: by it go the days and times on its pages, on whatever phone.

The script of every page notes the phone's own zone in a cookie. A table gets that of the phone that opens it, an older
one that of the next phone that writes there.
"""

from __future__ import annotations

from flask import g, request

from ...store import ownership
from ...store.db import writing
from ...store.evenings import is_zone
from ...store.models import ZONE_LENGTH, Table

COOKIE = "zone"
"""The cookie in which the phone's script writes the IANA name of its zone."""


def zone_of_phone() -> str | None:
    """Return the zone of this phone; None if it says none that there is."""
    name = request.cookies.get(COOKIE, "")
    return name if len(name) <= ZONE_LENGTH and is_zone(name) else None


def follow_zone(table: Table) -> None:
    """Let the days and times of this page be those of the table."""
    g.zone = table.zone


def give_zone(table: Table) -> None:
    """Give a table without a zone that of this phone, which is about to write there."""
    zone = zone_of_phone() if table.zone is None else None
    if zone is not None:
        with writing():
            ownership.give_zone(table, zone)
        follow_zone(table)
