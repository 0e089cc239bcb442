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

NAME_LETTERS = 40
"""Letters of a side's label, and of an extra round's name: every line of a sheet names every
side twice."""

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

LINES_STEPS = 220_000
"""Steps of a deal's that go to its lines; what is left goes to the question."""

LINE_STEPS = 100_000
"""Steps for one line under one choice of evidence, so that a prime does not leave nothing for the lines after it."""

SHORT_STEPS = 15_000
"""Steps of a first, short look at every line, so that those quickly weighed do not wait for the others."""

WEIGHING_STEPS = 150_000
"""Steps to weigh which question is best; beyond them the one that is easiest to answer is asked."""

QUESTION_STEPS = 60_000
"""Steps to find whether a question is open; beyond them the next one is tried."""

MATCH_STEPS = 250_000
"""Steps of work for all deals of a match that anybody sends, in their order. A deal whose piles or counts are whole
takes none, one that is proved by single cards some thirty thousand."""

STORED_MATCH_STEPS = 1_200_000
"""The same for a match of the notebook, which is scored anew once in each process and then deal by deal: room for forty
deals of two sides that are all proved by single cards. A deal beyond is told by all its cards or counts, or by who took
what."""

MOST_SUMS = 80_000
"""Sums formed in one step of joining suits; of more, a sample is looked at."""

CACHED_WEIGHT = 400_000
"""Numbers in the results that a process remembers: some 20 MB. Looking through more memory would take long, too."""

HEAVIEST_CACHED = 30_000
"""Numbers in one result that is remembered beyond its request."""

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

CACHED_STANDINGS = 8_000_000
"""What the standings weigh that a process keeps at hand, in characters of their entries and sheets, the newest of each
match only: some forty megabytes, five hundred matches in play."""

CACHED_PARTS = 8_000_000
"""Characters of the drawn parts that a process keeps at hand; the largest, forty sheets, has some 80,000."""

SCORED_AGAIN = 6
"""Closings that do not count any more and are scored to be shown on one page of the journal."""

RECORD_CLOSINGS = 3_000
"""Closings that a page of a player's record reads. A hundred matches have some 1,500."""

JUDGED_AHEAD = 4
"""How often an entry is judged before the write lock is taken, where others write to the match meanwhile."""

# ---------------------------------------------------------------- the pages

ADDRESS_BYTES = 4000
"""An address with its question. The longest honest one tells the prime referee forty cards, in some 600 bytes."""

RANKS_LENGTH = 400
"""The ranks left in a hand of Carioca, as they are typed. A hand has a dozen cards."""

FORM_FIELDS = 500
"""Values of a form, all names together. A closing with a whole pack and forty declarations has some 200, the form of a
match with ten players and every option some 70."""

FIELD_VALUES = 60
"""Values of one name in any form, whatever it is called: the largest pack has fewer cards."""

FORM_VALUES = 40
"""Values of one name in a form: the cards of a pile, the declarations of a deal, its penalties."""

DECLARATION_LENGTH = 600
"""A declaration as a form carries it. Three cards, what was said of them and their values have some 200 letters."""

TYPED_NAME = 1000
"""A name as it is typed, before it is cleaned: what is longer is too long whatever is left out of it."""

SHEETS_OF_A_PAGE = 100
"""Sheets on one page of a match; a sheet has some 3 KB. A match of an evening has a dozen."""

DEALS_OF_A_TEXT = 200
"""Deals told in a match's text, the newest; a line each."""

NOTED_SHOWN = 100
"""Entries that a board lists of the deal being played, and a form of what was written meanwhile, the newest."""

AGREEMENTS_SHOWN = 20
"""Deals that a board names as still to be settled, the newest."""

VERSIONS_SHOWN = 6
"""Closings of one deal that are shown side by side. Each is scored, and more do not fit a screen."""

POINTS_OF_A_LINE = 200
"""Points of a line that shows how totals went: a phone's screen shows no more."""

LINKS_LOOKED_UP = 8
"""Links of a pasted text that are looked up."""

PUSHED_ENTRIES = 50
"""Entries of one push. A phone sends fifty at a time: fifty taps are an evening's."""

PUSH_WEIGHT = 150
"""What is done of one push, in taps: fifty always, and what an evening without signal brings together with them."""

ENTRIES_A_WEIGHT = 20
"""Entries of a match that are folded in the time of a tap: where a closing is written, all of them are."""

PULLED_ENTRIES = 500
"""Entries in one answer to a pull."""

PULLED_BYTES = 400_000
"""The payloads in one answer to a pull, and those told of as written meanwhile."""
