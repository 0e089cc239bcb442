"""Every bound on what comes from outside, in one place: lengths, counts, depths, numbers, steps of work.

Anybody can open a table, so every request may come from a stranger. With these bounds no request takes more than a
quarter of a second of a processor, and no answer is longer than two megabytes; only a stored match that a process meets
for the first time may take a second. Each bound says what honest use needs. A request beyond a bound is refused with a
4xx that says why, and writes nothing; what is too much for one push is answered ``later``. This module imports nothing,
so that every layer may import it.
"""

from __future__ import annotations

# ---------------------------------------------------------------- requests

REQUEST_BYTES = 256 * 1024
"""A request over HTTP. The largest honest one is a push of ``PUSHED_ENTRIES`` closings with all their cards."""

FORM_BYTES = 64 * 1024
"""A posted form. A closing with forty declarations, every card tapped and every problem accepted has some 20 KB."""

HEAD_BYTES = 32 * 1024
"""The headers of a request. A phone that knows thirty tables sends some 5 KB, most of them cookies."""

HEAD_SECONDS = 10
"""Time in all until the headers of a request are here, from the connection on. A phone sends them in one piece."""

BODY_SECONDS = 30
"""Time in all until the body is here after them. An evening without signal has some 60 KB: bad signal carries that."""

BODY_AHEAD = FORM_BYTES
"""Bytes of a body that are collected before a thread has the request: every form, and the pushes of a usual evening."""

BODY_THREADS = 10
"""One thread of so many, at most, waits for longer bodies: pieces of a table's file, a push of everything at once."""

ANSWER_SECONDS = 60
"""Time in which a phone takes a piece of its answer. A page is one of some 20 KB, the largest answer two megabytes."""

HURRIED_SECONDS = 2
"""The same where others wait for a thread: strangers who ask for long answers and take none would have all of them."""

ANSWER_AHEAD = 256 * 1024
"""Bytes of an answer that the system takes at once, so that a phone which reads slowly has no thread. Linux gives twice
as much, or 400 KB where nobody has set its ``net.core.wmem_max``. All pages of an evening are smaller."""

HANG_UP_SECONDS = 2
"""Time in which a phone that was answered closes the connection itself, so that the answer's end is not lost."""

CONNECTIONS = 200
"""Connections of one network address to a process, unless a setting says otherwise: ``ADDRESS_STREAMS``, should one
process have them all, and the pages of those phones beside them. A browser opens six at most, its stream included."""

ALL_CONNECTIONS = 1_000
"""Connections of a process. Beyond it the one that waited the longest for its request gives way to the next."""

RUNNING_REQUESTS = 4
"""Requests that a process works out at once. There is one interpreter for all of them, and it is quicker with few."""

WAITS_SECONDS = 0.01
"""Time in which a process does little before its requests count as waiting, for the disk or the database."""

WAITS_ALWAYS_SECONDS = 1
"""Time after which a request counts as waiting in any case: the longest that one works out takes a quarter of it."""

UNNAMED_PROXIES = 64
"""Peers that a process has seen to be proxies which no setting names. A host has one."""

ENGINE_BYTES = 1_000_000
"""A request to the engine on the command line, where nobody else waits. Archives and tests send long matches."""

MOST_JOBS = 64
"""Processes that answer one stream of requests on the command line. Few machines have as many cores."""

JOB_LINES = 64
"""Lines that a process is given at a time: with fewer, it would wait for the next ones more often."""

JOB_BYTES = 128 * 1024
"""Bytes after which no other line is added to them: lists of long matches have answers much longer than themselves."""

JOB_AHEAD = 4
"""Such chunks for each process that are read ahead of the answers written: a slow request does not stop the others."""

JSON_DIGITS = 20
"""Digits of a whole number in JSON. The time to read one grows with the square of its digits."""

LARGEST_ID = 2**31 - 1
"""The largest number of a match, deal, player or entry: what an integer column holds on every database."""

# ---------------------------------------------------------------- a phone's cookies, and the secrets that sign them

COOKIE_DAYS = 400
"""Days for which a phone has its cookie of keys after it was set last: browsers drop every cookie by then."""

COOKIE_BYTES = 4093
"""Bytes of a cookie with its name and all that is said of it: the least of what browsers take."""

SECRET_LETTERS = 32
"""The least letters of a secret. Those that the app makes have 64."""

SECRETS = 20
"""Secrets that are followed at once. Each one more is tried with every cookie that none of them has signed."""

# ---------------------------------------------------------------- the engine

MOST_PROBLEMS = 50
"""Problems listed in one answer. Nobody corrects more at once, and bad cards alone could make tens of thousands."""

MOST_CARDS = 108
"""Cards in a list: the two packs of Carioca with their jokers."""

MOST_ITEMS = 200
"""Entries of any other list, or names of an object. The longest honest ones, declarations and penalties, have tens."""

NAME_LETTERS = 40
"""Letters of a side's label and of an extra round's name. Every line of a sheet names every side twice."""

MOST_DEALS = 200
"""Deals of a match. Real ones end within some forty."""

OWN_LINES = 4
"""Lines of a table's own. Each is a row of every closing, and tables that play one or two of them are rare."""

OWN_NAME_LETTERS = 24
"""Letters of the name of such a line, which has a part of a row of the closing."""

OWN_POINTS = 99
"""Points of such a line, more or less than nothing."""

OWN_COUNT = 99
"""How often a side makes such a line in a deal. Forty cards allow for far fewer."""

OWN_SPARE_LENGTH = 4000
"""Characters in which a form carries the own lines that were typed for games which are not chosen any more."""

MOST_ROUNDS = 12
"""Extra rounds of Carioca; it has eight of its own. Their names are part of every sheet."""

DEEPEST = 16
"""Objects and lists inside each other. A request has seven at the most."""

ANSWER_BYTES = 2_000_000
"""An answer of the engine over HTTP. A match of 200 deals with the evidence of every line has some 1.5 MB."""

LINES_ASKED = 4_000
"""Lines of one request with a deal a line. ``REQUEST_BYTES`` hold about as many of the shortest."""

SCORED_LINES_STEPS = 250_000
"""Steps for all lines of such a request, some seventy milliseconds; a line may begin with the last of them."""

LINE_AT_LEAST = 1_000
"""Steps that a line counts at least: also one that is damaged, or whose sheet is known, has to be read and answered."""

LINES_ANSWER_BYTES = 1_000_000
"""Characters of the answers to such a request, after which no other line is scored. A sheet has some 4,000."""

MOST_CAPTURES = 200
"""Sets that a card may take, as listed in one answer. Nobody reads a longer list to its end."""

DEAL_STEPS = 550_000
"""Steps of work for one deal, its question included: some 150 milliseconds. A step is some 0.27 microseconds of one
core of today, for any number of sides."""

EVIDENCE_STEPS = 100_000
"""Steps of a deal for checking counts and awards. Those not checked within them are believed."""

POSSIBLE_STEPS = 50_000
"""Steps to check counts, or one award. Beyond them they are believed."""

LINES_STEPS = 330_000
"""Steps of a deal for its lines. The remaining steps go to the question."""

LINE_STEPS = 100_000
"""Steps for one line under one choice of evidence, so that a prime leaves some for the lines after it."""

SHORT_STEPS = 15_000
"""Steps of a first, short look at every line, so that quick lines are done before slow ones spend the budget."""

BOUND_STEPS = 120_000
"""Steps for the bounds of a line, for the cards of a prime that are certain, and for the small deal that settles a
line. Beyond them the line has no bounds or cards, and all the evidence instead of a small part of it."""

WEIGHING_STEPS = 150_000
"""Steps to weigh which question is best. Beyond them the one that is easiest to answer is asked."""

GROUP_STEPS = 80_000
"""Steps to find a group of cards that takes fewer taps than they take one by one. Beyond them none is offered."""

QUESTION_STEPS = 60_000
"""Steps to find whether the answer to a question is still open. Beyond them the next question is tried."""

REST_STEPS = 180_000
"""Steps to find the open lines, if a form gives them all to one side; then the whole deal is judged. A line that takes
more is given to that side, too, and refused if the cards contradict it."""

TARGET_STEPS = 150_000
"""Steps to find the sets of open items with which sides reach the target. Beyond them none are named."""

MATCH_STEPS = 250_000
"""Steps for all deals of a match in a request, in their order, and as many for their questions. A deal with whole piles
or counts takes none, one that is proved by single cards some thirty thousand."""

EXAMPLE_STEPS = 20_000
"""Steps for one worked example of the rules. The lines that it is about are settled in fewer; without the bound, a page
of rules would also work out what to ask about the others."""

STORED_MATCH_STEPS = 1_200_000
"""The same for a stored match, which each process scores once as a whole and then deal by deal: a third of a second.
It is enough for forty deals of two sides, all proved by single cards. Any further deal
needs whole piles, whole counts, or awards."""

# ---------------------------------------------------------------- the store

CONNECT_SECONDS = 3
"""Time for a connection to the database to open. With the times below, a fault is answered before a phone gives up
after 10 seconds."""

STATEMENT_SECONDS = 5
"""Time for one statement on PostgreSQL. The slowest statement of a page takes some milliseconds."""

SILENCE_SECONDS = STATEMENT_SECONDS + 1
"""Time without any answer from PostgreSQL. A frozen server does not enforce ``STATEMENT_SECONDS`` itself."""

CLEANED_SECONDS = 60
"""Time between two clean-ups of a process behind deletions: on PostgreSQL each reads all its tables' changed pages."""

LOCK_SECONDS = 4
"""Time to wait for a row that another transaction has locked on PostgreSQL. An entry is written in milliseconds."""

QUEUE_SECONDS = 4
"""Time in the queue of SQLite's writers, so that one that hangs does not hang all the others."""

BUSY_SECONDS = 5
"""Time to wait for another program that has locked SQLite's file, once it is this writer's turn."""

POOL_CONNECTIONS = 32
"""Connections of one process to PostgreSQL, which accepts 97 by default: enough for two workers and their hubs."""

POOL_SECONDS = 5
"""Time to wait for a free connection of the pool. Each is used for milliseconds only."""

MOST_CONNECTIONS = 1000
"""The largest ``SCOREKEEPER_POOL``. A process has a few hundred threads at most to use connections."""

MOST_STREAMS = 100_000
"""The largest ``SCOREKEEPER_LIVE_STREAMS``. Each stream has a file handle and some kilobytes."""

LIVE_STREAMS = 4_000
"""Live streams of one process, unless a setting says otherwise: with two processes enough for a large club."""

THREAD_STREAMS = 200
"""The same where each stream holds a thread, under a server that is not ``scorekeeper serve``."""

TAKING_SECONDS = 10
"""Time in which a phone that follows takes a line of its stream once its room for what comes is full."""

OTHER_HANDLES = 256
"""File handles of a process that no phone has: of the database, of its threads, of the log."""

MOST_LISTENERS = 1_000
"""Processes of one machine that hear of a commit on SQLite at once. A server has two."""

NEWS_AT_ONCE = 4_096
"""Tables whose news a process sends, or takes, at once. What is beyond that is seen a second later."""

RETRY_SECONDS = 5
"""Time after which to send a request again while the database is out of reach (``Retry-After``)."""

QUIET_SECONDS = 60
"""Time between two lines of the log about one fault: a fault of every request must not fill the disk."""

EVENT_LINES = 20
"""Lines of the log about one kind of event in ``QUIET_SECONDS``: a stranger who makes many must not fill the disk."""

KNOWN_FAULTS = 200
"""Different faults that the log counts. There are a dozen, but a bug can have any text."""

PORT_SECONDS = 15
"""Time to wait for the port: workers whose master was killed hold it for some seconds."""

MATCH_ENTRIES = 2_000
"""Entries of one match; a page may have to replay them all. An evening of forty deals with every tap has some 400.
Entries that only void others or end the match are allowed beyond: each entry is voided once at most."""

MATCH_DEALS = 200
"""Deals of one match, as many as the engine takes at once. A match to 61 with small deals has some forty."""

DEAL_NOTES = 150
"""Sweeps, declarations, penalties and layouts noted in one deal, which the board lists. Forty cards allow for far
fewer."""

TAPPED_NOTES = 1_000
"""Notes of one deal whose points count at once: a whole match of taps may be one deal."""

TAPS_SHOWN = 20
"""Notes that the board of such a deal lists, so that a tap costs no more in a long match; the journal has all."""

TAPPED_POINTS = 999
"""The most points that one tap gives or takes: a keypad of three figures."""

MATCH_SIDES = 26
"""Sides of one match, those that have left included: each has a letter of its own."""

DEAL_DEALINGS = 20
"""How often one deal may be dealt again, or be dealt by another: after three times most tables change the pack."""

DEAL_ADJUSTMENTS = 10
"""Points that a table adds or takes in one deal, each a line of its sheet."""

DEAL_RIVALS = 5
"""Contested closings beside the closing that counts. A page scores them all and shows them side by side."""

DEAL_SAID = 50
"""Statements about one closing: confirmations, disputes, requests to open it again. Enough for five of each of ten
players."""

TABLE_MATCHES = 5_000
"""Matches of one table: one an evening for thirteen years, or ten every Sunday for nearly as long."""

EVENING_MATCHES = 40
"""Matches of an evening that its tally counts, the newest. Nobody plays as many in one."""

SERIES_REACH = 20
"""Matches of a table, from the first of a series on, among which every board looks for its others. There are three, and
between them some that were stopped, or that others have played."""

WAITING_PLAYERS = 12
"""Players who wait for a seat while the winner of a match stays."""

DELETED_HOURS = 24
"""Time in which a deleted match can be brought back. Its rows go with the first entry written after it."""

EXPIRE_MONTHS = (3, 1200)
"""The fewest and the most months without an opening after which tables may expire: two of them are for saying so."""

EXPIRY_GAP_DAYS = 7
"""Days without the daily work after which all tables that expire are announced anew: a server that was off, or a copy
of the database that was put back, has announced nothing. So is it where the last work is of a day as far ahead: a clock
is wrong, or was."""

EXPIRY_ANNOUNCED_DAYS = 61 + EXPIRY_GAP_DAYS
"""Days for which a table that expires says so on the phones that know it: two months, and as many days as a clock may
be wrong by before that is seen."""

EXPIRY_BATCH = 500
"""Tables that are announced in one transaction, so that nobody who writes at a table waits long for it."""

EXPIRY_LOOK_SECONDS = 60 * 60
"""Time between two looks of a process whether the daily work is done: it is one query."""

FORGET_HOURS = 24
"""Time in which a person who was forgotten can be brought back. The name goes with the first entry written after it."""

FREE_TEXT_ENTRIES = 20_000
"""Entries of a table that one page searches for a name, those of the newest matches: it takes some 30 ms."""

FREE_TEXT_MATCHES = 200
"""Matches that it searches at most: each has a set-up to read."""

FREE_TEXT_PLACES = 50
"""Places with a name that one such page lists."""

TABLE_PLAYERS = 100
"""Players of one table. Every page of the table reads all their names. A club evening has some forty."""

PHONES_CARRIED = 20
"""Phones whose holders a match takes over from the one before: those that wrote last. Ten players have ten."""

FORM_SECONDS = 60 * 60
"""Time in which the form that opened a table, posted again, leads a phone without the keys to that table."""

CACHED_STANDINGS = 8_000_000
"""Characters of the entries and sheets of all standings that a process caches: some forty megabytes, or five hundred
matches in play. Of each match only the newest standing is cached."""

CACHED_PARTS = 8_000_000
"""Characters of the drawn parts of pages that a process caches. The largest, forty sheets, has some 80,000."""

TABLES_TURNING = 5_000
"""Tables of which a process remembers what turns by time alone on their pages: some hundred bytes each."""

STORED_ANSWERS = 5_000
"""Pages of phones that a process finds again by one statement: some kilobyte each, without the page itself."""

COOKIES_REMEMBERED = 2_000
"""Cookies of keys whose signature a process has checked: four kilobytes each at most."""

DRAWING_SECONDS = 2
"""Seconds for which a request waits for another one to draw the same page, and then for a core, before it draws."""

PHONES_REMEMBERED = 20_000
"""Phones at tables whose last note a process remembers; for the others it asks the database."""

PAGES_OF_A_PHONE = 100
"""Matches about which a phone asks at once whether they are deleted; it stores 80 pages, and 30 drafts."""

DOUBT_DAYS = 30
"""Days after its last word for which a quarrel over a deal is shown; after that it counts as dropped."""

DOUBT_ENDINGS = 15
"""Ways to settle the deals in doubt that are tried to see if another side would win; with more the page says so."""

SCORED_AGAIN = 6
"""Closings that no longer count, scored again for one page of the journal."""

OPEN_DOUBTS = 200
"""Matches that a ranking reads one by one: those of one evening, or those that a doubt decides, the newest."""

RANKED_ROWS = 50
"""Rows of a ranking. A table has some ten players; among a hundred there may be thousands of pairs."""

PAIRS_OFFERED = 100
"""Partners in the list of those whose matches can be found. Among a hundred players there are thousands; with one of
them chosen, the list has that player's."""

UNFINISHED_SHOWN = 5
"""Matches in play above the evenings, the newest. A table has one; those of a year ago are in their evenings, too."""

CHART_LINES = 6
"""Players whose wins are drawn in one chart: more lines look alike."""

CHART_STEPS = 12
"""Evenings, or months, that such a chart has room for on a phone."""

EXPORTED_DEALS = 2_000
"""Deals in one file that takes a table's matches away: three years of evenings, some 300 KB. More come in parts."""

FILE_ENTRIES = 5_000
"""Entries in one part of a table's file, unless it is one match: read, checked and written in a second or two."""

FILE_BYTES = 2_000_000
"""Bytes of one part of a table's file, unless it is one match: ``FILE_ENTRIES`` entries of an evening."""

FILE_MATCH_BYTES = 16_000_000
"""Bytes of a part that is one match: ``MATCH_ENTRIES`` entries of eight kilobytes. A long evening has some 0.3 MB."""

FILE_VALUES = 1_000_000
"""Values in one part of a table's file, by its commas and brackets: ``MATCH_ENTRIES`` entries of ``FORM_FIELDS``. The
time to read JSON follows from its values, not its bytes. ``FILE_ENTRIES`` entries of an evening have some 80,000."""

FILE_PARTS = 50
"""Parts of a table's file that are worked out at once, for which the sizes of their entries are read: ten years of
evenings, some 250,000 entries, in half a second. A longer list ends with the rest, which has parts of its own."""

FILE_CLOCK_MINUTES = 10
"""How far the clocks of two servers may differ: no time in a table's file is further in the future."""

PHONE_NUMBERS = 1_000_000
"""The highest number of a phone in a table's file. Each phone that writes at a table gets the next one."""

HOST_IMPORTS = 50
"""Files of tables that are being checked at the same time."""

ADDRESS_IMPORTS = 3
"""The same of one network address: a table in parts is one after the other."""

IMPORT_MINUTES = 60
"""Time without a further piece after which such a file is forgotten, and with it what was made of it so far."""

IMPORT_SECONDS = 0.12
"""Processor time after which a piece of checking begins nothing more. What has begun by then, a closing or the writing
of a match, takes about as much, so that both together take what any request may: a quarter of a second."""

RECORD_CLOSINGS = 3_000
"""Closings that a page of a player's record reads. A hundred matches have some 1,500."""

JUDGED_AHEAD = 4
"""How often an entry is judged outside the write lock, while others write to the match, before it is judged inside."""

# ---------------------------------------------------------------- the brakes

NEW_TABLES = 10
"""Tables that one network address opens in an hour, unless a setting says otherwise; a file taken in is one. A family
opens one for a game and one that was a mistake."""

HOST_NEW_TABLES = 1_000
"""The same of a host, from all addresses: at most 24,000 a day, some 70 MB of rows. Without it 208 a second are 48 GB a
day. A tournament of a thousand tables opens that many once."""

WRONG_KEYS = 60
"""Different keys that open nothing, of one address in a minute. A renewed link is one for all screens of a table."""

ENGINE_SECONDS = 20
"""Seconds of a processor that requests of one address to the engine take in a minute: a third of a core. An evening of
eight phones that is played within one minute takes less than four."""

ENGINE_REQUEST = 0.25
"""Seconds for which a request to the engine counts while it is being answered: what the dearest one takes. So one
address has eighty of them at once in a process, and no more."""

ENGINE_SHARE = 0.5
"""The part of a host's cores that they take from all addresses together. The rest draws pages and writes taps."""

HOST_RESERVE = 0.5
"""The part of that share which only addresses take that have not used ``ENGINE_SPARED`` yet: else three strangers who
use all that is theirs would stop the closings of everybody."""

ENGINE_SPARED = 4
"""Seconds of a minute up to which an address is served from the reserve: what such an evening takes."""

TABLE_STREAMS = 60
"""Live streams of one table at once; the pages beyond it ask every two seconds. A club night has some forty phones."""

ADDRESS_STREAMS = 120
"""Live streams of one address at once, so that no stranger takes those of everybody."""

MOST_BRAKED = 1_000_000_000
"""The largest setting of a brake."""

COUNTED = 65_536
"""Counts of addresses that a host has room for, two megabytes. What ends soonest gives way to what is new."""

HOST_COUNTED = 64
"""Counts of the host itself, in a part of their own: no flood of addresses pushes one out."""

COUNTED_STREAMS = 16_384
"""Counts of open streams, half a megabyte: two for a stream at most."""

BRAKE_PROBE = 8
"""Slots in which a count may be. More would cost time with every count; with fewer, one gives way to another sooner."""

STREAM_PROBE = 64
"""Slots in which the counts of one table's streams may be: each process has one of its own."""

BRAKE_LOCK_SECONDS = 0.25
"""Time to wait for the memory of the brakes, which is held for some microseconds; after it a request counts later."""

COUNTED_LATER = 4_096
"""Counts of a process that wait for the memory: some for each of its threads. Beyond it the oldest are lost."""

REDIS_SECONDS = 0.1
"""Time for an answer of Redis. After it counts are those of this host."""

REDIS_PAUSE = 5
"""Seconds after a fault of Redis before it is asked again, by one request."""

REDIS_CONNECTIONS = 1_000
"""Connections of one process to Redis: each of its threads needs one at most."""

FORWARDED_ADDRESSES = 50
"""Addresses of ``X-Forwarded-For`` that are read, from its end. Nobody has as many proxies."""

WARNED_SECONDS = 60 * 60
"""Time between two warnings about requests that come by a proxy which no setting names."""

# ---------------------------------------------------------------- the pages

ADDRESS_BYTES = 4000
"""An address with its query. The longest honest one, forty cards for the prime referee, has some 600 bytes."""

RANKS_LENGTH = 400
"""Letters typed for the ranks left in a hand of Carioca. A hand has a dozen cards."""

FORM_FIELDS = 500
"""Values of a form, all names together. A closing with a whole pack shown, another one said, and forty declarations has
some 240, the form of a match with ten players and every option some 70."""

FIELD_VALUES = 60
"""Values of any one name in a form: the largest pack has fewer cards."""

FORM_VALUES = 40
"""Values of one name in a form: the cards of a pile, the declarations of a deal, its penalties."""

GROUP_CARDS = 4
"""Cards in a group that is asked about at once: more are hard to remember while looking through a pile."""

DECLARATION_LENGTH = 600
"""Letters of a declaration in a form field. Three cards, their values and the items have some 200."""

LARGEST_POINTS = 100_000
"""The most points of a side, an adjustment or an option. No game is near it."""

FIRST_YEAR = 1900
"""The earliest year of a result from paper. Nobody at the table played before it."""

TYPED_POINTS = 12
"""Letters of the points of a side as they are typed: those of ``LARGEST_POINTS``, with a sign, a half and blanks."""

REASON_LENGTH = 60
"""Letters of the reason why a table adds points, or takes some: a line of a sheet on a phone."""

NOTE_LENGTH = 120
"""Letters of the line about a match, and of what it is played for."""

TYPED_NAME = 1000
"""Letters of a name as typed, before it is cleaned. A longer one is refused at once."""

SHEETS_OF_A_PAGE = 100
"""Sheets on one page of a match; a sheet has some 3 KB. A match of an evening has a dozen."""

DEALS_AHEAD = 12
"""Deals whose closing form a phone has ahead, in case the signal goes."""

NOTED_SHOWN = 100
"""Entries of the deal being played that a board lists, and entries written meanwhile that a form lists: the newest."""

ROUNDS_SHOWN = 30
"""Rounds in the columns of a board: the newest. All of them are on the page of the match."""

AGREEMENTS_SHOWN = 20
"""Deals waiting for agreement that a board names: the newest."""

VERSIONS_SHOWN = 6
"""Closings of one deal that are shown side by side. Each is scored, and more do not fit a screen."""

POINTS_OF_A_LINE = 200
"""Points of a line that shows a course of totals. A phone's screen shows no more."""

LARGEST_TALLY_MARKS = 31
"""The target up to which points are drawn as strokes. Beyond it they would not fit beside a name: a bar is drawn."""

LINKS_LOOKED_UP = 8
"""Links in a pasted text that are looked up in the database."""

PUSHED_ENTRIES = 50
"""Entries of one push. Phones send at most fifty at a time, the taps of an evening."""

SHOWN_ITEMS = 60
"""Items of a closing whose shown points a phone reports. No game has half as many."""

PUSH_WEIGHT = 100
"""Work on one push, counted in taps: enough for fifty taps and five closings of an evening without signal. A phone
sends what is left at once."""

STEPS_A_WEIGHT = 3_000
"""Steps that weigh as much as one tap: after a closing that took half the steps of a deal, another push goes on."""

ENTRIES_A_WEIGHT = 20
"""Entries that are replayed in the time of one tap. To write a closing, all entries of the match are replayed."""

PULLED_ENTRIES = 500
"""Entries in one answer to a pull."""

PULLED_BYTES = 400_000
"""Bytes of payloads in one answer to a pull, and of entries written meanwhile in an answer to a push."""
