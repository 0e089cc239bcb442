"""What is noted of an evening as it really goes: who dealt, points by agreement, who made it, a line about a match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from flask import abort
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict
from wtforms import IntegerField, RadioField, StringField
from wtforms.validators import InputRequired, Length, NumberRange, Optional

from ...limits import LARGEST_POINTS, NOTE_LENGTH, REASON_LENGTH
from ...store import queries
from ...store.journal import kinds
from ...store.journal.entries import JournalEntry, NewEntry, reported_in
from ..base.entry_form import EntryForm, build_form, choices, damaged, trimmed, visible
from ..match.view import MatchView
from .entries import IncomingEntry, NoteEntry, as_fields, count_of_dealing, malformed, open_deal, refusal

CREDITED_KINDS = frozenset({kinds.SWEPT, kinds.DECLARED})
"""What one player of a pair has done, who may be named."""


def refuse_without_dealers(match: MatchView) -> None:
    """Answer 404 where nobody deals: there may be no cards in what the free pad is used for."""
    if not match.has_dealers:
        abort(404, description=_("Nobody deals in this game."))


class ToldApartEntry(NoteEntry):
    """Two notes of two phones are two: nobody is asked about them again."""

    kind = kinds.TOLD_APART
    weight = 1

    def reported_payload(self) -> tuple[str, kinds.AnyPayload]:
        """Return the two ids; those of anything else than two notes of the deal are a 400."""
        return self.kind, {"entry": self.fields.get("entry", ""), "beside": self.fields.get("beside", "")}

    def entries(self) -> list[NewEntry]:
        """Return what to write: nothing where one of them counts no more, or they were told apart before."""
        new = super().entries()
        pair = {self.fields.get("entry", ""), self.fields.get("beside", "")}
        known = {entry.id for entry in self.match.standing.state.entries}
        noted = {entry.id for entry in self.match.deal.noted}
        if len(pair) != 2 or not pair <= known:
            damaged()
        return new if pair <= noted and frozenset(pair) not in self.match.deal.apart else []


class DealerEntry(NoteEntry):
    """Another player deals than the one whose turn it is."""

    kind = kinds.DEALT
    weight = 1

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, object]) -> MultiDict[str, str]:
        once = {"once": "yes"} if payload.get("once") is True else {}
        return as_fields({"player": payload.get("player", ""), **once})

    def reported_payload(self) -> tuple[str, kinds.AnyPayload]:
        """Return who deals; a damaged form is a 400, a game without dealers a 404."""
        refuse_without_dealers(self.match)
        payload: kinds.AnyPayload = {"player": _player_in(self.fields, self.match.setup.seats)}
        if self.fields.get("once") == "yes":
            payload["once"] = True
        return self.kind, payload


class DealtAgainEntry(NoteEntry):
    """What was dealt is void: it is dealt again, and the deal keeps its number."""

    kind = kinds.DEALT_AGAIN

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, object]) -> MultiDict[str, str]:
        if "again" not in payload:
            # Without it nobody knows whether two phones tell of one dealing or of two.
            raise malformed("payload.again", "Which dealing of the deal is void, from 1.")
        typed = {"who": "redeal", "why": "why", "again": "again"}
        return as_fields({field: payload.get(name, "") for field, name in typed.items()})

    def reported_payload(self) -> tuple[str, kinds.AnyPayload]:
        """Return who deals again, and why; a damaged form is a 400, a game without dealers a 404."""
        refuse_without_dealers(self.match)
        who, why = self.fields.get("who"), self.fields.get("why", "")
        again = count_of_dealing(self.match.standing.state.deal(self.reported.deal), self.fields)
        if who not in ("same", "next") or why not in ("", "shown", "misdealt"):
            damaged()
        payload = {"redeal": who, "again": again, **({"why": why} if why else {})}
        return self.kind, cast(kinds.AnyPayload, payload)


class AdjustmentForm(EntryForm):
    """Points that the table adds or takes, and why."""

    side: RadioField
    points = IntegerField()
    reason = StringField()


def adjustment_form(match: MatchView, data: MultiDict[str, str] | None) -> AdjustmentForm:
    """Return the form, with the sides of the match."""
    sides = RadioField(choices=choices(match.sides.items()), validators=[InputRequired(_("Whose points are they?"))])
    number = _("A whole number, with a minus where points are taken.")
    points = IntegerField(validators=[InputRequired(number), NumberRange(-LARGEST_POINTS, LARGEST_POINTS, number)])
    reason = StringField(
        filters=[trimmed],
        validators=[InputRequired(_("Say why: it is a line of the sheet.")), visible, Length(max=REASON_LENGTH)],
    )
    return build_form(AdjustmentForm, {"side": sides, "points": points, "reason": reason}, data)


class AdjustmentEntry(NoteEntry):
    """Points that the table adds to a side, or takes from it, for a reason of its own."""

    kind = kinds.ADJUSTED

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, object]) -> MultiDict[str, str]:
        return as_fields({name: payload.get(name, "") for name in ("side", "points", "reason")})

    def read(self) -> None:
        if not self.match.takes_adjustments:
            abort(404, description=_("This match was begun by an earlier version, which knows no such points."))
        self.form = adjustment_form(self.match, self.reported.fields)
        self.is_valid = self.reported.fields is not None and self.form.validate()
        if self.is_valid and not self.form.points.data:
            self.form.points.errors = [_("With no points nothing changes.")]
            self.is_valid = False

    def reported_payload(self) -> tuple[str, kinds.AnyPayload]:
        form = self.form
        return self.kind, {"side": form.side.data, "points": form.points.data, "reason": form.reason.data}

    def entries(self) -> list[NewEntry]:
        open_deal(self.match, self.reported.deal)
        if not self.is_valid:
            raise refusal(self.match, self.form)
        return super().entries()


class CreditEntry(NoteEntry):
    """The player of a side who made a sweep, or declared; nobody has to be named."""

    kind = kinds.CREDITED
    weight = 1

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, object]) -> MultiDict[str, str]:
        player = payload.get("player")
        return as_fields({"entry": payload.get("entry", ""), "player": "" if player is None else player})

    def reported_payload(self) -> tuple[str, kinds.AnyPayload]:
        """Return who it was; a damaged form is a 400, a note that is not there any more a 409."""
        noted = noted_entry(self.match, self.fields.get("entry", ""))
        if noted is None:
            abort(409, description=_("That is not noted any more. Load the page again."))
        if not self.fields.get("player"):
            return self.kind, {"entry": noted.id, "player": None}
        side = next(side for side in self.match.setup.sides if side.label == noted.payload["side"])
        return self.kind, {"entry": noted.id, "player": _player_in(self.fields, side.players)}


def noted_entry(match: MatchView, entry_id: str) -> JournalEntry | None:
    """Return the sweep or declaration of the deal being played that has this id."""
    noted = (entry for entry in match.deal.noted if entry.kind in CREDITED_KINDS)
    return next((entry for entry in noted if entry.id == entry_id), None)


class ResumedEntry(IncomingEntry):
    """The match is the one being played again, after another one."""

    kind = kinds.MATCH_RESUMED

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, object]) -> MultiDict[str, str]:
        return MultiDict()

    def reported_payload(self) -> tuple[str, kinds.AnyPayload]:
        return self.kind, {}

    def entries(self) -> list[NewEntry]:
        """Return nothing where it is the one being played already."""
        current = queries.current_match(self.match.table)
        if current is not None and current.number == self.match.number:
            return []
        return super().entries()


class MatchNoteForm(EntryForm):
    """A line about the match, and what it is played for; both may be empty."""

    note = StringField(filters=[trimmed], validators=[Optional(), visible, Length(max=NOTE_LENGTH)])
    stakes = StringField(filters=[trimmed], validators=[Optional(), visible, Length(max=NOTE_LENGTH)])


class MatchNoteEntry(IncomingEntry):
    """The table writes a line about the match, or what it is played for."""

    kind = kinds.MATCH_NOTED

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, object]) -> MultiDict[str, str]:
        return as_fields({name: payload.get(name, "") for name in ("note", "stakes")})

    def read(self) -> None:
        about = self.match.standing.state.about
        filled = {name: about.payload[name] for name in ("note", "stakes")} if about is not None else {}
        self.form = build_form(MatchNoteForm, {}, self.reported.fields, filled)
        self.is_valid = self.reported.fields is not None and self.form.validate()

    def reported_payload(self) -> tuple[str, kinds.AnyPayload]:
        return self.kind, {"note": self.form.note.data or "", "stakes": self.form.stakes.data or ""}

    def entries(self) -> list[NewEntry]:
        if not self.is_valid:
            raise refusal(self.match, self.form)
        about, (_kind, payload) = self.match.standing.state.about, self.reported_payload()
        is_said = about is not None and reported_in(about.payload) == payload
        return [] if is_said else super().entries()


def _player_in(fields: MultiDict[str, str], players: tuple[int, ...] | list[int]) -> int:
    """Return the player whose number a form names; a damaged form is a 400."""
    number = fields.get("player", "")
    if number not in map(str, players):
        damaged()
    return int(number)
