"""A best of three in words: the matches that each side has won, and who has won the series."""

from __future__ import annotations

from flask_babel import gettext as _
from flask_babel import ngettext

from ..words.names import join_names
from .view import MatchView


def series_words(match: MatchView) -> str:
    """Return the score of the series of a match, in a sentence; "" if it is none, or nobody has won a match of it."""
    series = match.series
    if series is None or not series.played:
        return ""
    if series.winners:
        names = join_names(match.all_sides[label] for label in series.winners)
        score = "–".join(str(won) for won in sorted((won for _label, won in series.won), reverse=True))
        sentence = ngettext(
            "%(names)s wins the best of three, %(score)s",
            "%(names)s win the best of three, %(score)s",
            names.people,
            names=names,
            score=score,
        )
        return str(sentence)
    score = "–".join(str(won) for _label, won in series.won)
    if series.is_over:
        return _("Nobody has won the best of three: %(score)s", score=score)
    if is_decider(match):
        return _("Best of three: one match each, the next decides")
    return _("Best of three: %(score)s", score=score)


def is_decider(match: MatchView) -> bool:
    """Return whether a match that is over leaves two sides level, so that the next one of the series decides."""
    series = match.series
    if series is None or not match.standing.is_over:
        return False
    return [won for _label, won in series.won] == [1, 1] and series.played == series.most - 1
