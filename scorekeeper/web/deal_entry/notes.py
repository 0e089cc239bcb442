"""Notes of a deal while it is played: sweeps, declarations, the opening, who dealt, points by agreement."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, cast

from flask import abort
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict
from wtforms import IntegerField, RadioField, StringField
from wtforms.validators import InputRequired, Length, NumberRange

from ... import rules
from ...limits import LARGEST_POINTS, REASON_LENGTH, TAPPED_POINTS
from ...rules import contract
from ...store import agreement, commands
from ...store.journal import kinds
from ...store.journal.entries import JournalEntry, NewEntry, reported_in
from ...store.standings import standing_of
from ..base.entry_form import EntryForm, build_form, choices, damaged, trimmed, visible
from ..match.view import MatchView
from ..words.names import item_name
from .declaration import Worth, declaration_form, worth
from .incoming import IncomingEntry, as_fields, malformed, open_deal, refusal, refuse_closed
from .opening_layout import Meaning, count_of_dealing, layout_form, meaning, opening_in, voided_by_opening

CREDITED_KINDS = frozenset({kinds.SWEPT, kinds.DECLARED})
"""The acts of one player of a pair, who may be named."""


def penalties_of(match: MatchView) -> tuple[str, ...]:
    """Return the penalties that the game has; a game without any is a 404."""
    penalties = match.needs.penalties
    if not penalties:
        abort(404, description=_("This game knows no penalties."))
    return penalties


class NoteEntry(IncomingEntry):
    """A note of a deal while it is played."""

    def check(self) -> None:
        open_deal(self.match, self.reported.deal)

    def draft_of(self, new: list[NewEntry], **written_by: Any) -> commands.Draft:
        row = self.match.row
        is_closed = standing_of(row).state.closed_deal(self.reported.deal) is not None
        if is_closed and commands.kind_of(row, self.reported.id) is None:
            refuse_closed()
        return super().draft_of([*self._voidings(new), *new], **written_by)

    def _voidings(self, new: list[NewEntry]) -> list[NewEntry]:
        """Return what voids the notes of the deal that ``new`` replaces.

        They are looked up at each try: a phone that wrote meanwhile may have noted the same.
        """
        replacing = {entry.kind for entry in new} & kinds.REPLACING
        deal = standing_of(self.match.row).state.deal(self.reported.deal)
        ids = [entry.id for entry in new]
        noted = [] if deal is None else deal.noted
        former = [entry.id for entry in noted if entry.kind in replacing and entry.id not in ids]
        return [agreement.voided_with(self.reported.id, id) for id in former]


class SweepEntry(NoteEntry):
    """A sweep: the most frequent tap of the evening."""

    kind = kinds.SWEPT
    weight = 1

    typed: ClassVar = {"side": "", "count": 1}

    def reported_payload(self) -> kinds.AnyPayload:
        """Return the sweep; a damaged form is a 400, too many sweeps at once a 422."""
        side, count = self.side(), self.fields.get("count", "1")
        if count not in ("1", "2", "3"):
            abort(
                422,
                description=_(
                    "One capture makes one to three %(sweeps)s.", sweeps=item_name(self.match.setup.game, "sweeps")
                ),
            )
        return {"side": side, "count": int(count)}


class PointsEntry(NoteEntry):
    """Points of a side of the free pad, tapped while the round is played."""

    kind = kinds.POINTS_NOTED
    weight = 1

    typed: ClassVar = {"side": "", "points": ""}

    def reported_payload(self) -> kinds.AnyPayload:
        """Return the points; a damaged form is a 400, a game without such taps a 404, an impossible number a 422."""
        if not self.match.taps:
            abort(404, description=_("Points are tapped on the free pad only."))
        side, points = self.side(), _points_in(self.fields.get("points", ""))
        if points is None:
            abort(
                422, description=_("Write a whole number from −%(most)d to %(most)d, other than 0.", most=TAPPED_POINTS)
            )
        return {"side": side, "points": points}


def _points_in(written: str) -> int | None:
    """Return the points that were tapped or typed; None if they are no number that one tap may give."""
    figures = written.strip().replace("−", "-").removeprefix("+")
    digits = figures.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= len(str(TAPPED_POINTS))):
        return None
    return int(figures) or None


class PenaltyEntry(NoteEntry):
    """A penalty, in the games that have them."""

    kind = kinds.PENALISED
    weight = 1

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, object]) -> MultiDict[str, str]:
        return as_fields({"penalty": f"{payload.get('item')}:{payload.get('side')}"})

    def reported_payload(self) -> kinds.AnyPayload:
        """Return the penalty; a damaged form is a 400, a game without penalties a 404."""
        penalties = penalties_of(self.match)
        item, _colon, side = self.fields.get("penalty", "").partition(":")
        if item not in penalties or side not in self.match.sides:
            damaged()
        return {"item": item, "side": side}


class DeclarationEntry(NoteEntry):
    """A hand shown, or said."""

    kind = kinds.DECLARED

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, object]) -> MultiDict[str, str]:
        given = payload.get("as") or {}
        if not isinstance(given, dict) or not all(isinstance(value, str) for value in given.values()):
            raise malformed("payload.as", "The values of wild cards are given by card.")
        wilds = {f"as-{card}": value.rstrip(rules.SUITS) for card, value in given.items()}
        plain = {name: payload[name] for name in ("side", "batch", "cards", "items") if payload.get(name) is not None}
        return as_fields({**plain, **wilds})

    def read(self) -> None:
        if not self.match.needs.declarations:
            abort(404, description=_("Nothing is declared in this game."))
        self.form = declaration_form(self.match, self.reported.fields, self.reported.asked)
        self.is_valid = self.reported.fields is not None and self.form.validate()

    @cached_property
    def worth(self) -> Worth | None:
        """Its worth, once there is something to score."""
        current = open_deal(self.match, self.reported.deal)
        return worth(self.match, current, self.form) if self.is_valid and self.form.is_filled() else None

    def reported_payload(self) -> kinds.AnyPayload:
        return cast(kinds.AnyPayload, self.form.declaration())

    def check(self) -> None:
        super().check()
        value = self.worth
        if not self.form.may_be_saved(value):
            nothing = () if value is None or value.problems else (_("Nothing to declare."), *value.near)
            raise refusal(self.match, self.form, value.problems if value else (), *nothing)


class LayoutEntry(NoteEntry):
    """The opening layout; one that is void has it dealt again. It takes the place of one noted before in the deal."""

    kind = kinds.LAYOUT_NOTED

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, object]) -> MultiDict[str, str]:
        fields = {"told": payload.get("layout_result"), "cards": payload.get("layout")}
        return as_fields({name: value for name, value in fields.items() if value is not None})

    def read(self) -> None:
        self.form = layout_form(self.match.needs, self.reported.fields)
        self.is_valid = self.reported.fields is not None and self.form.validate()

    @cached_property
    def means(self) -> Meaning | None:
        """The meaning of such a layout, once it is whole."""
        current = open_deal(self.match, self.reported.deal)
        return meaning(self.match, current, self.form.facts()) if self.is_valid and self.form.is_whole else None

    def reported_payload(self) -> kinds.AnyPayload:
        return cast(kinds.AnyPayload, self.form.facts())

    def is_same(self, entry: JournalEntry) -> bool:
        payload = reported_in(entry.payload)
        opening = opening_in({**payload.get("facts", payload)})
        return self._is_of_this_deal(entry) and opening == self.form.facts()

    def check(self) -> None:
        super().check()
        if not self.form.may_be_saved(self.means):
            raise refusal(self.match, self.form, self.means.problems if self.means else ())

    def entries(self) -> list[NewEntry]:
        new, means = super().entries(), self.means
        if not means or not means.redeal:
            return new
        again = voided_by_opening(self.match.deal, self.form.facts(), means.redeal, self.fields)
        return [self._entry(again, kinds.DEALT_AGAIN)]


class TrumpEntry(NoteEntry):
    """The suit that is trumps in the deal, tapped on the board; it takes the place of one noted before."""

    kind = kinds.TRUMP_NOTED
    weight = 1

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, object]) -> MultiDict[str, str]:
        if "trump" not in payload:
            # Without it nobody knows whether it was forgotten or taken back.
            raise malformed("payload.trump", "The suit, or null to take it back.")
        trump = payload["trump"]
        return as_fields({"trump": "" if trump is None else trump})

    def reported_payload(self) -> kinds.AnyPayload:
        """Return the suit, or none; a damaged form is a 400, a game whose trumps nobody names a 404."""
        if not self.match.names_trumps:
            abort(404, description=_("In this game nobody names trumps."))
        suit = self.fields.get("trump", "none")
        if suit and suit not in tuple(rules.SUITS):
            damaged()
        return {"trump": cast(contract.Suit, suit) if suit else None}


def refuse_without_dealers(match: MatchView) -> None:
    """Answer 404 if nobody deals: the free pad may be used for something without cards."""
    if not match.has_dealers:
        abort(404, description=_("Nobody deals in this game."))


class ToldApartEntry(NoteEntry):
    """Two notes of two phones are two: nobody is asked about them again."""

    kind = kinds.TOLD_APART
    weight = 1

    def reported_payload(self) -> kinds.AnyPayload:
        """Return the two ids; those of anything else than two notes of the deal are a 400."""
        return {"entry": self.fields.get("entry", ""), "beside": self.fields.get("beside", "")}

    def entries(self) -> list[NewEntry]:
        """Return what to write: nothing if one of them no longer counts, or they were distinguished before."""
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

    def reported_payload(self) -> kinds.AnyPayload:
        """Return who deals; a damaged form is a 400, a game without dealers a 404."""
        refuse_without_dealers(self.match)
        payload: kinds.AnyPayload = {"player": _player_in(self.fields, self.match.setup.seats)}
        if self.fields.get("once") == "yes":
            payload["once"] = True
        return payload


class DealtAgainEntry(NoteEntry):
    """The cards dealt are void: the deal is dealt again under the same number."""

    kind = kinds.DEALT_AGAIN
    unsaid = frozenset(("layout", "layout_result"))

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, object]) -> MultiDict[str, str]:
        if "again" not in payload:
            # Without it two reports may be about one dealing or about two.
            raise malformed("payload.again", "Which dealing of the deal is void, from 1.")
        typed = {"who": "redeal", "why": "why", "again": "again"}
        return as_fields({field: payload.get(name, "") for field, name in typed.items()})

    def reported_payload(self) -> kinds.AnyPayload:
        """Return who deals again, and why; a damaged form is a 400, a game without dealers a 404."""
        refuse_without_dealers(self.match)
        who, why = self.fields.get("who"), self.fields.get("why", "")
        again = count_of_dealing(self.match.standing.state.deal(self.reported.deal), self.fields)
        if who not in ("same", "next") or why not in ("", "shown", "misdealt"):
            damaged()
        payload = {"redeal": who, "again": again, **({"why": why} if why else {})}
        return cast(kinds.AnyPayload, payload)


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

    typed: ClassVar = {"side": "", "points": "", "reason": ""}

    def read(self) -> None:
        self.form = adjustment_form(self.match, self.reported.fields)
        self.is_valid = self.reported.fields is not None and self.form.validate()
        if self.is_valid and not self.form.points.data:
            self.form.points.errors = [_("With no points nothing changes.")]
            self.is_valid = False

    def reported_payload(self) -> kinds.AnyPayload:
        form = self.form
        return {"side": form.side.data, "points": form.points.data, "reason": form.reason.data}

    def check(self) -> None:
        super().check()
        if not self.is_valid:
            raise refusal(self.match, self.form)


class CreditEntry(NoteEntry):
    """The player of a side who made a sweep, or declared; nobody has to be named."""

    kind = kinds.CREDITED
    weight = 1

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, object]) -> MultiDict[str, str]:
        player = payload.get("player")
        return as_fields({"entry": payload.get("entry", ""), "player": "" if player is None else player})

    def reported_payload(self) -> kinds.AnyPayload:
        """Return who it was; a damaged form is a 400, a note that is not there any more a 409."""
        noted = noted_entry(self.match, self.fields.get("entry", ""))
        if noted is None:
            abort(409, description=_("That is not noted any more. Load the page again."))
        if not self.fields.get("player"):
            return {"entry": noted.id, "player": None}
        side = next(side for side in self.match.setup.sides if side.label == noted.payload["side"])
        return {"entry": noted.id, "player": _player_in(self.fields, side.players)}


def noted_entry(match: MatchView, entry_id: str) -> JournalEntry | None:
    """Return the sweep or declaration of the deal being played that has this id."""
    noted = (entry for entry in match.deal.noted if entry.kind in CREDITED_KINDS)
    return next((entry for entry in noted if entry.id == entry_id), None)


def _player_in(fields: MultiDict[str, str], players: tuple[int, ...] | list[int]) -> int:
    """Return the player whose number a form names; a damaged form is a 400."""
    number = fields.get("player", "")
    return int(number) if number in map(str, players) else damaged()
