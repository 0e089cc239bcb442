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

MOST_PROBLEMS = 50
"""Problems that are listed. Nobody mends more at once; a request of bad cards alone would have tens of thousands."""

MOST_CARDS = 108
"""Cards in a list: the two packs of Carioca with their jokers."""

MOST_ITEMS = 200
"""Entries of any other list, or names of an object. The longest honest ones, declarations and penalties, have tens."""

NAME_LETTERS = 24
"""Letters of a side's label, and of an extra round's name. Every line of a sheet names every side twice."""

MOST_DEALS = 200
"""Deals of a match. Real ones end within some forty."""

MOST_ROUNDS = 12
"""Extra rounds of Carioca; it has eight of its own. Their names are part of every sheet."""

DEEPEST = 16
"""Objects and lists inside each other. A request has seven at the most."""

ANSWER_BYTES = 1_000_000
"""An answer of the engine over HTTP. A match of 200 deals with every line open has some 700 KB."""

MOST_CAPTURES = 200
"""Sets that a card may take which are listed; of more than these nobody reads the end."""

DEAL_STEPS = 400_000
"""Steps of work for one deal, about a tenth of a second: a step is some 0.25 microseconds of one core of today."""

EVIDENCE_STEPS = 80_000
"""Steps of a deal's that go to checking counts and awards; beyond them they are believed."""

POSSIBLE_STEPS = 50_000
"""Steps to find whether counts, or one award, can be true; beyond them they are believed."""

SETTLE_STEPS = 220_000
"""Steps of a deal's that go to its lines; what is left goes to the question."""

LINE_STEPS = 100_000
"""Steps for one line under one choice of evidence, so that a prime does not leave nothing for the lines after it."""

SHORT_STEPS = 15_000
"""Steps of a first, short look at every line, so that those quickly weighed do not wait for the others."""

WEIGHING_STEPS = 150_000
"""Steps to weigh which question is best; beyond them the one that is easiest to answer is asked."""

QUESTION_STEPS = 60_000
"""Steps to find whether a question is open; beyond them the next one is tried."""

MATCH_STEPS = 400_000
"""Steps of work for all deals of a match, in their order. A finished deal takes a few hundred at the most."""

MOST_SUMS = 80_000
"""Sums formed in one step of joining suits; of more, a sample is looked at."""

REMEMBERED_WEIGHT = 400_000
"""Numbers in the results that a process remembers: some 20 MB. Looking through more memory would take long, too."""

HEAVIEST_REMEMBERED = 30_000
"""Numbers in one result that is remembered beyond its request."""

# ---------------------------------------------------------------- the notebook

# ---------------------------------------------------------------- the pages
