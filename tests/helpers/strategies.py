"""Deals for hypothesis: true piles, and what a table might know of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from scorekeeper import rules

from .asking import COUNTED
from .simulator import PACK

FISHING = tuple(game for game in rules.games()["games"] if game["family"] == "fishing")
ACCEPTED = ["pile_modulus", "pile_parity", "leftover_modulus", "leftover_parity", "pile_of_one"]
"""Random piles are no fifteens: what concerns the play is let pass, what concerns the pack never is."""

OF_THE_SCORE = (
    "tie_rule",
    "prime_method",
    "prime_suits_required",
    "prime_needs_pip",
    "prime_needs_seven",
    "prime_void_if_all_sevens",
    "pts_figures",
    "pts_all_sevens",
    "pts_few_cards",
    "all_coins_stack",
    "all_sevens_stack",
    "fifty_cards_at",
)
"""Options that decide what finished piles are worth."""


@dataclass(frozen=True)
class Told:
    """A finished deal of two sides, and what the table knows of it."""

    table: dict[str, Any]
    piles: dict[str, list[str]]
    deal: dict[str, Any]

    def request(self, deal: dict[str, Any]) -> dict[str, Any]:
        """Make a request about a deal at this table."""
        return {**self.table, "deal": {**deal, "accept": ACCEPTED}}

    @property
    def known(self) -> dict[str, Any]:
        """The request with what the table knows."""
        return self.request(self.deal)

    @property
    def whole(self) -> dict[str, Any]:
        """The request with every card shown."""
        return self.request({"piles": self.piles})


def faults(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what is wrong with a deal: that its open lines are too much to weigh is no fault of it."""
    return [problem for problem in answer["problems"] if problem["code"] != "budget_spent"]


@st.composite
def told_deals(draw: st.DrawFn) -> Told:
    """A deal of any fishing game for two sides; some cards are shown and some kinds counted, all of it true."""
    game = draw(st.sampled_from(FISHING))
    players = draw(st.sampled_from([seat["players_per_side"] for seat in game["seats"] if seat["sides"] == 2]))
    options = {
        option["id"]: draw(st.sampled_from(option["values"]))
        for option in game["options"]
        if option["id"] in OF_THE_SCORE
    }
    owners = draw(st.lists(st.sampled_from("AB"), min_size=len(PACK), max_size=len(PACK)))
    shown = draw(st.lists(st.booleans(), min_size=len(PACK), max_size=len(PACK)) | st.just([False] * len(PACK)))
    piles = {side: [card for card, owner in zip(PACK, owners, strict=True) if owner == side] for side in "AB"}
    seen = {card for card, is_shown in zip(PACK, shown, strict=True) if is_shown}
    counted = draw(st.sets(st.tuples(st.sampled_from("AB"), st.sampled_from(tuple(COUNTED))), max_size=4))
    deal: dict[str, Any] = {
        "piles": {side: [card for card in pile if card in seen] for side, pile in piles.items()},
        "counts": {
            side: {kind: sum(map(COUNTED[kind], piles[side])) for owner, kind in sorted(counted) if owner == side}
            for side in "AB"
        },
    }
    table = {"game": game["id"], "sides": ["A", "B"], "players_per_side": players, "options": options}
    return Told(table, piles, deal)
