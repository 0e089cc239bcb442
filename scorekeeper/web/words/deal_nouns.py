"""The noun for a deal: a deal if one pack is played out, a round in Carioca and on the free pad."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flask_babel import gettext as _
from flask_babel import ngettext

from ... import rules
from .marked import N_
from .names import games, round_name


def _either(of_deal: str, of_round: str) -> Callable[..., str]:
    """Return the method that says one of two sentences, with the number of the deal and how many there are."""

    def say(words: DealWords, number: int = 0, all: int = 0) -> str:
        return str(_(of_round if words.in_rounds else of_deal, number=number, all=all))

    return say


@dataclass(frozen=True)
class DealWords:
    """The words of a table for a deal, each with its number where it has one."""

    in_rounds: bool

    title = _either(N_("Deal %(number)d"), N_("Round %(number)d"))
    of = _either(N_("Deal %(number)d of %(all)d"), N_("Round %(number)d of %(all)d"))
    # Before the points of the deal, and behind those that it has brought so far.
    this = _either(N_("This deal"), N_("This round"))
    in_this = _either(N_("this deal"), N_("this round"))
    # The closing form: the button to it, its titles, its own button, the notice that it was saved.
    close = _either(N_("Close the deal"), N_("Close the round"))
    closing = _either(N_("Close deal %(number)d"), N_("Close round %(number)d"))
    correcting = _either(N_("Correct deal %(number)d"), N_("Correct round %(number)d"))
    save = _either(N_("Save the deal"), N_("Save the round"))
    saved = _either(N_("Deal %(number)d saved"), N_("Round %(number)d saved"))
    # From an earlier sheet to the deal being played.
    back_to = _either(N_("Back to deal %(number)d"), N_("Back to round %(number)d"))
    # The list of what was noted.
    noted = _either(N_("Noted in this deal"), N_("Noted in this round"))

    def next(self, number: int, dealer: str) -> str:
        """Return what leads from a sheet to the next deal; ``dealer`` is "" where nobody knows who deals."""
        if not dealer:
            return str(_("On to round %(number)d", number=number))
        if self.in_rounds:
            return str(_("Round %(number)d: %(name)s deals", number=number, name=dealer))
        return str(_("Deal %(number)d: %(name)s deals", number=number, name=dealer))

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


def round_rule(name: str) -> str:
    """Return what is lowered in an extra round that forms offer, in one sentence; empty for another."""
    offered = {
        "escala sucia": _("Mixed straight (escala sucia): thirteen cards from ace to king, of any suits."),
        "escala de color": _("One-colour straight (escala de color): thirteen cards from ace to king, of one colour."),
        "escala real": _("Royal straight (escala real): thirteen cards from ace to king, all of one suit."),
    }
    return str(offered.get(name, ""))


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
    contract = round_name(played.name) if played.name else " + ".join(melds)
    return PlayedRound(contract, played.cards, rules.perfect_cut(len(table.sides), played.cards))


def ordinal(place: int) -> str:
    """Return a place in a ranking, in as few letters as it is written with."""
    named = (_("1st"), _("2nd"), _("3rd"), _("4th"), _("5th"), _("6th"), _("7th"), _("8th"), _("9th"), _("10th"))
    return str(named[place - 1])
