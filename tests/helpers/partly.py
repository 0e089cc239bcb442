"""What a table may know of a simulated deal: some cards, laid-out primes, counts, words, all of it true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from .asking import COUNTED

SUITS = "OCEB"
ORDER = {"face": "7654321"}
"""Pips from the best down, by prime method; figures come after them in all."""
OTHER_ORDER = "7615432"

Piles = Mapping[str, Sequence[str]]


def shown(piles: Piles, random: Random) -> dict[str, Any]:
    """Show a few cards of each pile, of some deals many."""
    share = random.choice((0.1, 0.3, 0.6))
    return {"piles": {side: [card for card in cards if random.random() < share] for side, cards in piles.items()}}


def counted(piles: Piles, random: Random) -> dict[str, Any]:
    """Count some kinds in some piles."""
    kinds = random.sample(sorted(COUNTED), random.randint(1, 3))
    counting = random.sample(sorted(piles), random.randint(1, len(piles)))
    return {"counts": {side: {kind: sum(map(COUNTED[kind], piles[side])) for kind in kinds} for side in counting}}


def told(piles: Piles, random: Random) -> dict[str, Any]:
    """Return the sides of some of the cards that matter most to a prime."""
    strong = [card for card in (rank + suit for rank in "761" for suit in SUITS) if random.random() < 0.5]
    return {"told": {side: [card for card in strong if card in cards] for side, cards in piles.items()}}


def laid_out(piles: Piles, method: str, random: Random) -> dict[str, Any]:
    """Lay out what one side has best in some suits, by a prime method."""
    side = random.choice(sorted(piles))
    best: dict[str, Any] = {}
    for suit in random.sample(SUITS, 3):
        ranks = [card[:-1] for card in piles[side] if card[-1] == suit]
        pips = [int(rank) for rank in ORDER.get(method, OTHER_ORDER) if rank in ranks]
        best[suit] = pips[0] if pips else "figure" if ranks else None
    return {"best": {side: best}}


def awarded(takers: Sequence[str] | None) -> dict[str, Any]:
    """Return the award of the prime; ``takers`` is None if it is not said."""
    return {} if takers is None else {"awards": {"prime": list(takers) or None}}
