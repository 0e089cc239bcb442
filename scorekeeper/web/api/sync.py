"""The journal over HTTP, for a phone that was without signal: push what it kept, pull what others wrote.

The table's key is the only credential: in the body of a push, in the ``Authorization`` header of a pull, never in an
address. No cookie is needed, and a cookie alone opens nothing. Everything here may be sent again: it happens once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, Response, abort, current_app, g, request, session
from flask_babel import gettext as _
from sqlalchemy.exc import DataError, SQLAlchemyError
from werkzeug.datastructures import MultiDict, WWWAuthenticate
from werkzeug.exceptions import Conflict, HTTPException

from ... import rules
from ...limits import ENTRIES_A_WEIGHT, LARGEST_ID, PULLED_BYTES, PULLED_ENTRIES, PUSH_WEIGHT, PUSHED_ENTRIES
from ...names import drawn
from ...store import commands, queries
from ...store.db import Gone
from ...store.journal import (
    DEAL_CLOSED,
    DECLARED,
    LAYOUT_NOTED,
    MATCH_ENDED,
    OF_A_DEAL,
    PENALISED,
    RENAMED,
    SWEPT,
    VOIDED,
    Full,
    JournalEntry,
    Locked,
    Stale,
    entries_of,
    entry_by_id,
    is_entry_id,
)
from ...store.models import Table
from ...store.standings import BrokenMatch
from ...strict_json import read_json, write_json
from ..base.access import dead_link, match_of
from ..base.incoming import number_in
from ..deal_entry.entries import ENTRY_CLASSES, EntryRefused, IncomingEntry, ReportedEntry, malformed
from ..match.author import written_by
from ..match.view import MatchView
from ..words.problems import full_words, in_words, locked_words

bp = Blueprint("sync", __name__, url_prefix="/api/v1")

WRITTEN, KNOWN, REFUSED, STALE, LATER = "written", "known", "refused", "stale", "later"

WEIGHTS = {SWEPT: 1, PENALISED: 1, MATCH_ENDED: 5, VOIDED: 5, DECLARED: 5, LAYOUT_NOTED: 5, DEAL_CLOSED: 10}
"""What writing an entry of each kind takes, a tap being 1."""
FOLDED = frozenset({DEAL_CLOSED, VOIDED, MATCH_ENDED})
"""After these the whole match is scored again: the more so, the longer it is."""


@dataclass
class EntryResult:
    """What became of one entry: only what is ``written``, or ``known`` as it was there already, is in the journal."""

    id: str
    status: str
    seq: int | None = None
    words: list[str] = field(default_factory=list)
    problems: list[Mapping[str, Any]] = field(default_factory=list)
    since: list[JournalEntry] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Write the answer, with only what there is to say."""
        told: dict[str, Any] = {"id": self.id, "status": self.status}
        if self.seq is not None:
            told["seq"] = self.seq
        if self.status in (REFUSED, STALE, LATER):
            told.update(words=self.words, problems=self.problems)
        return told


@dataclass
class PushWork:
    """What the entries of one push have taken so far; beyond ``limits.PUSH_WEIGHT`` the rest waits for another."""

    weight: int = 0

    @property
    def is_all(self) -> bool:
        """Say whether nothing more is done in this request."""
        return self.weight >= PUSH_WEIGHT

    def add(self, kind: Any, entries: int = 0) -> None:
        """Count an entry of that kind, in a match of so many."""
        self.weight += WEIGHTS.get(kind, 1) + (entries // ENTRIES_A_WEIGHT if kind in FOLDED else 0)


def as_json(entry: JournalEntry) -> dict[str, Any]:
    """Write an entry of the journal, without the phone's mark."""
    payload = entry.payload
    if entry.kind in RENAMED:
        payload = {**payload, **{name: drawn(payload[name]) for name in ("from", "to") if name in payload}}
    return {
        "id": entry.id,
        "seq": entry.seq,
        "kind": entry.kind,
        "payload": payload,
        "author": entry.author,
        "at": entry.happened_at.isoformat(),
        "written_at": entry.created_at.isoformat(),
    }


@bp.post("/entries")
def push() -> Response:
    """Write entries, each for itself and in their order: 200, 409 where one is stale, 422 where one cannot be.

    What would take too long in one request is answered ``later``, and nothing of it is looked at.
    """
    try:
        asked = read_json(request.get_data())
        entries = _entries_in(asked)
    except rules.Malformed as fault:
        return _answer({"status": "invalid", "problems": fault.problems}, 400)
    table = queries.table_by_play_key(asked["table"]) if "\0" not in asked["table"] else None
    if table is None:
        abort(404, description=dead_link())
    # The key in the body lets write: the forms need no other proof that the page was ours.
    g.csrf_valid = True
    spent = PushWork()
    answers = [_enter(table, told, spent) for told in entries]
    found = {answer.status for answer in answers}
    status = 422 if REFUSED in found else 409 if STALE in found else 200
    return _answer({"answers": _in_json(answers)}, status)


def _in_json(answers: list[EntryResult]) -> list[dict[str, Any]]:
    """Write the answers; of what was written meanwhile the newest, as far as one answer may be long."""
    left, written = PULLED_BYTES, []
    for answer in answers:
        told = answer.as_json()
        if answer.status == STALE:
            newest, left = _as_long_as(left, reversed(answer.since[-PUSHED_ENTRIES:]))
            told["since"] = newest[::-1]
        written.append(told)
    return written


def _as_long_as(left: int, entries: Iterable[JournalEntry]) -> tuple[list[dict[str, Any]], int]:
    """Return the first of these entries as JSON, together no longer than ``left``, and what is left then."""
    shown: list[dict[str, Any]] = []
    for entry in entries:
        told = as_json(entry)
        left -= len(write_json(told))
        if left < 0:
            return shown, 0
        shown.append(told)
    return shown, left


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
    number = number_in(request.args, "match")
    match = queries.latest_match(table) if number is None else match_of(table, number)
    after = number_in(request.args, "after") or 0
    if match is None:
        abort(404, description=_("This table has no match yet."))
    entries = entries_of(match, after=after)
    shown, _left = _as_long_as(PULLED_BYTES, entries[:PULLED_ENTRIES])
    if entries and not shown:
        # One alone is never too long: what a push may hold bounds it.
        shown = [as_json(entries[0])]
    found = {"match": match.number, "head": match.head, "entries": shown, "more": len(entries) > len(shown)}
    return _answer(found)


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
    if not isinstance(entries, list) or not 1 <= len(entries) <= PUSHED_ENTRIES:
        raise _refuse("entries", f"A list of 1 to {PUSHED_ENTRIES} entries.")
    return entries


def _enter(table: Table, told: Any, spent: PushWork) -> EntryResult:
    """Write one entry in a transaction of its own and say what became of it.

    A fault of the database is nobody's entry: it is raised, and nothing after it is written.
    """
    id = str(told["id"]).lower() if isinstance(told, dict) and isinstance(told.get("id"), str) else ""
    if spent.is_all:
        return EntryResult(id, LATER, words=[_("Too much came at once: this is still to be sent.")])
    try:
        return _written(table, id, told, spent)
    except Stale as stale:
        both = _("Someone else wrote in this match meanwhile. Nothing was overwritten: look at both, and settle it.")
        return EntryResult(id, STALE, words=[both], since=list(stale.since))
    except Locked as locked:
        return EntryResult(id, STALE, words=[locked_words(locked.deal)], since=_since(table, told))
    except Conflict as conflict:
        return EntryResult(id, STALE, words=[str(conflict.description)], since=_since(table, told))
    except HTTPException as refused:
        return EntryResult(id, REFUSED, words=[str(refused.description)])
    except Full as full:
        return EntryResult(id, REFUSED, words=[full_words(full)])
    except BrokenMatch as broken:
        return EntryResult(
            id, REFUSED, words=[in_words(one) for one in broken.problems], problems=list(broken.problems)
        )
    except EntryRefused as refused:
        words = refused.words or [str(problem["message"]) for problem in refused.problems]
        return EntryResult(id, REFUSED, words=words, problems=refused.problems)
    except (SQLAlchemyError, OSError, MemoryError, Gone) as fault:
        if not isinstance(fault, DataError):
            raise
        current_app.logger.exception("An entry holds what the database does not keep")
    except Exception:
        # One damaged entry must neither be tried for ever nor keep those behind it back.
        current_app.logger.exception("An entry could not be read")
    return EntryResult(id, REFUSED, words=[_("This entry is damaged: nothing of it was written. Enter it again.")])


def _written(table: Table, id: str, told: Any, spent: PushWork) -> EntryResult:
    """Read, judge and write one entry. Raises what its form would be refused with."""
    try:
        told, number = _read(told)
        row = match_of(table, number)
    except (HTTPException, EntryRefused):
        spent.add(None)
        raise
    spent.add(told["kind"], row.head)
    known: list[int] = []

    def drafted() -> commands.Draft:
        match = MatchView(table, row)
        entering = _incoming_entry(match, id, told)
        there = entry_by_id(table.id, id)
        if there is None:
            return entering.draft(**(written_by(match) if session else {}))
        if there[0] != row.number or not entering.is_same(there[1]):
            raise EntryRefused([_("This was sent before, with something else in it. Enter it again.")])
        known.append(there[1].seq)
        return commands.NOTHING

    seq = commands.write(row, drafted)
    return EntryResult(id, WRITTEN if seq else KNOWN, seq=seq or (known[0] if known else None))


def _since(table: Table, told: Any) -> list[JournalEntry]:
    """Return what was written in the match after the entry's form was drawn."""
    match = queries.match_by_number(table, told["match"])
    drawn_from = told.get("drawn_from")
    return entries_of(match, after=drawn_from or 0) if match is not None else []


def _read(told: Any) -> tuple[dict[str, Any], int]:
    """Return an entry whose outer shape is sound, and the number of its match. Raises ``Refused``."""
    if not isinstance(told, dict):
        raise malformed("", "An entry is an object.")
    if "\\u0000" in json.dumps(told):
        raise malformed("", "No text holds the character of number 0.")
    if not isinstance(told.get("id"), str) or not is_entry_id(told["id"]):
        raise malformed("id", "A UUID, made by whoever writes the entry.")
    if not isinstance(told.get("kind"), str) or told["kind"] not in ENTRY_CLASSES:
        raise malformed("kind", f"One of: {', '.join(ENTRY_CLASSES)}.")
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
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST_ID


def _incoming_entry(match: MatchView, id: str, told: dict[str, Any]) -> IncomingEntry:
    """Return the entry as the form of its kind reads it."""
    kind = ENTRY_CLASSES[told["kind"]]
    if told.get("fields") is None:
        said = {name: value for name, value in told["payload"].items() if name not in ("v", "at")}
        fields = kind.fields_of(match, told["deal"], said)
    else:
        fields = _fields_in(told["fields"])
    fields.setlist("id", [id])
    if told.get("drawn_from") is not None:
        fields.setlist("seq", [str(told["drawn_from"])])
    return kind(
        match,
        ReportedEntry(
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
