"""The opening layout: fifteen, thirty, a flush, a new deal; entered in one tap or by its four cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict
from wtforms import StringField
from wtforms.validators import AnyOf, Optional

from ... import rules
from ...rules.contract import Deal, FishingDeal, Problem, Redeal, ScoreRequest
from ...store.journal import kinds
from ...store.journal.replay import DealState
from ..base.entry_form import EntryForm, build_form, choices
from ..base.request_bounds import SeveralField
from ..match.closing_needs import PACK, Needs
from ..match.opening_worth import opening_worth
from ..match.view import MatchView

LAYOUT = 4


class LayoutForm(EntryForm):
    """The cards on the table, or the button that was pressed instead."""

    told: StringField
    cards = SeveralField(choices=choices((card, card) for card in PACK))

    def facts(self) -> FishingDeal:
        """Return the layout in the engine's shape; empty while nothing was entered."""
        if self.told.data:
            return {"layout_result": self.told.data}
        return {"layout": self.cards.data} if self.cards.data else {}

    @property
    def is_whole(self) -> bool:
        """True if enough was entered to know what it means."""
        return bool(self.told.data) or len(self.cards.data or []) == LAYOUT

    def may_be_saved(self, means: Meaning | None) -> bool:
        """Return whether it may be written, from what it means; if not, the form says what is missing."""
        if means is None and not self.errors:
            self.cards.errors = [_("Tap the four cards that lie on the table.")]
        return means is not None and means.is_possible


def layout_form(needs: Needs, data: MultiDict[str, str] | None) -> LayoutForm:
    """Return the form, with the results that this game knows."""
    told = StringField(validators=[Optional(), AnyOf(needs.said_openings)])
    return build_form(LayoutForm, {"told": told}, data)


@dataclass(frozen=True)
class Meaning:
    """The meaning of an opening layout: what it brings, or that it is dealt again."""

    worth: rules.OpeningWorth | None
    """None if such a layout cannot be."""
    problems: Sequence[Problem]

    @property
    def is_possible(self) -> bool:
        """True if such a layout can lie there."""
        return not any(problem["severity"] == "error" for problem in self.problems)

    @property
    def redeal(self) -> Redeal | None:
        """Who deals again, where it voids the deal."""
        return self.worth.redeal.who if self.worth and self.worth.redeal else None

    @property
    def changes_something(self) -> bool:
        """True if noting it changes anything."""
        worth = self.worth
        return worth is not None and bool(worth.sweeps or worth.flush_points or worth.redeal)


def meaning(match: MatchView, deal: DealState, facts: FishingDeal) -> Meaning:
    """Return what the layout means, by the engine."""
    state, noted = match.standing.state, deal.noted_facts()
    known = cast(FishingDeal, {name: fact for name, fact in noted.items() if not name.startswith("layout")} | {**facts})
    try:
        # With every card placed nothing is open: only the layout itself is worked out.
        whole: FishingDeal = {**known, "rest": state.setup.labels[0]}
        asked: ScoreRequest = {**state.engine_setup(), "deal": state.deal_request(deal, whole), "ask": False}
        sheet = rules.score(asked)
    except rules.Malformed as malformed:
        return Meaning(None, malformed.problems)
    problems = [problem for problem in sheet["problems"] if "layout" in problem["where"]]
    return Meaning(opening_worth(match, deal, known), problems)


def rank_of_wild(needs: Needs, cards: Sequence[str], total: int | None) -> tuple[str, str] | None:
    """Return the wild card of a layout, and the rank that it has for the layout to come to ``total``.

    None if there is no wild card or there are several, and where it counts as printed.
    """
    wild = [card for card in cards if card in needs.wilds]
    if total is None or len(wild) != 1:
        return None
    others = sum(needs.values[card[:-1]] for card in cards if card[:-1] in needs.values and card not in wild)
    rank = next((rank for rank, value in needs.values.items() if value == total - others), "")
    return (wild[0], rank) if rank and rank != wild[0][:-1] else None


def count_of_dealing(deal: DealState | None, fields: MultiDict[str, str]) -> int:
    """Return which dealing of a deal a form is about, from 1: what two phones say of the same one happened once."""
    now = deal.times_dealt_again + 1 if deal is not None else 1
    drawn = fields.get("again", "")
    return min(max(int(drawn[:4]), 1), now) if drawn.isascii() and drawn.isdecimal() else now


def voided_by_opening(
    deal: DealState, facts: Deal | FishingDeal, redeal: Redeal, fields: MultiDict[str, str]
) -> kinds.AnyPayload:
    """Return what is written where the opening voids what was dealt: it is dealt again under the same number."""
    opening = cast(kinds.AnyPayload, opening_in({**facts}))
    again = count_of_dealing(deal, fields)
    return {"deal": deal.number, "redeal": redeal, "again": again, "why": "opening", **opening}


def opening_in(facts: Mapping[str, object]) -> dict[str, object]:
    """Return the facts about the opening alone."""
    return {name: facts[name] for name in ("layout", "layout_result") if facts.get(name)}
