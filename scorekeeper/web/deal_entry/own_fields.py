"""The fields of a closing form for the lines of the table's own, in every family of games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from flask_babel import gettext as _
from wtforms import Field, Form, IntegerField
from wtforms.validators import NumberRange, Optional

from ...limits import OWN_COUNT
from ...rules import contract
from ..match.view import MatchView
from ..words.names import own_name
from .fact_fields import FactField, choice_field

NOBODY = "nobody"
"""The value of a field by which nobody made a line."""


@dataclass(frozen=True)
class OwnRow:
    """A line of the table's own as a form asks for it: one field where one side takes it, else one for each side."""

    item: contract.ItemId
    name: str
    points: int
    fields: dict[str, Field] = field(default_factory=dict)
    """The fields of the sides by label; where one side takes it, its only field under ""."""

    @property
    def is_counted(self) -> bool:
        """True if each side has a number of its own."""
        return "" not in self.fields


def own_fields(match: MatchView, *, is_grid: bool = False) -> Iterator[FactField]:
    """Return the fields of all lines of the table's own; a winner grid has those that one side takes among its rows."""
    labels = match.setup.labels
    for line in match.own_lines:
        if line.how == "count":
            for label in labels:
                yield FactField(_count_field(line.id, label), ("own", line.id, label), _number())
        elif not is_grid:
            takers = choice_field((value, value) for value in ("", *labels, NOBODY))
            yield FactField(f"award-{line.id}", ("awards", line.id), takers, _taker, _written_taker)


def own_rows(match: MatchView, form: Form) -> list[OwnRow]:
    """Return the rows of the lines of the table's own that a form asks for beside its winner grid, in their order."""
    rows = []
    for line in match.own_lines:
        counted = line.how == "count"
        names = (
            {label: _count_field(line.id, label) for label in match.setup.labels}
            if counted
            else {"": f"award-{line.id}"}
        )
        if all(name in form for name in names.values()):
            fields = {label: form[name] for label, name in names.items()}
            rows.append(OwnRow(line.id, own_name(line.name), line.points, fields))
    return rows


def _count_field(item: contract.ItemId, label: contract.Side) -> str:
    return f"{item}-{label}"


def _number() -> IntegerField:
    return IntegerField(
        validators=[Optional(), NumberRange(0, OWN_COUNT, _("A whole number from 0 to %(most)d.", most=OWN_COUNT))]
    )


def _taker(written: str) -> str | None:
    return None if written == NOBODY else written


def _written_taker(taker: str | None) -> str:
    return NOBODY if taker is None else taker
