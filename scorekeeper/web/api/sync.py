"""The journal over HTTP, for a phone that was without signal: push what waited on it, pull what others wrote.

The table's key is the only credential: in the body of a push, in the ``Authorization`` header of a pull, never in an
address. No cookie is needed, and a cookie alone opens nothing. Everything here may be sent again: it happens once.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, NotRequired, TypedDict, cast

from flask import Blueprint, Response, abort, g, request, session
from flask_babel import gettext as _
from sqlalchemy.exc import DataError, SQLAlchemyError
from werkzeug.datastructures import MultiDict, WWWAuthenticate
from werkzeug.exceptions import Conflict, HTTPException

from ... import rules
from ...limits import (
    ENTRIES_A_WEIGHT,
    LARGEST_ID,
    MOST_PROBLEMS,
    NAME_LETTERS,
    PULLED_BYTES,
    PULLED_ENTRIES,
    PUSH_WEIGHT,
    PUSHED_ENTRIES,
    STEPS_A_WEIGHT,
)
from ...names import drawn
from ...rules import contract
from ...store import commands, queries
from ...store.db import Gone
from ...store.faults import Unreachable
from ...store.forgotten import forgotten_players, without_forgotten
from ...store.journal import kinds
from ...store.journal.entries import (
    FromPaper,
    Full,
    JournalEntry,
    Locked,
    Stale,
    TakeBackFirst,
    entries_of,
    entry_by_id,
    is_entry_id,
)
from ...store.models import Table, now
from ...store.moved import Moved
from ...store.standings import BrokenMatch
from ...strict_json import read_json, write_json
from ..base.access import dead_link, match_of, moved_words
from ..base.brakes import wrong_key
from ..base.errors import log_mistake
from ..base.gone import name_dead_links
from ..base.heard import hear
from ..base.opened import note_opening
from ..base.request_bounds import number_in
from ..base.zones import follow_zone, give_zone
from ..deal_entry.closing_entry import ClosingEntry
from ..deal_entry.entry_classes import ENTRY_CLASSES
from ..deal_entry.incoming import EntryRefused, IncomingEntry, ReportedEntry, malformed
from ..match.author import written_at, written_by
from ..match.came_otherwise import came_otherwise
from ..match.entry_words import first_words
from ..match.view import MatchView, shown_match
from ..words.problems import from_paper_words, full_words, in_words, locked_words

bp = Blueprint("sync", __name__, url_prefix="/api/v1")

TAPPED_EARLIER = timedelta(seconds=2)
"""If the phone sent its clock, an entry says when it was tapped, if that was longer ago: a request takes less."""
CLOCK_OFF = timedelta(days=3660)
"""A clock further off makes no sense."""
WRITTEN, KNOWN, REFUSED, STALE, LATER = "written", "known", "refused", "stale", "later"
MALFORMED, UNKNOWN_FIELD = "malformed", "unknown_field"
"""The codes of problems of an entry itself; all others are of its deal or match."""


@dataclass
class EntryResult:
    """The result of one entry: only what is ``written``, or ``known`` as it was there already, is in the journal."""

    id: str
    status: str
    seq: int | None = None
    kind: str = ""
    """The kind that it was written as, if another than it was sent as."""
    points: Mapping[contract.Side, contract.Number] | None = None
    """The points of the deal that it closes, as they count now."""
    words: list[str] = field(default_factory=list)
    problems: list[contract.Problem] = field(default_factory=list)
    since: list[JournalEntry] = field(default_factory=list)

    def as_json(self) -> dict[str, object]:
        """Write the answer, with only what there is to say."""
        points = None if self.points is None else dict(self.points)
        more = {"seq": self.seq, "kind": self.kind or None, "points": points}
        result: dict[str, object] = {"id": self.id, "status": self.status}
        result |= {name: value for name, value in more.items() if value is not None}
        if self.status in (REFUSED, STALE, LATER):
            result.update(words=self.words, problems=self.problems)
        elif self.words:
            result["words"] = self.words
        return result


class PushedEntry(TypedDict):
    """An entry of a push whose outer shape is sound. It has either ``payload`` or ``fields``, not read yet."""

    id: str
    kind: str
    match: int
    deal: int
    counted: list[str]
    payload: NotRequired[Mapping[str, object] | None]
    fields: NotRequired[Mapping[str, object] | None]
    drawn_from: NotRequired[int | None]
    at: NotRequired[object]
    instead_of: NotRequired[list[str]]
    by: NotRequired[int | None]
    """The player who held the phone at the tap, None if nobody did; missing from a phone that does not say."""
    shown: NotRequired[object]
    """The points that the phone showed for a closing until it had signal, by item and side."""


@dataclass
class PushWork:
    """The work for the entries of one push so far; beyond ``limits.PUSH_WEIGHT`` the rest waits for another.

    The first entry is always tried, so that every push gets on.
    """

    weight: int = 0
    matches: set[int] = field(default_factory=set)
    """The matches of the entries so far."""
    unsettled: dict[int, int] = field(default_factory=dict)
    """The first deal, by match, whose closing was not written: what comes behind it waits until that is settled."""

    @property
    def is_all(self) -> bool:
        """True if nothing more is done in this request."""
        return self.weight >= PUSH_WEIGHT

    def add(self, kind: str = "", match: int = 0, entries: int = 0) -> None:
        """Count an entry of that kind in a match of so many entries; one that cannot be read has no kind."""
        entry_class = ENTRY_CLASSES.get(kind)
        self.weight += entry_class.weight if entry_class else 1
        if kind in kinds.SCORES_MATCH or match not in self.matches:
            # The longer the match, the longer it takes to read it, and to score it again.
            self.weight += entries // ENTRIES_A_WEIGHT
        self.matches.add(match)

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count the steps that an entry really takes, written or not."""
        with rules.tallied() as tally:
            try:
                yield
            finally:
                self.weight += tally.steps // STEPS_A_WEIGHT


def as_json(entry: JournalEntry, forgotten: Collection[int]) -> dict[str, object]:
    """Write an entry of the journal, without the marks of phones and the names of the ``forgotten``."""
    payload: Mapping[str, object] = {name: value for name, value in entry.payload.items() if name != "phones"}
    if entry.kind in kinds.RENAMED:
        known = without_forgotten(entry.kind, entry.payload, forgotten)
        payload = {**known, **{name: drawn(known[name]) if known[name] else "" for name in ("from", "to")}}
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
    """Write entries, each for itself and in their order: 200, 409 if one is stale, 422 if one cannot be.

    What would take too long in one request is answered ``later``, and nothing of it is looked at. Once the table has
    moved all are refused (409).
    """
    try:
        asked = read_json(request.get_data())
        entries = _entries_in(asked)
    except rules.Malformed as fault:
        return _answer({"status": "invalid", "problems": fault.problems}, 400)
    table = queries.table_by_play_key(asked["table"])
    if table is None:
        wrong_key(asked["table"])
        name_dead_links([("play", asked["table"])])
        abort(404, description=dead_link())
    note_opening(table)
    if table.moved_to is not None:
        # Each entry has its answer, so that it stays on the phone with the reason.
        refused = [EntryResult(_id_of(one), REFUSED, words=[moved_words(table.moved_to)]) for one in entries]
        return _answer({"answers": _in_json(refused, frozenset())}, 409)
    follow_zone(table)
    give_zone(table)
    hear(table)
    # The key in the body lets write: the forms need no other proof that the page was ours.
    g.csrf_valid = True
    work = PushWork()
    g.phone_ahead = _ahead(asked.get("now"))
    results = [_enter_in_turn(table, pushed, work) for pushed in entries]
    for number, (pushed, result) in enumerate(zip(entries, results, strict=True)):
        result.problems = [{**problem, "at": _place(problem, number, pushed)} for problem in result.problems]
    statuses = {result.status for result in results}
    status = 422 if REFUSED in statuses else 409 if STALE in statuses else 200
    forgotten = forgotten_players(table.id) if STALE in statuses else frozenset[int]()
    return _answer({"answers": _in_json(results, forgotten)}, status)


def _place(problem: contract.Problem, number: int, pushed: Any) -> str:
    """Return the place of a problem from the top of the push; the entry, where the problem is not of what it holds."""
    entry, place = f"entries[{number}]", problem["where"]
    if problem["code"] in (MALFORMED, UNKNOWN_FIELD):
        return f"{entry}.{place}" if place else entry
    payload = pushed.get("payload") if isinstance(pushed, dict) else None
    part, _dot, rest = problem.get("at", "").partition(".")
    if part == "deal" and isinstance(payload, dict) and "facts" in payload:
        return f"{entry}.payload.facts.{rest}".removesuffix(".")
    return entry


def _in_json(results: list[EntryResult], forgotten: Collection[int]) -> list[dict[str, object]]:
    """Write the results; of what was written meanwhile the newest, as far as one answer may be long."""
    left, written = PULLED_BYTES, []
    for result in results:
        answer = result.as_json()
        if result.status == STALE:
            newest, left = _as_long_as(left, reversed(result.since[-PUSHED_ENTRIES:]), forgotten)
            answer["since"] = newest[::-1]
        written.append(answer)
    return written


def _as_long_as(
    left: int, entries: Iterable[JournalEntry], forgotten: Collection[int]
) -> tuple[list[dict[str, object]], int]:
    """Return the first of these entries as JSON, together no longer than ``left``, and what is left then."""
    shown: list[dict[str, object]] = []
    for entry in entries:
        written = as_json(entry, forgotten)
        left -= len(write_json(written))
        if left < 0:
            return shown, 0
        shown.append(written)
    return shown, left


@bp.get("/entries")
def pull() -> Response:
    """Return what was written in a match after a seq, oldest first; ``more`` says that there is still more."""
    _scheme, _blank, key = request.headers.get("Authorization", "").partition(" ")
    table = queries.table_by_play_key(key)
    if table is None:
        wrong_key(key)
        problem = {"severity": "error", "code": "http_401", "where": "Authorization", "at": "Authorization"}
        problem["message"] = dead_link()
        answer = _answer({"status": "invalid", "problems": [problem]}, 401)
        answer.www_authenticate = WWWAuthenticate("bearer")
        return answer
    note_opening(table)
    number = number_in(request.args, "match")
    match = queries.current_match(table) if number is None else match_of(table, number)
    after = number_in(request.args, "after") or 0
    if match is None:
        abort(404, description=_("This table has no match yet."))
    entries = entries_of(match, after=after)
    forgotten = forgotten_players(table.id)
    shown, _left = _as_long_as(PULLED_BYTES, entries[:PULLED_ENTRIES], forgotten)
    if entries and not shown:
        # One alone is never too long: what a push may hold bounds it.
        shown = [as_json(entries[0], forgotten)]
    return _answer({"match": match.number, "head": match.head, "entries": shown, "more": len(entries) > len(shown)})


def _answer(answer: object, status: int = 200) -> Response:
    return Response(write_json(answer) + "\n", status, mimetype="application/json")


def _refuse(where: str, message: str) -> rules.Malformed:
    problems = rules.Problems()
    problems.error(MALFORMED, where, message)
    return rules.Malformed(problems)


def _entries_in(asked: Any) -> list[Any]:
    """Return the entries of a push as they came. Raises ``Malformed`` for what is no push at all."""
    if not isinstance(asked, dict) or not isinstance(asked.get("table"), str):
        raise _refuse("table", "A push is an object with the table's key and its entries.")
    entries = asked.get("entries")
    if not isinstance(entries, list) or not 1 <= len(entries) <= PUSHED_ENTRIES:
        raise _refuse("entries", f"A list of 1 to {PUSHED_ENTRIES} entries.")
    return entries


def _enter_in_turn(table: Table, pushed: Any, work: PushWork) -> EntryResult:
    """Write one entry, unless it comes behind a closing of its match that could not be written."""
    match = pushed.get("match") if isinstance(pushed, dict) else None
    deal = work.unsettled.get(match) if isinstance(match, int) else None
    if deal is not None and not _is_of_deal(pushed, deal):
        words = _("Deal %(number)d is to be settled first: this waits on the phone until then.", number=deal)
        return EntryResult(_id_of(pushed), LATER, words=[words])
    result = _enter(table, pushed, work)
    is_closing = isinstance(pushed, dict) and pushed.get("kind") == kinds.DEAL_CLOSED
    if is_closing and result.status in (REFUSED, STALE) and _is_number(match) and _is_number(_deal_of(pushed)):
        work.unsettled.setdefault(cast(int, match), _deal_of(pushed))
    return result


def _id_of(pushed: Any) -> str:
    return str(pushed["id"]).lower() if isinstance(pushed, dict) and isinstance(pushed.get("id"), str) else ""


def _deal_of(pushed: Mapping[str, Any]) -> Any:
    payload = pushed.get("payload")
    return pushed.get("deal", payload.get("deal") if isinstance(payload, dict) else None)


def _is_of_deal(pushed: Mapping[str, Any], deal: int) -> bool:
    """Return whether an entry is about a deal, or an earlier one: it holds nothing of what was played after."""
    number = _deal_of(pushed)
    return pushed.get("kind") in kinds.OF_A_DEAL and _is_number(number) and number <= deal


def _enter(table: Table, pushed: Any, work: PushWork) -> EntryResult:
    """Write one entry in its own transaction. Raises a fault of the database: then nothing after it is written."""
    id = _id_of(pushed)
    if work.is_all:
        return EntryResult(id, LATER, words=[_("Too much came at once: this is still to be sent.")])
    try:
        with work.counting():
            return _written(table, id, pushed, work)
    except TakeBackFirst as refused:
        words = [first_words(shown_match(table, match_of(table, pushed["match"])), refused.first)]
        return EntryResult(id, STALE, words=words, since=[refused.first])
    except Stale as stale:
        both = _("Someone else wrote in this match meanwhile. Nothing was overwritten: look at both, and settle it.")
        return EntryResult(id, STALE, words=[both], since=list(stale.since))
    except Locked as locked:
        return EntryResult(id, STALE, words=[locked_words(locked.deal)], since=_since(table, pushed))
    except Conflict as conflict:
        return EntryResult(id, STALE, words=[str(conflict.description)], since=_since(table, pushed))
    except HTTPException as refused:
        return EntryResult(id, REFUSED, words=[str(refused.description)])
    except Full as full:
        return EntryResult(id, REFUSED, words=[full_words(full)])
    except FromPaper:
        return EntryResult(id, REFUSED, words=[from_paper_words()])
    except BrokenMatch as broken:
        return EntryResult(id, REFUSED, words=[*map(in_words, broken.problems)], problems=list(broken.problems))
    except EntryRefused as refused:
        words = refused.words or [str(problem["message"]) for problem in refused.problems]
        return EntryResult(id, REFUSED, words=words, problems=refused.problems)
    except Moved:
        return EntryResult(id, REFUSED, words=[_("This table has just moved, and is only read here.")])
    except (SQLAlchemyError, OSError, MemoryError, Gone, Unreachable) as fault:
        if not isinstance(fault, DataError):
            raise
        log_mistake("An entry holds what the database does not keep", fault)
    except Exception as fault:
        # One damaged entry must neither be tried for ever nor hold up those behind it.
        log_mistake("An entry could not be read", fault)
    return EntryResult(id, REFUSED, words=[_("This entry is damaged: nothing of it was written. Enter it again.")])


def _written(table: Table, id: str, pushed: Any, work: PushWork) -> EntryResult:
    """Read, judge and write one entry. Raises what its form would be refused with."""
    try:
        entry, number = _read(pushed)
        row = match_of(table, number)
    except (HTTPException, EntryRefused):
        work.add()
        raise
    work.add(entry["kind"], number, row.head)
    if not row.taken_up:
        raise FromPaper
    _check_payload(entry)
    known: list[int] = []
    if ENTRY_CLASSES[entry["kind"]].seats_players and entry_by_id(table.id, id) is None:
        _incoming_entry(MatchView(table, row), id, entry).prepare()

    def drafted() -> commands.Draft:
        match = shown_match(table, row)
        incoming = _incoming_entry(match, id, entry)
        there = entry_by_id(table.id, id)
        if there is None:
            said = incoming.said_before() if isinstance(incoming, ClosingEntry) else None
            if said is not None:
                known.append(said.seq)
                return commands.NOTHING
            return incoming.draft(**_writer(match, entry))
        if there[0] != row.number or not incoming.is_same(there[1]):
            raise EntryRefused([_("This was sent before, with something else in it. Enter it again.")])
        known.append(there[1].seq)
        return commands.NOTHING

    seq = commands.write(row, drafted)
    result = EntryResult(id, WRITTEN if seq else KNOWN, seq=seq or (known[0] if known else None))
    if entry["kind"] == kinds.DEAL_CLOSED:
        _add_points(result, MatchView(table, row), entry)
    return result


def _check_payload(entry: PushedEntry) -> None:
    """Refuse names in a payload that no phone says of entries of its kind: what they say would be lost unseen."""
    written = ENTRY_CLASSES[entry["kind"]].unsaid
    known = kinds.KINDS[entry["kind"]].fields - written
    unknown = [name for name in entry.get("payload") or {} if name not in known]
    if not unknown:
        return
    listed = ", ".join(sorted(known - {"v", "at", "by"}))
    problems: list[contract.Problem] = []
    for name in unknown[:MOST_PROBLEMS]:
        shown = name[:NAME_LETTERS]
        said = f"Only the server writes {shown!r} into" if name in written else f"There is no {shown!r} in"
        where, message = (
            f"payload.{shown}",
            f"{said} the payload of {entry['kind']}. A phone says: {listed or 'nothing'}.",
        )
        facts: contract.Facts = {"field": shown}
        problems.append(
            {
                "severity": "error",
                "code": UNKNOWN_FIELD,
                "where": where,
                "at": where,
                "message": message,
                "facts": facts,
            }
        )
    raise EntryRefused([], problems)


def _writer(match: MatchView, entry: PushedEntry) -> dict[str, Any]:
    """Return who wrote an entry: the phone, in the name of who held it at the tap as far as its journal says so."""
    if not session:
        return {}
    return written_at(match, entry["by"]) if "by" in entry else written_by(match)


def _add_points(result: EntryResult, match: MatchView, entry: PushedEntry) -> None:
    """Add the points of the deal of a closing, and say so in words if the phone has shown others."""
    written = entry_by_id(match.table.id, result.id)
    if written is not None and written[1].kind != kinds.DEAL_CLOSED:
        result.kind = written[1].kind
    deal_and_sheet = match.sheet_of(entry["deal"])
    if deal_and_sheet is None:
        return
    deal, sheet = deal_and_sheet
    result.points = sheet["points"]
    words = came_otherwise(match.as_of(deal), deal.number, sheet, entry.get("shown"))
    result.words = [words] if words else []


def _since(table: Table, pushed: Any) -> list[JournalEntry]:
    """Return what was written in the match after the entry's form was drawn."""
    match = queries.match_by_number(table, pushed["match"])
    drawn_from = pushed.get("drawn_from")
    return entries_of(match, after=drawn_from or 0) if match is not None else []


def _read(pushed: Any) -> tuple[PushedEntry, int]:
    """Return an entry whose outer shape is sound, and the number of its match. Raises ``EntryRefused``."""
    if not isinstance(pushed, dict):
        raise malformed("", "An entry is an object.")
    if "\\u0000" in json.dumps(pushed):
        raise malformed("", "No text holds the character of number 0.")
    id, kind, payload, fields = map(pushed.get, ("id", "kind", "payload", "fields"))
    drawn_from, by = pushed.get("drawn_from"), pushed.get("by")
    is_known = isinstance(kind, str) and kind in ENTRY_CLASSES
    deal = _deal_of(pushed) if is_known and kind in kinds.OF_A_DEAL else 0
    counted, former = pushed.get("counted") or [], pushed.get("instead_of") or []
    for is_sound, where, message in (
        (isinstance(id, str) and is_entry_id(id), "id", "A UUID, made by whoever writes the entry."),
        (is_known, "kind", f"One of: {', '.join(ENTRY_CLASSES)}."),
        (_is_number(pushed.get("match")), "match", "The number of the match."),
        ((payload is None) != (fields is None), "fields", "Either the fields of the form, or a payload."),
        (fields is None or isinstance(fields, dict), "fields", "An object."),
        (payload is None or isinstance(payload, dict), "payload", "An object."),
        (_is_number(deal), "deal", "The number of the deal."),
        (drawn_from is None or _is_number(drawn_from), "drawn_from", "The seq that the form was drawn from."),
        (_are_texts(counted), "counted", "The ids of the phone's own entries that the form counts in."),
        (_are_texts(former), "instead_of", "The ids under which the same form was sent before it was changed."),
        (by is None or _is_number(by), "by", "The number of the player who held the phone, or null."),
    ):
        if not is_sound:
            raise malformed(where, message)
    return cast(PushedEntry, {**pushed, "deal": deal, "counted": counted, "instead_of": former}), pushed["match"]


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST_ID


def _are_texts(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _incoming_entry(match: MatchView, id: str, entry: PushedEntry) -> IncomingEntry:
    """Return the entry as the form of its kind reads it."""
    entry_class = ENTRY_CLASSES[entry["kind"]]
    typed = entry.get("fields")
    if typed is None:
        payload = {name: value for name, value in (entry["payload"] or {}).items() if name not in ("v", "at", "by")}
        fields = entry_class.fields_of(match, entry["deal"], payload)
    else:
        fields = _fields_in(typed)
    fields.setlist("id", [id])
    if entry.get("drawn_from") is not None:
        fields.setlist("seq", [str(entry["drawn_from"])])
    ahead: timedelta | None = g.phone_ahead
    at = _time_in(entry.get("at"))
    own = (frozenset(entry["counted"]), frozenset(entry["instead_of"]))
    reported = ReportedEntry(id, fields, entry["deal"], *own, at)
    if ahead is not None and at is not None:
        reported = replace(reported, at=at - ahead, delayed=TAPPED_EARLIER)
    incoming = entry_class(match, reported)
    if incoming.needs_version and entry.get("drawn_from") is None:
        raise malformed("drawn_from", "A closing says from which seq its form was drawn.")
    return incoming


def _fields_in(fields: Mapping[str, object]) -> MultiDict[str, str]:
    """Return what was typed. Raises ``EntryRefused``."""
    typed: MultiDict[str, str] = MultiDict()
    for name, values in fields.items():
        if not _are_texts(values):
            raise malformed(f"fields.{name}", "A list of texts, as the form sends them.")
        typed.setlist(name, cast(list[str], values))
    return typed


def _ahead(phones_now: Any) -> timedelta | None:
    """Return how far a phone's clock is ahead of this server's; None if it does not say, or makes no sense."""
    clock = _time_in(phones_now)
    ahead = None if clock is None else clock - now()
    return ahead if ahead is not None and abs(ahead) < CLOCK_OFF else None


def _time_in(text: Any) -> datetime | None:
    """Read the phone's time; a clock that makes no sense is no reason to refuse an entry."""
    try:
        at = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return None
    try:
        return at.astimezone(UTC)
    except (OverflowError, ValueError):
        return None
