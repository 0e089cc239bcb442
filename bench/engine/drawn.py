"""What the bench asks the engine: whole deals and captures, drawn afresh, legal, and each asked once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from tests.helpers.simulator import PACK, play

LAYOUT = 8
"""Cards on the table of a question about captures."""


def whole_deals(game: str, seed: int) -> Iterator[dict[str, Any]]:
    """Yield requests to score deals of two that were played to the end, no two of them alike.

    The facts are the cards of both sides, their sweeps, the opening, who captured last and what was left.
    """
    random, seen = Random(f"{game} {seed}"), set()
    while True:
        played = play(game, 2, 1, random)
        text = json.dumps(played.request)
        if not played.is_redealt and text not in seen:
            seen.add(text)
            yield played.request


def capture_questions(game: str, seed: int) -> Iterator[dict[str, Any]]:
    """Yield requests for what a card may take from eight others, no two of them alike."""
    random, seen = Random(f"{game} {seed}"), set()
    while True:
        *layout, card = random.sample(PACK, LAYOUT + 1)
        question = (frozenset(layout), card)
        if question not in seen:
            seen.add(question)
            yield {"game": game, "layout": layout, "card": card}


def as_line(request: dict[str, Any]) -> bytes:
    """Return a request as ``--lines`` reads it."""
    return json.dumps(request, ensure_ascii=False).encode() + b"\n"
