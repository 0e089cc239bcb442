"""Tables over HTTP: the standing of a match, the sheet of a deal, the matches of a table; and opening a table.

The key of the play or the watch link is in the ``Authorization`` header, never in an address. Who opens a table is
answered its three keys: no cookie is set, and nobody can ask for them later.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import nullcontext
from datetime import timedelta
from typing import Any, cast
from uuid import NAMESPACE_OID, uuid5

from flask import Blueprint, Response, abort, g, request
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict, WWWAuthenticate
from wtforms import Form

from ... import rules
from ...limits import FORM_SECONDS, LARGEST_ID, OWN_LINES
from ...names import name_of_table
from ...rules import contract
from ...store import commands, queries
from ...store.db import writing
from ...store.journal.entries import Full, Stale
from ...store.models import NAME_LENGTH, Match, MatchSummary, Table, now
from ...strict_json import read_json, write_json
from ..base.access import dead_link, match_of
from ..base.brakes import opening_table, wrong_key
from ..base.links import LETTERS, path_of
from ..base.opened import note_opening
from ..base.request_bounds import number_in
from ..match.match_form import PLAYER, TableForm, match_form, write_match
from ..match.own_line_fields import NAME as OWN_NAME
from ..match.own_line_fields import filled_own
from ..match.view import MatchView, shown_match
from ..words.dates import zone_of_phone
from ..words.problems import full_words

bp = Blueprint("api_tables", __name__, url_prefix="/api/v1")

READERS = ("play", "watch")
"""The links whose key may read."""


def _json(value: object, status: int = 200) -> Response:
    return Response(write_json(value) + "\n", status, mimetype="application/json")


def _invalid(status: int, *problems: contract.Problem) -> Response:
    return _json({"status": "invalid", "problems": list(problems)}, status)


def _problem(where: str, message: str, code: str = "malformed") -> contract.Problem:
    return {"severity": "error", "code": code, "where": where, "at": where, "message": message}


def _table_or_401() -> Table:
    """Return the table of the key in the header, or answer 401: the same for every key that opens nothing."""
    _scheme, _blank, key = request.headers.get("Authorization", "").partition(" ")
    found = (queries.table_by_key(link, key) for link in READERS)
    table = next((table for table in found if table is not None), None)
    if table is None:
        wrong_key(key)
        answer = _invalid(401, _problem("Authorization", dead_link(), "http_401"))
        answer.www_authenticate = WWWAuthenticate("bearer")
        abort(answer)
    note_opening(table)
    return table


def _match_asked(table: Table) -> Match:
    number = number_in(request.args, "match")
    match = queries.current_match(table) if number is None else match_of(table, number)
    if match is None:
        abort(404, description=_("This table has no match yet."))
    return match


@bp.get("/standing")
def standing() -> Response:
    """Answer with the standing of a match: the one in play, or the one that is named."""
    table = _table_or_401()
    match = shown_match(table, _match_asked(table))
    found = match.standing
    is_won = found.result["status"] == "won"
    return _json(
        {
            "match": match.number,
            "head": found.state.head,
            "game": match.setup.game,
            "preset": match.setup.preset,
            "options": dict(match.setup.options),
            **({"own_lines": list(match.setup.own_lines)} if match.setup.own_lines else {}),
            **({"series": dict(found.state.series)} if found.state.series else {}),
            "sides": _sides(match),
            "totals": found.totals,
            "status": "won" if is_won else "ended" if found.is_over else "playing",
            "winners": found.winners,
            "closed": [deal.number for deal, _sheet in found.sheets],
            "deal": None if found.is_over else match.deal.number,
        }
    )


def _sides(match: MatchView) -> list[dict[str, object]]:
    """Return everybody who plays or has played, by side."""
    names = match.plain_names
    return [
        {
            "label": side.label,
            "name": side.name,
            "players": [names.get(number, "") for number in side.players],
        }
        for side in match.standing.state.everybody
    ]


@bp.get("/sheet")
def sheet() -> Response:
    """Answer the sheet of a closed deal: the last one, or the one that is named."""
    table = _table_or_401()
    match = shown_match(table, _match_asked(table))
    number = number_in(request.args, "deal")
    if number is None:
        number = max((deal.number for deal, _sheet in match.standing.sheets), default=0)
    found = match.sheet_of(number)
    if found is None:
        abort(404, description=_("This match has no such deal yet."))
    deal, scored = found
    return _json({"match": match.number, "head": match.standing.state.head, "deal": deal.number, "sheet": scored})


@bp.get("/matches")
def matches() -> Response:
    """Answer the matches of a table, the newest first, a page at a time."""
    table = _table_or_401()
    summaries, following = queries.history(table, number_in(request.args, "before"), size=queries.PAGE)
    names = queries.player_names(table)
    return _json({"matches": [_summary(each, names) for each in summaries], "next": following})


def _summary(summary: MatchSummary, names: Mapping[int, str]) -> dict[str, object]:
    sides = [
        {
            "label": side["label"],
            "name": side.get("name"),
            "players": [names.get(number, "") for number in side["players"]],
        }
        for side in summary.sides
    ]
    return {
        "match": summary.match,
        "game": summary.game,
        "status": summary.status,
        "sides": sides,
        "totals": summary.totals,
        "winners": summary.winners,
        "deals": summary.deals,
        "started_at": summary.started_at.isoformat(),
        "ended_at": summary.ended_at.isoformat() if summary.ended_at else None,
    }


@bp.post("/tables")
def open_table() -> Response:
    """Open a table with its first match, and answer its keys: 201, 400 for what cannot be read, 422 for what cannot be.

    The same request with the same ``id`` opens one table, and within an hour is answered its keys again.
    """
    try:
        asked = read_json(request.get_data())
        sides = _sides_in(asked)
        form, agreed, problems = _agreed(asked, sides)
    except rules.Malformed as fault:
        return _invalid(400, *fault.problems)
    if agreed is None:
        return _invalid(422, *problems)
    made_by = str(uuid5(NAMESPACE_OID, f"api {json.dumps(asked, sort_keys=True)}"))
    try:
        with nullcontext() if _made_before(made_by) else opening_table(), writing():
            table = _made_before(made_by)
            if table is None:
                if (older := commands.table_of_form(made_by)) is not None:
                    commands.forget_form(older)
                name = form.table_name.data or name_of_table([field.data for field in form.players()], NAME_LENGTH)
                table = commands.open_table(name, made_by, zone_of_phone())
                # The number of a match's first entry follows from the request, and cannot be worked out from the id.
                write_match(table, form, agreed, str(uuid5(NAMESPACE_OID, f"match {made_by}")))
            answer = {
                "table": table.name,
                "match": 1,
                "keys": {link: queries.key_of(table, link) for link in LETTERS},
                "links": {link: path_of(table, link) for link in LETTERS},
            }
    except Full as full:
        return _invalid(422, _problem("", full_words(full)))
    except Stale:
        abort(409)
    return _json(answer, 201)


def _made_before(made_by: str) -> Table | None:
    """Return the table that this request has opened within the hour, or None."""
    table = commands.table_of_form(made_by)
    is_recent = table is not None and now() - table.created_at < timedelta(seconds=FORM_SECONDS)
    return table if is_recent else None


def _refuse(where: str, message: str) -> rules.Malformed:
    problems = rules.Problems()
    problems.error("malformed", where, message)
    return rules.Malformed(problems)


TEXTS = ("id", "name", "game", "preset")
FIELDS = frozenset({*TEXTS, "options", "own_lines", "sides", "first_dealer"})
SEATS = 10
"""The most sides, and the most players of one: no game has more."""


def _sides_in(asked: Any) -> list[list[str]]:
    """Return who plays, side by side. Raises ``Malformed`` for a request of the wrong shape."""
    if not isinstance(asked, dict):
        raise _refuse("", "A table to open is an object.")
    if "\\u0000" in json.dumps(asked):
        raise _refuse("", "No text holds the character of number 0.")
    for name in asked:
        if name not in FIELDS:
            raise _refuse(name[:40], f"A table has no such field. It has: {', '.join(sorted(FIELDS))}.")
    for name in TEXTS:
        is_needed = name in ("id", "game")
        if not isinstance(asked.get(name), str) and (is_needed or asked.get(name) is not None):
            raise _refuse(name, "A UUID, made by whoever asks." if name == "id" else "A text.")
    dealer = asked.get("first_dealer", 0)
    if not isinstance(dealer, int) or isinstance(dealer, bool) or not 0 <= dealer <= LARGEST_ID:
        raise _refuse("first_dealer", "The seat that deals first, from 0.")
    sides = asked.get("sides")
    if not isinstance(sides, list) or not 1 <= len(sides) <= SEATS:
        raise _refuse("sides", "A list of sides, each a list of names.")
    for place, side in enumerate(sides):
        is_list = isinstance(side, list) and 1 <= len(side) <= SEATS and all(isinstance(name, str) for name in side)
        if not is_list or len(side) != len(sides[0]):
            raise _refuse(f"sides[{place}]", "A list of names, as many as the other sides have.")
    return cast(list[list[str]], sides)


def _agreed(
    asked: Mapping[str, Any], sides: list[list[str]]
) -> tuple[TableForm, contract.Options | None, list[contract.Problem]]:
    """Return the form of a new table as it would be filled in, its options, and why they cannot be (else none)."""
    # The key is not of a page, and no cookie is read: there is nothing that another site could use.
    g.csrf_valid = True
    labels = [chr(ord("A") + place) for place in range(len(sides))]
    table = {name: asked.get(name) for name in ("game", "preset", "options", "own_lines")}
    agreed, found = rules.agree(
        cast(contract.TableRequest, {**table, "sides": labels, "players_per_side": len(sides[0])})
    )
    filled = {
        "id": asked["id"],
        "table_name": asked.get("name") or "",
        "game": asked["game"],
        "preset": asked.get("preset") or "",
        "shape": f"{len(sides)}x{len(sides[0])}",
        "first_dealer": str(asked.get("first_dealer", 0)),
    }
    seats = {
        f"{PLAYER}{turn * len(sides) + place}": (place, turn)
        for place, side in enumerate(sides)
        for turn in range(len(side))
    }
    names = {field: sides[place][turn] for field, (place, turn) in seats.items()}
    own = {} if agreed is None else filled_own(asked.get("own_lines") or ())
    form = cast(
        TableForm,
        match_form(TableForm, MultiDict({**filled, **names, **{name: str(value) for name, value in own.items()}})),
    )
    problems = found.as_json()
    if agreed is not None and not form.validate():
        places = {field: f"sides[{place}][{turn}]" for field, (place, turn) in seats.items()}
        of_lines = {f"{OWN_NAME}{row}": f"own_lines[{row}].name" for row in range(OWN_LINES)}
        problems = _refused_fields(form, {**places, **of_lines, "table_name": "name"})
    return form, None if problems and any(one["severity"] == "error" for one in problems) else agreed, problems


def _refused_fields(form: Form, places: Mapping[str, str]) -> list[contract.Problem]:
    """Return what a page would say beside the fields of the form."""
    return [
        _problem(places.get(name, name), str(error)) for name, errors in form.errors.items() if name for error in errors
    ]
