"""The sums of captures, as one says them aloud: "1 + 3 + 7 + 4 = 15"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ... import rules


class Arithmetic:
    """The values of cards at a table, to show a set as a sum that anybody can check."""

    def __init__(self, agreed: rules.FishingRules, given: Mapping[str, str]) -> None:
        self.agreed, self.given = agreed, given
        self.loose = tuple(wild for wild in agreed.wild_cards if wild not in given)
        self.values = rules.capture_values(agreed)

    def value(self, code: str) -> int:
        """Return what a card counts in a capture."""
        index = self.given.get(code, code).rstrip(rules.SUITS + rules.SUITS.lower())
        return self.values[int(index)]

    def shown(self, card: str, takes: Sequence[str]) -> str:
        """Return the sum of a set, "1 + 3 + 7 + 4 = 15"; nothing if no sum was needed, or a wild card makes it."""
        if card in self.loose or any(code in self.loose for code in takes):
            return ""
        taken, own = [self.value(code) for code in takes], self.value(card)
        if self.agreed.capture_rule in ("sum15", "sum15k", "cirulla") and (sum(taken) + own) % 15 == 0:
            return " + ".join(map(str, [*taken, own])) + f" = {sum(taken) + own}"
        if len(taken) > 1 and sum(taken) == own:
            return " + ".join(map(str, taken)) + f" = {own}"
        return ""
