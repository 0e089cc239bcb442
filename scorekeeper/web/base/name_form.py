"""The form of a new name, for a table or a player."""

from __future__ import annotations

from typing import NoReturn

from flask import abort
from flask_babel import gettext as _
from wtforms import StringField
from wtforms.validators import Length

from ...store.models import NAME_LENGTH
from .entry_form import EntryForm, damaged, not_blank, trimmed, visible


class NameForm(EntryForm):
    """A new name for the table or for a player."""

    name = StringField(filters=[trimmed], validators=[visible, not_blank, Length(max=NAME_LENGTH)])

    def faults(self) -> list[str]:
        """Return the errors of the name. Aborts with 400 if the form is damaged."""
        self.check_id()
        return [str(error) for error in self.name.errors]

    def check_id(self) -> None:
        """Abort with 400 if the form is damaged."""
        self.validate()
        if self.id.errors:
            damaged()


def refuse_old_form() -> NoReturn:
    """Abort with 409: the id of the form was used before, for something else."""
    abort(409, description=_("This form was saved before, with something else in it. Load the page again."))
