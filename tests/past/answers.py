"""What a version says of a match: the engine's answer about its deals, short enough to be kept and compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Flask
from sqlalchemy import select
from werkzeug.test import TestResponse

from scorekeeper.store import queries, standings
from scorekeeper.store.db import db
from scorekeeper.store.journal.entries import JournalEntry, entry_by_id
from scorekeeper.store.journal.replay import DealState, MatchState
from scorekeeper.store.models import Match
from scorekeeper.store.standings import standing_of

Sheet = Mapping[str, Any]
LINE = ("item", "points", "reason", "values", "evidence")


def of_sheet(sheet: Sheet) -> dict[str, Any]:
    """Return the sheet of a deal: its status, who scores what for which item and why, and what was found doubtful."""
    told: dict[str, Any] = {"status": sheet["status"], "points": sheet["points"]}
    if sheet.get("redeal"):
        told["redeal"] = sheet["redeal"]
    ends = {name: side for name, side in (sheet.get("match") or {}).items() if side is not None}
    if ends:
        told["match"] = ends
    told["lines"] = [[line.get(name) for name in LINE] for line in sheet["lines"]]
    if sheet["problems"]:
        told["problems"] = [[one["severity"], one["code"], one["where"]] for one in sheet["problems"]]
    return told


def sheet_of_closing(state: MatchState, deal: DealState, entry: JournalEntry) -> Sheet:
    """Return the sheet of a stored closing; versions before tariffs scored its facts and nothing else."""
    if hasattr(standings, "score_closing"):
        return standings.score_closing(state, deal, entry)
    return standings.score_deal(state, deal, entry.payload["facts"])


def of_match(match: Match) -> dict[str, Any]:
    """Return where a match stands, the sheet of each deal that counts, and that of every closing ever told of it."""
    standing = standing_of(match)
    state, result = standing.state, standing.result
    return {
        "status": result["status"],
        "winner": result["winner"],
        "reason": result["reason"],
        "totals": result["totals"],
        "over": standing.is_over,
        "deal": state.current.number,
        "deals": {deal.number: of_sheet(standing.explained(place)) for place, (deal, _) in enumerate(standing.sheets)},
        "dealers": [deal.dealer_seat for deal in state.deals],
        "told": {
            entry.id: of_sheet(sheet_of_closing(state, state.deal(entry.payload["deal"]) or state.current, entry))
            for entry in state.entries
            if "facts" in entry.payload
        },
    }


def of_table(table_id: int) -> dict[int, dict[str, Any]]:
    """Return the same for all matches of a table, by their numbers; call inside the app's context."""
    matches = db.session.scalars(select(Match).where(Match.table_id == table_id).order_by(Match.number))
    return {match.number: of_match(match) for match in matches}


def of_post(app: Flask, path: str, data: Mapping[str, list[str]], response: TestResponse) -> dict[str, Any]:
    """Return what became of a posted form: its status, where it leads, and what the match then holds of it."""
    told: dict[str, Any] = {"status": response.status_code}
    where = response.headers.get("HX-Redirect") or response.headers.get("Location")
    if where:
        told["to"] = where.partition("?")[0].partition("#")[0]
        if path == "/tables/new":
            # Its key is another one each time.
            told["to"] = told["to"][: len("/t/")]
    parts = path.split("/")
    if parts[1] != "t" or "matches" not in parts or not parts[4].isdigit():
        return told
    with app.app_context():
        table = queries.table_by_play_key(parts[2])
        match = queries.match_by_number(table, int(parts[4])) if table else None
        if table is None or match is None:
            return told
        entry = entry_by_id(table.id, data["id"][0])
        told["kind"] = entry[1].kind if entry else None
        told["head"] = match.head
        told["totals"] = standing_of(match).result["totals"]
    return told


def sent_twice(app: Flask, cookie: str, form: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Post a drawn form twice on the phone that it was drawn on; return what became of it each time."""
    client = app.test_client()
    client.set_cookie("scorekeeper", cookie)
    data: dict[str, list[str]] = {}
    for name, value in form["fields"]:
        data.setdefault(name, []).append(value)
    return [
        of_post(app, form["path"], data, client.post(form["path"], data=data, headers=form["headers"]))
        for _time in range(2)
    ]


def pushed_twice(app: Flask, body: Mapping[str, Any]) -> list[list[str]]:
    """Send queued entries twice; return what became of each."""
    found = []
    for _time in range(2):
        told = app.test_client().post("/api/v1/entries", json=body).json
        assert told is not None
        found.append([one["status"] for one in told["answers"]])
    return found
