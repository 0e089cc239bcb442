"""The form of a result from paper: when, what, who, with how many points, and who won."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from flask_babel import gettext as _
from flask_babel import ngettext
from werkzeug.datastructures import MultiDict
from wtforms import BooleanField, DateField, Field, RadioField, SelectField, StringField
from wtforms.validators import InputRequired, Length, Optional, ValidationError

from ... import rules
from ...limits import FIRST_YEAR, LARGEST_POINTS, TYPED_POINTS
from ...rules import contract
from ...store.commands import TypedResult
from ...store.journal.kinds import AnyPayload
from ...store.journal.match_setup import Setup, sides_of
from ...store.models import NAME_LENGTH
from ..base.entry_form import EntryForm, build_form, choices, trimmed, visible
from ..words.names import Game, games, playable
from ..words.readers import pick
from ..words.values import MINUS
from .match_form import PLAYER, LineUp, names_differ, nearest, player_fields, spare_names

POINTS = "points-"
WON = "won-"
_NUMBER = re.compile(r"(?P<sign>-?)(?P<whole>[0-9]{1,6})(?P<half>[.,][05])?")


def read_points(typed: str) -> contract.Number | None:
    """Return points as they were typed, halves with a point or a comma; None for anything else, or too many."""
    text = "".join(typed[:TYPED_POINTS].split()).replace(MINUS, "-").replace("½", ".5")
    found = _NUMBER.fullmatch(text) if len(typed) <= TYPED_POINTS else None
    if found is None:
        return None
    points = int(found["whole"]) + (0.5 if (found["half"] or "").endswith("5") else 0)
    if points > LARGEST_POINTS:
        return None
    return -points if found["sign"] and points else points


class PointsField(StringField):  # type: ignore[misc]
    """The points of a side, as they were typed; ``points`` is the number."""

    @property
    def points(self) -> contract.Number | None:
        """The number that was typed; None if it is none."""
        return read_points(self.data or "")

    def pre_validate(self, form: Any) -> None:
        """Refuse what is no number of points. Raises ``ValidationError``."""
        if self.data and self.points is None:
            raise ValidationError(_("A number of points, up to %(most)d.", most=LARGEST_POINTS))


class Row(NamedTuple):
    """The fields of a side: the names of its players, its points, and whether it won."""

    players: list[Field]
    points: PointsField
    won: Field


class TypedForm(EntryForm):
    """The fields that a result must have; ``typed_form`` adds those of its sides."""

    day = DateField(validators=[InputRequired()])
    game = SelectField()
    shape = RadioField(validate_choice=False)
    game_name = StringField(filters=[trimmed], validators=[Optional(), visible, Length(max=NAME_LENGTH)])
    """The game played, where it is written on the free pad."""

    rule_set: Game
    how_many: LineUp
    today: date
    """The last day that a result may have."""
    spare: dict[str, str]
    """Names typed at seats that this line-up does not have, by field: they come back with their seats."""

    def players(self) -> list[Field]:
        """Return the fields of the names, in the order of the seats."""
        return [self[f"{PLAYER}{seat}"] for seat in range(self.how_many.players)]

    def rows(self) -> list[Row]:
        """Return the fields of each side."""
        players, sides = self.players(), self.how_many.sides
        return [Row(players[side::sides], self[f"{POINTS}{side}"], self[f"{WON}{side}"]) for side in range(sides)]

    def line_up_choices(self) -> list[list[tuple[Field, str]]]:
        """Return the choices of the line-up with their short names: everybody alone, then sides of several."""
        each = list(zip(self.shape, line_ups_of(self.rule_set), strict=True))
        alone = [(option, shape.short) for option, shape in each if shape.per_side == 1]
        of_sides = [(option, shape.short) for option, shape in each if shape.per_side > 1]
        return [options for options in (alone, of_sides) if options]

    @property
    def first_day(self) -> date:
        """The first day that a result may have."""
        return date(FIRST_YEAR, 1, 1)

    @property
    def is_low_best(self) -> bool:
        """True if the fewest points win in this game, by its usual rules."""
        table = rules.read_table(_request(self.rule_set["id"], self.how_many), rules.Problems())
        return table is not None and rules.match_ending(table).winner == "lowest"

    @property
    def is_pad(self) -> bool:
        """True if the game is written on the free pad: the table says what it was, and points may be negative."""
        return self.rule_set["family"] == "free"

    def refusal(self) -> str:
        """Return the first reason for which the form was refused, for the foot; empty where it was not."""
        first = next((field for field in self if field.errors), None)
        if first is None:
            return ""
        is_named = first in self.players() or first in [row.points for row in self.rows()]
        return f"{first.label.text}: {first.errors[0]}" if is_named else str(first.errors[0])

    def _totals(self) -> dict[str, contract.Number]:
        points = [row.points.points for row in self.rows()]
        return {label: each for label, each in zip(_labels(self.how_many), points, strict=True) if each is not None}

    def winners(self) -> list[str]:
        """Return the labels of the sides that are ticked, else of those that lead by the points; [] if that is open."""
        ticked = [label for label, row in zip(_labels(self.how_many), self.rows(), strict=True) if row.won.data]
        return ticked or _leaders(self.rule_set["id"], self.how_many, self._totals())

    def validate(self, extra_validators: Any = None) -> bool:
        """Check the fields, the day, that nobody sits on two chairs, and that somebody won."""
        valid: bool = super().validate(extra_validators)
        one_of_players = _("Two players have this name. Add an initial, so that the sheet says who is who.")
        valid = names_differ(self.players(), one_of_players) and valid
        day = self.day.data
        if day is not None and not self.first_day <= day <= self.today:
            refusal = _("A day in the past.") if day > self.today else _("A day from %(year)d on.", year=FIRST_YEAR)
            self.day.errors, valid = [refusal], False
        elif day is None:
            self.day.errors, valid = [_("The day on which it was played.")], False
        if valid and not self.winners():
            won = self.rows()[0].won
            won.errors, valid = [_("They are level: mark who won, or all who share it.")], False
        return valid

    def result(self) -> TypedResult:
        """Return what a valid form says."""
        return TypedResult(self.day.data, self._totals(), self.winners())

    def setup(self, numbers: Sequence[int]) -> Setup:
        """Return the game and the sides; ``numbers`` are those of the players, in the order of the seats."""
        sides = sides_of([list(numbers)[side :: self.how_many.sides] for side in range(self.how_many.sides)])
        name = self.game_name.data or None if self.is_pad else None
        return Setup(self.rule_set["id"], None, {}, sides, 0, game_name=name)


def _labels(shape: LineUp) -> list[str]:
    return [chr(ord("A") + side) for side in range(shape.sides)]


def _request(game: str, shape: LineUp) -> contract.TableRequest:
    """Return the table's part of a request for a game by its usual rules."""
    return {
        "game": game,
        "preset": None,
        "options": {},
        "sides": _labels(shape),
        "players_per_side": shape.per_side,
        "rules": rules.NEWEST,
    }


def _leaders(game: str, shape: LineUp, totals: Mapping[str, contract.Number]) -> list[str]:
    """Return the sides that lead by the points; [] if the game plays such a tie on, or all are level."""
    return rules.leaders_by_hand(_request(game, shape), totals, always=True)


def line_ups_of(game: Game) -> list[LineUp]:
    """Return the line-ups of several sides in which a game is played by any preset, everybody alone first."""
    shapes = {(seat["players_per_side"], seat["sides"]) for seat in game["seats"] if seat["sides"] > 1}
    return [LineUp(sides, per_side) for per_side, sides in sorted(shapes)]


def typed_form(data: MultiDict[str, str] | None, filled: Mapping[str, Any], today: date) -> TypedForm:
    """Return the form for the game and the line-up that ``data`` names, else ``filled``, which it begins with."""
    asked: Mapping[str, Any] = data if data is not None else filled
    offered = playable()
    game = offered.get(str(asked.get("game", "")), next(iter(offered.values())))
    possible = line_ups_of(game)
    shape = nearest(str(asked.get("shape") or ""), possible)
    fields: dict[str, Field] = player_fields(shape)
    for side in range(shape.sides):
        whose = _("Points of side %(number)d", number=side + 1)
        checks = [InputRequired(_("How many points?")), Length(max=TYPED_POINTS)]
        fields[f"{POINTS}{side}"] = PointsField(whose, validators=checks)
        fields[f"{WON}{side}"] = BooleanField(ngettext("wins", "win", shape.per_side))
    if data is not None:
        data = MultiDict(data)
        data.setlist("shape", [shape.id])
    form = build_form(TypedForm, fields, data, {**filled, "game": game["id"], "shape": shape.id})
    form.rule_set, form.how_many, form.today = game, shape, today
    form.spare = spare_names(data, fields)
    form.game.choices = choices((id, pick(known["names"])) for id, known in offered.items())
    form.shape.choices = choices((line_up.id, line_up.label) for line_up in possible)
    return form


def of_typed(payload: AnyPayload, names: Mapping[int, str]) -> dict[str, Any]:
    """Return what the form begins with to type a result again.

    Who won is marked only if the points do not say it: they may be what is corrected.
    """
    setup = Setup.from_json(payload["setup"])
    if setup.game not in games():
        return {}
    shape, winners = LineUp(len(setup.sides), setup.players_per_side), payload["winners"]
    is_by_points = _leaders(setup.game, shape, payload["totals"]) == winners
    filled: dict[str, Any] = {
        "day": date.fromisoformat(payload["date"]),
        "game": setup.game,
        "shape": shape.id,
        "game_name": setup.game_name or "",
    }
    for seat, number in enumerate(setup.seats):
        filled[f"{PLAYER}{seat}"] = names.get(number, "")
    for side, label in enumerate(setup.labels):
        filled[f"{POINTS}{side}"] = str(payload["totals"][label])
        filled[f"{WON}{side}"] = label in winners and not is_by_points
    return filled
