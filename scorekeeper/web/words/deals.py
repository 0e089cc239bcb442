"""What a deal is called: a deal where one pack is played out, a round in Carioca and on the free pad."""

from __future__ import annotations

from dataclasses import dataclass

from flask_babel import gettext as _
from flask_babel import ngettext

from ... import rules
from ...names import drawn
from .names import games


@dataclass(frozen=True)
class DealWords:
    """The words of a table for a deal, each with its number where it has one."""

    in_rounds: bool

    def title(self, number: int) -> str:
        """Return the deal by its number."""
        return str(_("Round %(number)d", number=number) if self.in_rounds else _("Deal %(number)d", number=number))

    def of(self, number: int, all: int) -> str:
        """Return the deal by its number, with how many there are."""
        if self.in_rounds:
            return str(_("Round %(number)d of %(all)d", number=number, all=all))
        return str(_("Deal %(number)d of %(all)d", number=number, all=all))

    def this(self) -> str:
        """Return what stands before the points of the deal."""
        return str(_("This round") if self.in_rounds else _("This deal"))

    def in_this(self) -> str:
        """Return what stands behind the points that the deal has brought so far."""
        return str(_("this round") if self.in_rounds else _("this deal"))

    def close(self) -> str:
        """Return what the button to the closing form says."""
        return str(_("Close the round") if self.in_rounds else _("Close the deal"))

    def closing(self, number: int) -> str:
        """Return the title of the closing form."""
        if self.in_rounds:
            return str(_("Close round %(number)d", number=number))
        return str(_("Close deal %(number)d", number=number))

    def correcting(self, number: int) -> str:
        """Return the title of the form that corrects a deal."""
        if self.in_rounds:
            return str(_("Correct round %(number)d", number=number))
        return str(_("Correct deal %(number)d", number=number))

    def save(self) -> str:
        """Return what the button that saves the closing says."""
        return str(_("Save the round") if self.in_rounds else _("Save the deal"))

    def saved(self, number: int) -> str:
        """Return what the notice over the sheet says."""
        if self.in_rounds:
            return str(_("Round %(number)d saved", number=number))
        return str(_("Deal %(number)d saved", number=number))

    def back_to(self, number: int) -> str:
        """Return what leads from an earlier sheet to the deal being played."""
        if self.in_rounds:
            return str(_("Back to round %(number)d", number=number))
        return str(_("Back to deal %(number)d", number=number))

    def next(self, number: int, dealer: str) -> str:
        """Return what leads from a sheet to the next deal; ``dealer`` is "" where nobody knows who deals."""
        if not dealer:
            return str(_("On to round %(number)d", number=number))
        if self.in_rounds:
            return str(_("Round %(number)d: %(name)s deals", number=number, name=dealer))
        return str(_("Deal %(number)d: %(name)s deals", number=number, name=dealer))

    def noted(self) -> str:
        """Return the name of the list of what was noted in the deal."""
        return str(_("Noted in this round") if self.in_rounds else _("Noted in this deal"))

    def many(self, number: int) -> str:
        """Return how many were played."""
        if self.in_rounds:
            return str(ngettext("%(num)d round", "%(num)d rounds", number))
        return str(ngettext("%(num)d deal", "%(num)d deals", number))


def deal_words(game: str) -> DealWords:
    """Return the words for the deals of a game; Carioca has rounds, as has whatever the free pad is used for."""
    known = games().get(game)
    return DealWords(known is not None and known["family"] in ("rummy", "free"))


@dataclass(frozen=True)
class PlayedRound:
    """One round of Carioca at a table: what must be lowered, the cards each is dealt, the cards of a perfect cut."""

    contract: str
    cards: int
    cut: int

    def words(self) -> str:
        """Return it as the board says it."""
        return str(
            _("%(contract)s · %(cards)d cards · cut %(cut)d", contract=self.contract, cards=self.cards, cut=self.cut)
        )


def played_round(table: rules.TableRules, number: int) -> PlayedRound | None:
    """Return what is played in round ``number`` of Carioca; None where the match has no such round."""
    rounds = rules.rounds_of(table)
    if not 1 <= number <= len(rounds):
        return None
    played = rounds[number - 1]
    melds = [
        *([ngettext("%(num)d trio", "%(num)d trios", played.trios)] if played.trios else []),
        *([ngettext("%(num)d straight", "%(num)d straights", played.straights)] if played.straights else []),
    ]
    contract = drawn(played.name) if played.name else " + ".join(melds)
    return PlayedRound(contract, played.cards, rules.perfect_cut(len(table.sides), played.cards))


def ordinal(place: int) -> str:
    """Return a place in a ranking, in as few letters as it is written with."""
    named = (_("1st"), _("2nd"), _("3rd"), _("4th"), _("5th"), _("6th"), _("7th"), _("8th"), _("9th"), _("10th"))
    return str(named[place - 1])
