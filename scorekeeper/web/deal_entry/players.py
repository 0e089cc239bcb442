"""Who plays: seats changed before the first deal is closed, a substitute, a player who comes later or leaves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from flask import abort
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict
from wtforms import Field, IntegerField, RadioField, StringField
from wtforms.fields.core import UnboundField
from wtforms.validators import InputRequired, Length, NumberRange

from ...limits import LARGEST_POINTS, MATCH_SIDES
from ...names import same
from ...store import commands
from ...store.db import writing
from ...store.journal import kinds
from ...store.journal.entries import Full, JournalEntry
from ...store.models import NAME_LENGTH
from ..base.entry_form import EntryForm, build_form, choices, damaged, not_blank, trimmed, visible
from ..match.match_form import PLAYER, LineUp, line_ups, player_fields
from ..match.view import MatchView
from .incoming import EntryRefused, IncomingEntry, as_fields, open_deal, refusal


class SeatingEntry(IncomingEntry):
    """An entry that names players, who may be new at the table."""

    seats_players: ClassVar[bool] = True
    form: EntryForm

    def name_fields(self) -> Sequence[Field]:
        """Return the fields with the names."""
        raise NotImplementedError

    def check(self) -> None:
        if not self.is_valid:
            raise refusal(self.match, self.form)

    def prepare(self) -> None:
        self.check()
        try:
            with writing():
                commands.seat_players(self.match.table, [field.data for field in self.name_fields()])
        except Full as full:
            self.form.id.errors = [_("This table has %(most)d players, the most there can be.", most=full.most)]
            raise EntryRefused(self.form.id.errors) from full
        # The names of the newcomers are read anew.
        self.match = MatchView(self.match.table, self.match.row)

    def numbers(self) -> list[int]:
        """Return the numbers of the players named; 0 for one whom the table does not know yet."""
        names = self.match.plain_names
        known = {same(name): number for number, name in names.people.items()}
        # A merged player who sits in the match already goes on under the number that the match has.
        known |= {same(names[number]): number for number in self.match.setup.seats if names[number]}
        return [known.get(same(field.data or ""), 0) for field in self.name_fields()]

    def refuse_seated(self, *but: int) -> None:
        """Refuse a name of a player of the match."""
        seated = {same(self.match.plain_names[number]) for number in self.match.setup.seats if number not in but}
        seated.discard("")
        for field in self.name_fields():
            if same(field.data or "") in seated:
                field.errors = [*field.errors, _("%(name)s plays already.", name=field.data)]
                self.is_valid = False


class SeatsEntry(SeatingEntry):
    """Who sits where, and who deals first: changed while no deal is closed."""

    kind = kinds.SEATED

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, object]) -> MultiDict[str, str]:
        sides = payload.get("sides")
        if not isinstance(sides, list) or not all(isinstance(side, dict) for side in sides):
            damaged()
        numbers = [side.get("players") or [] for side in sides]
        seats = [players[turn] for turn in range(min(map(len, numbers), default=0)) for players in numbers]
        names = {f"{PLAYER}{seat}": match.plain_names.get(number, "") for seat, number in enumerate(seats)}
        return as_fields({**names, "first_dealer": payload.get("first_dealer", 0)})

    def read(self) -> None:
        state = self.match.standing.state
        setup = state.setup
        fields = player_fields(LineUp(len(setup.sides), setup.players_per_side))
        dealers = RadioField(choices=choices((seat, str(seat)) for seat in range(len(setup.seats))), coerce=int)
        filled = {f"{PLAYER}{seat}": self.match.plain_names[number] for seat, number in enumerate(setup.seats)}
        first = {**filled, "first_dealer": setup.first_dealer}
        self.form = build_form(EntryForm, {**fields, "first_dealer": dealers}, self.reported.fields, first)
        self.is_valid = self.reported.fields is not None and self.form.validate()
        names = [same(field.data or "") for field in self.name_fields()]
        for place, field in enumerate(self.name_fields()):
            if names[place] and names[place] in names[:place]:
                field.errors = [*field.errors, _("Two players have this name. Add an initial.")]
                self.is_valid = False

    def name_fields(self) -> Sequence[Field]:
        return [self.form[f"{PLAYER}{seat}"] for seat in range(len(self.match.setup.seats))]

    def check(self) -> None:
        if self.match.standing.is_over or self.match.standing.state.closed:
            abort(409, description=_("A deal is closed: from now on a substitute takes a seat."))
        super().check()

    def reported_payload(self) -> kinds.AnyPayload:
        setup, numbers = self.match.standing.state.setup, self.numbers()
        sides = [
            {**side.as_json(), "players": numbers[place :: len(setup.sides)]} for place, side in enumerate(setup.sides)
        ]
        return {"sides": sides, "first_dealer": self.form["first_dealer"].data}  # type: ignore[typeddict-item]


class NewcomerEntry(SeatingEntry):
    """One player comes in, who does not play yet."""

    def fill(self, **field: UnboundField) -> None:
        """Read the form: the name of who comes in, and one field more."""
        checks = [InputRequired(_("Who comes in?")), visible, not_blank, Length(max=NAME_LENGTH)]
        newcomer = StringField(filters=[trimmed], validators=checks)
        self.form = build_form(EntryForm, {**field, "newcomer": newcomer}, self.reported.fields)
        self.is_valid = self.reported.fields is not None and self.form.validate()
        if not self.is_written():
            self.refuse_seated()

    def name_fields(self) -> Sequence[Field]:
        return [self.form["newcomer"]]


class SubstituteEntry(NewcomerEntry):
    """A player takes the seat of another from the deal being played on."""

    kind = kinds.SUBSTITUTED

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, object]) -> MultiDict[str, str]:
        return as_fields({"seat": payload.get("other", ""), "newcomer": _name_in(match, payload)})

    def read(self) -> None:
        seats = [(number, self.match.players[number]) for number in self.match.setup.seats]
        seat = RadioField(choices=choices(seats), coerce=int, validators=[InputRequired(_("Whose seat?"))])
        self.fill(seat=seat)

    def check(self) -> None:
        open_deal(self.match, self.reported.deal)
        super().check()

    def reported_payload(self) -> kinds.AnyPayload:
        return {"player": self.numbers()[0], "other": self.form["seat"].data}


class BetweenRounds(IncomingEntry):
    """A change of the number of sides: it is valid from the next round that has not begun."""

    more: ClassVar[int]

    def check_sides(self) -> None:
        """Refuse a number of sides that the game is not played with; a game that is not played in rounds is a 404."""
        open_deal(self.match, self.reported.deal)
        in_pairs = self.match.setup.players_per_side > 1
        if not self.match.is_in_rounds or (in_pairs and self.more > 0):
            abort(404, description=_("In this game nobody comes in or leaves: a substitute takes a seat."))
        state = self.match.standing.state
        possible = line_ups(self.match.game, self.match.setup.preset or self.match.game["default_preset"])
        # What comes with the next round may have been noted before a change that is valid in this one.
        setups = [state.setup_to_come] if self.deal > self.match.deal.number else [state.setup, state.setup_to_come]
        for setup in setups:
            each = setup.players_per_side
            then = LineUp(len(setup.sides) + self.more, each)
            if then not in possible:
                raise EntryRefused([_("%(num)d cannot play this game.", num=then.players)])

    def _is_of_this_deal(self, entry: JournalEntry) -> bool:
        return entry.payload.get("deal", 0) - self.reported.deal in (0, 1)

    @property
    def deal(self) -> int:
        """The first deal for which it is valid."""
        return self.match.deal.number + int(self.match.deal.has_begun)


class LatecomerEntry(BetweenRounds, NewcomerEntry):
    """A player comes in between rounds, with points that the table agreed on."""

    kind = kinds.ENTERED
    more = 1

    @staticmethod
    def fields_of(match: MatchView, deal: int, payload: Mapping[str, object]) -> MultiDict[str, str]:
        return as_fields({"newcomer": _name_in(match, payload), "points": payload.get("points", 0)})

    def read(self) -> None:
        words = _("A whole number, please.")
        points = IntegerField(validators=[InputRequired(words), NumberRange(-LARGEST_POINTS, LARGEST_POINTS, words)])
        self.fill(points=points)

    def check(self) -> None:
        self.check_sides()
        if len(self.match.standing.state.everybody) >= MATCH_SIDES:
            words = _("%(most)d have played in this match, the most there can be. Start a new match.", most=MATCH_SIDES)
            raise EntryRefused([words])
        super().check()

    def reported_payload(self) -> kinds.AnyPayload:
        """Return who comes in; the label of the side is the next that no side of the match has had."""
        state = self.match.standing.state
        written = next((one for one in state.changes if one.id == self.reported.id), None)
        labels = {side.label for side in (*state.everybody, *state.setup_to_come.sides)}
        label = written.payload["side"] if written is not None else chr(ord(max(labels)) + 1)
        return {"side": label, "player": self.numbers()[0], "points": self.form["points"].data}


class LeavingEntry(BetweenRounds):
    """A player leaves between rounds; the total stays."""

    kind = kinds.LEFT
    more = -1

    typed: ClassVar = {"side": ""}

    def reported_payload(self) -> kinds.AnyPayload:
        return {"side": self.side(self.match.all_sides)}

    def check(self) -> None:
        self.check_sides()
        side = self.reported_payload()["side"]
        if side not in self.match.standing.state.setup_to_come.labels:
            abort(409, description=_("%(name)s has left already.", name=self.match.all_sides[side]))


def _name_in(match: MatchView, payload: Mapping[str, object]) -> str:
    """Return the name of the player whom a payload names by number; "" if there is no such player."""
    number = payload.get("player")
    return match.plain_names.get(number, "") if isinstance(number, int) else ""
