"""The description of the HTTP interface (OpenAPI 3.1): ``openapi.json``, filled in with what the app knows itself.

The file is a whole description that any tool can read. Where a value is written elsewhere in the app (the games, a
limit), a schema in it says ``"x-filled-in": {"maxItems": "MOST_DEALS"}`` instead: ``description`` gives that schema the
key ``maxItems`` with the value of that name in ``_values``.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from ... import limits, rules
from ..deal_entry.entry_classes import ENTRY_CLASSES
from .sync import KNOWN, LATER, REFUSED, STALE, WRITTEN

FILE = Path(__file__).with_name("openapi.json")
FILLED_IN = "x-filled-in"


def _values() -> dict[str, Any]:
    """Return what the file names without saying it."""
    return {
        "games": [game["id"] for game in rules.games()["games"]],
        "rules_versions": [*rules.RULES, None],
        "entry_kinds": list(ENTRY_CLASSES),
        "push_statuses": [WRITTEN, KNOWN, REFUSED, STALE, LATER],
        "LARGEST_ID": limits.LARGEST_ID,
        "MOST_CAPTURES": limits.MOST_CAPTURES,
        "MOST_DEALS": limits.MOST_DEALS,
        "NAME_LETTERS": limits.NAME_LETTERS,
        "OWN_LINES": limits.OWN_LINES,
        "PUSHED_ENTRIES": limits.PUSHED_ENTRIES,
    }


@cache
def description() -> dict[str, Any]:
    """Return the description as JSON. Do not change it: it is made once. ``KeyError`` if the file names no value."""
    values = _values()

    def filled_in(node: dict[str, Any]) -> dict[str, Any]:
        names = node.pop(FILLED_IN, {})
        return {**node, **{key: values[name] for key, name in names.items()}}

    # Called for every object of the file, the inner ones first.
    described: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"), object_hook=filled_in)
    return described
