"""The forms of a table, built from the rule set: a game added as data gets its form by itself."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from flask_babel import gettext as _
from flask_babel import ngettext
from werkzeug.datastructures import MultiDict
from wtforms import BooleanField, Field, IntegerField, RadioField, SelectField, StringField
from wtforms.validators import InputRequired, Length, NumberRange, Optional

from ... import names, rules
from ...rules import contract
from ...store import commands
from ...store.journal import Full, Setup, Stale
from ...store.models import NAME_LENGTH, Match, Table
from ..base.entry_form import EntryForm, build_form, choices, new_id, not_blank, trimmed, visible
from ..words.names import Game, games, pick, playable, preset_name
from ..words.problems import full_words, in_words

OPTION = "opt-"
OWN = "-own"
"""Ends the name of the field in which a table writes a value of its own."""
PLAYER = "player-"
LARGEST = 100_000


@dataclass(frozen=True)
class LineUp:
    """How many sides play, and how many players are on each."""

    sides: int
    per_side: int

    @property
    def id(self) -> str:
        """Return the form's word for it, ``2x1``."""
        return f"{self.sides}x{self.per_side}"

    @property
    def players(self) -> int:
        """Return how many sit at the table."""
        return self.sides * self.per_side

    @property
    def label(self) -> str:
        """Return it in words."""
        if self.per_side == 1:
            return str(ngettext("%(num)d player", "%(num)d players", self.sides))
        return str(_("%(all)d players, %(each)d against %(each)d", all=self.players, each=self.per_side))


def line_ups(game: Game) -> list[LineUp]:
    """Return the numbers of players that the game knows."""
    return [LineUp(shape["sides"], shape["players_per_side"]) for shape in game["seats"]]


class MatchForm(EntryForm):
    """What must be agreed before a match; ``match_form`` adds what this game needs."""

    game = SelectField()
    preset = SelectField(validators=[Optional()])
    shape = RadioField()
    first_dealer = RadioField(coerce=int)
    rules_name = StringField(filters=[trimmed], validators=[Optional(), visible, Length(max=NAME_LENGTH)])

    rule_set: Game
    how_many: LineUp
    played_as: str

    def players(self) -> list[Field]:
        """Return the fields of the names, in the order of the seats."""
        return [self[f"{PLAYER}{seat}"] for seat in range(self.how_many.players)]

    def options(self) -> Iterator[tuple[contract.OptionDescription, Field]]:
        """Return the game's options with their fields, but not the target, which has a place of its own."""
        for option in self.rule_set["options"]:
            if option["id"] != "target" and OPTION + option["id"] in self:
                yield option, self[OPTION + option["id"]]

    def chosen(self) -> contract.Options:
        """Return the options as they stand in the form, in the engine's types."""
        values: contract.Options = {}
        for option in self.rule_set["options"]:
            field = self._fields.get(OPTION + option["id"])
            if field is not None:
                values[option["id"]] = json.loads(field.data) if isinstance(field, SelectField) else field.data
            own = self._fields.get(OPTION + option["id"] + OWN)
            if own is not None and own.data:
                values[option["id"]] = read_own(own.data)
        return values

    def sides_of(self, numbers: list[int]) -> list[list[int]]:
        """Deal the players' numbers out to the sides: partners sit opposite."""
        return [numbers[side :: self.how_many.sides] for side in range(self.how_many.sides)]

    def validate(self, extra_validators: Any = None) -> bool:
        """Check the fields, and that nobody sits on two chairs."""
        valid: bool = super().validate(extra_validators)
        seen: set[str] = set()
        for field in self.players():
            name = names.same(field.data or "")
            if name and name in seen:
                field.errors = [
                    *field.errors,
                    _("Two players have this name. Add an initial, so that the sheet says who is who."),
                ]
                valid = False
            seen.add(name)
        return valid


class TableForm(MatchForm):
    """A new table with its first match."""

    table_name = StringField(filters=[trimmed], validators=[Optional(), visible, Length(max=NAME_LENGTH)])


def option_values(game: Game, preset: str) -> contract.Options:
    """Return every option's value under a preset."""
    defaults = {option["id"]: option["default"] for option in game["options"]}
    return {**defaults, **game["presets"].get(preset, {})}


def match_form(
    base: type[MatchForm], data: MultiDict[str, str] | None = None, former: Mapping[str, object] | None = None
) -> MatchForm:
    """Return the form for the game, preset and number of players that ``data`` names (else ``former``, else the first).

    ``former`` fills a form that is drawn for the first time. A game or preset just changed brings its own options.
    """
    asked: Mapping[str, object] = data if data is not None else (former or {})
    offered = playable()
    game = offered.get(str(asked.get("game", "")), next(iter(offered.values())))
    preset = str(asked.get("preset", ""))
    if preset not in game["presets"]:
        preset = game["default_preset"]
    possible = line_ups(game)
    shape = next((line_up for line_up in possible if line_up.id == asked.get("shape")), possible[0])
    values = option_values(game, preset)
    fields = {**_player_fields(shape), **_option_fields(game, preset, values)}
    if data is not None:
        has_field = {name: value for name, value in values.items() if OPTION + name in fields}
        data = _with_changes(data, game, preset, shape, has_field)
    filled = {"first_dealer": 0, **(former or {}), "game": game["id"], "preset": preset, "shape": shape.id}
    form = build_form(base, fields, data, filled)
    form.rule_set, form.how_many, form.played_as = game, shape, preset
    form.game.choices = choices((id, pick(known["names"])) for id, known in offered.items())
    form.preset.choices = choices((id, preset_name(game, id)) for id in game["presets"])
    form.shape.choices = choices((line_up.id, line_up.label) for line_up in possible)
    form.first_dealer.choices = choices(
        (seat, field.data or _("Seat %(number)d", number=seat + 1)) for seat, field in enumerate(form.players())
    )
    return form


def _player_fields(shape: LineUp) -> dict[str, Field]:
    """Return a field for the name of each player."""
    return {
        f"{PLAYER}{seat}": StringField(
            _("Seat %(number)d", number=seat + 1),
            filters=[trimmed],
            validators=[InputRequired(_("Who sits here?")), visible, not_blank, Length(max=NAME_LENGTH)],
        )
        for seat in range(shape.players)
    }


def _option_fields(game: Game, preset: str, values: contract.Options) -> dict[str, Field]:
    """Return a field for each option of the preset, and a second one where a table may write a value of its own."""
    fields: dict[str, Field] = {}
    for option in game["options"]:
        if option["id"] == "sides" or preset not in option.get("presets", (preset,)):
            continue
        fields[OPTION + option["id"]] = option_field(option, values[option["id"]])
        if option["table"]:
            hint = _("A 15, X 20 …") if option["id"] == "card_values" else _("names, with commas between them")
            fields[OPTION + option["id"] + OWN] = StringField(
                hint, filters=[trimmed], validators=[Optional(), visible, Length(max=200)]
            )
    return fields


def _with_changes(
    posted: MultiDict[str, str], game: Game, preset: str, shape: LineUp, values: contract.Options
) -> MultiDict[str, str]:
    """Return what was posted, with the options of a game or preset that was just chosen in place of the last one's."""
    data = MultiDict(posted)
    if data.get("drawn_game") != game["id"]:
        # Another game was chosen: what it does not know of the last one is replaced. Otherwise it is an error.
        data.setlist("preset", [preset])
        data.setlist("shape", [shape.id])
    if (data.get("drawn_game"), data.get("drawn_preset")) != (game["id"], preset):
        for name in [name for name in data if name.startswith(OPTION)]:
            data.poplist(name)
        for name, value in values.items():
            if value is not None and value is not False:
                data[OPTION + name] = json.dumps(value)
    return data


def option_field(option: contract.OptionDescription, default: contract.OptionValue) -> Field:
    """Return the field of an option: a list, a number or a tick."""
    label = pick(option["label"])
    if option["type"] == "bool":
        return BooleanField(label, default=default)
    if option["type"] == "int":
        return IntegerField(label, default=default, validators=[Optional(), NumberRange(-LARGEST, LARGEST)])
    values = choices((json.dumps(value), pick(option["value_labels"][str(value)])) for value in option["values"])
    return SelectField(label, choices=values, default=json.dumps(default))


def read_own(text: str) -> contract.CardValues | contract.ExtraRounds:
    """Read what a table wrote by itself: values by card ("A 15, X 20"), else the names of extra rounds."""
    parts = [part.replace("=", " ").split() for part in text.split(",") if part.strip()]
    if all(len(part) == 2 and part[1].isascii() and part[1].isdigit() for part in parts):
        return {card.upper(): int(worth) for card, worth in parts}
    return {"extra": [" ".join(part) for part in parts]}


def write_own(value: object) -> str:
    """Write what ``read_own`` read."""
    if not isinstance(value, dict):
        return ""
    return ", ".join(value["extra"] if "extra" in value else (f"{card} {worth}" for card, worth in value.items()))


def of_former(setup: Setup, players: Mapping[int, str], first_dealer: int) -> dict[str, object]:
    """Return what a new match of the same people starts from."""
    filled: dict[str, object] = {
        "game": setup.game,
        "preset": setup.preset or "",
        "shape": LineUp(len(setup.sides), setup.players_per_side).id,
        "first_dealer": first_dealer,
        "rules_name": trimmed(setup.rules_name) or "",
    }
    for seat, number in enumerate(setup.seats):
        filled[f"{PLAYER}{seat}"] = players[number]
    for id, value in setup.options.items():
        option = next((known for known in games()[setup.game]["options"] if known["id"] == id), None)
        if isinstance(value, dict):
            filled[OPTION + id + OWN] = write_own(value)
            continue
        filled[OPTION + id] = json.dumps(value) if option and option["type"] == "choice" else value
    return filled


def agree(form: MatchForm) -> contract.Options | None:
    """Return every option resolved, or None with the reasons beside the fields."""
    if not form.validate_on_submit():
        return None
    shape = form.how_many
    request: contract.ScoreRequest = {
        "game": form.game.data,
        "preset": form.preset.data or None,
        "options": {id: value for id, value in form.chosen().items() if value is not None},
        "sides": [chr(ord("A") + side) for side in range(shape.sides)],
        "players_per_side": shape.per_side,
        "deal": {},
    }
    options: contract.Options | None = None
    try:
        answer = rules.score(request, bounded=True)
    except rules.Malformed as malformed:
        found = malformed.problems
    else:
        found = answer["problems"]
        # An answer about no table has none: then there is a problem with the settings.
        options = cast("contract.Options | None", answer.get("options"))
    problems = [problem for problem in found if problem["severity"] == "error"]
    settings = [problem for problem in problems if not problem["where"].startswith("deal")]
    if not settings:
        return options
    for problem in settings:
        name = OPTION + problem["where"].removeprefix("options.").split(".")[0]
        field = form[name if name in form else "game"]
        field.errors = [*field.errors, in_words(problem) or _("This cannot be.")]
    return None


def explain_refusal(form: MatchForm, refused: Full | Stale) -> None:
    """Say in the form why nothing was started; what was typed stays. One used before goes on as a new form."""
    if isinstance(refused, Full):
        form.id.errors = [full_words(refused)]
        return
    form.id.data = new_id()
    form.id.errors = [_("This form was saved before, with something else in it. Save again to start a match with it.")]


def write_match(
    table: Table, form: MatchForm, options: contract.Options, device: str, entry_id: str | None = None
) -> Match:
    """Seat the players and start the match; call inside ``writing()``. The same form starts it once.

    Raises ``Full``, or ``Stale`` where the form's id was used before for something else.
    """
    numbers = commands.seat_players(table, [field.data for field in form.players()])
    return commands.start_match(
        table,
        entry_id or form.id.data,
        game=form.game.data,
        preset=form.preset.data or None,
        options=options,
        sides=form.sides_of(numbers),
        first_dealer=form.first_dealer.data,
        rules_name=form.rules_name.data,
        device=device,
    )
