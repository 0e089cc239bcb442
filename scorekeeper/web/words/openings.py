"""Opening layouts in words: what they are called, and what they bring at a table."""

from __future__ import annotations

from flask_babel import gettext as _
from flask_babel import ngettext

from ... import rules
from .cards import rank_name
from .names import item_name


def opening_name(opening: str) -> str:
    """Return an opening layout in words, by its code in ``layout_result``."""
    names: dict[str, str] = {
        "15": _("It adds to 15"),
        "30": _("It adds to 30"),
        "flush3": _("Three of one suit"),
        "flush4": _("Four of one suit"),
        "redeal": _("Dealt again"),
    }
    return names[opening]


def void_words(rule: rules.RedealRule) -> str:
    """Return what voids a deal by lying on the table, in words: "two kings or more"."""
    number = {1: _("one"), 2: _("two"), 3: _("three"), 4: _("four")}[rule.at_least]
    words: dict[str, str] = {
        "kings": _("%(number)s %(cards)s or more", number=number, cards=rank_name(12, several=True)),
        "aces": _("%(number)s %(cards)s or more", number=number, cards=rank_name(1, several=True)),
        "alike": _("%(number)s alike or more", number=number),
    }
    return words.get(rule.cards) or _("a wild card")


def opening_words(worth: rules.OpeningWorth, game: str, dealer: str) -> str:
    """Return what an opening is and brings to the side that dealt, such as "15, a sweep for Ana".

    "" if it brings nothing and the game does not look at the sum of the cards.
    """
    if worth.redeal:
        return _("dealt again")
    parts = [_taken(worth, game, dealer)] if worth.sweeps else []
    if worth.flush_points:
        suited = _("three of one suit") if worth.suited == 3 else _("four of one suit")
        points = ngettext("%(num)d point for %(name)s", "%(num)d points for %(name)s", worth.flush_points, name=dealer)
        parts.append(f"{suited}, {points}")
    if not parts and worth.total is not None:
        parts.append(_("%(total)d, no points", total=worth.total))
    return "; ".join(parts)


def _taken(worth: rules.OpeningWorth, game: str, dealer: str) -> str:
    """Return what a 15 or a 30 brings."""
    if not worth.sweep_points:
        return _("%(total)d, taken by %(name)s without points", total=worth.total, name=dealer)
    sweeps = _(
        "%(total)d, %(sweeps)s for %(name)s", total=worth.total, sweeps=sweeps_words(worth.sweeps, game), name=dealer
    )
    if worth.sweep_points == worth.sweeps:
        return sweeps
    points = ngettext("%(num)d point", "%(num)d points", worth.sweep_points)
    return f"{sweeps} ({points})"


def sweeps_words(number: int, game: str) -> str:
    """Return this many sweeps by the name that they have in the game: "a sweep", "2 scope"."""
    several = item_name(game, "sweeps")
    if number > 1:
        return f"{number} {several}"
    single = rules.singular(several)
    return _("an %(item)s", item=single) if single[:1] in "aeiou" else _("a %(item)s", item=single)
