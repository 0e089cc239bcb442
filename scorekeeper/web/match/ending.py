"""The end of a match as its winner is shown: four of the winner's cards, how long it took, the score of the evening."""

from __future__ import annotations

from datetime import datetime

from flask_babel import gettext as _

from ... import rules
from ...rules import contract
from ...store import evenings
from ...store.agreement import played_at
from ..words.evenings import evening_of
from ..words.lengths import days_words, time_words
from ..words.names import join_names
from .reasons import reasons_of
from .view import MatchView

PRIME = "prime"
NAMED = 4
"""Players, or pairs, who are named in the tally of an evening: those who won most."""


def best_of_winner(match: MatchView) -> list[contract.Card]:
    """Return the four cards of the winner's prime in the last deal; [] if they are not all known."""
    last = match.standing.last
    if len(match.standing.winners) != 1 or last is None:
        return []
    deal, sheet = last
    line = next((line for line in sheet["lines"] if line["item"] == PRIME), None)
    reasons = reasons_of(match, deal.facts())
    if line is None or reasons.prime_rule is None:
        return []
    held = reasons.primes_by_side(line)[next(iter(match.standing.winners))].held
    return held if len(held) == len(rules.SUITS) else []


def evening_score(match: MatchView) -> str:
    """Return what each has won in the evening of a match, such as "Ana and Leo 2, Beto and Cata 1"; "" for nothing.

    Beside the totals at the end of a match between the same two sides, the figures say it: "2–1".
    Nothing either of an evening that is over while the match, taken up again, is being played.
    """
    if match.standing.is_over and (both := _of_both_sides(match)):
        first, second = both
        if match.evening.goes_on:
            return _("Tonight: %(first)d–%(second)d", first=first, second=second)
        return _("That evening: %(first)d–%(second)d", first=first, second=second)
    ahead = match.evening.won[:NAMED]
    tally = ", ".join(f"{join_names(match.players[number] for number in won.players)} {won.matches}" for won in ahead)
    if not tally or not (match.evening.goes_on or match.standing.is_over):
        return ""
    goes_on = match.evening.goes_on
    return _("Tonight: %(tally)s", tally=tally) if goes_on else _("That evening: %(tally)s", tally=tally)


def _of_both_sides(match: MatchView) -> tuple[int, int] | None:
    """Return what the two sides of a match have won in its evening; None where others have won, or lost, too."""
    won = {frozenset(one.players): one.matches for one in match.evening.won}
    sides = [frozenset(side.players) for side in match.setup.sides]
    return (won[sides[0]], won[sides[1]]) if len(sides) == 2 and won.keys() == set(sides) else None


def length_words(match: MatchView) -> str:
    """Return how long the match took as one says it, from its start to its last counted deal; "" if not known.

    A match that was left for another day took so many days, however many hours lie between.
    """
    last, start = _played_last(match), match.row.created_at
    if last is None:
        return ""
    days = (evening_of(last) - evening_of(start)).days + 1 if last - start >= evenings.GAP else 1
    return days_words(days) if days > 1 else time_words(last - start)


def _played_last(match: MatchView) -> datetime | None:
    """Return when the last counted deal was played; None before the first."""
    sheets = match.standing.sheets
    return played_at(match.standing.state, sheets[-1][0]) if sheets else None
