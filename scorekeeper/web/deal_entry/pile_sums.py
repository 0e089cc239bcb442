"""The sum of the cards of a pile, and what it must be once the pile is whole; the page's script says the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask_babel import gettext as _

from ..match.closing_needs import PACK, Needs
from ..words.cards import one_of, suit_name
from ..words.small_numbers import small_number

LEFT = "left"


def check_words(modulus: int) -> dict[str, str]:
    """Return the words for a sum in each case, with places for the numbers (``{sum}``); by 15, or by 2 if even."""
    if modulus == 2:
        odd = _("%(sum)s is odd: in this game every capture adds up to an even sum", sum="{sum}")
        even = _("Exact: %(sum)s is even.", sum="{sum}")
        return {"fits": even, "left-fits": even, "off": odd, "left": odd}
    places = {name: f"{{{name}}}" for name in ("sum", "count", "low", "last", "high")}
    return {
        "fits-one": _("Exact: %(sum)s is one fifteen.", **places),
        "fits": _("Exact: %(sum)s is %(count)s fifteens.", **places),
        "fits-last": _("Exact: %(sum)s is fifteens and the last cards.", **places),
        "off": _("One card too many or too few: %(low)s or %(high)s.", **places),
        "off-last": _("One card too many or too few: %(low)s, %(last)s or %(high)s.", **places),
        "left-fits": _("Exact: the last cards add up to %(sum)s.", **places),
        "left": _("The last cards add up to %(low)s or %(high)s, not %(sum)s.", **places),
    }


def sum_words() -> dict[str, tuple[str, str]]:
    """Return the words for how many cards and coins a pile has, and for its sum: of one, and of several."""
    return {
        "cards": (_("%(num)s card", num="{num}"), _("%(num)s cards", num="{num}")),
        "coins": (f"{{num}} {one_of('O')}", f"{{num}} {suit_name('O')}"),
        "sum": (_("adds up to %(num)s", num="{num}"),) * 2,
    }


def card_point_words() -> dict[str, tuple[str, str]]:
    """Return the words for the card points of a pile of tricks, and for its cards: of one, and of several."""
    points = (_("%(num)s card point", num="{num}"), _("%(num)s card points", num="{num}"))
    return {"sum": points, "cards": sum_words()["cards"]}


def with_the_rest(
    piles: Mapping[str, Sequence[str]], taker: str | None, pack: Sequence[str] = PACK
) -> Mapping[str, Sequence[str]]:
    """Return the piles with the cards that lie in none of them in that of ``taker``; unchanged if that is no pile."""
    if taker is None or taker not in piles:
        return piles
    lying = {card for cards in piles.values() for card in cards}
    return {**piles, taker: [*piles[taker], *(card for card in pack if card not in lying)]}


@dataclass(frozen=True)
class Verdict:
    """The sentence of a page about the sum of a pile; "" is none."""

    words: str = ""
    fits: bool = False


@dataclass(frozen=True)
class PileSums:
    """The cards in each pile; ``given`` are the ranks that wild cards count as."""

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

    def check(self, pile: str) -> Verdict:
        """Return what a page says of the sum of a pile; nothing if it is just begun or the game has no such rule."""
        by = self.needs.modulus
        if not by or self.of(self.piles[pile])["sum"] < by:
            return Verdict()
        case, numbers = self._case(pile, by)
        return Verdict(check_words(by)[case].format(**numbers), "fits" in case)

    def _case(self, pile: str, by: int) -> tuple[str, dict[str, object]]:
        total = self.of(self.piles[pile])["sum"]
        over = self.of(PACK)["sum"] % by
        rest = total % by
        low = total - rest
        if pile == LEFT:
            return ("left-fits" if rest == over else "left"), {"sum": total, "low": over, "high": over + by}
        numbers: dict[str, object] = {"sum": total, "low": low, "last": low + over, "high": low + by}
        if rest == 0:
            count = total // by
            return ("fits-one" if by > 2 and count == 1 else "fits"), {**numbers, "count": small_number(count)}
        if not over or self.piles[LEFT]:
            return "off", numbers
        return ("fits-last" if rest == over else "off-last"), numbers
