"""The language of the reader of a page."""

from __future__ import annotations

from typing import cast

from flask_babel import get_locale

from ...rules import contract


def pick(names: contract.Words) -> str:
    """Return the name in the reader's language, else in English, else in any; "" if there is none."""
    language = cast(contract.Language, str(get_locale() or "en").split("_")[0])
    return names.get(language) or names.get("en") or next(iter(names.values()), "")
