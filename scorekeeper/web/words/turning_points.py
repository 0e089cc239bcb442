"""The turning points of a match, in sentences: "Beto came back from 6–18", "The prime of deal 7 decided it, 26–25"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from flask_babel import gettext as _
from flask_babel import ngettext

from ...rules import contract, is_own
from ...store.turning_points import Comeback, Decider, Lead, TurningPoint
from .deal_nouns import deal_words
from .marked import ungettext
from .names import item_name, own_name, people
from .values import numeral, one_to_other, scores

PRIME = "prime"


def turning_words(points: Iterable[TurningPoint], names: Mapping[contract.Side, str], game: str) -> list[str]:
    """Return a sentence for each, with the names of the sides and the words of the game."""
    return [_sentence(point, names, game) for point in points]


def _sentence(point: TurningPoint, names: Mapping[contract.Side, str], game: str) -> str:
    if isinstance(point, Decider):
        return _decided(point, game)
    name = names[point.side]
    if isinstance(point, Comeback):
        return _came_back(point, name)
    return _led(point, name, deal_words(game).in_rounds)


def _came_back(point: Comeback, name: str) -> str:
    if point.is_between_two:
        sentence = ungettext("%(name)s came back from %(totals)s.", "%(name)s came back from %(totals)s.")
        return _about(name, sentence, totals=scores([point.own, point.best]))
    gap = ngettext("%(points)s point", "%(points)s points", 1 if point.gap == 1 else 2, points=numeral(point.gap))
    sentence = ungettext("%(name)s came back from %(points)s behind.", "%(name)s came back from %(points)s behind.")
    return _about(name, sentence, points=gap)


def _led(point: Lead, name: str, in_rounds: bool) -> str:
    if point.is_first:
        return _about(name, ungettext("%(name)s led from start to finish.", "%(name)s led from start to finish."))
    if point.is_last:
        of_deal = ungettext("%(name)s went ahead only in the last deal.", "%(name)s went ahead only in the last deal.")
        of_round = ungettext(
            "%(name)s went ahead only in the last round.", "%(name)s went ahead only in the last round."
        )
    else:
        of_deal = ungettext(
            "%(name)s took the lead for good in deal %(number)d.",
            "%(name)s took the lead for good in deal %(number)d.",
        )
        of_round = ungettext(
            "%(name)s took the lead for good in round %(number)d.",
            "%(name)s took the lead for good in round %(number)d.",
        )
    return _about(name, of_round if in_rounds else of_deal, number=point.deal)


def _about(name: str, sentence: tuple[str, str], **words: Any) -> str:
    """Return a marked sentence about one person, or about several, in the reader's language."""
    return ngettext(*sentence, people(name), name=name, **words)


def _decided(point: Decider, game: str) -> str:
    """Return which line decided: the prime by its name, any other behind a colon, as its name has no article."""
    line = point.line
    item = own_name(line.get("text")) if is_own(line["item"]) else item_name(game, line["item"])
    what = item
    if point.numbers is not None:
        winner, best = point.numbers
        what = f"{item}, {one_to_other({'winner': winner, 'best': best}, ('winner', 'best'))}"
    if line["item"] == PRIME:
        return _("The %(prime)s of deal %(number)d decided it", prime=item, number=point.deal) + what[len(item) :] + "."
    if deal_words(game).in_rounds:
        return _("One line of round %(number)d decided it: %(line)s.", number=point.deal, line=what)
    return _("One line of deal %(number)d decided it: %(line)s.", number=point.deal, line=what)
