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

CONNECT_SECONDS = 3
"""For a connection to the database to open. With what follows, an answer is there before a phone gives up (10 s)."""

STATEMENT_SECONDS = 5
"""For one statement on PostgreSQL. The slowest that a page asks takes some milliseconds."""

SILENCE_SECONDS = STATEMENT_SECONDS + 1
"""For any sign from PostgreSQL: a server that is frozen cannot even tell that its own time is up."""

LOCK_SECONDS = 4
"""For another transaction on PostgreSQL to let a row go. Writing an entry takes some milliseconds."""

QUEUE_SECONDS = 4
"""In the queue of SQLite's writers: one that hangs must not hang all the others."""

BUSY_SECONDS = 5
"""For another program to let SQLite's file go, once it is this writer's turn."""

POOL_CONNECTIONS = 32
"""Connections of one process to PostgreSQL, which lets 97 in unless told otherwise: two workers and their hubs fit."""

POOL_SECONDS = 5
"""For a connection of the pool to come free. Each is used for milliseconds: whoever waits gets one."""

MOST_CONNECTIONS = 1000
"""What ``SCOREKEEPER_POOL`` may ask for; a process has no more than a few hundred threads to use them."""

MOST_STREAMS = 100_000
"""What ``SCOREKEEPER_LIVE_STREAMS`` may ask for; each stream holds a thread."""

RETRY_SECONDS = 5
"""After which a request is worth sending again while the database is out of reach (``Retry-After``)."""

QUIET_SECONDS = 60
"""Between two lines of the log about one fault: a fault that every request meets must not fill the disk."""

KNOWN_FAULTS = 200
"""Faults that the log keeps apart. There are a dozen; what is a bug's own text is bounded so."""

PORT_SECONDS = 15
"""For a port to come free: workers whose master was killed hold it for some seconds more."""

# ---------------------------------------------------------------- the pages
