"""The journal over HTTP, for a phone that was without signal: push what it kept, pull what others wrote.

The table's key is the only credential: in the body of a push, in the ``Authorization`` header of a pull, never in an
address. No cookie is needed, and a cookie alone opens nothing. Everything here may be sent again: it happens once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, Response, abort, g, request, session
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict, WWWAuthenticate
from werkzeug.exceptions import Conflict, HTTPException

from .. import rules
from ..requests_json import read_json, write_json
from ..store import notebook, queries
from ..store.journal import OF_A_DEAL, Full, Locked, Record, Stale, entries_of, entry_by_id, is_entry_id
from ..store.models import Table
from ..store.standings import BrokenMatch
from .access import dead_link, match_of
from .entering import ENTERING, Entering, Refused, Told, full_words, locked_words, malformed
from .match_page import MatchPage
from .problems import in_words
from .speaking import written_by

bp = Blueprint("pushing", __name__, url_prefix="/api/v1")

MOST = 500
"""Entries in one push, or in one answer to a pull."""
LARGEST = 2**31 - 1

WRITTEN, KNOWN, REFUSED, STALE = "written", "known", "refused", "stale"


@dataclass
class Answer:
    """What became of one entry: only what is ``written``, or ``known`` as it was there already, is in the journal."""

    id: str
    status: str
    seq: int | None = None
    words: list[str] = field(default_factory=list)
    problems: list[Mapping[str, Any]] = field(default_factory=list)
    since: list[Record] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Write the answer, with only what there is to say."""
        told: dict[str, Any] = {"id": self.id, "status": self.status}
        if self.seq is not None:
            told["seq"] = self.seq
        if self.status in (REFUSED, STALE):
            told.update(words=self.words, problems=self.problems)
        if self.status == STALE:
            told["since"] = [as_json(entry) for entry in self.since[-MOST:]]
        return told


def as_json(entry: Record) -> dict[str, Any]:
    """Write an entry of the journal, without the phone's mark."""
    return {
        "id": entry.id,
        "seq": entry.seq,
        "kind": entry.kind,
        "payload": entry.payload,
        "author": entry.author,
        "at": entry.happened_at.isoformat(),
        "written_at": entry.created_at.isoformat(),
    }


@bp.post("/entries")
def push() -> Response:
    """Write entries, each for itself and in their order: 200, 409 where one is stale, 422 where one cannot be."""
    try:
        asked = read_json(request.get_data())
        entries = _entries_in(asked)
    except rules.Malformed as fault:
        return _answer({"status": "invalid", "problems": fault.problems}, 400)
    table = queries.table_by_play_key(asked["table"])
    if table is None:
        abort(404, description=dead_link())
    # The key in the body lets write: the forms need no other proof that the page was ours.
    g.csrf_valid = True
    answers = [_enter(table, told) for told in entries]
    found = {answer.status for answer in answers}
    status = 422 if REFUSED in found else 409 if STALE in found else 200
    return _answer({"answers": [answer.as_json() for answer in answers]}, status)


@bp.get("/entries")
def pull() -> Response:
    """Return what was written in a match after a seq, oldest first; ``more`` says that there is still more."""
    _scheme, _blank, key = request.headers.get("Authorization", "").partition(" ")
    table = queries.table_by_play_key(key)
    if table is None:
        problem = {"severity": "error", "code": "http_401", "where": "Authorization", "message": dead_link()}
        answer = _answer({"status": "invalid", "problems": [problem]}, 401)
        answer.www_authenticate = WWWAuthenticate("bearer")
        return answer
    match = match_of(table, _number_asked("match")) if "match" in request.args else queries.latest_match(table)
    after = _number_asked("after") if "after" in request.args else 0
    if match is None:
        abort(404, description=_("This table has no match yet."))
    entries = entries_of(match, after=after)
    shown = [as_json(entry) for entry in entries[:MOST]]
    return _answer({"match": match.number, "head": match.head, "entries": shown, "more": len(entries) > MOST})


def _answer(found: object, status: int = 200) -> Response:
    return Response(write_json(found) + "\n", status, mimetype="application/json")


def _refuse(where: str, message: str) -> rules.Malformed:
    problems = rules.Problems()
    problems.error("malformed", where, message)
    return rules.Malformed(problems)


def _entries_in(asked: Any) -> list[Any]:
    """Return the entries of a push as they came. Raises ``Malformed`` for what is no push at all."""
    if not isinstance(asked, dict) or not isinstance(asked.get("table"), str):
        raise _refuse("table", "A push is an object with the table's key and its entries.")
    entries = asked.get("entries")
    if not isinstance(entries, list) or not 1 <= len(entries) <= MOST:
        raise _refuse("entries", f"A list of 1 to {MOST} entries.")
    return entries


def _number_asked(name: str) -> int:
    text = request.args[name]
    if not (text.isascii() and text.isdigit() and int(text[:12]) <= LARGEST):
        abort(400, description=_("A whole number, please."))
    return int(text)


def _enter(table: Table, told: Any) -> Answer:
    """Write one entry in a transaction of its own and say what became of it."""
    id = str(told["id"]).lower() if isinstance(told, dict) and isinstance(told.get("id"), str) else ""
    try:
        return _written(table, id, told)
    except Stale as stale:
        both = _("Someone else wrote in this match meanwhile. Nothing was overwritten: look at both, and settle it.")
        return Answer(id, STALE, words=[both], since=list(stale.since))
    except Locked as locked:
        return Answer(id, STALE, words=[locked_words(locked.deal)], since=_since(table, told))
    except Conflict as conflict:
        return Answer(id, STALE, words=[str(conflict.description)], since=_since(table, told))
    except HTTPException as refused:
        return Answer(id, REFUSED, words=[str(refused.description)])
    except Full as full:
        return Answer(id, REFUSED, words=[full_words(full)])
    except BrokenMatch as broken:
        return Answer(id, REFUSED, words=[in_words(one) for one in broken.problems], problems=list(broken.problems))
    except Refused as refused:
        words = refused.words or [str(problem["message"]) for problem in refused.problems]
        return Answer(id, REFUSED, words=words, problems=refused.problems)


def _written(table: Table, id: str, told: Any) -> Answer:
    """Read, judge and write one entry. Raises what its form would be refused with."""
    told, number = _read(told)
    match = match_of(table, number)
    known: list[int] = []

    def drafted() -> notebook.Draft:
        view = MatchPage(table, match)
        entering = _entering(view, id, told)
        there = entry_by_id(table.id, id)
        if there is None:
            return entering.draft(**(written_by(view) if session else {}))
        if there[0] != match.number or not entering.is_same(there[1]):
            raise Refused([_("This was sent before, with something else in it. Enter it again.")])
        known.append(there[1].seq)
        return notebook.NOTHING

    seq = notebook.write(match, drafted)
    return Answer(id, WRITTEN if seq else KNOWN, seq=seq or (known[0] if known else None))


def _since(table: Table, told: Any) -> list[Record]:
    """Return what was written in the match after the entry's form was drawn."""
    match = queries.match_by_number(table, told["match"])
    drawn_from = told.get("drawn_from")
    return entries_of(match, after=drawn_from or 0) if match is not None else []


def _read(told: Any) -> tuple[dict[str, Any], int]:
    """Return an entry whose outer shape is sound, and the number of its match. Raises ``Refused``."""
    if not isinstance(told, dict):
        raise malformed("", "An entry is an object.")
    if not isinstance(told.get("id"), str) or not is_entry_id(told["id"]):
        raise malformed("id", "A UUID, made by whoever writes the entry.")
    if not isinstance(told.get("kind"), str) or told["kind"] not in ENTERING:
        raise malformed("kind", f"One of: {', '.join(ENTERING)}.")
    if not _is_number(told.get("match")):
        raise malformed("match", "The number of the match.")
    payload, fields = told.get("payload"), told.get("fields")
    if (payload is None) == (fields is None):
        raise malformed("fields", "Either the fields of the form, or a payload.")
    if not isinstance(payload if fields is None else fields, dict):
        raise malformed("fields" if payload is None else "payload", "An object.")
    deal = told.get("deal", (payload or {}).get("deal")) if told["kind"] in OF_A_DEAL else 0
    if not _is_number(deal):
        raise malformed("deal", "The number of the deal.")
    if not (told.get("drawn_from") is None or _is_number(told["drawn_from"])):
        raise malformed("drawn_from", "The seq that the form was drawn from.")
    counted = told.get("counted") or []
    if not isinstance(counted, list) or not all(isinstance(one, str) for one in counted):
        raise malformed("counted", "The ids of the phone's own entries that the form counts in.")
    return {**told, "deal": deal, "counted": counted}, told["match"]


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST


def _entering(view: MatchPage, id: str, told: dict[str, Any]) -> Entering:
    """Return the entry as the form of its kind reads it."""
    kind = ENTERING[told["kind"]]
    if told.get("fields") is None:
        said = {name: value for name, value in told["payload"].items() if name not in ("v", "at")}
        fields = kind.fields_of(view, told["deal"], said)
    else:
        fields = _fields_in(told["fields"])
    fields.setlist("id", [id])
    if told.get("drawn_from") is not None:
        fields.setlist("seq", [str(told["drawn_from"])])
    return kind(
        view,
        Told(
            id,
            told["kind"],
            fields,
            told["deal"],
            told.get("drawn_from"),
            frozenset(told["counted"]),
            _time_in(told.get("at")),
        ),
    )


def _fields_in(fields: Mapping[str, Any]) -> MultiDict[str, str]:
    """Return what was typed. Raises ``Refused``."""
    found: MultiDict[str, str] = MultiDict()
    for name, values in fields.items():
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise malformed(f"fields.{name}", "A list of texts, as the form sends them.")
        found.setlist(name, values)
    return found


def _time_in(told: Any) -> datetime | None:
    """Read the phone's time; a clock that makes no sense is no reason to refuse an entry."""
    try:
        at = datetime.fromisoformat(told)
    except (TypeError, ValueError):
        return None
    try:
        return at.astimezone(UTC)
    except (OverflowError, ValueError):
        return None
