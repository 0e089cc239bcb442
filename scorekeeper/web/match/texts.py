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
    """Return one sentence: who won and, where it was at once, why; that the match was stopped; or who deals next."""
    standing = match.standing
    if standing.winners:
        names = len(standing.winners) * match.setup.players_per_side
        sentence = ngettext("%(names)s wins", "%(names)s win", names, names=match.winners())
        reason = _reason_at_once(match)
        return f"{sentence}: {reason}" if reason else sentence
    if standing.is_over:
        return _("The match was stopped")
    return _("Next deal: %(name)s deals", name=match.dealer(match.deal))


def _reason_at_once(match: MatchView) -> str:
    """Return why a match was won at once, whatever the totals; "" where it was won by points."""
    if match.result["reason"] == "cappotto":
        return str(_("all ten coins"))
    if match.result["reason"] != "no_capture":
        return ""
    loser = match.standing.sheets[-1][1]["match"]["lost_by"]
    return str(_("%(name)s captured nothing", name=match.sides.get(loser or "", "")))


def won_at_once(match: MatchView, sheet: contract.Scored) -> str:
    """Return the sentence about a deal that won or lost the whole match, whatever the totals; "" for any other."""
    end = sheet["match"]
    if end["won_by"] is not None:
        return str(_("%(name)s has all ten coins: that wins the match at once.", name=match.sides[end["won_by"]]))
    if end["lost_by"] is not None:
        return str(_("%(name)s captured nothing: that loses the match at once.", name=match.sides[end["lost_by"]]))
    return ""
