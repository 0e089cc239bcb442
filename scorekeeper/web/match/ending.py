"""The end of a match as its winner is shown: four of the winner's cards, and how the evening stands."""

from __future__ import annotations

from flask_babel import gettext as _

from ... import rules
from ...rules import contract
from ...store import queries
from ..words.evenings import by_evening, result_of
from .reasons import reasons_of
from .view import MatchView

PRIME = "prime"


def best_of_winner(match: MatchView) -> list[contract.Card]:
    """Return the four cards of the winner's prime in the last deal; [] where they are not all known."""
    if len(match.standing.winners) != 1 or not match.standing.sheets:
        return []
    deal, sheet = match.standing.sheets[-1]
    line = next((line for line in sheet["lines"] if line["item"] == PRIME), None)
    reasons = reasons_of(match, deal.facts())
    if line is None or reasons.prime_rule is None:
        return []
    held = reasons.primes_by_side(line)[next(iter(match.standing.winners))].held
    return held if len(held) == len(rules.SUITS) else []


def evening_score(match: MatchView) -> str:
    """Return what the two sides of a match have won on its evening, in their order; "" where others played, or too few.

    Above it stand the totals of the two sides: the numbers are in the order of those.
    """
    summaries, _more = queries.history(match.table, None, size=queries.PAGE)
    played = next(
        (found for _day, found in by_evening(summaries) if any(one.match == match.number for one in found)), []
    )
    result = result_of(played)
    if result is None:
        return ""
    ahead, most, fewest = result
    is_ahead = ahead == tuple(sorted(match.setup.sides[0].players))
    first, second = (most, fewest) if is_ahead else (fewest, most)
    return str(_("this evening %(won)d–%(lost)d", won=first, lost=second))
