"""Take in a whole table at once, in its parts one after the other: for a command, where nobody waits for a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import uuid4

from ...limits import FILE_BYTES, FILE_ENTRIES
from ...rules import Malformed
from ...strict_json import read_json
from ..db import writing
from ..models import Table
from ..ownership import delete_table
from . import jobs
from .shape import BETWEEN, CLOSED, opened, written
from .values import Refused


def in_parts(file: bytes) -> Iterator[bytes]:
    """Yield the parts of a file of any size, each as large as one may be. Raises ``Refused`` for what is no JSON."""
    try:
        read: Any = read_json(file, len(file))
    except Malformed as fault:
        raise Refused("malformed", "", fault.problems[0]["message"]) from fault
    matches = read.pop("matches", None) if isinstance(read, dict) else None
    if not isinstance(matches, list) or (len(file) <= FILE_BYTES and _entries(matches) <= FILE_ENTRIES):
        # It is a part already, or no file of a table: whoever takes it in says so.
        yield file
        return
    start = opened(read)
    around = len(start) + len(CLOSED)
    part: list[bytes] = []
    entries = size = 0
    for match in matches:
        text, more = written(match), _entries([match])
        if part and (entries + more > FILE_ENTRIES or around + size + len(text) > FILE_BYTES):
            yield start + BETWEEN.join(part) + CLOSED
            part, entries, size = [], 0, 0
        part.append(text)
        entries, size = entries + more, size + len(text) + len(BETWEEN)
    yield start + BETWEEN.join(part) + CLOSED


def _entries(matches: Iterable[Any]) -> int:
    each = (match.get("entries") if isinstance(match, dict) else None for match in matches)
    return sum(len(entries) for entries in each if isinstance(entries, list))


def take_in(parts: Iterable[bytes]) -> Table:
    """Make a table of its parts, in their order, and return it. Raises ``Refused``, ``TooLarge``, ``Busy``.

    If a part is refused, nothing of the others stays.
    """
    table: Table | None = None
    form_id = ""
    try:
        for part in parts:
            form_id = str(uuid4())
            jobs.begin(form_id, part, "", table)
            far = jobs.go_on(form_id)
            while far is not None and not far.is_over:
                far = jobs.go_on(form_id)
            if far is None:
                raise Refused("gone", "", "Another has taken the file away, or the table.")
            if far.problem is not None:
                raise Refused(**far.problem)
            table = far.table
    except BaseException:
        jobs.forget(form_id)
        if table is not None:
            with writing():
                delete_table(table, by="import")
        raise
    if table is None:
        raise Refused("missing", "", "There is no part.")
    return table
