"""A second opinion about who won a deal of Brisca by the table's word: every way in which the unseen cards can lie."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

WORTH = {"1": 11, "3": 10, "12": 4, "11": 3, "10": 2}


def card_points(pile: Sequence[str]) -> int:
    return sum(WORTH.get(card[:-1], 0) for card in pile)


def leaders(piles: Mapping[str, Sequence[str]]) -> set[str]:
    """Return the sides with the most card points."""
    points = {side: card_points(pile) for side, pile in piles.items()}
    return {side for side in points if points[side] == max(points.values())}


def ways(
    piles: Mapping[str, Sequence[str]], unseen: Sequence[str], sizes: Mapping[str, int]
) -> Iterator[dict[str, list[str]]]:
    """Yield every way to put the unseen cards into the piles, of which some have a known size."""
    for owners in product(piles, repeat=len(unseen)):
        whole = {side: [*pile] for side, pile in piles.items()}
        for card, owner in zip(unseen, owners, strict=True):
            whole[owner].append(card)
        if all(len(whole[side]) == size for side, size in sizes.items()):
            yield whole
