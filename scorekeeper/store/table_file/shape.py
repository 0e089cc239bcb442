"""The objects of a table's file (``docs/contract.md``) with their keys in order, and how they are written."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any, TypedDict

FORMAT = "scorekeeper-table"
VERSION = 1
"""The version of the file's shape. Keys that are added behind the others do not change it."""


class PlayerRow(TypedDict):
    """A player of the table."""

    number: int
    name: str
    """"" if the person was forgotten."""
    guest: bool
    into: int | None
    """The number of the player whom this one turned out to be."""


class EntryRow(TypedDict):
    """An entry of a journal."""

    id: str
    kind: str
    v: int
    """The version of the payload's shape."""
    at: str
    """When the server wrote it."""
    told: str | None
    """The phone's own time, to the letter, where it gave one."""
    side: str | None
    """The label of the side that the writer's phone spoke for."""
    by: int | None
    """The number of the player who held the phone."""
    phone: int | None
    """The number of the writer's phone at the table."""
    payload: dict[str, Any]
    """The stored payload without ``v``, ``at`` and ``by``; its ``phones`` are named by their numbers."""


class MatchRow(TypedDict):
    """A match with its journal."""

    number: int
    started: str
    game: str
    setup: dict[str, Any]
    taken_up: int
    entries: list[EntryRow]


class Head(TypedDict):
    """The file without its matches. Every part of a table has the same head."""

    format: str
    version: int
    name: str
    created: str
    zone: str | None
    last: int
    """The highest number that a match of the table has had."""
    players: list[PlayerRow]


class File(Head):
    """The whole file, or a part of it."""

    matches: list[MatchRow]


HEAD_KEYS = (*Head.__annotations__,)
PLAYER_KEYS = (*PlayerRow.__annotations__,)
MATCH_KEYS = (*MatchRow.__annotations__,)
ENTRY_KEYS = (*EntryRow.__annotations__,)
BESIDE_PAYLOAD = ("v", "at", "by")
"""The fields of a stored payload that an entry of the file has beside its payload, ``at`` by the name ``told``."""

# One writer for all: making one takes as long as writing a short entry.
_WRITER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def written(value: object) -> bytes:
    """Return a value as the file has it: no spaces, keys in their order, UTF-8.

    Half a character, which no request can bring, is escaped. Raises ``ValueError`` for ``NaN``.
    """
    return _WRITER.encode(value).encode("utf-8", "backslashreplace")


def opened(head: Head) -> bytes:
    """Return the beginning of a file, up to its first match."""
    return written(head)[:-1] + b',"matches":['


BETWEEN = b","
"""The bytes between two matches."""
CLOSED = b"]}\n"
"""The end of a file, behind its last match."""


def moment(at: datetime) -> str:
    """Return a moment as the file has it: in UTC, in whole seconds."""
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"
