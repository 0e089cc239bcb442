"""From a form to the journal: one class for each kind of entry reads it, judges it and writes it.

The pages and the API for entries that waited on a phone (``api.sync``) both use these classes: what one refuses, the
other refuses in the same words.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any, ClassVar, NoReturn, cast

from flask import abort
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict
from wtforms import Form

from ... import rules
from ...limits import REST_STEPS
from ...rules import contract
from ...store import agreement, commands, journal
from ...store.journal import DealState, JournalEntry, NewEntry, Stale
from ...store.models import now
from ...store.standings import score_deal, standing_of
from ...store.voices import NotTheirVoice
from ..base.entry_form import damaged
from ..match.author import minutes_left
from ..match.view import MatchView
from ..words.problems import in_words, voice_words
from .closing_buttons import has_answer, with_taps
from .closing_grid import ClosingForm, closing_form
from .closing_questions import QuestionsForm, questions_form
from .declaration import Worth, declaration_form, worth
from .judged import JudgedClosing, judge_closing
from .opening_layout import Meaning, layout_form, meaning

BARE = "bare"
"""The name of the field by which a form tells the points of a deal alone."""
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
    """When it was tapped, where it is sent only later."""
    delayed: timedelta = DELAYED
    """How long ago it was tapped at least where it is said when."""
    asked: Mapping[str, str] = field(default_factory=dict)
    """What the form's address asks for."""


class EntryRefused(Exception):
    """The entry cannot be; ``words`` say why in the reader's language, ``problems`` in the engine's terms."""

    def __init__(self, words: Iterable[str], problems: Iterable[contract.Problem] = ()) -> None:
        self.words, self.problems = [word for word in words if word], list(problems)
        super().__init__("; ".join(self.words))


@contextmanager
def speaking_for(match: MatchView) -> Iterator[None]:
    """Answer 409 where what is written inside speaks for a side that has a voice of its own."""
    try:
        yield
    except NotTheirVoice as refused:
        minutes = minutes_left(refused.until, now()) if refused.until is not None else 0
        abort(409, description=voice_words(match.all_sides.get(refused.side, ""), minutes))


def refuse_closed() -> NoReturn:
    """Answer 409 where a deal was closed while something of it was being noted."""
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


def deal_to_close(match: MatchView, number: int) -> DealState:
    """Return the deal being played or one closed before."""
    deal_state = match.standing.state.deal(number)
    if deal_state is not None and deal_state.closed is None and match.standing.is_over:
        abort(404, description=_("This match is over: nothing more can be noted in it."))
    if deal_state is None:
        abort(404, description=_("This match has no such deal."))
    return deal_state


def closed_meanwhile(deal_state: DealState, drawn_from: int | None, own: Container[str]) -> bool:
    """Say whether someone else closed the deal after the form was drawn; ``own`` are ids of the reporter's entries."""
    closed = deal_state.closed
    return closed is not None and drawn_from is not None and closed.seq > drawn_from and closed.id not in own


def before_it_was_closed(deal_state: DealState) -> DealState:
    """Return the deal as a form saw it that was drawn before someone else closed it.

    The form goes on as what it was; its closing is kept beside the accepted one.
    """
    return replace(deal_state, closed=None)


def penalties_of(match: MatchView) -> tuple[str, ...]:
    """Return the penalties that the game has; a game without any is a 404."""
    penalties = match.needs().penalties
    if not penalties:
        abort(404, description=_("This game knows no penalties."))
    return penalties


def count_of_dealing(deal: DealState | None, fields: MultiDict[str, str]) -> int:
    """Return which dealing of a deal a form is about, from 1: what two phones say of the same one happened once."""
    now = deal.times_dealt_again + 1 if deal is not None else 1
    drawn = fields.get("again", "")
    return min(max(int(drawn[:4]), 1), now) if drawn.isascii() and drawn.isdecimal() else now


def voided_by_opening(
    deal: DealState, facts: contract.Deal | contract.FishingDeal, redeal: contract.Redeal, fields: MultiDict[str, str]
) -> journal.AnyPayload:
    """Return what is written where the opening voids what was dealt: it is dealt again under the same number."""
    opening = cast(journal.AnyPayload, _opening_in({**facts}))
    again = count_of_dealing(deal, fields)
    return {"deal": deal.number, "redeal": redeal, "again": again, "why": "opening", **opening}


def _opening_in(facts: Mapping[str, object]) -> dict[str, object]:
    """Return what facts tell of the opening."""
    return {name: facts[name] for name in ("layout", "layout_result") if facts.get(name)}


@dataclass
class ReportedClosing:
    """A closing as reported so far, and what the engine makes of it."""

    form: ClosingForm | QuestionsForm
    judged: JudgedClosing
    is_valid: bool
    labels: tuple[str, ...] = ()
    """The sides of the deal."""
    was_tapped: bool = False
    """Whether one tap filled in fields of the form: an answer, a declaration, or who took all the rest."""

    @property
    def taker_of_all(self) -> str | None:
        """The side that was said to have all cards that nobody tapped, by its label."""
        return cast(Mapping[str, Any], self.form.facts()).get("rest")

    @property
    def without_cards(self) -> list[str]:
        """The sides without a single card, where one tap gave another side all that nobody tapped; their labels."""
        facts = cast(Mapping[str, Any], self.form.facts())
        taker = facts.get("rest")
        piles = facts.get("piles") or {}
        return [label for label in self.labels if label != taker and not piles.get(label)] if taker else []

    @property
    def is_settled(self) -> bool:
        """Say whether it may be saved."""
        return self.is_valid and (self.judged.is_complete or bool(self.judged.redeal))


def tells_points_alone(match: MatchView, posted: MultiDict[str, str] | None, known: contract.Deal | None) -> bool:
    """Say whether a closing tells the points of each side and nothing else, in a game that can tell more."""
    if not match.takes_plain_points:
        return False
    return bool(posted.get(BARE)) if posted is not None else known is not None and "points" in known


def read_closing(
    match: MatchView,
    deal_state: DealState,
    posted: MultiDict[str, str] | None,
    known: contract.Deal | None = None,
    *,
    is_bare: bool = False,
) -> ReportedClosing:
    """Read a closing from what was posted, or fill it with the facts known of the deal.

    ``is_bare`` draws the form that asks for the points of each side and nothing else.
    """
    needs = match.needs()
    form: ClosingForm | QuestionsForm
    if (is_bare and match.takes_plain_points) or tells_points_alone(match, posted, known):
        form = questions_form(match, deal_state.number, posted, known, is_bare=True)
    elif match.game["family"] == "fishing":
        data = None if posted is None else with_taps(match.setup.labels, needs, posted)
        form = closing_form(match, needs, data, known)
    else:
        form = questions_form(match, deal_state.number, posted, known)
    valid = posted is None or form.validate()
    taker = form.taker_of_the_rest() if isinstance(form, ClosingForm) else None
    if isinstance(form, ClosingForm) and ((taker and valid) or form.says_a_prime_beside_its_cards()):
        so_far = judge_closing(match, form.facts(), deal_state, needs, most_steps=REST_STEPS)
        if taker and valid:
            form.give_the_rest(taker, so_far)
        form.take_back_the_said_prime(so_far)
    judged = judge_closing(match, form.facts(), deal_state, needs)
    return ReportedClosing(form, judged, valid, tuple(match.setup.labels), bool(taker) or has_answer(posted))


def malformed(where: str, message: str) -> EntryRefused:
    """Return the refusal of something that no page sends."""
    return EntryRefused([], [{"severity": "error", "code": "malformed", "where": where, "message": message}])


def refusal(
    match: MatchView, form: Form | None, problems: Iterable[contract.Problem] = (), *words: str
) -> EntryRefused:
    """Return the refusal that a page would show: beside its fields, and of the engine."""
    reasons = [str(error) for errors in (form.errors.values() if form else ()) for error in errors]
    errors = [problem for problem in problems if problem["severity"] == "error"]
    reasons += [in_words(problem, match.sides, match.setup.game) for problem in errors]
    return EntryRefused(dict.fromkeys([*words, *reasons]), errors)


class IncomingEntry:
    """One entry on its way into the journal of a match: read when it is made, judged when it is written."""

    kind: ClassVar[str]
    weight: ClassVar[int] = 5
    """How much work writing it takes, where a tap takes 1."""
    needs_version: ClassVar[bool] = False
    """Whether it must say from which seq its form was drawn."""
    seats_players: ClassVar[bool] = False
    """Whether it may name players that the table does not know yet: ``prepare`` seats them."""
    is_valid = True
    """Whether its form has no error of its own."""

    def __init__(self, match: MatchView, reported: ReportedEntry) -> None:
        self.match, self.reported = match, reported
        self.read()

    @property
    def fields(self) -> MultiDict[str, str]:
        """What was typed."""
        return MultiDict() if self.reported.fields is None else self.reported.fields

    def read(self) -> None:
        """Read the form. Raises ``EntryRefused``, or what a page would answer."""

    def prepare(self) -> None:
        """Write what has to be there before it is judged; call outside any transaction. Raises as ``entries``."""

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, object]) -> MultiDict[str, str]:
        """Return what would have been typed to report ``payload``. Raises ``EntryRefused``."""
        raise NotImplementedError

    def reported_payload(self) -> tuple[str, journal.AnyPayload]:
        """Return the kind and what is reported, unjudged: to be compared with an entry of the same id."""
        raise NotImplementedError

    def is_same(self, entry: JournalEntry) -> bool:
        """Say whether ``entry``, which has this id, says the same."""
        kind, payload = self.reported_payload()
        return self._is_of_this_deal(entry) and (entry.kind, journal.reported_in(entry.payload)) == (kind, payload)

    def is_written(self) -> bool:
        """Say whether this very form was saved before: then it is not judged beside itself."""
        entries = self.match.standing.state.entries
        return self.is_valid and any(entry.id == self.reported.id and self.is_same(entry) for entry in entries)

    def entries(self) -> list[NewEntry]:
        """Judge what is reported and return what to write.

        Raises ``EntryRefused``, ``Stale``, or what a page would answer.
        """
        kind, payload = self.reported_payload()
        return [self._entry({"deal": self.deal, **payload} if kind in journal.OF_A_DEAL else payload, kind)]

    @property
    def deal(self) -> int:
        """The number of the deal that it is written about, where it is about one."""
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

    def _entry(self, payload: journal.AnyPayload, kind: str = "") -> NewEntry:
        at = self.reported.at
        if at is not None and self.reported.delayed < now() - at < OLDEST:
            payload["at"] = at.astimezone(UTC).isoformat(timespec="seconds")
        return NewEntry(kind or self.kind, payload, id=self.reported.id)


class NoteEntry(IncomingEntry):
    """What is noted of a deal while it is played."""

    def entries(self) -> list[NewEntry]:
        open_deal(self.match, self.reported.deal)
        return super().entries()

    def draft_of(self, new: list[NewEntry], **written_by: Any) -> commands.Draft:
        row = self.match.row
        is_closed = standing_of(row).state.closed_deal(self.reported.deal) is not None
        if is_closed and commands.kind_of(row, self.reported.id) is None:
            refuse_closed()
        return super().draft_of(new, **written_by)


class SweepEntry(NoteEntry):
    """A sweep: the most frequent tap of the evening."""

    kind = journal.SWEPT
    weight = 1

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, object]) -> MultiDict[str, str]:
        return as_fields({"side": payload.get("side", ""), "count": payload.get("count", 1)})

    def reported_payload(self) -> tuple[str, journal.AnyPayload]:
        """Return the sweep; a damaged form is a 400, too many sweeps at once a 422."""
        side, count = self.fields.get("side"), self.fields.get("count", "1")
        if side not in self.match.sides:
            damaged()
        if count not in ("1", "2", "3"):
            abort(422, description=_("One capture makes one to three sweeps."))
        return self.kind, {"side": side, "count": int(count)}


class PointsEntry(NoteEntry):
    """Points of a side of the free pad, tapped while the round is played."""

    kind = journal.POINTS_NOTED
    weight = 1

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, object]) -> MultiDict[str, str]:
        return as_fields({"side": payload.get("side", ""), "points": payload.get("points", "")})

    def reported_payload(self) -> tuple[str, journal.AnyPayload]:
        """Return the points; a damaged form is a 400, a game without such taps a 404."""
        taps = self.match.taps
        if not taps:
            abort(404, description=_("Points are tapped on the free pad only."))
        side, points = self.fields.get("side"), self.fields.get("points", "")
        if side not in self.match.sides or points not in map(str, taps):
            damaged()
        return self.kind, {"side": side, "points": int(points)}


class PenaltyEntry(NoteEntry):
    """A penalty, in the games that have them."""

    kind = journal.PENALISED
    weight = 1

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, object]) -> MultiDict[str, str]:
        return as_fields({"penalty": f"{payload.get('item')}:{payload.get('side')}"})

    def reported_payload(self) -> tuple[str, journal.AnyPayload]:
        """Return the penalty; a damaged form is a 400, a game without penalties a 404."""
        penalties = penalties_of(self.match)
        item, _colon, side = self.fields.get("penalty", "").partition(":")
        if item not in penalties or side not in self.match.sides:
            damaged()
        return self.kind, {"item": item, "side": side}


class DeclarationEntry(NoteEntry):
    """A hand shown, or said."""

    kind = journal.DECLARED

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, object]) -> MultiDict[str, str]:
        given = payload.get("as") or {}
        if not isinstance(given, dict) or not all(isinstance(value, str) for value in given.values()):
            raise malformed("payload.as", "The values of wild cards are given by card.")
        wilds = {f"as-{card}": value.rstrip(rules.SUITS) for card, value in given.items()}
        plain = {name: payload[name] for name in ("side", "batch", "cards", "items") if payload.get(name) is not None}
        return as_fields({**plain, **wilds})

    def read(self) -> None:
        needs = self.match.needs()
        if not needs.declarations:
            abort(404, description=_("Nothing is declared in this game."))
        self.form = declaration_form(self.match, needs, self.reported.fields, self.reported.asked)
        self.is_valid = self.reported.fields is not None and self.form.validate()

    @cached_property
    def worth(self) -> Worth | None:
        """What it scores, once there is something to score."""
        current = open_deal(self.match, self.reported.deal)
        return worth(self.match, current, self.form) if self.is_valid and self.form.is_filled() else None

    def reported_payload(self) -> tuple[str, journal.AnyPayload]:
        return self.kind, cast(journal.AnyPayload, self.form.declaration())

    def entries(self) -> list[NewEntry]:
        open_deal(self.match, self.reported.deal)
        value = self.worth
        if not self.form.may_be_saved(value):
            nothing = () if value is None or value.problems else (_("Nothing to declare."), *value.near)
            raise refusal(self.match, self.form, value.problems if value else (), *nothing)
        return super().entries()


class LayoutEntry(NoteEntry):
    """The opening layout; one that is void has it dealt again. It takes the place of one noted before in the deal."""

    kind = journal.LAYOUT_NOTED

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, object]) -> MultiDict[str, str]:
        fields = {"told": payload.get("layout_result"), "cards": payload.get("layout")}
        return as_fields({name: value for name, value in fields.items() if value is not None})

    def read(self) -> None:
        self.form = layout_form(self.match.needs(), self.reported.fields)
        self.is_valid = self.reported.fields is not None and self.form.validate()

    @cached_property
    def means(self) -> Meaning | None:
        """What such a layout means, once it is whole."""
        current = open_deal(self.match, self.reported.deal)
        return meaning(self.match, current, self.form.facts()) if self.is_valid and self.form.is_whole else None

    def reported_payload(self) -> tuple[str, journal.AnyPayload]:
        return self.kind, cast(journal.AnyPayload, self.form.facts())

    def is_same(self, entry: JournalEntry) -> bool:
        payload = journal.reported_in(entry.payload)
        opening = _opening_in({**payload.get("facts", payload)})
        return self._is_of_this_deal(entry) and opening == self.form.facts()

    def entries(self) -> list[NewEntry]:
        open_deal(self.match, self.reported.deal)
        means, facts = self.means, self.form.facts()
        if not self.form.may_be_saved(means):
            raise refusal(self.match, self.form, means.problems if means else ())
        if means and means.redeal:
            return [
                self._entry(voided_by_opening(self.match.deal, facts, means.redeal, self.fields), journal.DEALT_AGAIN)
            ]
        return super().entries()

    def draft_of(self, new: list[NewEntry], **written_by: Any) -> commands.Draft:
        # Looked up at each try: a phone that wrote meanwhile may have noted the opening too.
        deal = standing_of(self.match.row).state.deal(self.reported.deal)
        ids = [entry.id for entry in new]
        is_note = all(entry.kind == journal.LAYOUT_NOTED for entry in new)
        former = [entry.id for entry in deal.noted_openings if entry.id not in ids] if deal and is_note else []
        voidings = [agreement.voided_with(self.reported.id, id) for id in former]
        return super().draft_of([*voidings, *new], **written_by)


class ClosingEntry(IncomingEntry):
    """The closing of a deal, or its correction. A page saves it by ``decide``, as it may also go on being filled in."""

    kind = journal.DEAL_CLOSED
    weight = 10
    needs_version = True

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, object]) -> MultiDict[str, str]:
        sent = payload.get("facts")
        if not isinstance(sent, dict):
            raise malformed("payload.facts", "The facts of a deal are an object.")
        # As the engine reads it, a fact that is null is not known. The engine refuses what is no deal, just below.
        facts = cast(contract.Deal, {name: value for name, value in sent.items() if value is not None})
        deal_state = deal_to_close(match, deal)
        match = match.as_of(deal_state)
        # The form takes facts of the right shape only. What they come to is judged once, as the form says them.
        if score_deal(match.standing.state, deal_state, facts, bounded=True, most_steps=0)["status"] == "invalid":
            judged = judge_closing(match, facts, deal_state, match.needs())
            if judged.sheet["status"] == "invalid":
                raise refusal(match, None, judged.sheet["problems"])
        closing = read_closing(match, deal_state, None, facts)
        if closing.judged.sheet["status"] == "invalid":
            raise refusal(match, None, closing.judged.sheet["problems"])
        form = closing.form
        filled = as_fields({name: value.data for name, value in form._fields.items() if value.data is not None})
        if form.is_bare:
            filled[BARE] = "yes"
        if _without_zeros(form.facts()) != _without_zeros(facts):
            raise malformed("payload.facts", "The form of this game cannot say all of these facts.")
        return filled

    def read(self) -> None:
        self.deal_state = deal_to_close(self.match, self.reported.deal)
        self.match = self.match.as_of(self.deal_state)
        self.closing = read_closing(self.match, self.deal_state, self.fields)
        self.is_valid = self.closing.is_valid
        self.is_second = self.is_closed_meanwhile(self.deal_state)
        """Whether somebody else closed the deal after the form was drawn: this closing is kept beside that one."""
        if self.is_second:
            self.deal_state = before_it_was_closed(self.deal_state)

    @property
    def drawn_from(self) -> int | None:
        """The seq that the form was drawn from; None where the form is damaged."""
        seq: int | None = self.closing.form.seq.data
        return seq

    def is_closed_meanwhile(self, deal_state: DealState) -> bool:
        """Say whether somebody else closed the deal after the form was drawn."""
        return closed_meanwhile(deal_state, self.drawn_from, self._own)

    @property
    def _own(self) -> set[str]:
        """The ids of what this phone knows of, whenever it was written."""
        return {self.reported.id, *self.reported.counted, *self.reported.instead_of}

    def beside(self, match: MatchView, deal_state: DealState) -> ClosingEntry:
        """Return this closing as one to be kept beside that of ``deal_state``, which somebody wrote meanwhile."""
        second = copy(self)
        second.match, second.deal_state, second.is_second = match, before_it_was_closed(deal_state), True
        return second

    def go_on_from(self, seq: int) -> None:
        """Make it another entry, which knows of what was written up to ``seq``."""
        self.closing.form.go_on_from(seq)
        self.reported = replace(self.reported, id=self.closing.form.id.data)

    def reported_payload(self) -> tuple[str, journal.AnyPayload]:
        return self.kind, {"facts": self.closing.form.facts()}

    def is_same(self, entry: JournalEntry) -> bool:
        if entry.kind == journal.DEALT_AGAIN:
            facts: Mapping[str, object] = {**self.closing.form.facts()}
            return self._is_of_this_deal(entry) and _opening_in(facts) == _opening_in({**entry.payload})
        return self._is_of_this_deal(entry) and bool(entry.payload.get("facts") == self.closing.form.facts())

    def entries(self) -> list[NewEntry]:
        if not self.is_second:
            others = self._uncounted(self._since())
            if others:
                raise Stale(others)
            if not self.reported.counted <= {entry.id for entry in self._written_after()}:
                raise EntryRefused(
                    [_("This counts something that is not in the match. Open the deal and look at it again.")]
                )
        if not self.closing.is_settled:
            words = _("The deal cannot be saved yet: see what is still open, or what cannot be.")
            raise refusal(self.match, self.closing.form, self.closing.judged.sheet["problems"], words)
        if self.says_nothing_new and commands.kind_of(self.match.row, self.reported.id) is None:
            raise EntryRefused([_("It gives the same points: nothing was proposed.")])
        return self.new_entries()

    def new_entries(self) -> list[NewEntry]:
        """Return what to write: the closing, and before it the voiding of the one that it was drawn to correct.

        A deal that is for all sides to change is not corrected at once: the correction is proposed.
        """
        payload: journal.AnyPayload = {"deal": self.deal_state.number, "facts": self.closing.form.facts()}
        if self.closing.judged.redeal:
            payload["redeal"] = self.closing.judged.redeal
        closing, closed = self._entry(payload), self.deal_state.closed
        if closed is None and self.closing.judged.redeal and not self.is_second:
            again = voided_by_opening(self.deal_state, payload["facts"], self.closing.judged.redeal, self.fields)
            return [self._entry(again, journal.DEALT_AGAIN)]
        if self.is_second:
            # What this phone had contested the deal with before gives way to what it says now.
            former = [rival.id for rival in self.deal_state.rivals if rival.id in self.reported.instead_of]
            return [*(agreement.voided_with(closing.id, id) for id in former), closing]
        if closed is None or closed.id == closing.id:
            return [closing]
        if self.is_proposed:
            return [self._entry({**payload, "entry": closed.id}, journal.PROPOSED)]
        return [agreement.voided_with(closing.id, closed.id), closing]

    def said_before(self) -> JournalEntry | None:
        """Return the entry by which this phone has said the same of the deal already; None where there is none."""
        return next((entry for entry in self._versions() if self._is_said_by(entry)), None)

    def _versions(self) -> list[JournalEntry]:
        deal = self.match.standing.state.closed_deal(self.reported.deal)
        return [] if deal is None or deal.closed is None else [deal.closed, *deal.rivals]

    def _is_said_by(self, entry: JournalEntry) -> bool:
        return entry.id in self.reported.instead_of and self.is_same(entry)

    @property
    def says_nothing_new(self) -> bool:
        """Whether it would propose a version by which no line has other points than it has."""
        state, deal = self.match.standing.state, self.deal_state
        is_other = deal.closed is not None and deal.closed.id != self.reported.id
        return is_other and self.is_proposed and agreement.says_nothing_new(state, deal, self.closing.form.facts())

    @property
    def is_proposed(self) -> bool:
        """Whether this closing would change a deal that only all sides together may change."""
        now = agreement.agreement_of(self.match.standing.state, self.deal_state)
        return self.deal_state.closed is not None and agreement.is_for_all(self.deal_state, now)

    def left_out(self) -> list[JournalEntry]:
        """Return what others wrote after the form was drawn; nothing where it is this very form, posted again."""
        return [] if self.is_second else self._uncounted(self._since())

    def _since(self) -> list[JournalEntry]:
        if self.drawn_from is None:
            return []
        return journal.written_about(self.match.row, self.reported.deal, self.drawn_from)

    def _written_after(self) -> list[JournalEntry]:
        """Return all that was written after the form was drawn."""
        entries, seq = self.match.standing.state.entries, self.drawn_from
        return [entry for entry in entries if seq is not None and entry.seq > seq]

    def _uncounted(self, since: list[JournalEntry]) -> list[JournalEntry]:
        if any(entry.id == self.reported.id for entry in since):
            return []
        return [entry for entry in since if entry.id not in self._own]


class VoidEntry(IncomingEntry):
    """One entry taken back, by its id."""

    kind = journal.VOIDED

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, object]) -> MultiDict[str, str]:
        return as_fields({"entry": payload.get("entry", "")})

    def reported_payload(self) -> tuple[str, journal.AnyPayload]:
        return self.kind, {"entry": self.fields.get("entry", "")}

    def draft(self, **written_by: Any) -> commands.Draft:
        try:
            with speaking_for(self.match):
                return commands.draft_undo(
                    self.match.row, self.fields.get("entry", ""), id=self.reported.id, **written_by
                )
        except journal.NoSuchEntry:
            abort(409, description=_("That entry is not in this match. Load the page again."))

    def write(self, **written_by: Any) -> None:
        # Judged at each try: what somebody else has voided meanwhile is not voided twice.
        commands.write(self.match.row, lambda: self.draft(**written_by))


class EndEntry(IncomingEntry):
    """A match stopped before anybody has won it: whoever is ahead wins, or nobody does."""

    kind = journal.MATCH_ENDED

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, object]) -> MultiDict[str, str]:
        return as_fields({"leader": "yes"} if payload.get("leader") is True else {})

    def reported_payload(self) -> tuple[str, journal.AnyPayload]:
        return self.kind, {"leader": True} if self.fields.get("leader") == "yes" else {}


def as_fields(payload: Mapping[str, object]) -> MultiDict[str, str]:
    """Write values as a form sends them: texts, a list as several of one name."""
    fields: MultiDict[str, str] = MultiDict()
    for name, value in payload.items():
        values = value if isinstance(value, list) else [value]
        if not all(isinstance(one, (str, int)) and not isinstance(one, bool) for one in values):
            raise malformed(f"payload.{name}", "A text, a number, or a list of them.")
        fields.setlist(name, [str(one) for one in values])
    return fields


def _without_zeros(facts: Mapping[str, object]) -> dict[str, object]:
    """Return facts without sweeps of zero: a form says them, and whoever writes JSON may leave them out."""
    sweeps = facts.get("sweeps", {})
    if not isinstance(sweeps, dict):
        return dict(facts)
    made = {label: count for label, count in sweeps.items() if count}
    return {**{name: value for name, value in facts.items() if name != "sweeps"}, **({"sweeps": made} if made else {})}
