"""How many cases a test draws: a third of them in ``make test``, all in ``make test-all``, many more where asked.

``SCOREKEEPER_DEALS`` says how many deals are drawn for a line-up, and everything else goes with it: 4 unless it is set,
12 in ``make test-all``; 1000 makes a long run.
"""

from __future__ import annotations

import os

ALL = 12
DEALS = int(os.environ.get("SCOREKEEPER_DEALS", "4"))


def examples(all_of_them: int) -> int:
    """Return how many examples to draw of those that ``make test-all`` draws; at least one."""
    return max(all_of_them * DEALS // ALL, 1)
