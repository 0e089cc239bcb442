"""From a form to the journal: one class for each kind of entry reads it, judges it and writes it.

The pages and the API for entries that waited on a phone (``api.sync``) both use these classes: what one refuses, the
other refuses in the same words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, NoReturn

from flask import abort, request
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict
from wtforms import Form

from ...limits import DEAL_NOTES
from ...rules import contract
from ...store import commands
from ...store.journal import kinds
from ...store.journal.entries import JournalEntry, NewEntry, reported_in
from ...store.journal.replay import DealState
from ...store.models import now
from ...store.voices import NotTheirVoice
from ..base.entry_form import damaged
from ..match.author import minutes_left
from ..match.view import MatchView
from ..words.problems import in_words, voice_words

DELAYED = timedelta(minutes=1)
"""An entry that took longer from the tap to the journal says when it was tapped."""


OLDEST = timedelta(days=40)


@dataclass(frozen=True)
class ReportedEntry:
    """An entry as a phone reports it: what was typed into the form of its kind, not judged yet."""

    id: str
    fields: MultiDict[str, str] | None
    """None while nothing is posted, and the form is only drawn."""
    deal: int = 0
    counted: frozenset[str] = frozenset()
    """The entries that were written after its form was drawn and are counted in it all the same, by their ids."""
    instead_of: frozenset[str] = frozenset()
    """The ids under which the phone has, or may have, sent this very form before it was changed."""
    at: datetime | None = None
    """When it was tapped, if it is sent only later."""
    delayed: timedelta = DELAYED
    """How long ago it was tapped at least where it is said when."""
    asked: Mapping[str, str] = field(default_factory=dict)
    """The query of the form's address."""


def posted_entry(deal: int = 0) -> ReportedEntry:
    """Return what the request reports, about a deal or about the match; on a GET its form is only drawn."""
    posted = request.form if request.method == "POST" else None
    own = (ids_in(request.form, "counted"), ids_in(request.form, "instead_of"))
    return ReportedEntry(request.form.get("id", ""), posted, deal, *own, asked=request.args)


def ids_in(values: Mapping[str, str], field: str) -> frozenset[str]:
    """Return the ids that a page names in a field, as a push does."""
    return frozenset(values.get(field, "").split()[:DEAL_NOTES])


class EntryRefused(Exception):
    """The entry cannot be; ``words`` say why in the reader's language, ``problems`` in the engine's terms."""

    def __init__(self, words: Iterable[str], problems: Iterable[contract.Problem] = ()) -> None:
        self.words, self.problems = [word for word in words if word], list(problems)
        super().__init__("; ".join(self.words))


@contextmanager
def speaking_for(match: MatchView) -> Iterator[None]:
    """Answer 409 if what is written inside speaks for a side that has a voice of its own."""
    try:
        yield
    except NotTheirVoice as refused:
        minutes = minutes_left(refused.until, now()) if refused.until is not None else 0
        abort(409, description=voice_words(match.all_sides.get(refused.side, ""), minutes))


def refuse_closed() -> NoReturn:
    """Answer 409 if a deal was closed while something of it was being noted."""
    abort(409, description=_("That deal was closed meanwhile. Open its sheet to correct it."))


def open_deal(match: MatchView, deal: int) -> DealState:
    """Return the deal if it is the one being played; one closed meanwhile is a conflict, one never dealt a 404."""
    current = match.deal
    if match.standing.is_over:
        abort(409, description=_("This match is over: nothing more can be noted in it."))
    if deal != current.number:
        if match.standing.state.closed_deal(deal):
            refuse_closed()
        abort(404, description=_("This match has no such deal yet."))
    return current


def malformed(where: str, message: str) -> EntryRefused:
    """Return the refusal of something that no page sends."""
    return EntryRefused(
        [], [{"severity": "error", "code": "malformed", "where": where, "at": where, "message": message}]
    )


def refusal(
    match: MatchView, form: Form | None, problems: Iterable[contract.Problem] = (), *words: str
) -> EntryRefused:
    """Return the refusal that a page would show: beside its fields, and of the engine."""
    reasons = [str(error) for errors in (form.errors.values() if form else ()) for error in errors]
    errors = [problem for problem in problems if problem["severity"] == "error"]
    reasons += [in_words(problem, match.sides, match.setup.game) for problem in errors]
    return EntryRefused(dict.fromkeys([*words, *reasons]), errors)


def as_fields(payload: Mapping[str, object]) -> MultiDict[str, str]:
    """Write values as a form sends them: texts, a list as several of one name."""
    fields: MultiDict[str, str] = MultiDict()
    for name, value in payload.items():
        values = value if isinstance(value, list) else [value]
        if not all(isinstance(one, (str, int)) and not isinstance(one, bool) for one in values):
            raise malformed(f"payload.{name}", "A text, a number, or a list of them.")
        fields.setlist(name, [str(one) for one in values])
    return fields


class IncomingEntry:
    """One entry on its way into the journal of a match: read when it is made, judged when it is written."""

    kind: ClassVar[str]
    weight: ClassVar[int] = 5
    """How much work writing it takes, where a tap takes 1."""
    needs_version: ClassVar[bool] = False
    """True if it must say from which seq its form was drawn."""
    seats_players: ClassVar[bool] = False
    """True if it may name players that the table does not know yet: ``prepare`` seats them."""
    typed: ClassVar[Mapping[str, str | int]] = {}
    """The fields that say what a payload says under the same names, with what each holds where the payload lacks it."""
    unsaid: ClassVar[frozenset[str]] = frozenset()
    """The fields of its payload that only the server writes, as they follow from what others said or noted."""
    is_valid = True
    """True if its form has no error of its own."""

    def __init__(self, match: MatchView, reported: ReportedEntry) -> None:
        self.match, self.reported = match, reported
        self.read()

    @property
    def fields(self) -> MultiDict[str, str]:
        """The fields of the form, as typed."""
        return MultiDict() if self.reported.fields is None else self.reported.fields

    def read(self) -> None:
        """Read the form. Raises ``EntryRefused``, or what a page would answer."""

    def check(self) -> None:
        """Refuse what cannot be written. Raises ``EntryRefused``, or what a page would answer."""

    def prepare(self) -> None:
        """Write what has to be there before it is judged; call outside any transaction. Raises as ``entries``."""

    @classmethod
    def fields_of(cls, match: MatchView, deal: int, payload: Mapping[str, object]) -> MultiDict[str, str]:
        """Return what would have been typed to report ``payload``. Raises ``EntryRefused``."""
        return as_fields({name: payload.get(name, empty) for name, empty in cls.typed.items()})

    def reported_payload(self) -> kinds.AnyPayload:
        """Return what is reported, unjudged: to be compared with an entry of the same id. A damaged form is a 400."""
        raise NotImplementedError

    def is_same(self, entry: JournalEntry) -> bool:
        """Return whether ``entry``, which has this id, says the same."""
        reported = (self.kind, self.reported_payload())
        return self._is_of_this_deal(entry) and (entry.kind, reported_in(entry.payload)) == reported

    def is_written(self) -> bool:
        """Return whether this very form was saved before: then it is not judged beside itself."""
        entries = self.match.standing.state.entries
        return self.is_valid and any(entry.id == self.reported.id and self.is_same(entry) for entry in entries)

    def entries(self) -> list[NewEntry]:
        """Judge what is reported and return what to write.

        Raises ``EntryRefused``, ``Stale``, or what a page would answer.
        """
        self.check()
        payload = self.reported_payload()
        return [self._entry({"deal": self.deal, **payload} if self.kind in kinds.OF_A_DEAL else payload)]

    def side(self, sides: Collection[str] | None = None) -> str:
        """Return the side that the form names, one of ``sides`` (else of those that play); a damaged form is a 400."""
        side = self.fields.get("side", "")
        return side if side in (self.match.sides if sides is None else sides) else damaged()

    @property
    def deal(self) -> int:
        """The number of the deal that it is written about, if it is about one."""
        return self.reported.deal

    def draft(self, **written_by: Any) -> commands.Draft:
        """Judge the entry and return what to write. Raises as ``entries``, and as ``commands.draft``."""
        return self.draft_of(self.entries(), **written_by)

    def draft_of(self, new: list[NewEntry], **written_by: Any) -> commands.Draft:
        """Judge ``new``, which ``entries`` returned, beside what the match holds now.

        Where it speaks for a side that has a voice of its own, the answer is a 409. Raises as ``commands.draft``.
        """
        with speaking_for(self.match):
            return commands.draft(self.match.row, new, **written_by)

    def write(self, **written_by: Any) -> None:
        """Write the entry once, however often its form is posted. Raises as ``draft``."""
        if self.is_written():
            return
        self.prepare()
        new = self.entries()
        commands.write(self.match.row, lambda: self.draft_of(new, **written_by))

    def _is_of_this_deal(self, entry: JournalEntry) -> bool:
        return bool(entry.payload.get("deal", 0) == self.reported.deal)

    def _entry(self, payload: kinds.AnyPayload, kind: str = "") -> NewEntry:
        at = self.reported.at
        if at is not None and self.reported.delayed < now() - at < OLDEST:
            payload["at"] = at.astimezone(UTC).isoformat(timespec="seconds")
        return NewEntry(kind or self.kind, payload, id=self.reported.id)
