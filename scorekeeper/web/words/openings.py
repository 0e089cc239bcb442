"""Names of opening layouts."""

from __future__ import annotations

from flask_babel import gettext as _


def opening_name(told: str) -> str:
    """Return what an opening layout is called."""
    names: dict[str, str] = {
        "15": _("It adds to 15"),
        "30": _("It adds to 30"),
        "flush3": _("Three of one suit"),
        "flush4": _("Four of one suit"),
    }
    return names[told]
