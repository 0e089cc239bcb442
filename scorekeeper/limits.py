"""Every bound on what comes from outside, in one place: lengths, counts, depths, numbers, steps of work.

Anybody can open a table, so every request is a stranger's. No request costs more than a quarter of a second of a
processor or answers more than a megabyte; these numbers see to it, and each says what it is measured by. What is over
a bound is refused with a clear 4xx and writes nothing. This module imports nothing, so that every layer may read it.
"""

from __future__ import annotations

# ---------------------------------------------------------------- requests

REQUEST_BYTES = 256 * 1024
"""A request over HTTP. The largest honest one is a push of ``PUSHED_ENTRIES`` closings with all their cards."""

FORM_BYTES = 64 * 1024
"""A posted form. A closing with forty declarations, every card tapped and every problem accepted has some 20 KB."""

ENGINE_BYTES = 1_000_000
"""A request to the engine on the command line, where nobody else waits: archives and tests send long matches."""

JSON_DIGITS = 20
"""Digits of a whole number in JSON. Python takes time by the square of them."""

LARGEST_ID = 2**31 - 1
"""Numbers of matches, deals, players and entries: what a column holds on every database."""

# ---------------------------------------------------------------- the engine

# ---------------------------------------------------------------- the notebook

# ---------------------------------------------------------------- the pages
