"""A deal or a match as short lines of plain text, to be sent in a chat."""

from __future__ import annotations

from typing import cast

from flask import render_template
from flask_babel import gettext as _
from flask_babel import ngettext

from ... import rules
from ...rules import contract
from ...store.journal.replay import DealState
from ..words.cards import suit_name
from ..words.marked import ungettext
from ..words.names import Name, in_lines, join_names, people
from .board import Board
from .view import MatchView

PLACE = "\N{OBJECT REPLACEMENT CHARACTER}"
"""The place of the winners' names in a sentence."""


def deal_text(match: MatchView, deal: DealState, sheet: contract.Scored) -> str:
    """Return a closed deal as short lines of plain text, without any link."""
    is_last = deal.number == match.standing.sheets[-1][0].number
    return render_template("sharing/deal.txt", match=match, deal=deal, sheet=sheet, is_last=is_last).strip()


def match_text(match: MatchView) -> str:
    """Return a match as short lines of plain text, without any link."""
    return render_template("sharing/match.txt", match=match).strip()


def outcome(match: MatchView) -> str:
    """Return one sentence: who won and, if it was at once, why; that the match was stopped; or who deals next."""
    if match.standing.winners:
        return winners_of(match).join(around_the_winners(match))
    if match.standing.is_over:
        stopped = _("The match was stopped")
        return _if_it_counts(match, stopped) if match.is_end_in_doubt else stopped
    if match.is_in_rounds:
        return match.words.next(match.deal.number, match.dealer(match.deal) if match.has_dealers else "")
    return _("Next deal: %(name)s deals", name=match.dealer(match.deal))


def winners_of(match: MatchView) -> Name:
    """Return the names of the winners as one speaks of them together."""
    return join_names(match.sides[label] for label in match.standing.winners)


def around_the_winners(match: MatchView) -> tuple[str, str]:
    """Return what the sentence about the end says before the names of the winners, and behind them."""
    here = Name(PLACE, winners_of(match).people)
    sentence = ngettext("%(names)s wins", "%(names)s win", here.people, names=here)
    reason = _reason_at_once(match)
    sentence = f"{sentence}: {reason}" if reason else sentence
    before, _place, behind = (_if_it_counts(match, sentence) if match.is_end_in_doubt else sentence).partition(PLACE)
    return before, behind


def lines_of_winners(match: MatchView) -> list[str]:
    """Return the names of the winners in the lines that they may be broken into: "Ana", "y Leo"."""
    winners = list(match.standing.winners)
    if len(winners) == 1:
        return match.lines_of(winners[0])
    return in_lines(winners_of(match), [match.sides[label] for label in winners])


def _if_it_counts(match: MatchView, sentence: str) -> str:
    """Return how a match ended, with the condition on which it did."""
    return _of_doubted(
        match,
        ungettext("%(sentence)s, if deal %(numbers)s stands", "%(sentence)s, if deals %(numbers)s stand"),
        ungettext("%(sentence)s, if round %(numbers)s stands", "%(sentence)s, if rounds %(numbers)s stand"),
        sentence=sentence,
    )


def _of_doubted(match: MatchView, of_deals: tuple[str, str], of_rounds: tuple[str, str], **words: str) -> str:
    """Return a sentence about the deals in doubt, by their numbers."""
    numbers = [str(doubt.deal.number) for doubt in match.doubts]
    sentence = of_rounds if match.is_in_rounds else of_deals
    return ngettext(*sentence, len(numbers), numbers=join_names(numbers), **words)


def doubt_words(match: MatchView) -> str:
    """Return which deals are in doubt, in a sentence; "" if none is, or if the end of the match says it."""
    return "" if match.is_end_in_doubt else doubt_heading(match)


def doubt_heading(match: MatchView) -> str:
    """Return which deals are in doubt, in a sentence; "" if none is."""
    if not match.doubts:
        return ""
    return _of_doubted(
        match,
        ungettext("Deal %(numbers)s is in doubt", "Deals %(numbers)s are in doubt"),
        ungettext("Round %(numbers)s is in doubt", "Rounds %(numbers)s are in doubt"),
    )


def _reason_at_once(match: MatchView) -> str:
    """Return why a match was won at once, not by its totals; "" if it was won by points."""
    ended = match.standing.state.ended
    if match.standing.result["winner"] is None and ended is not None and ended.payload.get("leader"):
        return _("ahead when the match was stopped")
    if match.standing.result["reason"] == "cappotto":
        return _("all ten %(suit)s", suit=suit_name("O"))
    if match.standing.result["reason"] != "no_capture":
        return ""
    name = match.sides[match.standing.sheets[-1][1]["match"]["lost_by"] or ""]
    return ngettext("%(name)s captured nothing", "%(name)s captured nothing", people(name), name=name)


def won_at_once(match: MatchView, sheet: contract.Scored) -> str:
    """Return the sentence about a deal that won or lost the whole match at once; "" for any other."""
    end = sheet["match"]
    concerned = end["won_by"] or end["lost_by"]
    if concerned is None:
        return ""
    name = match.sides[concerned]
    sentence = (
        ungettext(
            "%(name)s has all ten %(suit)s: that wins the match at once.",
            "%(name)s have all ten %(suit)s: that wins the match at once.",
        )
        if end["won_by"] is not None
        else ungettext(
            "%(name)s captured nothing: that loses the match at once.",
            "%(name)s captured nothing: that loses the match at once.",
        )
    )
    return ngettext(*sentence, people(name), name=name, suit=suit_name("O"))


def penalty_price(match: MatchView, item: str) -> str:
    """Return what a penalty costs at this table, and what that is now where it grows with the deal; "" for nothing."""
    cost = match.needs.penalty_costs.get(item)
    if cost == "four_plus_sweeps":
        return _("minus 4, and 1 for each sweep of this deal: now %(num)d", num=_cost_now(match, item))
    if cost == "forfeit":
        return _("what they make in this deal goes to the others")
    if cost == "void_cards":
        return _("they cannot have most cards")
    return _("no points: somebody else takes a fifteen from the table") if cost == "table_trick" else ""


def _cost_now(match: MatchView, item: str) -> contract.Number:
    """Return the points that a penalty would take now."""
    state, side, noted = match.standing.state, match.setup.labels[0], match.deal.noted_facts()
    fault: contract.Penalty = {"item": item, "side": side}
    facts = cast(contract.Deal, {**noted, "penalties": [*(noted.get("penalties") or []), fault]})
    points = rules.points_noted({**state.engine_setup(), "deal": state.deal_request(match.deal, facts)})
    return Board(match).gained[side] - points.get(side, 0)
