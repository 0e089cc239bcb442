"""Names of opening layouts."""

from __future__ import annotations

from flask_babel import gettext as _


def opening_name(opening: str) -> str:
    """Return an opening layout in words, by its code in ``layout_result``."""
    names: dict[str, str] = {
        "15": _("It adds to 15"),
        "30": _("It adds to 30"),
        "flush3": _("Three of one suit"),
        "flush4": _("Four of one suit"),
    }
    return names[opening]
