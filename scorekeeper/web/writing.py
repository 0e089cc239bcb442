"""From a posted form to the journal: the id and the version that every form carries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import uuid4

from flask_wtf import FlaskForm
from wtforms import HiddenField, IntegerField, ValidationError
from wtforms.fields.choices import SelectChoice
from wtforms.validators import InputRequired
from wtforms.widgets import HiddenInput

from ..store.journal import is_entry_id


def choices(pairs: Iterable[tuple[Any, str]]) -> list[SelectChoice]:
    """Return the choices of a field from values and their words."""
    return [SelectChoice(value, words) for value, words in pairs]


def new_id() -> str:
    """Return a fresh entry id."""
    return str(uuid4())


class EntryForm(FlaskForm):  # type: ignore[misc]
    """A form that writes an entry. Its ``id`` is made when it is drawn, so that posting it twice writes once."""

    id = HiddenField(default=new_id, validators=[InputRequired()])

    def validate_id(self, field: HiddenField) -> None:
        """Take a UUID and nothing else."""
        if not is_entry_id(field.data or ""):
            raise ValidationError("This form is damaged: load the page again.")


class VersionedForm(EntryForm):
    """An entry form that must not overwrite what someone else wrote after it was drawn (``seq``)."""

    seq = IntegerField(widget=HiddenInput(), validators=[InputRequired()])
