"""A deal or a match as short lines of plain text, to be sent in a chat."""

from __future__ import annotations

from flask import render_template
from flask_babel import gettext as _
from flask_babel import ngettext

from ...rules import contract
from ...store.journal import DealState
from .view import MatchView


def deal_text(match: MatchView, deal: DealState, sheet: contract.Scored) -> str:
    """Return a closed deal as short lines of plain text, without any link."""
    is_last = deal.number == match.standing.sheets[-1][0].number
    return render_template("sharing/deal.txt", match=match, deal=deal, sheet=sheet, is_last=is_last).strip()


def match_text(match: MatchView) -> str:
    """Return a match as short lines of plain text, without any link."""
    return render_template("sharing/match.txt", match=match).strip()


def outcome(match: MatchView) -> str:
    """Return one sentence: who won, that the match was stopped, or who deals next."""
    standing = match.standing
    if standing.winners:
        names = len(standing.winners) * match.setup.players_per_side
        return ngettext("%(names)s wins", "%(names)s win", names, names=match.winners())
    if standing.is_over:
        return _("The match was stopped")
    return _("Next deal: %(name)s deals", name=match.dealer(match.deal))
