"""The closing of a deal, or its correction: read as far as it is filled in, judged, and written."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, cast

from flask import abort
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from ...limits import REST_STEPS
from ...rules import contract
from ...store import agreement, commands
from ...store.journal import kinds
from ...store.journal.entries import JournalEntry, NewEntry, Stale, written_about
from ...store.journal.replay import DealState
from ...store.standings import score_deal
from ..match.view import MatchView
from .closing_buttons import has_answer, with_taps
from .closing_grid import ClosingForm, closing_form
from .closing_questions import QuestionsForm, questions_form
from .incoming import (
    EntryRefused,
    IncomingEntry,
    as_fields,
    malformed,
    refusal,
)
from .judged import JudgedClosing, judge_closing
from .opening_layout import opening_in, voided_by_opening

BARE = "bare"
"""The name of the field of a form that says the points of a deal alone."""


@dataclass
class ReportedClosing:
    """A closing as reported so far, and what the engine makes of it."""

    form: ClosingForm | QuestionsForm
    judged: JudgedClosing
    is_valid: bool
    labels: tuple[str, ...] = ()
    """The sides of the deal."""
    was_tapped: bool = False
    """True if one tap filled in fields of the form: an answer, a declaration, or who took all the rest."""

    @property
    def taker_of_all(self) -> str | None:
        """The side that was said to have all cards that nobody tapped, by its label."""
        return cast(Mapping[str, Any], self.form.facts()).get("rest")

    @property
    def without_cards(self) -> list[str]:
        """The sides without a single card, if one tap gave another side all that nobody tapped; their labels."""
        taker = self.taker_of_all
        piles = cast(Mapping[str, Any], self.form.facts()).get("piles") or {}
        return [label for label in self.labels if label != taker and not piles.get(label)] if taker else []

    @property
    def is_settled(self) -> bool:
        """True if it may be saved."""
        return self.is_valid and (self.judged.is_complete or bool(self.judged.redeal))


def _says_points_alone(match: MatchView, posted: MultiDict[str, str] | None, known: contract.Deal | None) -> bool:
    """Return whether a closing says the points of each side and nothing else, in a game that has other facts."""
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
    form: ClosingForm | QuestionsForm
    if (is_bare and match.takes_plain_points) or _says_points_alone(match, posted, known):
        form = questions_form(match, deal_state.number, posted, known, is_bare=True)
    elif match.game["family"] == "fishing":
        data = None if posted is None else with_taps(match.setup.labels, match.needs, posted)
        form = closing_form(match, data, known)
    else:
        form = questions_form(match, deal_state.number, posted, known)
    valid = posted is None or form.validate()
    at_once = isinstance(form, ClosingForm) and form.gives_at_once()
    if isinstance(form, ClosingForm) and ((at_once and valid) or form.says_a_prime_beside_its_cards()):
        so_far = judge_closing(match, form.facts(), deal_state, most_steps=REST_STEPS)
        if at_once and valid:
            form.give_what_is_open(so_far)
        form.take_back_the_said_prime(so_far)
    # The questions of tricks and rounds are in the form; those of captured cards are for who asked for help.
    judged = judge_closing(match, form.facts(), deal_state, asks=not isinstance(form, ClosingForm) or form.is_helping)
    return ReportedClosing(form, judged, valid, tuple(match.setup.labels), at_once or has_answer(posted))


def deal_to_close(match: MatchView, number: int) -> DealState:
    """Return the deal being played or one closed before."""
    deal_state = match.standing.state.deal(number)
    if deal_state is not None and deal_state.closed is None and match.standing.is_over:
        abort(404, description=_("This match is over: nothing more can be noted in it."))
    if deal_state is None:
        abort(404, description=_("This match has no such deal."))
    return deal_state


def before_it_was_closed(deal_state: DealState) -> DealState:
    """Return the deal as the form saw it: still open. The form's closing goes beside the accepted one."""
    return replace(deal_state, closed=None)


class ClosingEntry(IncomingEntry):
    """The closing of a deal, or its correction. A page saves it by ``decide``, as it may also go on being filled in."""

    kind = kinds.DEAL_CLOSED
    unsaid = frozenset(("takes", "agreed"))
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
        # The form takes facts of the right shape only. They are judged once, as the form says them.
        if score_deal(match.standing.state, deal_state, facts, most_steps=0)["status"] == "invalid":
            judged = judge_closing(match, facts, deal_state)
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
        follows = closing.judged.redeal
        if payload.get("redeal") not in (None, follows):
            message = f"Who deals again follows from the facts: here {repr(follows) if follows else 'nobody does'}."
            raise malformed("payload.redeal", message)
        return filled

    def read(self) -> None:
        self.deal_state = deal_to_close(self.match, self.reported.deal)
        self.match = self.match.as_of(self.deal_state)
        self.closing = read_closing(self.match, self.deal_state, self.fields)
        self.is_valid = self.closing.is_valid
        self.is_second = self.is_closed_meanwhile(self.deal_state)
        """True if another phone closed the deal after the form was drawn: this closing goes beside that one."""
        if self.is_second:
            self.deal_state = before_it_was_closed(self.deal_state)

    @property
    def drawn_from(self) -> int | None:
        """The seq that the form was drawn from; None if the form is damaged."""
        seq: int | None = self.closing.form.seq.data
        return seq

    @property
    def knows_up_to(self) -> int | None:
        """The seq up to which a form that leaves nothing out knows all that was written, its own entries included."""
        return self.drawn_from if self.is_second or self.drawn_from is None else self.match.standing.state.head

    def is_closed_meanwhile(self, deal_state: DealState) -> bool:
        """Return whether another phone closed the deal after the form was drawn."""
        closed = deal_state.closed
        return closed is not None and self._is_newer(closed) and closed.id not in self._own

    def has_sent(self, closed: JournalEntry) -> bool:
        """Return whether this phone has closed the deal by this very form, be it under another id."""
        return closed.id == self.reported.id or (closed.id in self.reported.instead_of and self._is_newer(closed))

    def _is_newer(self, entry: JournalEntry) -> bool:
        """Return whether an entry was written after the form was drawn."""
        return self.drawn_from is not None and entry.seq > self.drawn_from

    @property
    def _own(self) -> set[str]:
        """The ids of what this phone knows of, whenever it was written."""
        return {self.reported.id, *self.reported.counted, *self.reported.instead_of}

    def beside(self, match: MatchView, deal_state: DealState) -> ClosingEntry:
        """Return this closing as one beside that of ``deal_state``, which another phone wrote meanwhile."""
        second = copy(self)
        second.match, second.deal_state, second.is_second = match, before_it_was_closed(deal_state), True
        return second

    def go_on_from(self, seq: int) -> None:
        """Make it another entry, which knows of what was written up to ``seq``."""
        self.closing.form.go_on_from(seq)
        self.reported = replace(self.reported, id=self.closing.form.id.data)

    def reported_payload(self) -> kinds.AnyPayload:
        return {"facts": self.closing.form.facts()}

    def is_same(self, entry: JournalEntry) -> bool:
        if entry.kind == kinds.DEALT_AGAIN:
            facts: Mapping[str, object] = {**self.closing.form.facts()}
            return self._is_of_this_deal(entry) and opening_in(facts) == opening_in({**entry.payload})
        return self._is_of_this_deal(entry) and bool(entry.payload.get("facts") == self.closing.form.facts())

    def entries(self) -> list[NewEntry]:
        if not self.is_second:
            others = self.left_out()
            if others:
                raise Stale(others)
            seq, entries = self.drawn_from, self.match.standing.state.entries
            if not self.reported.counted <= {entry.id for entry in entries if seq is not None and entry.seq > seq}:
                raise EntryRefused(
                    [_("This counts something that is not in the match. Open the deal and look at it again.")]
                )
        if not self.closing.is_settled:
            words = _("The deal cannot be saved yet: see what is still open, or what cannot be.")
            raise refusal(self.match, self.closing.form, self.closing.judged.sheet["problems"], words)
        if self.says_nothing_new and commands.kind_of(self.match.row, self.reported.id) is None:
            raise nothing_new()
        return self.new_entries()

    def new_entries(self) -> list[NewEntry]:
        """Return what to write: the closing, and before it the voiding of the one that it was drawn to correct.

        A deal that is for all sides to change is not corrected at once: the correction is proposed.
        """
        payload: kinds.AnyPayload = {"deal": self.deal_state.number, "facts": self.closing.form.facts()}
        if self.closing.judged.redeal:
            payload["redeal"] = self.closing.judged.redeal
        closing, closed = self._entry(payload), self.deal_state.closed
        if closed is None and self.closing.judged.redeal and not self.is_second:
            again = voided_by_opening(self.deal_state, payload["facts"], self.closing.judged.redeal, self.fields)
            return [self._entry(again, kinds.DEALT_AGAIN)]
        if self.is_second:
            # What this phone had contested the deal with before gives way to what it says now.
            former = [rival.id for rival in self.deal_state.rivals if rival.id in self.reported.instead_of]
            return [*(agreement.voided_with(closing.id, id) for id in former), closing]
        if closed is None or closed.id == closing.id:
            return [closing]
        if self.is_proposed:
            return [self._entry({**payload, "entry": closed.id}, kinds.PROPOSED)]
        return [agreement.voided_with(closing.id, closed.id), closing]

    def said_before(self) -> JournalEntry | None:
        """Return the entry in which this phone has said the same of the deal already, if any."""
        deal = self.match.standing.state.closed_deal(self.reported.deal)
        versions = [] if deal is None or deal.closed is None else [deal.closed, *deal.rivals]
        own = self.reported.instead_of
        return next((entry for entry in versions if entry.id in own and self.is_same(entry)), None)

    @property
    def says_nothing_new(self) -> bool:
        """True if it would propose a version in which every line has the points that count already."""
        state, deal = self.match.standing.state, self.deal_state
        is_other = deal.closed is not None and deal.closed.id != self.reported.id
        return is_other and self.is_proposed and agreement.says_nothing_new(state, deal, self.closing.form.facts())

    @property
    def is_proposed(self) -> bool:
        """True if this closing would change a deal that only all sides together may change."""
        now = agreement.agreement_of(self.match.standing.state, self.deal_state)
        return self.deal_state.closed is not None and agreement.needs_everyone(self.deal_state, now)

    def left_out(self) -> list[JournalEntry]:
        """Return what others wrote after the form was drawn; nothing if it is this very form, posted again."""
        if self.is_second or self.drawn_from is None:
            return []
        since = written_about(self.match.row, self.reported.deal, self.drawn_from)
        if any(entry.id == self.reported.id for entry in since):
            return []
        return [entry for entry in since if entry.id not in self._own]


def nothing_new() -> EntryRefused:
    """Return the refusal of a proposal that gives the points that count already."""
    return EntryRefused([_("It gives the same points: nothing was proposed.")])


def _without_zeros(facts: Mapping[str, object]) -> dict[str, object]:
    """Return facts without sweeps and own lines of zero: a form may say them, and JSON may leave them out."""
    counted: dict[str, object] = {name: _without_zeros_in(facts[name]) for name in ("sweeps", "own") if name in facts}
    own = counted.get("own")
    if isinstance(own, dict):
        made = {item: _without_zeros_in(counts) for item, counts in own.items()}
        counted["own"] = {item: counts for item, counts in made.items() if counts}
    return {name: counted.get(name, value) for name, value in facts.items() if counted.get(name) != {}}


def _without_zeros_in(counts: object) -> object:
    return {name: count for name, count in counts.items() if count} if isinstance(counts, dict) else counts
