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

MATCH_ENTRIES = 2_000
"""Entries of one match. An evening of forty deals with every tap has some 400; every page folds all of them. What only
takes back or ends comes on top: each entry is taken back once at most."""

MATCH_DEALS = 200
"""Deals of one match, as many as the engine takes at once. A match to 61 with small deals has some forty."""

DEAL_NOTES = 150
"""Sweeps, declarations, penalties and layouts noted in one deal, which the board lists. Forty cards allow for far
fewer."""

DEAL_RIVALS = 5
"""Closings that wait beside the one that stands: its page scores and shows each of them, side by side."""

DEAL_SAID = 50
"""What may be said about one closing: agreed, disputed, asked to be opened again. Ten players say five things each."""

TABLE_MATCHES = 5_000
"""Matches of one table: one an evening for thirteen years, or ten every Sunday for nearly as long."""

TABLE_PLAYERS = 100
"""Players of one table: each of its pages knows all their names. A club evening has some forty."""

FORM_SECONDS = 60 * 60
"""For so long a repeated post of the form that opened a table leads to that table, where the phone has not got its
keys."""

KEPT_STANDINGS = 8_000_000
"""What the standings weigh that a process keeps at hand, in characters of their entries and sheets, the newest of each
match only: some forty megabytes, five hundred matches in play."""

KEPT_PARTS = 8_000_000
"""Characters of the drawn parts that a process keeps at hand; the largest, forty sheets, has some 80,000."""

SCORED_AGAIN = 6
"""Closings that do not count any more and are scored to be shown on one page of the journal."""

RECORD_CLOSINGS = 3_000
"""Closings that a page of a player's record reads. A hundred matches have some 1,500."""

JUDGED_AHEAD = 4
"""How often an entry is judged before the write lock is taken, where others write to the match meanwhile."""

# ---------------------------------------------------------------- the pages
