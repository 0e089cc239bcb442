"""docs/journal.md shows a payload of every kind of entry, and those that a phone may push are really pushed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask

from scorekeeper.store.journal.kinds import KINDS, AnyPayload
from scorekeeper.web.deal_entry.entry_classes import ENTRY_CLASSES

from ...rules.test_contract_types import check
from ..conftest import Player, open_table, with_fields
from .test_sync import WRITTEN, became, push, words

PAGE = (Path(__file__).parents[3] / "docs" / "journal.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"^## (\w+)\n\n(.*?)```json\n(.*?)\n```", PAGE, re.MULTILINE | re.DOTALL)
EXAMPLES: dict[str, dict[str, Any]] = {kind: json.loads(example) for kind, _about, example in SHOWN}
ABOUT = {kind: about for kind, about, _example in SHOWN}
FOUR = ("Ana", "Beto", "Leo", "Cata")
GAMES = {
    "points_noted": {"game": "free"},
    "penalised": {"game": "la_escoba"},
    "credited": {"shape": "2x2", **{f"player__{seat}": name for seat, name in enumerate(FOUR)}},
    "left": {"game": "carioca", "shape": "3x1", "player__2": "Dora"},
    "entered": {"game": "carioca", "shape": "3x1", "player__2": "Dora"},
    "seated": {"shape": "3x1", "player__2": "Dora"},
    "substituted": {"shape": "3x1", "player__2": "Dora"},
    "match_resumed": {"shape": "3x1", "player__2": "Dora"},
}
"""The tables of the kinds that do not fit every game; all others are pushed to a table of two."""
SECOND = {"entered": 2, "seated": 2, "substituted": 2, "match_resumed": 1}
"""The kinds for which two go on in a second match, with the match that they are pushed to."""


def test_every_kind_has_an_example() -> None:
    assert sorted(KINDS.keys() - EXAMPLES.keys()) == []
    assert sorted(EXAMPLES.keys() - KINDS.keys()) == []


@pytest.mark.parametrize("kind", KINDS)
def test_an_example_has_the_fields_of_its_kind(kind: str) -> None:
    example = EXAMPLES[kind]
    check(example, AnyPayload)
    assert KINDS[kind].required - {"v"} <= set(example) <= KINDS[kind].fields
    assert all(f"`{field}`" in ABOUT[kind] for field in KINDS[kind].payload.split())
    assert ("Not pushed." in ABOUT[kind]) == (kind not in ENTRY_CLASSES)


def test_every_field_is_described() -> None:
    fields = {field for kind in KINDS.values() for field in kind.fields} - {"v", "at", "by"}
    assert [field for field in sorted(fields) if f"`{field}" not in PAGE] == []


def table_for(app: Flask, kind: str) -> Player:
    table = open_table(app, **GAMES.get(kind, {}))
    if kind in SECOND:
        form = with_fields(table.get("/matches/new").form("agree"), {"shape": "2x1", "step": "refresh"})
        drawn = table.post("/matches/new", form).form("agree")
        assert table.post("/matches/new", with_fields(drawn, {"step": "save"})).status == 303
    return table


@pytest.mark.parametrize("kind", ENTRY_CLASSES)
def test_an_example_is_written_as_it_stands(app: Flask, kind: str) -> None:
    table, example, match = table_for(app, kind), EXAMPLES[kind], SECOND.get(kind, 1)
    if "entry" in example:
        tap = {"id": example["entry"], "match": match, "kind": "swept", "payload": EXAMPLES["swept"]}
        assert became(push(table, tap)) == [WRITTEN]
    answer = push(
        table, {"id": str(uuid4()), "match": match, "kind": kind, "payload": example, "drawn_from": table_head(table)}
    )

    assert became(answer) == [WRITTEN], words(answer)
    written = table.entries(match)[-1]
    assert written.kind == kind
    assert {name: value for name, value in written.payload.items() if name not in ("v", "at", "by")} == example


def table_head(table: Player) -> int:
    return len(table.entries())
