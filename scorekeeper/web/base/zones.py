"""The time zone of a table: by it go the days and times on its pages, on whatever phone.

The script of every page notes the phone's own zone in a cookie. A table gets that of the phone that opens it, an older
one that of the next phone that writes there.
"""

from __future__ import annotations

from functools import cache

from flask import g

from ...store import ownership
from ...store.db import writing
from ...store.evenings import in_zone, zones
from ...store.models import ZONE_LENGTH, Table, now
from ..words.dates import zone_of_phone
from .marks import leaves_zone

AREAS = ("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")
"""How the names of zones begin that are called by their cities; other names are older ones of the same zones."""


@cache
def offered_zones() -> tuple[str, ...]:
    """Return the zones to choose from, by area and city."""
    return (*sorted(name for name in zones() if name.partition("/")[0] in AREAS and "/" in name), "UTC")


def zone_called(typed: str) -> str | None:
    """Return the zone whose name or city was typed, in letters of any case; None if there is none."""
    text = "_".join(typed[: 2 * ZONE_LENGTH].split()).casefold()
    named = [name for name in zones() if len(name) <= ZONE_LENGTH and text == name.casefold()]
    # A city with two names has an older, shorter one.
    cities = [name for name in offered_zones() if text == name.rpartition("/")[2].casefold()]
    return max(named or cities, key=len, default=None)


def time_in(zone: str | None) -> str:
    """Return the time that it is now in a zone, in UTC where there is none."""
    return f"{in_zone(now(), zone):%H:%M}"


def follow_zone(table: Table) -> None:
    """Let the days and times of this page be those of the table."""
    g.zone = table.zone


def give_zone(table: Table) -> None:
    """Give a table without a zone that of this phone, which is about to write there."""
    if leaves_zone.is_here():
        return
    zone = zone_of_phone() if table.zone is None else None
    if zone is not None:
        with writing():
            ownership.give_zone(table, zone)
        follow_zone(table)
