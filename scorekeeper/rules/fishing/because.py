"""The small part of the evidence that settles a line by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .pieces import Piece


def smallest_part(pieces: Sequence[Piece], settles: Callable[[Sequence[Piece]], bool]) -> list[Piece]:
    """Return what remains of some pieces when those that are not needed are struck one after another, the first first.

    ``settles`` says whether some pieces settle the line; more pieces never settle less. So a run of pieces that can be
    struck together need not be tried one by one.
    """
    needed: list[Piece] = []

    def sift(first: Sequence[Piece], after: Sequence[Piece]) -> None:
        if settles([*needed, *after]):
            return
        if len(first) == 1:
            needed.append(first[0])
            return
        half = len(first) // 2
        sift(first[:half], [*first[half:], *after])
        sift(first[half:], after)

    if pieces:
        sift(pieces, ())
    return needed
