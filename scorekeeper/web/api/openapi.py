"""The description of push and pull, for the interface's own (OpenAPI 3.1)."""

from __future__ import annotations

from typing import Any

from ...limits import LARGEST_ID, PUSHED_ENTRIES
from ..deal_entry.entries import ENTRY_CLASSES
from .sync import KNOWN, LATER, REFUSED, STALE, WRITTEN

_NUMBER = {"type": "integer", "minimum": 0, "maximum": LARGEST_ID}
_WORDS = {"type": "array", "items": {"type": "string"}}
_ENTRY = {"$ref": "#/components/schemas/entry"}
_INVALID = {"$ref": "#/components/schemas/invalid"}


def _answer(description: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def paths() -> dict[str, Any]:
    """Describe the two operations."""
    became = {"$ref": "#/components/schemas/push_answer"}
    push = {
        "operationId": "push",
        "summary": "Write entries, each for itself and in their order; sending them again writes nothing",
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/push_request"}}},
        },
        "responses": {
            "200": _answer("Every entry is in the journal, or is to be sent again later", became),
            "400": _answer("Malformed: no entry was looked at", _INVALID),
            "404": _answer("The key opens no table", _INVALID),
            "409": _answer("Some entry is stale: others wrote meanwhile", became),
            "413": _answer("Too large", _INVALID),
            "422": _answer("Some entry cannot be; the others are answered each for itself", became),
        },
    }
    pull = {
        "operationId": "pull",
        "summary": "What was written in a match after a seq, oldest first",
        "security": [{"table": []}],
        "parameters": [
            {"name": "match", "in": "query", "schema": _NUMBER, "description": "The newest unless given"},
            {"name": "after", "in": "query", "schema": _NUMBER, "description": "The last seq that is known"},
        ],
        "responses": {
            "200": _answer("The entries", {"$ref": "#/components/schemas/pull_answer"}),
            "400": _answer("A number that is none", _INVALID),
            "401": _answer("The key opens no table", _INVALID),
            "404": _answer("There is no such match", _INVALID),
        },
    }
    return {"/api/v1/entries": {"post": push, "get": pull}}


def security() -> dict[str, Any]:
    """Describe the credential of a pull."""
    return {"table": {"type": "http", "scheme": "bearer", "description": "The key of the table's play link"}}


def schemas() -> dict[str, Any]:
    """Describe what is sent and answered."""
    told = {
        "type": "object",
        "required": ["id", "match", "kind"],
        "properties": {
            "id": {"type": "string", "format": "uuid", "description": "Made by whoever writes the entry"},
            "match": _NUMBER,
            "kind": {"type": "string", "enum": list(ENTRY_CLASSES)},
            "deal": {**_NUMBER, "description": "For everything that happens in a deal"},
            "fields": {
                "type": "object",
                "description": "What was typed into the form of that kind: names to lists of values",
                "additionalProperties": _WORDS,
            },
            "payload": {"type": "object", "description": "Instead of fields: what the journal shall say"},
            "drawn_from": {"type": ["integer", "null"], "minimum": 0, "maximum": LARGEST_ID},
            "counted": {
                **_WORDS,
                "description": "Ids of own entries written after drawn_from and counted all the same",
            },
            "at": {"description": "When it was told, by the phone's clock"},
        },
        "oneOf": [{"required": ["fields"]}, {"required": ["payload"]}],
    }
    entry = {
        "type": "object",
        "required": ["id", "seq", "kind", "payload", "author", "at", "written_at"],
        "properties": {
            "id": {"type": "string"},
            "seq": _NUMBER,
            "kind": {"type": "string"},
            "payload": {"type": "object"},
            "author": {"type": ["string", "null"]},
            "at": {"type": "string"},
            "written_at": {"type": "string"},
        },
    }
    became = {
        "type": "object",
        "required": ["id", "status"],
        "properties": {
            "id": {"type": "string"},
            "status": {"type": "string", "enum": [WRITTEN, KNOWN, REFUSED, STALE, LATER]},
            "seq": _NUMBER,
            "words": {**_WORDS, "description": "Why, in the reader's language"},
            "problems": {"type": "array", "items": {"type": "object"}},
            "since": {"type": "array", "items": _ENTRY, "description": "What others wrote meanwhile"},
        },
    }
    return {
        "entry": entry,
        "push_request": {
            "type": "object",
            "required": ["table", "entries"],
            "properties": {
                "table": {"type": "string", "description": "The key of the table's play link"},
                "entries": {"type": "array", "minItems": 1, "maxItems": PUSHED_ENTRIES, "items": told},
            },
        },
        "push_answer": {
            "type": "object",
            "required": ["answers"],
            "properties": {"answers": {"type": "array", "items": became}},
        },
        "pull_answer": {
            "type": "object",
            "required": ["match", "head", "entries", "more"],
            "properties": {
                "match": _NUMBER,
                "head": _NUMBER,
                "entries": {"type": "array", "items": _ENTRY},
                "more": {"type": "boolean"},
            },
        },
    }
