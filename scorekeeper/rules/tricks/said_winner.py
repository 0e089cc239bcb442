"""The table's word about who won a deal of tricks, against what is known of the cards (the award ``game_point``)."""

from __future__ import annotations

from collections.abc import Sequence

from ..problems import Problems
from .pack import WHOLE

Range = tuple[int, int]
"""The least and the most card points of a side."""


def ranges_with_counts(ranges: Sequence[Range], loose: Sequence[int], more: Sequence[int | None]) -> list[Range]:
    """Return the card points that each side can have where the sizes of piles are known.

    ``ranges`` are those that the cards and the typed points leave, ``loose`` the worths of the cards in no pile, and
    ``more`` how many of these each side has (None: not known). Sizes that cannot be so are left out.
    """
    worths = sorted(loose)
    narrowed = []
    for (least, most), number in zip(ranges, more, strict=True):
        if number is None or least == most or not 0 <= number <= len(worths):
            narrowed.append((least, most))
        else:
            lowest, highest = sum(worths[:number]), sum(worths[len(worths) - number :])
            narrowed.append((max(least, least + lowest), min(most, least + highest)))
    lows, highs = ([bounds[end] for bounds in narrowed] for end in (0, 1))
    if any(least > most for least, most in narrowed) or not sum(lows) <= WHOLE <= sum(highs):
        return list(ranges)
    return [(max(least, WHOLE - sum(highs) + most), min(most, WHOLE - sum(lows) + least)) for least, most in narrowed]


def may_lead(side: int, ranges: Sequence[Range], bonus: Sequence[int]) -> bool:
    """Return whether a side can have the most points, alone or level with others; ``bonus`` adds to card points."""
    others = [other for other in range(len(ranges)) if other != side]
    least, most = ranges[side]
    for own in range(least, most + 1):
        tops = [min(ranges[other][1], own + bonus[side] - bonus[other]) for other in others]
        lows = [ranges[other][0] for other in others]
        fits = all(low <= top for low, top in zip(lows, tops, strict=True))
        if fits and sum(lows) <= WHOLE - own <= sum(tops):
            return True
    return False


def warn_of_word(item: str, where: str, label: str, problems: Problems) -> None:
    """Warn of a word that the cards contradict."""
    message = f"{item} was given to {label}, but the cards and counts say otherwise; they are scored."
    problems.warn("award_contradicted", where, message, item=item, sides=[label])
