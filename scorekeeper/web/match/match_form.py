"""The forms of a table, built from the rule set: a game added as data gets its form by itself."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from flask_babel import gettext as _
from flask_babel import ngettext
from werkzeug.datastructures import MultiDict
from wtforms import BooleanField, Field, HiddenField, IntegerField, RadioField, SelectField, StringField
from wtforms.validators import InputRequired, Length, NumberRange, Optional

from ... import names, rules
from ...limits import LARGEST_POINTS
from ...rules import contract
from ...store import commands
from ...store.journal.entries import Full, Stale
from ...store.journal.match_setup import Setup, sides_of
from ...store.models import NAME_LENGTH, Match, Table
from ..base.entry_form import EntryForm, build_form, choices, new_id, not_blank, trimmed, visible
from ..base.i18n import chosen_language
from ..words.names import Game, games, join_names, playable, preset_name, round_name, upper_first
from ..words.problems import full_words, in_words
from ..words.readers import pick
from .own_line_fields import (
    OwnRow,
    check_own_rows,
    filled_own,
    own_field_at,
    own_line_fields,
    own_lines,
    own_rows,
    with_own_of_game,
)

OPTION = "opt-"
OWN = "-own"
"""Ends the name of the field in which a table writes a value of its own."""
EXTRA = "opt-rounds-"
"""Begins the name of the field of each extra round that can be ticked, before its place among them."""
WORTH = "opt-card_values-"
"""Begins the name of the field of a card whose worth can be tapped, before its rank."""
OWN_PLAYED = "own_played"
"""The name under which a form finds the lines of the table's own of each game, as it was played last."""
PLAYER = "player-"
TEAM = "team-"
OF_PEOPLE = (PLAYER, TEAM)
"""How the fields begin that say who plays, whatever is played."""


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
    def short(self) -> str:
        """Return it as a segment names it."""
        if self.sides > 2 and self.per_side > 1:
            return f"{self.sides} × {self.per_side}"
        against = f" {_('against')} "
        return str(self.sides) if self.per_side == 1 else against.join([str(self.per_side)] * self.sides)

    @property
    def label(self) -> str:
        """Return it in words."""
        if self.per_side == 1:
            return str(ngettext("%(num)d player", "%(num)d players", self.sides))
        return str(_("%(all)d players, %(each)d against %(each)d", all=self.players, each=self.per_side))


def line_ups(game: Game, preset: str) -> list[LineUp]:
    """Return the line-ups that a preset of the game is played with."""
    return [LineUp(shape["sides"], shape["players_per_side"]) for shape in game["preset_seats"][preset]]


def nearest(asked: str, possible: Sequence[LineUp]) -> LineUp:
    """Return the line-up whose number of players is nearest to the one asked for; the first where none can be read."""
    sides, _x, each = asked[:5].partition("x")
    if not (sides.isdecimal() and each.isdecimal()):
        return possible[0]
    wanted = LineUp(int(sides), int(each))
    return min(possible, key=lambda line_up: (line_up != wanted, abs(line_up.players - wanted.players)))


Seated = TypeVar("Seated")


def _read_choice(written: str | None) -> contract.OptionValue | None:
    """Return the value of an option as its field has it (JSON); None for what no form of ours offers."""
    try:
        value: contract.OptionValue | None = json.loads(written or "null")
    except (ValueError, RecursionError):
        return None
    return value


class MatchForm(EntryForm):
    """The fields that a match must have; ``match_form`` adds what this game needs."""

    game = SelectField()
    preset = SelectField(validators=[Optional()])
    shape = RadioField(validate_choice=False)
    first_dealer = RadioField(coerce=int)
    rules_name = StringField(filters=[trimmed], validators=[Optional(), visible, Length(max=NAME_LENGTH)])

    game_name = StringField(filters=[trimmed], validators=[Optional(), visible, Length(max=NAME_LENGTH)])
    """The game played on the free pad."""

    best_of_three = BooleanField()
    halves = BooleanField()
    """True if the target of the pad is shown in two halves, malas and buenas."""
    own_spare = HiddenField()
    """The lines of the table's own that were typed for games which are not chosen any more."""

    rule_set: Game
    how_many: LineUp
    """The line-up that is drawn: the one asked for, else the nearest that is possible."""
    asked_shape: str
    played_as: str
    fewer_rounds: bool = False
    """True if the cards do not carry every round of the game for so many players."""
    spare: dict[str, str]
    """Names typed at seats that this line-up does not have, by field: they come back with their seats."""

    def players(self) -> list[Field]:
        """Return the fields of the names, in the order of the seats."""
        return [self[f"{PLAYER}{seat}"] for seat in range(self.how_many.players)]

    def teams(self) -> list[Field]:
        """Return the fields of the names of teams; none where everybody plays alone."""
        return [self[f"{TEAM}{place}"] for place in range(self.how_many.sides)] if self.how_many.per_side > 1 else []

    def ends(self) -> list[Field]:
        """Return the numbers at which the match ends."""
        return [field for option, field in self._options() if _is_end(option)]

    def options(self) -> Iterator[tuple[contract.OptionDescription, Field]]:
        """Return the game's other options with their fields."""
        return ((option, field) for option, field in self._options() if not _is_end(option))

    def upfront(self) -> list[Field]:
        """Return the fields of the options without which a match of this game says little: they are in no fold."""
        return [field for option, field in self._options() if option.get("upfront")]

    def option_groups(
        self, apart: Collection[Field] = ()
    ) -> list[tuple[str, list[tuple[contract.OptionDescription, Field]]]]:
        """Return the house rules in up to four groups, each with its title; without those asked ``apart``."""
        titles = group_titles()
        groups: dict[str, list[tuple[contract.OptionDescription, Field]]] = {id: [] for id in titles}
        for option, field in self.options():
            if field in apart:
                continue
            # A goal that is chosen from a list is asked beside what else is about the end.
            groups["end" if option["group"] == "goal" else option["group"]].append((option, field))
        return [(title, groups[id]) for id, title in titles.items() if groups[id]]

    def is_changed(self) -> bool:
        """Return whether a house rule is other than the preset has it; the number at which the match ends is none.

        What this form begins with, where that is another value than the preset's, nobody has changed either.
        """
        usual = option_values(self.rule_set, self.played_as)
        begun_with = rules.form_values(self.rule_set["id"], self.played_as)
        titles, values = group_titles(), self.chosen()
        changed = (option for option in self.rule_set["options"] if option["group"] in titles)
        return any(
            values.get(id, usual[id]) not in (usual[id], begun_with.get(id, usual[id]))
            for id in (option["id"] for option in changed)
        )

    def has_wrong_rules(self) -> bool:
        """Return whether something in the fold of game and rules is refused."""
        named = (
            self.game,
            self.preset,
            self.rules_name,
            self.game_name,
            *self.ends(),
            *(field for row in self.own_rows() for field in row),
            *(field for _option, field in self.options()),
        )
        return any(field.errors for field in named)

    def own_rows(self) -> list[OwnRow]:
        """Return the fields of the lines of the table's own, a row a line."""
        return own_rows(self)

    def own_names(self) -> list[str]:
        """Return the names of the lines of the table's own, as they are typed."""
        return [row.name.data for row in self.own_rows() if row.name.data]

    def refusal(self) -> str:
        """Return the first reason for which the form was refused, for the foot; empty where it was not."""
        first = next((field for field in self if field.errors), None)
        if first is None:
            return ""
        return f"{first.label.text}: {first.errors[0]}" if first in self.players() else str(first.errors[0])

    def line_up_choices(self) -> list[list[Field]]:
        """Return the choices of the line-up: everybody alone, then sides of several; neither list is empty."""
        options = list(self.shape)
        alone = [option for option in options if option.data.endswith("x1")]
        return [each for each in (alone, [option for option in options if option not in alone]) if each]

    def short_label(self, shape: str) -> str:
        """Return a line-up as its segment names it."""
        return nearest(shape, line_ups(self.rule_set, self.played_as)).short

    def side_labels(self) -> list[str]:
        """Return who plays against whom: each of two sides, or all others in one. Without a name only how many."""
        named = [field.data for field in self.teams()] or ["", ""]
        if not any([*named, *(field.data for field in self.players())]):
            return [self.how_many.label]
        each = [field.data or field.label.text for field in self.players()]
        if self.how_many.sides != 2:
            return [join_names(each)]
        return [team or join_names(side) for team, side in zip(named, self.sides_of(each), strict=True)]

    def draws_others(self, option: contract.OptionDescription) -> bool:
        """Return whether other options are offered or not by the value of this one."""
        return any(option["id"] in other.get("needs", {}) for other in self.rule_set["options"])

    def _options(self) -> Iterator[tuple[contract.OptionDescription, Field]]:
        for option in self.rule_set["options"]:
            if OPTION + option["id"] in self:
                yield option, self[OPTION + option["id"]]

    def chosen(self) -> contract.Options:
        """Return the options that the form has, in the engine's types; None for what no form of ours offers."""
        values: contract.Options = {}
        for option in self.rule_set["options"]:
            field = self._fields.get(OPTION + option["id"])
            if field is not None:
                values[option["id"]] = _read_choice(field.data) if isinstance(field, SelectField) else field.data
            if field is not None and (own := self._own_value(option)):
                values[option["id"]] = own
        for id, goals in ends_named(self.rule_set).items():
            values[id] = next((goal for goal in goals if values.get(goal) is not None), "manual")
        return values

    def _own_value(self, option: contract.OptionDescription) -> contract.OptionValue | None:
        """Return what was tapped and written of an option instead of a listed value; None where nothing was."""
        written = self._fields.get(OPTION + option["id"] + OWN)
        own: dict[str, Any] | None = None
        if written is not None and written.data:
            own = {**read_own(written.data)}
        worths, ticked = self.worth_fields(option), self.round_fields(option)
        if worths and (own is None or "extra" not in own):
            others = {rank: {str(worth): worth for worth in rules.WORTHS[rank][1:]} for rank, _field in worths}
            tapped = {rank: others[rank][field.data] for rank, field in worths if field.data in others[rank]}
            return {**tapped, **(own or {})} or None
        if ticked and (own is None or "extra" in own):
            named = [name for name, field in ticked if field.data]
            more = (own or {}).get("extra", [])
            return {"extra": [*named, *(name for name in more if name.lower() not in named)]} if named or more else None
        return own

    def worth_fields(self, option: contract.OptionDescription) -> list[tuple[str, Field]]:
        """Return the fields in which the worth of a card is tapped, by its rank; none where an option has no such."""
        return [(rank, self[WORTH + rank]) for rank in _offered_worths(option) if WORTH + rank in self]

    def round_fields(self, option: contract.OptionDescription) -> list[tuple[str, Field]]:
        """Return the fields in which extra rounds are ticked, by their names; none where an option has no such."""
        offered = enumerate(_offered_rounds(option))
        return [(name, self[f"{EXTRA}{place}"]) for place, name in offered if f"{EXTRA}{place}" in self]

    def suggested(self, field: Field) -> list[int]:
        """Return the numbers that a number's field offers to tap; none where there is nothing to choose."""
        option = next(option for option, its in self._options() if its is field)
        before = rules.form_values(self.rule_set["id"], self.played_as).get(option["id"])
        numbers = {each for each in (*option["values"], before) if isinstance(each, int)}
        return sorted(numbers) if len(numbers) > 1 else []

    def sides_of(self, numbers: list[Seated]) -> list[list[Seated]]:
        """Deal the players' numbers out to the sides: partners sit opposite."""
        return [numbers[side :: self.how_many.sides] for side in range(self.how_many.sides)]

    def validate(self, extra_validators: Any = None) -> bool:
        """Check the fields, that so many can play, that nobody sits on two chairs, and that the match has one end."""
        valid: bool = super().validate(extra_validators)
        if self.asked_shape != self.how_many.id:
            name = preset_name(self.rule_set, self.played_as)
            numbers = " · ".join(line_up.label for line_up in line_ups(self.rule_set, self.played_as))
            self.shape.errors = [_("%(name)s is played by: %(numbers)s.", name=name, numbers=numbers)]
            valid = False
        if self.rule_set["family"] == "free" and all(field.data is not None for field in self.ends()):
            last = self.ends()[-1]
            last.errors = [*last.errors, _("A match ends at a number of points or of rounds: leave one of them empty.")]
            valid = False
        valid = check_own_rows(self) and valid
        one_of_players = _("Two players have this name. Add an initial, so that the sheet says who is who.")
        valid = names_differ(self.players(), one_of_players) and valid
        return names_differ(self.teams(), _("Two teams have this name: give one of them another.")) and valid


def names_differ(fields: list[Field], refusal: str) -> bool:
    """Refuse a name that an earlier field has already, beside its field; return whether there is none."""
    seen: set[str] = set()
    valid = True
    for field in fields:
        name = names.same(field.data or "")
        if name and name in seen:
            field.errors = [*field.errors, refusal]
            valid = False
        seen.add(name)
    return valid


class TableForm(MatchForm):
    """A new table with its first match."""

    table_name = StringField(filters=[trimmed], validators=[Optional(), visible, Length(max=NAME_LENGTH)])


def group_titles() -> dict[str, str]:
    """Return the groups of house rules in the order in which they are shown, each with its title."""
    return {
        "cards": _("The cards and the deal"),
        "taking": _("Taking cards"),
        "points": _("What scores"),
        "end": _("Ties and the end"),
    }


def ends_named(game: Game) -> dict[str, list[str]]:
    """Return the options that only name which goal ends the match, each with the goals that it can name."""
    goals = [option["id"] for option in game["options"] if option["group"] == "goal"]
    derived = [option for option in game["options"] if option["group"] == "derived"]
    named = {option["id"]: [goal for goal in goals if goal in option["values"]] for option in derived}
    return {id: goals for id, goals in named.items() if goals}


def option_values(game: Game, preset: str) -> contract.Options:
    """Return every option's value under a preset."""
    defaults = {option["id"]: option["default"] for option in game["options"]}
    return {**defaults, **game["presets"].get(preset, {})}


def _offered_worths(option: contract.OptionDescription) -> list[str]:
    """Return the ranks whose worth can be tapped, where an option is a table of what cards are worth."""
    is_of_cards = option["table"] and option["group"] != "goal"
    return [rank for rank, worths in rules.WORTHS.items() if len(worths) > 1] if is_of_cards else []


def _offered_rounds(option: contract.OptionDescription) -> list[str]:
    """Return the names of extra rounds that can be ticked, where an option may name such."""
    return [*rules.NAMED_ROUNDS] if option["table"] and option["group"] == "goal" else []


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
    possible = line_ups(game, preset)
    asked_shape = str(asked.get("shape") or "")
    shape = nearest(asked_shape, possible)
    values = {**option_values(game, preset), **rules.form_values(game["id"], preset)}
    is_drawn_for = (asked.get("drawn_game", game["id"]), asked.get("drawn_preset", preset)) == (game["id"], preset)
    offered_options = offered_in(game, preset, shape, asked if is_drawn_for else {})
    most_rounds = rules.most_rounds(game["id"], shape.players)
    if most_rounds is not None:
        values = {**values, "rounds": most_rounds}
    fields = {**player_fields(shape), **_team_fields(shape), **_option_fields(game, offered_options, values)}
    if most_rounds is not None:
        # Rounds after the last that the cards carry cannot be played.
        fields = {name: field for name, field in fields.items() if not name.startswith(EXTRA) or name.endswith(OWN)}
    fields.update(own_line_fields())
    if data is not None:
        played = (former or {}).get(OWN_PLAYED)
        data = with_own_of_game(data, game["id"], played if isinstance(played, dict) else {})
    if data is not None and most_rounds is not None:
        data = _with_fewer_rounds(data, most_rounds)
    if data is not None:
        has_field = {name: value for name, value in values.items() if OPTION + name in fields}
        data = _with_changes(data, game, preset, shape, has_field)
    begins = {"first_dealer": 0, "halves": rules.is_said_in_halves(game["id"], preset)}
    filled = {**begins, **(former or {}), "game": game["id"], "preset": preset, "shape": shape.id}
    form = build_form(base, fields, data, filled)
    form.rule_set, form.how_many, form.asked_shape, form.played_as = game, shape, asked_shape, preset
    form.spare, form.fewer_rounds = spare_names(data, fields), most_rounds is not None
    form.game.choices = choices((id, pick(known["names"])) for id, known in offered.items())
    form.preset.choices = choices((id, preset_name(game, id)) for id in game["presets"])
    form.shape.choices = choices((line_up.id, line_up.label) for line_up in possible)
    form.first_dealer.choices = choices(
        (seat, field.data or _("Player %(number)d", number=seat + 1)) for seat, field in enumerate(form.players())
    )
    return form


def _with_fewer_rounds(posted: MultiDict[str, str], most: int) -> MultiDict[str, str]:
    """Return what was posted, with no more rounds than the cards carry for so many players."""
    data = MultiDict(posted)
    asked = _read_choice(data.get(OPTION + "rounds"))
    if isinstance(asked, int) and asked > most:
        data[OPTION + "rounds"] = json.dumps(most)
    return data


def player_fields(shape: LineUp) -> dict[str, Field]:
    """Return a field for the name of each player."""
    return {
        f"{PLAYER}{seat}": StringField(
            _("Player %(number)d", number=seat + 1),
            filters=[trimmed],
            validators=[InputRequired(_("Who sits here?")), visible, not_blank, Length(max=NAME_LENGTH)],
        )
        for seat in range(shape.players)
    }


def _team_fields(shape: LineUp) -> dict[str, Field]:
    """Return a field for the name of each team."""
    return {
        f"{TEAM}{place}": StringField(
            _("Name of team %(number)d", number=place + 1),
            filters=[trimmed],
            validators=[Optional(), visible, Length(max=NAME_LENGTH)],
        )
        for place in range(shape.sides if shape.per_side > 1 else 0)
    }


def spare_names(data: MultiDict[str, str] | None, fields: Mapping[str, Field]) -> dict[str, str]:
    """Return the names that were typed at seats without a field."""
    seats = (f"{PLAYER}{seat}" for seat in range(_most_players()))
    typed = {name: data.get(name, "")[:NAME_LENGTH] for name in seats if name not in fields} if data else {}
    return {name: words for name, words in typed.items() if words}


@lru_cache(maxsize=1)
def _most_players() -> int:
    """Return how many sit at the largest table of any game."""
    return max(seat["sides"] * seat["players_per_side"] for game in games().values() for seat in game["seats"])


def _option_fields(game: Game, offered: Collection[str], values: contract.Options) -> dict[str, Field]:
    """Return a field for each option offered, and a second one where a table may write a value of its own."""
    fields: dict[str, Field] = {}
    for option in game["options"]:
        if option["group"] == "derived" or option["id"] not in offered:
            continue
        fields[OPTION + option["id"]] = option_field(option, values[option["id"]])
        if option["table"]:
            hint = _("names, with commas between them") if option["group"] == "goal" else _("A 15, X 20 …")
            fields[OPTION + option["id"] + OWN] = StringField(
                hint, filters=[trimmed], validators=[Optional(), visible, Length(max=200)]
            )
            fields |= _offered_fields(option)
    return fields


def _offered_fields(option: contract.OptionDescription) -> dict[str, Field]:
    """Return the fields of what is offered to tap beside the text of a table's own value."""
    fields: dict[str, Field] = {}
    for rank in _offered_worths(option):
        usual = rules.WORTHS[rank][0]
        worths = choices((str(worth), str(worth)) for worth in sorted(rules.WORTHS[rank]))
        label = _("A joker costs") if rank == "X" else _("An ace costs")
        fields[WORTH + rank] = RadioField(label, choices=worths, default=str(usual))
    for place, name in enumerate(_offered_rounds(option)):
        fields[f"{EXTRA}{place}"] = BooleanField(upper_first(round_name(name)))
    return fields


def _with_changes(
    posted: MultiDict[str, str], game: Game, preset: str, shape: LineUp, values: contract.Options
) -> MultiDict[str, str]:
    """Return what was posted, with the options of a game or preset that was just chosen in place of the last one's."""
    data = MultiDict(posted)
    data.setlist("shape", [shape.id])
    if data.get("drawn_game") != game["id"]:
        # Another game was chosen: what it does not know of the last one is replaced. Otherwise it is an error.
        data.setlist("preset", [preset])
    if (data.get("drawn_game"), data.get("drawn_preset")) != (game["id"], preset):
        for name in [name for name in data if name.startswith(OPTION)]:
            data.poplist(name)
        for name, value in values.items():
            if value is not None and value is not False:
                data[OPTION + name] = json.dumps(value)
        if rules.is_said_in_halves(game["id"], preset):
            data["halves"] = "y"
        elif rules.is_said_in_halves(data.get("drawn_game", ""), data.get("drawn_preset", "")):
            data.poplist("halves")
    return data


def offered_in(game: Game, preset: str, shape: LineUp, asked: Mapping[str, object]) -> set[str]:
    """Return the options that decide something under a preset, between so many, beside the others that are ``asked``.

    An option that is not offered has its usual value, whatever was asked.
    """
    offered: set[str] = set()
    values = option_values(game, preset)
    for option in game["options"]:
        if not _decides_something(option, preset, shape, values):
            continue
        offered.add(option["id"])
        written = asked.get(OPTION + option["id"])
        if option["type"] == "choice" and isinstance(written, str):
            chosen = _read_choice(written)
            values[option["id"]] = chosen if chosen in option["values"] else values[option["id"]]
    return offered


def _decides_something(
    option: contract.OptionDescription, preset: str, shape: LineUp, values: contract.Options
) -> bool:
    return (
        preset in option.get("presets", [preset])
        and preset in option.get("concerns", [preset])
        and shape.sides in option.get("sides", [shape.sides])
        and shape.players in option.get("players", [shape.players])
        and all(values[id] in needed for id, needed in option.get("needs", {}).items())
    )


def _is_end(option: contract.OptionDescription) -> bool:
    """Return whether an option is a number at which the match ends."""
    return option["group"] == "goal" and option["type"] == "int"


def option_field(option: contract.OptionDescription, default: contract.OptionValue) -> Field:
    """Return the field of an option: a list, a number or a tick."""
    label = pick(option["label"])
    if option["type"] == "bool":
        return BooleanField(label, default=default)
    if option["type"] == "int":
        return _number_field(label, default, option["minimum"])
    usual = _("usual")
    values = choices(
        (json.dumps(value), f"{pick(option['value_labels'][str(value)])}{f' · {usual}' if value == default else ''}")
        for value in option["values"]
    )
    return SelectField(label, choices=values, default=json.dumps(default))


def _number_field(label: str, default: contract.OptionValue, minimum: int) -> Field:
    """Return the field of a number. A refusal says which numbers there are."""
    if minimum == 1:
        wrong = _("A number greater than zero.")
    elif minimum > -LARGEST_POINTS:
        wrong = _("A number from %(minimum)d on.", minimum=minimum)
    else:
        wrong = _("A whole number.")
    least = NumberRange(min=max(minimum, -LARGEST_POINTS), message=wrong)
    most = NumberRange(max=LARGEST_POINTS, message=_("A number up to %(most)d.", most=LARGEST_POINTS))
    return IntegerField(label, default=default, invalid_value_message=wrong, validators=[Optional(), least, most])


def read_own(text: str) -> contract.CardValues | contract.ExtraRounds:
    """Read what a table wrote by itself: values by card ("A 15, X 20"), else the names of extra rounds."""
    parts = [part.replace("=", " ").split() for part in text.split(",") if part.strip()]
    if all(len(part) == 2 and part[1].isascii() and part[1].isdigit() for part in parts):
        return {card.upper(): int(worth) for card, worth in parts}
    return {"extra": [" ".join(part) for part in parts]}


def write_own(value: Mapping[str, Any]) -> dict[str, object]:
    """Return the fields, by what comes behind the option's name, that say a table's own value as ``read_own`` reads it.

    What can be tapped is in its own fields; of what cards are worth, only what is not usual is written.
    """
    fields: dict[str, object] = {}
    if "extra" in value:
        written = []
        offered = [*rules.NAMED_ROUNDS]
        for name in value["extra"]:
            if name.lower() in offered:
                fields[f"-{offered.index(name.lower())}"] = True
            else:
                written.append(name)
        return {**fields, OWN: ", ".join(written)}
    written = []
    for rank, worth in value.items():
        offered_worths = rules.WORTHS.get(rank, ())
        if len(offered_worths) > 1 and worth in offered_worths:
            fields[f"-{rank}"] = str(worth)
        elif worth not in offered_worths[:1]:
            written.append(f"{rank} {worth}")
    return {**fields, OWN: ", ".join(written)}


def _all_options(setup: Setup) -> contract.Options:
    """Return the options of a set-up; one that came after it was stored has its default."""
    game = games()[setup.game]
    preset = setup.preset if setup.preset in game["presets"] else game["default_preset"]
    return {**option_values(game, preset), **setup.options}


def of_former(setup: Setup, players: Mapping[int, str], first_dealer: int) -> dict[str, object]:
    """Return what a new match of the same people starts from."""
    filled: dict[str, object] = {
        "game": setup.game,
        "preset": setup.preset or "",
        "shape": LineUp(len(setup.sides), setup.players_per_side).id,
        "first_dealer": first_dealer,
        "rules_name": trimmed(setup.rules_name) or "",
        "game_name": trimmed(setup.game_name) or "",
        "halves": setup.halves,
    }
    for seat, number in enumerate(setup.seats):
        filled[f"{PLAYER}{seat}"] = players[number]
    for place, side in enumerate(setup.sides):
        filled[f"{TEAM}{place}"] = side.name or ""
    filled.update(filled_own(setup.own_lines))
    for id, value in _all_options(setup).items():
        option = next((known for known in games()[setup.game]["options"] if known["id"] == id), None)
        if isinstance(value, dict):
            filled |= {OPTION + id + behind: told for behind, told in write_own(value).items()}
            continue
        filled[OPTION + id] = json.dumps(value) if option and option["type"] == "choice" else value
    return filled


def form_of_rules(setup: Setup, names: Mapping[int, str], data: MultiDict[str, str] | None) -> MatchForm:
    """Return the form of the options of a match that is being played; who plays what with whom stays as it is."""
    preset = setup.preset or games()[setup.game]["default_preset"]
    former = {**of_former(setup, names, 0), "preset": preset}
    if data is None:
        return match_form(MatchForm, None, former)
    posted = MultiDict((name, value) for name, value in data.items(multi=True) if not name.startswith(OF_PEOPLE))
    stays = {name: value for name, value in former.items() if not name.startswith(OPTION)}
    drawn = {"drawn_game": setup.game, "drawn_preset": preset}
    for name, value in {**stays, **drawn}.items():
        posted.setlist(name, [str(value)])
    return match_form(MatchForm, posted, former)


def changed_options(setup: Setup, form: MatchForm, agreed: contract.Options) -> contract.Options:
    """Return the options of a form that are other than in a set-up, of those that the form has fields for."""
    asked = {*(id for id in agreed if OPTION + id in form), *ends_named(form.rule_set)}
    played = _all_options(setup)
    return {id: value for id, value in agreed.items() if id in asked and value != played.get(id)}


def agree(form: MatchForm) -> contract.Options | None:
    """Return every option resolved, or None with the reasons beside the fields."""
    if not form.validate_on_submit():
        return None
    shape = form.how_many
    request: contract.TableRequest = {
        "game": form.game.data,
        "preset": form.preset.data or None,
        "options": {id: value for id, value in form.chosen().items() if value is not None},
        "sides": [chr(ord("A") + side) for side in range(shape.sides)],
        "players_per_side": shape.per_side,
        "own_lines": own_lines(form),
    }
    try:
        options, found = rules.agree(request)
        problems = found.as_json()
    except rules.Malformed as malformed:
        options, problems = None, malformed.problems
    if options is not None:
        return options
    for problem in problems:
        where = problem["where"]
        name = OPTION + where.removeprefix("options.").split(".")[0]
        field = own_field_at(form, where) if where.startswith("own_lines") else form[name if name in form else "game"]
        field.errors = [*field.errors, in_words(problem) or _("This cannot be.")]
    return None


def explain_refusal(form: MatchForm, refused: Full | Stale) -> None:
    """Write into the form why nothing was started; what was typed stays. One used before goes on as a new form."""
    if isinstance(refused, Full):
        form.id.errors = [full_words(refused)]
        return
    form.id.data = new_id()
    form.id.errors = [_("This form was saved before, with something else in it. Save again to start a match with it.")]


def write_match(
    table: Table, form: MatchForm, options: contract.Options, entry_id: str | None = None, **written_by: Any
) -> Match:
    """Seat the players and start the match; call inside ``writing()``. The same form starts it once.

    Raises ``Full``, or ``Stale`` where the form's id was used before for something else.
    """
    numbers = commands.seat_players(table, [field.data for field in form.players()])
    agreed = Setup(
        game=form.game.data,
        preset=form.preset.data or None,
        options=options,
        sides=sides_of(form.sides_of(numbers), [field.data for field in form.teams()]),
        first_dealer=form.first_dealer.data,
        rules_name=form.rules_name.data or None,
        game_name=form.game_name.data or None if form.rule_set["family"] == "free" else None,
        halves=form.rule_set["family"] == "free" and form.halves.data,
        own_lines=tuple(own_lines(form)),
    )
    begins: dict[str, Any] = {"best_of_three": form.best_of_three.data, "language": chosen_language()}
    return commands.start_match(table, entry_id or form.id.data, agreed, **begins, **written_by)
