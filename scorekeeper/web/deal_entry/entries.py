"""From what a phone tells to the journal: every kind of entry is read by the form of its page, judged, written once.

The pages and the interface for phones without signal (``pushing``) both go through here: what one refuses, the other
refuses in the same words.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar

from flask import abort
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict
from wtforms import Form

from ...store import agreement, commands, journal
from ...store.journal import DealState, NewEntry, Stale
from ...store.models import now
from ..base.entry_form import damaged
from ..match.view import MatchView
from ..words.problems import in_words
from .closing_grid import ClosingForm, closing_form, has_answer, with_taps
from .closing_questions import QuestionsForm, questions_form
from .declaration import declaration_form, worth
from .judged import JudgedClosing, judge_closing
from .opening_layout import layout_form, meaning

DELAYED = timedelta(minutes=1)
"""An entry that took longer from the tap to the journal says when it was told."""
OLDEST = timedelta(days=40)


@dataclass(frozen=True)
class ReportedEntry:
    """An entry as a phone tells it.

    ``fields`` is what was typed into the form of that kind, ``drawn_from`` the seq that form was drawn from,
    ``counted`` the ids of the phone's own entries that were written after it and are counted in it all the same,
    ``at`` when it was told.
    """

    id: str
    kind: str
    fields: MultiDict[str, str]
    deal: int = 0
    drawn_from: int | None = None
    counted: frozenset[str] = frozenset()
    at: datetime | None = None


class EntryRefused(Exception):
    """The entry cannot be; ``words`` say why in the reader's language, ``problems`` in the engine's terms."""

    def __init__(self, words: Iterable[str], problems: Iterable[Mapping[str, Any]] = ()) -> None:
        self.words, self.problems = [word for word in words if word], list(problems)
        super().__init__("; ".join(self.words))


def open_deal(match: MatchView, deal: int) -> DealState:
    """Return the deal if it is the one being played; one closed meanwhile is a conflict, one never dealt a 404."""
    current = match.deal
    if match.standing.is_over:
        abort(409, description=_("This match is over: nothing more can be noted in it."))
    if deal != current.number:
        if match.standing.state.closed_deal(deal):
            abort(409, description=_("That deal was closed meanwhile. Open its sheet to correct it."))
        abort(404, description=_("This match has no such deal yet."))
    return current


def deal_to_close(match: MatchView, number: int) -> DealState:
    """Return the deal being played or one closed before."""
    one = match.standing.state.deal(number)
    if one is None or (one.closed is None and match.standing.is_over):
        abort(404, description=_("This match has no such deal."))
    return one


def closed_meanwhile(one: DealState, drawn_from: int | None, own: Container[str]) -> bool:
    """Say whether someone else closed the deal after the form was drawn; ``own`` are ids of the teller's entries."""
    closed = one.closed
    return closed is not None and drawn_from is not None and closed.seq > drawn_from and closed.id not in own


def before_it_was_closed(one: DealState) -> DealState:
    """Return the deal as a form saw it that was drawn before someone else closed it.

    The form goes on as what it was; what it tells is kept beside the closing that stands.
    """
    return replace(one, closed=None)


def sweep_of(match: MatchView, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a sweep's form tells; a damaged one is a 400, too many at once a 422."""
    side, count = fields.get("side"), str(fields.get("count", "1"))
    if side not in match.sides:
        damaged()
    if count not in ("1", "2", "3"):
        abort(422, description=_("One capture makes one to three sweeps."))
    return {"side": side, "count": int(count)}


def penalty_of(match: MatchView, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a penalty's form tells; a damaged one is a 400, a game without penalties a 404."""
    penalties = match.needs().penalties
    if not penalties:
        abort(404, description=_("This game knows no penalties."))
    item, _colon, side = fields.get("penalty", "").partition(":")
    if item not in penalties or side not in match.sides:
        damaged()
    return {"item": item, "side": side}


@dataclass
class ReportedClosing:
    """A closing as told so far, and what the engine makes of it."""

    form: ClosingForm | QuestionsForm
    judged: JudgedClosing
    is_valid: bool
    was_tapped: bool = False
    """Whether one tap filled in fields of the form: the answer to a question, or who took all the rest."""

    @property
    def is_settled(self) -> bool:
        """Say whether it may be saved."""
        return self.is_valid and (self.judged.is_complete or bool(self.judged.redeal))

    def entries(self, one: DealState) -> list[NewEntry]:
        """Return what to write: the closing, and before it the end of the one that it was drawn to correct."""
        payload: dict[str, Any] = {"deal": one.number, "facts": self.form.facts()}
        if self.judged.redeal:
            payload["redeal"] = self.judged.redeal
        entries = [NewEntry(journal.DEAL_CLOSED, payload, id=self.form.id.data)]
        if one.closed is not None and one.closed.id != self.form.id.data:
            void_id = agreement.voiding_id(self.form.id.data, one.closed.id)
            entries.insert(0, NewEntry(journal.VOIDED, {"entry": one.closed.id}, id=void_id))
        return entries


def read_closing(
    match: MatchView, one: DealState, posted: MultiDict[str, str] | None, known: Mapping[str, Any] | None = None
) -> ReportedClosing:
    """Read a closing from what was posted, or fill it with the facts known of the deal."""
    needs = match.needs()
    form: ClosingForm | QuestionsForm
    if match.game["family"] == "fishing":
        form = closing_form(match, needs, None if posted is None else with_taps(match, posted), known)
    else:
        form = questions_form(match, one.number, posted, known)
    valid = posted is None or form.validate()
    judged = judge_closing(match, form.facts(), one, needs)
    taker = form.taker_of_the_rest() if isinstance(form, ClosingForm) else None
    if taker and valid and isinstance(form, ClosingForm):
        form.give_the_rest(taker, judged)
        judged = judge_closing(match, form.facts(), one, needs)
    return ReportedClosing(form, judged, valid, bool(taker) or has_answer(posted))


def malformed(where: str, message: str) -> EntryRefused:
    """Return the refusal of something that no page sends."""
    return EntryRefused([], [{"severity": "error", "code": "malformed", "where": where, "message": message}])


def refusal(
    match: MatchView, form: Form | None, problems: Iterable[Mapping[str, Any]] = (), *words: str
) -> EntryRefused:
    """Return the refusal that a page would show: beside its fields, and of the engine."""
    said = [str(error) for errors in (form.errors.values() if form else ()) for error in errors]
    errors = [problem for problem in problems if problem["severity"] == "error"]
    said += [in_words(problem, match.sides, match.setup.game) for problem in errors]
    return EntryRefused(dict.fromkeys([*words, *said]), errors)


class IncomingEntry:
    """One entry on its way into the journal of a match: read when it is made, judged when it is written."""

    kind: ClassVar[str]

    def __init__(self, match: MatchView, told: ReportedEntry) -> None:
        self.match, self.told = match, told
        self.read()

    def read(self) -> None:
        """Read the form. Raises ``Refused``, or what a page would answer."""

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, Any]) -> MultiDict[str, str]:
        """Return what would have been typed to say ``payload``."""
        raise NotImplementedError

    def says(self) -> tuple[str, dict[str, Any]]:
        """Return the kind and what is told, unjudged: to be held against an entry of the same id."""
        raise NotImplementedError

    def entries(self) -> list[NewEntry]:
        """Judge what is told and return what to write. Raises ``Refused``, ``Stale``, or what a page would answer."""
        kind, said = self.says()
        return [self._entry({"deal": self.told.deal, **said}, kind)]

    def is_same(self, entry: journal.JournalEntry) -> bool:
        """Say whether ``entry``, which has this id, says the same."""
        kind, said = self.says()
        return self._is_of_this_deal(entry) and (entry.kind, journal.reported_in(entry.payload)) == (kind, said)

    def _is_of_this_deal(self, entry: journal.JournalEntry) -> bool:
        return bool(entry.payload.get("deal", 0) == self.told.deal)

    def _entry(self, payload: dict[str, Any], kind: str = "") -> NewEntry:
        at = self.told.at
        if at is not None and DELAYED < now() - at < OLDEST:
            payload["at"] = at.astimezone(UTC).isoformat(timespec="seconds")
        return NewEntry(kind or self.kind, payload, id=self.told.id)

    def draft(self, **written_by: Any) -> commands.Draft:
        """Judge the entry and return what to write. Raises as ``entries``, and as ``commands.draft``."""
        return commands.draft(self.match.row, self.entries(), **written_by)


class SweepEntry(IncomingEntry):
    """A sweep: the most frequent tap of the evening."""

    kind = journal.SWEPT

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, Any]) -> MultiDict[str, str]:
        return as_fields({"side": payload.get("side", ""), "count": payload.get("count", 1)})

    def says(self) -> tuple[str, dict[str, Any]]:
        return self.kind, sweep_of(self.match, self.told.fields)

    def entries(self) -> list[NewEntry]:
        open_deal(self.match, self.told.deal)
        return super().entries()


class PenaltyEntry(SweepEntry):
    """A penalty, in the games that have them."""

    kind = journal.PENALISED

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, Any]) -> MultiDict[str, str]:
        return as_fields({"penalty": f"{payload.get('item')}:{payload.get('side')}"})

    def says(self) -> tuple[str, dict[str, Any]]:
        return self.kind, penalty_of(self.match, self.told.fields)


class DeclarationEntry(IncomingEntry):
    """A hand shown, or said."""

    kind = journal.DECLARED

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, Any]) -> MultiDict[str, str]:
        given = payload.get("as") or {}
        if not isinstance(given, dict) or not all(isinstance(value, str) for value in given.values()):
            raise malformed("payload.as", "The values of wild cards are given by card.")
        wilds = {f"as-{card}": value.rstrip("OCEB") for card, value in given.items()}
        told = {name: payload[name] for name in ("side", "batch", "cards", "items") if payload.get(name) is not None}
        return as_fields({**told, **wilds})

    def read(self) -> None:
        needs = self.match.needs()
        if not needs.declarations:
            abort(404, description=_("Nothing is declared in this game."))
        self.form = declaration_form(self.match, needs, self.told.fields, {})
        self.is_valid = self.form.validate()

    def says(self) -> tuple[str, dict[str, Any]]:
        return self.kind, self.form.declaration()

    def entries(self) -> list[NewEntry]:
        current = open_deal(self.match, self.told.deal)
        value = worth(self.match, current, self.form) if self.is_valid and self.form.is_told() else None
        if not self.form.may_be_saved(value):
            nothing = () if value is None or value.problems else (_("Nothing to declare."), *value.near)
            raise refusal(self.match, self.form, value.problems if value else (), *nothing)
        return super().entries()


class LayoutEntry(IncomingEntry):
    """The opening layout; one that voids the deal closes it."""

    kind = journal.LAYOUT_NOTED

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, Any]) -> MultiDict[str, str]:
        told = {"told": payload.get("layout_result"), "cards": payload.get("layout")}
        return as_fields({name: value for name, value in told.items() if value is not None})

    def read(self) -> None:
        self.form = layout_form(self.match.needs(), self.told.fields)
        self.is_valid = self.form.validate()

    def says(self) -> tuple[str, dict[str, Any]]:
        return self.kind, self.form.facts()

    def is_same(self, entry: journal.JournalEntry) -> bool:
        said = journal.reported_in(entry.payload)
        return self._is_of_this_deal(entry) and bool(said.get("facts", said) == self.form.facts())

    def entries(self) -> list[NewEntry]:
        current, facts = open_deal(self.match, self.told.deal), self.form.facts()
        means = meaning(self.match, current, facts) if self.is_valid and self.form.is_whole else None
        if not self.form.may_be_saved(means):
            raise refusal(self.match, self.form, means.problems if means else ())
        if means and means.redeal:
            return [self._entry(redealt(self.told.deal, facts, means.redeal), journal.DEAL_CLOSED)]
        return super().entries()


def redealt(deal: int, facts: Mapping[str, Any], redeal: str) -> dict[str, Any]:
    """Return what closes a deal whose layout is dealt again."""
    return {"deal": deal, "facts": dict(facts), "redeal": redeal}


class ClosingEntry(IncomingEntry):
    """The closing of a deal, or its correction."""

    kind = journal.DEAL_CLOSED

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, Any]) -> MultiDict[str, str]:
        facts = payload.get("facts")
        if not isinstance(facts, dict):
            raise malformed("payload.facts", "The facts of a deal are an object.")
        # As the engine reads it: what is null was not told.
        facts = {name: told for name, told in facts.items() if told is not None}
        one = deal_to_close(match, deal)
        judged = judge_closing(match, facts, one, match.needs())
        if judged.sheet["status"] == "invalid":
            raise refusal(match, None, judged.sheet["problems"])
        form = read_closing(match, one, None, facts).form
        filled = as_fields({name: value.data for name, value in form._fields.items() if value.data is not None})
        if _without_zeros(form.facts()) != _without_zeros(facts):
            raise malformed("payload.facts", "The form of this game cannot say all of these facts.")
        return filled

    def read(self) -> None:
        self.one = deal_to_close(self.match, self.told.deal)
        if self.told.drawn_from is None:
            raise malformed("drawn_from", "A closing says from which seq its form was drawn.")
        self.is_second = closed_meanwhile(self.one, self.told.drawn_from, {self.told.id, *self.told.counted})
        if self.is_second:
            self.one = before_it_was_closed(self.one)
        self.closing = read_closing(self.match, self.one, self.told.fields)

    def says(self) -> tuple[str, dict[str, Any]]:
        return self.kind, {"facts": self.closing.form.facts()}

    def is_same(self, entry: journal.JournalEntry) -> bool:
        facts = entry.payload.get("facts")
        return self._is_of_this_deal(entry) and facts is not None and bool(facts == self.closing.form.facts())

    def entries(self) -> list[NewEntry]:
        if not self.is_second:
            self._know_what_was_written()
        if not self.closing.is_settled:
            words = _("The deal cannot be saved yet: see what is still open, or what cannot be.")
            raise refusal(self.match, self.closing.form, self.closing.judged.sheet["problems"], words)
        *before, closing = self.closing.entries(self.one)
        return [*before, self._entry(dict(closing.payload))]

    def _know_what_was_written(self) -> None:
        """Refuse a closing that leaves out what was written after its form was drawn, or counts what was not."""
        drawn_from = self.told.drawn_from or 0
        since = journal.written_since(self.match.row, drawn_from)
        own = {entry.id for entry in since} & self.told.counted
        if len(own) < len(since):
            raise Stale([entry for entry in since if entry.id not in own])
        if len(own) < len(self.told.counted):
            raise EntryRefused(
                [_("This counts something that is not in the match. Open the deal and look at it again.")]
            )


class VoidEntry(IncomingEntry):
    """One entry taken back, by its id."""

    kind = journal.VOIDED

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, Any]) -> MultiDict[str, str]:
        return as_fields({"entry": payload.get("entry", "")})

    def says(self) -> tuple[str, dict[str, Any]]:
        return self.kind, {"entry": self.told.fields.get("entry", "")}

    def draft(self, **written_by: Any) -> commands.Draft:
        try:
            return commands.draft_undo(self.match.row, self.says()[1]["entry"], id=self.told.id, **written_by)
        except journal.NoSuchEntry:
            abort(409, description=_("That entry is not in this match. Load the page again."))


class EndEntry(IncomingEntry):
    """A match stopped before anybody has won it."""

    kind = journal.MATCH_ENDED

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, Any]) -> MultiDict[str, str]:
        return MultiDict()

    def says(self) -> tuple[str, dict[str, Any]]:
        return self.kind, {}

    def entries(self) -> list[NewEntry]:
        return [self._entry({})]


def as_fields(told: Mapping[str, Any]) -> MultiDict[str, str]:
    """Write values as a form sends them: texts, a list as several of one name."""
    fields: MultiDict[str, str] = MultiDict()
    for name, value in told.items():
        values = value if isinstance(value, list) else [value]
        if not all(isinstance(one, (str, int)) and not isinstance(one, bool) for one in values):
            raise malformed(f"payload.{name}", "A text, a number, or a list of them.")
        fields.setlist(name, [str(one) for one in values])
    return fields


def _without_zeros(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return facts without the sweeps that nobody made: a form says them, whoever writes by hand need not."""
    told = facts.get("sweeps", {})
    if not isinstance(told, dict):
        return dict(facts)
    made = {label: count for label, count in told.items() if count}
    return {**{name: value for name, value in facts.items() if name != "sweeps"}, **({"sweeps": made} if made else {})}


ENTRY_CLASSES: dict[str, type[IncomingEntry]] = {
    one.kind: one
    for one in (SweepEntry, PenaltyEntry, DeclarationEntry, LayoutEntry, ClosingEntry, VoidEntry, EndEntry)
}
"""The kinds of entry that a phone may tell."""
