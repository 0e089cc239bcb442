"""How many cases a test draws: a third of them in ``make test``, all in ``make test-all``, many more where asked.

``SCOREKEEPER_DEALS`` says how many deals are drawn for a line-up, and everything else goes with it: 4 unless it is set,
12 in ``make test-all``; 1000 makes a long run.
"""

from __future__ import annotations

import os

ALL = 12
DEALS = int(os.environ.get("SCOREKEEPER_DEALS", "4"))


IS_WHOLE = DEALS >= ALL
"""Whether everything is tried, as in ``make test-all``."""


def examples(all_of_them: int, *, costly: bool = False) -> int:
    """Return how many examples to draw of those that ``make test-all`` draws; at least one.

    Of ``costly`` ones ``make test`` draws a sixth, not a third.
    """
    share = DEALS / 2 if costly and not IS_WHOLE else DEALS
    return max(int(all_of_them * share) // ALL, 1)
