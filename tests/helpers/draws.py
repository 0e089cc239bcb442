"""How many cases a test draws: ``SCOREKEEPER_DRAWS`` times as many as it says, 1 unless it is set."""

from __future__ import annotations

import os

TIMES = int(os.environ.get("SCOREKEEPER_DRAWS", "1"))


def examples(number: int) -> int:
    """Return how many examples to draw of so many in a usual run."""
    return number * TIMES
