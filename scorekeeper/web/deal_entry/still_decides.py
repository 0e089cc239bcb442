"""The open lines that still decide a match while its deal is being closed: they bring a side to the target."""

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
    """Return the open lines that bring each side to the target with the deal that is being played.

    Empty if they are many, if a side has the target already (then the higher total decides), and for a closed deal.
    """
    sheet, target = closing.judged.sheet, match.ending.target
    is_open = deal.closed is None and sheet["status"] == "open"
    if target is None or not is_open or not isinstance(closing.form, ClosingForm):
        return {}
    totals = {label: match.totals[label] for label in match.sides}
    if any(total + sheet["points"].get(label, 0) >= target for label, total in totals.items()):
        return {}
    state = match.standing.state
    asked = {**state.engine_setup(deal.setup), "deal": state.deal_request(deal, closing.form.facts())}
    return rules.ways_to_target(asked, totals, most=MOST_WAYS)
