"""What still decides a match while its deal is being closed: the open lines by which each side reaches the target."""

from __future__ import annotations

from ... import rules
from ...rules.contract import ItemId, Side
from ...store.journal.replay import DealState
from ..match.view import MatchView
from .closing_entry import ReportedClosing
from .closing_grid import ClosingForm

MOST_WAYS = 4
"""Ways that a page lists, of all sides together: more are no help to look at."""


def still_decides(match: MatchView, deal: DealState, closing: ReportedClosing) -> dict[Side, list[list[ItemId]]]:
    """Return by which open lines the sides reach the target with the deal that is being played.

    Empty where they are many, where somebody has the target already (then it is the higher total that decides), and for
    a deal that is closed.
    """
    sheet, target = closing.judged.sheet, match.ending.target
    if (
        deal.closed is not None
        or target is None
        or sheet["status"] != "open"
        or not isinstance(closing.form, ClosingForm)
    ):
        return {}
    totals = {label: match.totals[label] for label in match.sides}
    if any(total + sheet["points"].get(label, 0) >= target for label, total in totals.items()):
        return {}
    state = match.standing.state
    asked = {**state.engine_setup(deal.setup), "deal": state.deal_request(deal, closing.form.facts())}
    return rules.ways_to_target(asked, totals, most=MOST_WAYS, bounded=True)
