"""The lines of the table's own in the form of a new match: a row of name, points and how it is made for each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict
from wtforms import Field, Form, IntegerField, RadioField, StringField
from wtforms.validators import Length, NumberRange, Optional

from ...limits import OWN_LINES, OWN_NAME_LETTERS, OWN_POINTS, OWN_SPARE_LENGTH
from ...rules import contract
from ..base.entry_form import choices, trimmed, visible
from ..words.names import games
from ..words.values import signed

NAME, POINTS, HOW = "own_name-", "own_points-", "own_how-"
PARTS = (NAME, POINTS, HOW)
SPARE = "own_spare"
"""The field with what was typed for games that are not chosen any more: it comes back with them."""


class OwnRow(NamedTuple):
    """The fields of one line."""

    name: Field
    points: Field
    how: Field


def how_words() -> dict[contract.OwnLineHow, str]:
    """Return how a line can be made, in words."""
    return {"one": _("one takes it"), "count": _("as many as made")}


def own_line_words(line: contract.OwnLine) -> str:
    """Return what a line is worth and how it is made, "+1, one takes it"."""
    return f"{signed(line['points'])}, {how_words()[line['how']]}"


def own_line_fields() -> dict[str, Field]:
    """Return the fields of all rows; those of a row without a name say nothing."""
    fields: dict[str, Field] = {}
    wrong = _("Points from −%(most)d to %(most)d, but not 0.", most=OWN_POINTS)
    long = _("A name of up to %(most)d letters, please.", most=OWN_NAME_LETTERS)
    for row in range(OWN_LINES):
        fields[f"{NAME}{row}"] = StringField(
            _("Name"), filters=[trimmed], validators=[Optional(), visible, Length(max=OWN_NAME_LETTERS, message=long)]
        )
        fields[f"{POINTS}{row}"] = IntegerField(
            _("Points"),
            invalid_value_message=wrong,
            validators=[Optional(), NumberRange(-OWN_POINTS, OWN_POINTS, wrong)],
        )
        fields[f"{HOW}{row}"] = RadioField(
            _("How it is made"), choices=choices(how_words().items()), default="one", validators=[Optional()]
        )
    return fields


def own_rows(form: Form) -> list[OwnRow]:
    """Return the rows of a form."""
    return [OwnRow(*(form[f"{part}{row}"] for part in PARTS)) for row in range(OWN_LINES)]


def own_lines(form: Form) -> list[contract.OwnLine]:
    """Return the lines that a form names; without a number a line is worth one point."""
    return [
        {
            "name": row.name.data,
            "points": 1 if row.points.data is None else row.points.data,
            "how": row.how.data or "one",
        }
        for row in _named(form)
    ]


def _named(form: Form) -> Iterator[OwnRow]:
    return (row for row in own_rows(form) if row.name.data)


def check_own_rows(form: Form) -> bool:
    """Refuse a row that the checks of its fields let pass and that says nothing: points without a name, or none."""
    wrong = []
    for row in own_rows(form):
        if row.points.data is not None and not row.name.data and not row.name.errors:
            wrong.append((row.name, _("Give this line a name, or leave its points empty.")))
        if row.points.data == 0 and row.name.data:
            wrong.append((row.points, _("Points from −%(most)d to %(most)d, but not 0.", most=OWN_POINTS)))
    for field, words in wrong:
        field.errors = [*field.errors, words]
    return not wrong


def own_field_at(form: Form, where: str) -> Field:
    """Return the field of a problem of the engine, "own_lines[1].name"."""
    place, _bracket, part = where.removeprefix("own_lines[").partition("]")
    rows = list(_named(form))
    row = rows[int(place)] if place.isdecimal() and int(place) < len(rows) else own_rows(form)[0]
    return {".points": row.points, ".how": row.how}.get(part, row.name)


def filled_own(lines: Iterable[contract.OwnLine]) -> dict[str, object]:
    """Return what the fields of a form start from where a match has these lines."""
    filled: dict[str, object] = {}
    for row, line in enumerate(lines):
        filled.update({f"{NAME}{row}": line["name"], f"{POINTS}{row}": line["points"], f"{HOW}{row}": line["how"]})
    return filled


def with_own_of_game(
    posted: MultiDict[str, str], game: str, played: Mapping[str, Sequence[contract.OwnLine]]
) -> MultiDict[str, str]:
    """Return what was posted with the lines of the game that is chosen now, where it was drawn for another.

    They are those typed for it before, else those of its last match at the table, ``played``.
    """
    drawn = posted.get("drawn_game", game)
    if drawn == game:
        return posted
    data = MultiDict(posted)
    spare = _spare_in(data.get(SPARE, ""))
    spare[drawn] = [[data.get(f"{part}{row}", "")[:OWN_SPARE_LENGTH] for part in PARTS] for row in range(OWN_LINES)]
    usual = filled_own(played.get(game, ()))
    rows = spare.pop(game, None) or [[str(usual.get(f"{part}{row}", "")) for part in PARTS] for row in range(OWN_LINES)]
    for row, typed in enumerate(rows):
        for part, words in zip(PARTS, typed, strict=True):
            data.setlist(f"{part}{row}", [words])
    data.setlist(SPARE, [json.dumps(spare)])
    return data


def _spare_in(text: str) -> dict[str, list[list[str]]]:
    """Return the rows typed for other games; nothing of what no form of ours carries."""
    try:
        carried: Any = json.loads(text) if text and len(text) <= OWN_SPARE_LENGTH else {}
    except (ValueError, RecursionError):
        carried = {}
    spare = carried.items() if isinstance(carried, dict) else ()
    return {game: rows for game, rows in spare if game in games() and _are_rows(rows)}


def _are_rows(rows: object) -> bool:
    return isinstance(rows, list) and len(rows) == OWN_LINES and all(map(_is_row, rows))


def _is_row(row: object) -> bool:
    return isinstance(row, list) and len(row) == len(PARTS) and all(isinstance(part, str) for part in row)
