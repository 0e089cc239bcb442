"""The prime of a closing form as slots: a place for the best card of each suit of each side, and who has won it.

The slots are a view of the closing form. They read and fill its fields, and the engine judges them as it judges the
form, but for what was only said of the prime: the cards are laid out to find out whether that is so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from flask_babel import gettext as _

from ... import rules
from ...rules import contract
from ...store.journal.replay import DealState
from ..match.reasons import Reasons, reasons_of
from ..match.view import MatchView
from ..words.cards import card_name
from ..words.primes import METHODS, LaidPrime, counted_by_all, wins, worth_in
from ..words.values import numeral, takers_of
from .closing_grid import FIGURE, NO_CARD, ClosingForm
from .judged import PRIME, JudgedClosing, judge_closing

PLAIN = tuple(str(rank) for rank in rules.RANKS if rank < 10)
"""The cards that are no figures, by their indices."""
FIGURES = tuple(str(rank) for rank in reversed(rules.RANKS) if rank >= 10)
"""The figures by their indices: in a prime each counts the same."""


@dataclass(frozen=True)
class Slot:
    """The place for the best card of a suit that a side has. ``holds`` is a card, ``FIGURE``, ``NO_CARD`` or ""."""

    label: contract.Side
    suit: str
    field: Any
    """The field of the form that the slot fills."""
    holds: str
    worth: contract.Number | None = None
    """The value that it adds to the prime; None if that is not known."""

    @property
    def name(self) -> str:
        """The name of the slot in its page."""
        return f"{self.label}-{self.suit}"

    @property
    def card(self) -> contract.Card | None:
        """The card that lies in it; None if it is empty, or holds any figure, or none."""
        return self.holds if self.holds not in ("", FIGURE, NO_CARD) else None

    @property
    def picks(self) -> list[str]:
        """The indices to choose from: those of the plain cards, and of a figure that was named before."""
        named = self.field.data
        return [*PLAIN, *([named] if named and named not in (*PLAIN, FIGURE, NO_CARD) else [])]

    @property
    def words(self) -> str:
        """Its content in words."""
        if self.card:
            return card_name(self.card)
        if self.holds == FIGURE:
            return _("A figure")
        return _("no card") if self.holds else _("not known")


@dataclass(frozen=True)
class PrimeSlots:
    """The content of the page of the slots. ``judged`` leaves out what was said of the prime."""

    form: ClosingForm
    reasons: Reasons
    judged: JudgedClosing
    primes: dict[contract.Side, LaidPrime]
    slots: list[Slot]

    @property
    def line(self) -> contract.Line | None:
        """The line of the prime, if the engine could judge the form."""
        return self.judged.line(PRIME)

    @property
    def is_settled(self) -> bool:
        """True if no card that is not laid out yet can change who has the prime."""
        return self.line is not None and self.line["points"] is not None

    @property
    def said(self) -> list[str]:
        """The names of those who were said to have the prime, although the cards do not settle it."""
        row = next((row for row in self.form.needs.rows if row.item == PRIME), None)
        taker = (self.form.award(row).data or "") if row and not self.is_settled else ""
        return [name for label, name in self.reasons.match.sides.items() if label in taker.split("+")]

    @property
    def taken(self) -> dict[contract.Card, contract.Side]:
        """The cards that a side has, by what the form says, each with that side."""
        return {card: label for label in self.form.labels for card in self.form.cards_of(label)}

    def of(self, label: contract.Side) -> list[Slot]:
        """Return the slots of a side."""
        return [slot for slot in self.slots if slot.label == label]

    @property
    def open_slot(self) -> str:
        """The slot whose cards are offered, by name: the one that was open, or the next empty one, or ""."""
        names = [slot.name for slot in self.slots]
        asked = self.form.formdata.get("slot", "") if self.form.formdata else ""
        start = names.index(asked) if asked in names else 0
        following = self.slots[start:] + self.slots[:start]
        return next((slot.name for slot in following if not slot.holds), "")

    def places(self) -> list[tuple[int, contract.Side, str, list[Slot]]]:
        """Return each side's place at the table with its label, its name, and its slots."""
        sides = self.reasons.match.sides.items()
        return [(place, label, name, self.of(label)) for place, (label, name) in enumerate(sides, 1)]

    @property
    def victories(self) -> dict[contract.Side, str]:
        """The sentence that each side wins."""
        match = self.reasons.match
        return {label: wins(name, match.setup.players_per_side) for label, name in match.sides.items()}

    def worths(self, label: contract.Side) -> list[contract.Number]:
        """Return what the cards of a side add, where they add up to its number; else nothing."""
        worths, prime = [slot.worth for slot in self.of(label) if slot.worth is not None], self.primes[label]
        return worths if prime.is_certain and numeral(sum(worths)) == prime.number else []

    @property
    def laid_out(self) -> dict[contract.Side, list[contract.Card]] | None:
        """The best cards of every side; None if one is not known, or counts as another card.

        A figure that nobody has named is any that is not another side's.
        """
        laid: dict[contract.Side, list[contract.Card]] = {label: [] for label in self.form.labels}
        used = {slot.card for slot in self.slots if slot.card}
        for slot in self.slots:
            if not slot.holds or (slot.card and slot.worth is None):
                return None
            card = slot.card
            if slot.holds == FIGURE:
                card = next((code for code in (f"{rank}{slot.suit}" for rank in FIGURES) if code not in used), None)
                if card is None:
                    return None
                used.add(card)
            if card:
                laid[slot.label].append(card)
        return laid

    def by_other_methods(self) -> list[tuple[str, contract.Primes]]:
        """Return the same cards as every other method counts them; nothing if a card may still change them."""
        rule, laid, line = self.reasons.prime_rule, self.laid_out, self.line
        if rule is None or laid is None or line is None or rule.method not in METHODS:
            return []
        wanted = {"suits_required": rule.suits_required, "needs_pip": rule.needs_pip, "needs_seven": rule.needs_seven}
        counted = counted_by_all(wanted, laid)
        takers = takers_of(line)
        is_same = sorted(counted.pop(rule.method)["winners"]) == sorted(takers)
        return list(counted.items()) if is_same and self.is_settled and takers else []

    def carried(self) -> Iterator[tuple[str, str, bool]]:
        """Yield what else the form holds: a field's name, its value, and whether the field may have several."""
        drawn = {slot.field.name for slot in self.slots}
        for fact_field in self.form.fact_fields:
            if fact_field.name in drawn:
                continue
            value = self.form[fact_field.name].data
            values = value if isinstance(value, list) else [_as_typed(self.form[fact_field.name])]
            yield from ((fact_field.name, one, isinstance(value, list)) for one in values)
        yield from ((name, value, True) for name, value in self.form.being_added().items(multi=True))


def _as_typed(field: Any) -> str:
    """Return what a field holds as its form sends it; a number that is none stays as it was typed."""
    if field.data is None and field.raw_data:
        return str(field.raw_data[0])
    return "" if field.data is None else str(field.data)


def prime_slots(match: MatchView, deal_state: DealState, form: ClosingForm) -> PrimeSlots:
    """Return the slots of a closing form, judged without what was said of the prime."""
    facts = form.facts()
    awards = {item: taker for item, taker in (facts.get("awards") or {}).items() if item != PRIME}
    judged = judge_closing(match, cast(contract.FishingDeal, {**facts, "awards": awards}), deal_state)
    reasons = reasons_of(match, facts)
    primes = reasons.primes_by_side(judged.line(PRIME))
    slots = [slot for label in form.labels for slot in _slots_of(form, label, reasons, primes[label])]
    return PrimeSlots(form, reasons, judged, primes, slots)


def _slots_of(form: ClosingForm, label: contract.Side, reasons: Reasons, prime: LaidPrime) -> Iterator[Slot]:
    rule = reasons.prime_rule
    assert rule is not None
    for field, (suit, (card, worth)) in zip(form.best(label), prime.by_suit, strict=True):
        if field.data in (FIGURE, NO_CARD):
            of_figure = worth_in(rule.method, f"12{suit}") if field.data == FIGURE else None
            yield Slot(label, suit, field, field.data, of_figure)
        elif field.data and f"{field.data}{suit}" in rules.CODES:
            code = f"{field.data}{suit}"
            yield Slot(label, suit, field, code, None if code in reasons.wild_cards else worth_in(rule.method, code))
        else:
            yield Slot(label, suit, field, card or (NO_CARD if prime.is_all_known else ""), worth)
