"""From a posted form to the journal: the id and the version that every form carries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, NoReturn, TypeVar
from uuid import uuid4

from babel.support import NullTranslations, Translations
from flask import abort, g, has_request_context
from flask_babel import get_locale
from flask_babel import gettext as _
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict
from wtforms import Field, HiddenField, ValidationError
from wtforms.fields.choices import SelectChoice
from wtforms.fields.core import UnboundField
from wtforms.i18n import messages_path
from wtforms.validators import InputRequired, StopValidation
from wtforms.widgets import HiddenInput

from ... import names
from ...limits import TYPED_NAME
from ...store.journal.entries import is_entry_id
from .request_bounds import NumberField


def choices(pairs: Iterable[tuple[Any, str]]) -> list[SelectChoice]:
    """Return the choices of a field from values and their words."""
    return [SelectChoice(value, words) for value, words in pairs]


def new_id() -> str:
    """Return a fresh entry id."""
    return str(uuid4())


def id_in_use() -> str | None:
    """Return the placeholder of an id, while a part is drawn for the page cache; else None."""
    return g.get("id_in_use") if has_request_context() else None


@lru_cache
def words_of_checks(language: str) -> NullTranslations:
    """Return WTForms' translations for a language."""
    return Translations.load(messages_path(), [language], "wtforms")


class EntryForm(FlaskForm):  # type: ignore[misc]
    """A form that writes an entry. Its ``id`` is made when it is drawn, so that posting it twice writes once."""

    class Meta:
        """The translations of WTForms' own checks."""

        def get_translations(self, _form: Any) -> NullTranslations:
            """Return the translations in the reader's language; Flask-WTF would read its file again for every page."""
            return words_of_checks(str(get_locale() or "en").split("_")[0])

    id = HiddenField(default=lambda: id_in_use() or new_id(), validators=[InputRequired()])

    def validate_id(self, field: HiddenField) -> None:
        """Accept a UUID and nothing else."""
        if not is_entry_id(field.data or ""):
            raise ValidationError("This form is damaged: load the page again.")


def damaged() -> NoReturn:
    """Answer 400 to a form that no page of ours has drawn."""
    abort(400, description=_("This form is damaged: load the page again."))


def pressed_button() -> EntryForm:
    """Return the form of a button that was pressed; a damaged one is a 400."""
    form = EntryForm()
    if not form.validate_on_submit():
        damaged()
    return form


FormOf = TypeVar("FormOf", bound=EntryForm)


def build_form(
    base: type[FormOf],
    fields: Mapping[str, UnboundField],
    posted: MultiDict[str, str] | None,
    filled: Mapping[str, Any] | None = None,
) -> FormOf:
    """Return a form of the class ``base`` with more fields: with what was posted, or filled as ``filled`` says.

    The game decides which fields its forms have, so they cannot be declared in a class.
    """
    return form_class(base, fields)(formdata=posted, data=filled)


def form_class(base: type[FormOf], fields: Mapping[str, UnboundField]) -> type[FormOf]:
    """Return the class of forms of the class ``base`` with more fields, for many forms of one kind."""
    return type(base.__name__, (base,), dict(fields))


class VersionedForm(EntryForm):
    """An entry form that must not overwrite what someone else wrote after it was drawn (``seq``)."""

    seq = NumberField(widget=HiddenInput(), validators=[InputRequired()])

    def go_on_from(self, seq: int) -> None:
        """Change the form into that of a new entry, written after the entries up to ``seq`` were seen."""
        self.id.data, self.seq.data, self.seq.raw_data = new_id(), seq, None


def trimmed(text: str | None) -> str | None:
    """Return a typed name with single blanks, without invisible characters."""
    return names.clean(text) if text and len(text) <= TYPED_NAME else text


def visible(_form: Any, field: Field) -> None:
    """Refuse a name without any visible character. A blank name passes here; ``not_blank`` refuses it."""
    typed = "".join(field.raw_data or ()).strip()
    if typed and not names.is_visible(field.data or ""):
        raise StopValidation(_("Nothing of this name can be seen: use letters."))


def not_blank(_form: Any, field: Field) -> None:
    """Refuse a name of blanks, which names nobody."""
    if not field.data:
        raise ValidationError(_("Who sits here?"))
