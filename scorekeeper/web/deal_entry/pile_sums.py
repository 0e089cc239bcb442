"""The sum of the cards of a pile, and what it must be once the pile is whole; the page's script says the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask_babel import gettext as _

from ..match.closing_needs import PACK, Needs

LEFT = "left"


def check_words(modulus: int) -> dict[str, str]:
    """Return the words for a sum in each case, with places for the numbers (``{sum}``); by 15, or by 2 if even."""
    if modulus == 2:
        odd = _("%(sum)s is odd: in this game every capture adds up to an even sum", sum="{sum}")
        return {"fits": _("✓ even"), "off": odd, "left": odd}
    places = {"sum": "{sum}", "low": "{low}", "high": "{high}", "last_low": "{last_low}", "last_high": "{last_high}"}
    return {
        "fits": _("✓ fifteens"),
        "fits-last": _("✓ fifteens and the last cards"),
        "off": _("%(sum)s: a pile of fifteens is %(low)s or %(high)s", **places),
        "off-last": _(
            "%(sum)s: %(low)s or %(high)s; with the last cards %(last_low)s or %(last_high)s",
            **places,
        ),
        "left": _("%(sum)s: the last cards come to %(low)s or %(high)s", **places),
    }


@dataclass(frozen=True)
class PileSums:
    """The cards tapped into piles; ``given`` are the ranks that wild cards count as."""

    needs: Needs
    piles: Mapping[str, Sequence[str]]
    given: Mapping[str, str]

    def of(self, cards: Sequence[str]) -> dict[str, int]:
        """Return how many cards and coins these are, and what they add up to."""
        known = [card for card in cards if card in PACK]
        by_rank = self.needs.values
        # A rank that does not exist is an error beside its field; here the card counts as printed.
        values = (by_rank.get(self.given.get(card) or "", by_rank[card[:-1]]) for card in known)
        return {"cards": len(known), "coins": sum(card.endswith("O") for card in known), "sum": sum(values)}

    def check(self, pile: str) -> str:
        """Return what a page says of the sum of a pile; nothing if it is just begun or the game has no such rule."""
        by = self.needs.modulus
        if not by or self.of(self.piles[pile])["sum"] < by:
            return ""
        case, numbers = self._case(pile, by)
        return check_words(by)[case].format(**numbers)

    def _case(self, pile: str, by: int) -> tuple[str, dict[str, int]]:
        total = self.of(self.piles[pile])["sum"]
        last = self.of(PACK)["sum"] % by
        rest = total % by
        low = total - rest
        if pile == LEFT:
            return ("fits" if rest == last else "left"), {"sum": total, "low": last, "high": last + by}
        if rest == 0:
            return "fits", {}
        numbers = {"sum": total, "low": low, "high": low + by}
        if not last or self.piles[LEFT]:
            return "off", numbers
        if rest == last:
            return "fits-last", {}
        last_low = low + last - (0 if rest > last else by)
        return "off-last", {**numbers, "last_low": last_low, "last_high": last_low + by}


def _beginning(name: str, names: Sequence[str]) -> str:
    for length in range(1, 3):
        if sum(other[:length].casefold() == name[:length].casefold() for other in names) == 1:
            return name[:length]
    return name[:3]
