"""The connections that their pages have closed. A stream would notice it no sooner than at its next word."""

from __future__ import annotations

import select
from collections.abc import Iterable
from typing import Protocol

CLOSED = getattr(select, "POLLRDHUP", 0)
"""The event of a connection that the other end has closed; only Linux has it."""


class Connection(Protocol):
    """A connection, as far as it is looked at."""

    def fileno(self) -> int:
        """Return its number, -1 if it is closed here."""


def hung_up(connections: Iterable[Connection]) -> list[Connection]:
    """Return those that the other end has closed; without Linux only those that are broken."""
    by_number = {connection.fileno(): connection for connection in connections}
    by_number.pop(-1, None)
    if not by_number or not hasattr(select, "poll"):
        return []
    look = select.poll()
    for number in by_number:
        look.register(number, CLOSED)
    return [by_number[number] for number, _events in look.poll(0)]
