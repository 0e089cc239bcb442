"""A deal or a match as short lines of plain text, to be handed on."""

from __future__ import annotations

from typing import Any

from flask import render_template
from flask_babel import gettext as _
from flask_babel import ngettext

from ...store.journal import DealState
from .view import MatchView


def deal_text(view: MatchView, deal: DealState, sheet: dict[str, Any]) -> str:
    """Tell a closed deal in short lines of plain text; no link is in it."""
    is_last = deal.number == view.standing.sheets[-1][0].number
    return render_template("sharing/deal.txt", m=view, deal=deal, sheet=sheet, is_last=is_last).strip()


def match_text(view: MatchView) -> str:
    """Tell a match in short lines of plain text; no link is in it."""
    return render_template("sharing/match.txt", m=view).strip()


def outcome(view: MatchView) -> str:
    """Say in one sentence who won, or who deals next."""
    standing = view.standing
    if standing.winners:
        names = len(standing.winners) * view.setup.players_per_side
        return ngettext("%(names)s wins", "%(names)s win", names, names=view.winners())
    if standing.is_over:
        return _("The match was stopped")
    return _("Next deal: %(name)s deals", name=view.dealer(view.deal))
