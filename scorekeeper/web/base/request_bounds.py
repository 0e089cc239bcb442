"""Bounds on every request before a page reads it: lengths, numbers, and characters that no database stores."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from flask import Flask, abort, request
from flask_babel import gettext as _
from werkzeug.routing import IntegerConverter, Map
from wtforms import IntegerField, SelectMultipleField
from wtforms.validators import ValidationError

from ...limits import ADDRESS_BYTES, FIELD_VALUES, FORM_FIELDS, FORM_VALUES, LARGEST_ID

_NUL = re.compile(rb"\0|%00")
CLEANED = re.compile(r"player-[0-9]+|(table_|rules_)?name|opt-.+-own|link")
"""Fields that are cleaned of invisible characters, or searched only for a link."""
_DIGITS = re.compile(r"[0-9]{1,10}")


class Number(IntegerConverter):
    """A number in an address; a number too large for a column matches no address."""

    regex = "[0-9]{1,10}"

    def __init__(self, map: Map, **bounds: Any) -> None:
        super().__init__(map, **{"max": LARGEST_ID, **bounds})


def whole_number(text: str) -> int | None:
    """Return the number in a text; None if it is no number, or too large for a column."""
    number = int(text) if _DIGITS.fullmatch(text) else None
    return number if number is not None and number <= LARGEST_ID else None


def number_in(values: Mapping[str, str], name: str) -> int | None:
    """Return a number of an address or a form, None if it is missing; anything else is a 400."""
    text = values.get(name)
    if text is None:
        return None
    number = whole_number(text)
    if number is None:
        abort(400, description=_("A whole number, please."))
    return number


class NumberField(IntegerField):  # type: ignore[misc]
    """A number that a column can hold; a larger number counts as missing, so that no page looks anything up by it."""

    def process_formdata(self, valuelist: list[str]) -> None:
        """Read what was typed. Raises ``ValueError``, which the form shows beside the field."""
        if valuelist:
            self.data = whole_number(valuelist[0])
            if self.data is None:
                raise ValueError(_("A whole number, please."))


class SeveralField(SelectMultipleField):  # type: ignore[misc]
    """Several of the choices; a form with more choices than a deal can hold is not ours."""

    is_too_much = False

    def process_formdata(self, valuelist: list[str]) -> None:
        """Read what was ticked; of too many values only one more than allowed, which is enough to refuse them."""
        most = max(len(self.choices or ()), FORM_VALUES)
        super().process_formdata(valuelist[: most + 1])
        self.is_too_much = len(valuelist) > most

    def pre_validate(self, form: Any) -> None:
        """Refuse too many values, and values that are no choice."""
        if self.is_too_much:
            raise ValidationError(_("This is more than a card table needs. Send less."))
        super().pre_validate(form)


def init_request_bounds(app: Flask) -> None:
    """Bound every number in an address; refuse what is too long or has characters that no database stores."""
    app.url_map.converters["int"] = Number

    @app.before_request
    def refuse() -> None:
        query = request.query_string
        if len(query) + len(request.path) > ADDRESS_BYTES:
            abort(414)
        if "\0" in request.path:
            abort(404)
        if _NUL.search(query):
            abort(400)
        # The API reads its body itself, of any content type.
        if request.method == "POST" and not request.path.startswith("/api/"):
            posted = list(request.form.items(multi=True))
            most = max((len(values) for _name, values in request.form.lists()), default=0)
            if len(posted) > FORM_FIELDS or most > FIELD_VALUES:
                abort(413)
            if any("\0" in name or ("\0" in value and not CLEANED.fullmatch(name)) for name, value in posted):
                abort(400)
