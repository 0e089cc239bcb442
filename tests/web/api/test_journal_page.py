"""docs/journal.md shows a payload of every kind of entry, and those that a phone may push are really pushed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from scorekeeper.store.journal.kinds import KINDS, AnyPayload
from scorekeeper.web.deal_entry.entry_classes import ENTRY_CLASSES

from ...helpers.contract_types import check
from ..conftest import Player, open_table, with_fields
from .test_sync import REFUSED, WRITTEN, became, push, words

PAGE = (Path(__file__).parents[3] / "docs" / "journal.md").read_text(encoding="utf-8")
ABOUT = dict(re.findall(r"^## ([a-z_]+)\n\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
EXAMPLES: dict[str, list[dict[str, Any]]] = {
    kind: [json.loads(example) for example in re.findall(r"```json\n(.*?)\n```", about, re.DOTALL)]
    for kind, about in ABOUT.items()
}
EACH = [
    pytest.param(kind, place, id=f"{kind}-{place + 1}" if place else kind)
    for kind, examples in EXAMPLES.items()
    for place in range(len(examples))
]
PUSHED = [each for each in EACH if each.values[0] in ENTRY_CLASSES]
READ = [each for each in EACH if each.values[0] not in ENTRY_CLASSES]
OWN = {"game": "free", "own_name__0": "Napola", "own_name__1": "Re bello", "own_points__1": "2", "own_how__1": "count"}
FOUR = ("Ana", "Beto", "Leo", "Cata")
GAMES: dict[tuple[str, int], dict[str, str]] = {
    ("points_noted", 0): {"game": "free"},
    ("trump_noted", 0): {"game": "brisca"},
    ("trump_noted", 1): {"game": "brisca"},
    ("deal_closed", 1): OWN,
    ("penalised", 0): {"game": "la_escoba"},
    ("credited", 0): {"shape": "2x2", **{f"player__{seat}": name for seat, name in enumerate(FOUR)}},
    ("left", 0): {"game": "carioca", "shape": "3x1", "player__2": "Dora"},
    ("entered", 0): {"game": "carioca", "shape": "3x1", "player__2": "Dora"},
    ("seated", 0): {"shape": "3x1", "player__2": "Dora"},
    ("substituted", 0): {"shape": "3x1", "player__2": "Dora"},
    ("match_resumed", 0): {"shape": "3x1", "player__2": "Dora"},
}
"""The tables of the examples that do not fit every game; all others are pushed to a table of two."""
SECOND = {"entered": 2, "seated": 2, "substituted": 2, "match_resumed": 1}
"""The kinds for which two go on in a second match, with the match that they are pushed to."""


def test_every_kind_has_an_example() -> None:
    assert sorted(KINDS.keys() - {kind for kind, examples in EXAMPLES.items() if examples}) == []
    assert sorted(EXAMPLES.keys() - KINDS.keys()) == []


def has_the_fields_of_its_kind(example: dict[str, Any], kind: str) -> None:
    check(example, AnyPayload)
    assert KINDS[kind].required - {"v"} <= set(example) <= KINDS[kind].fields
    assert all(f"`{field}`" in ABOUT[kind] for field in KINDS[kind].payload.split())
    assert ("Not pushed." in ABOUT[kind]) == (kind not in ENTRY_CLASSES)


@pytest.mark.parametrize(("kind", "place"), READ)
def test_an_example_of_what_is_not_pushed_has_the_fields_of_its_kind(kind: str, place: int) -> None:
    has_the_fields_of_its_kind(EXAMPLES[kind][place], kind)


def test_every_field_is_described() -> None:
    fields = {field for kind in KINDS.values() for field in kind.fields} - {"v", "at", "by"}
    assert [field for field in sorted(fields) if f"`{field}" not in PAGE] == []


def table_for(app: Flask, kind: str, place: int = 0) -> Player:
    table = open_table(app, **GAMES.get((kind, place), {}))
    if kind in SECOND:
        form = with_fields(table.get("/matches/new").form("agree"), {"shape": "2x1", "step": "refresh"})
        drawn = table.post("/matches/new", form).form("agree")
        assert table.post("/matches/new", with_fields(drawn, {"step": "save"})).status == 303
    return table


def pushed(table: Player, kind: str, payload: dict[str, Any], match: int = 1) -> TestResponse:
    entry = {"id": str(uuid4()), "match": match, "kind": kind, "payload": payload}
    return push(table, {**entry, "drawn_from": len(table.entries())})


def problems(answer: TestResponse) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (answer.json or {})["answers"][0]["problems"]
    return found


@pytest.mark.parametrize(("kind", "place"), PUSHED)
def test_an_example_is_written_as_it_stands(app: Flask, kind: str, place: int) -> None:
    table, example, match = table_for(app, kind, place), EXAMPLES[kind][place], SECOND.get(kind, 1)
    has_the_fields_of_its_kind(example, kind)
    if "entry" in example:
        tap = {"id": example["entry"], "match": match, "kind": "swept", "payload": EXAMPLES["swept"][0]}
        assert became(push(table, tap)) == [WRITTEN]
    answer = pushed(table, kind, example, match)

    assert became(answer) == [WRITTEN], words(answer)
    written = table.entries(match)[-1]
    assert written.kind == kind
    assert {name: value for name, value in written.payload.items() if name not in ("v", "at", "by")} == example


@pytest.mark.parametrize(
    ("kind", "field"), [(kind, field) for kind, entry in ENTRY_CLASSES.items() for field in sorted(entry.unsaid)]
)
def test_what_only_the_server_writes_is_refused_in_a_push(app: Flask, kind: str, field: str) -> None:
    assert field in KINDS[kind].fields
    assert f"`{field}`" in PAGE or f"`{field}?`" in PAGE
    table = table_for(app, kind)
    answer = pushed(table, kind, {**EXAMPLES[kind][0], field: "15"})

    assert became(answer) == [REFUSED]
    [problem] = problems(answer)
    assert (problem["code"], problem["at"]) == ("unknown_field", f"entries[0].payload.{field}")
    assert table.entries()[-1].kind == "match_started"


def test_a_redeal_that_does_not_follow_from_the_facts_is_refused(ana: Player) -> None:
    answer = pushed(ana, "deal_closed", {**EXAMPLES["deal_closed"][0], "redeal": "next"})

    assert became(answer) == [REFUSED]
    assert problems(answer)[0]["at"] == "entries[0].payload.redeal"
    assert became(pushed(ana, "deal_closed", {**EXAMPLES["deal_closed"][0], "redeal": None})) == [WRITTEN]
