"""Whole pages from the page cache, found by the moment of their table before anything of the page is read."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from flask import Response, g

from ...store.models import Table
from ...store.moments import Present
from ..words.dates import clock_in_use
from .access import visitor
from .htmx import whole_page
from .remembered import is_mine


def cached_page(draw: Callable[[], str], name: str, table: Table, present: Present, *cache_key: Hashable) -> Response:
    """Answer with a page of a table as it was drawn at this moment for another reader, or call ``draw`` and store it.

    ``draw`` may do all the work of the page, and abort. What follows the moment is what the page depends on beside
    the rows of the table: what the address asks for, the day, the phone's own. The visitor's link, whether the phone
    owns the table, where the table has moved, and what every page says are added here.
    """
    who = (visitor().link, visitor().key(table), is_mine(table), g.get("moved_to"))
    return whole_page(draw, name, (present.version(name), *who, clock_in_use(), *cache_key))
