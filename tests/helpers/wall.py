"""The files that an evening of 1.0 left (``tests/wall``), and what a later version makes of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from scorekeeper.store import queries
from scorekeeper.store.db import db
from scorekeeper.store.models import Match
from scorekeeper.store.standings import standing_of

FOLDER = Path(__file__).parents[1] / "wall" / "v1"
TABLE, QUEUE, RESULTS = FOLDER / "table.json", FOLDER / "queue.json", FOLDER / "results.json"


def results_of(app: Flask, key: str) -> dict[str, Any]:
    """Return the totals, the winners and the sheets of the matches of a table, by their numbers."""
    with app.app_context():
        table = queries.table_by_play_key(key)
        assert table is not None
        matches = db.session.scalars(select(Match).where(Match.table_id == table.id).order_by(Match.number))
        return {str(match.number): _result_of(match) for match in matches}


def _result_of(match: Match) -> dict[str, Any]:
    standing = standing_of(match)
    sheets = [standing.explained(place) for place in range(len(standing.sheets))]
    return {
        "totals": dict(standing.totals),
        "winners": list(standing.winners),
        "sheets": [
            {
                "status": sheet["status"],
                "points": dict(sheet["points"]),
                "lines": {line["item"]: [dict(line["points"] or {}), line["reason"]] for line in sheet["lines"]},
            }
            for sheet in sheets
        ],
    }


def push(client: FlaskClient, key: str, entries: list[dict[str, Any]]) -> list[str]:
    """Push a queue to a table, and return what became of each entry."""
    answer = client.post("/api/v1/entries", json={"table": key, "entries": entries})
    assert answer.json is not None, answer.text
    return [one["status"] for one in answer.json["answers"]]
