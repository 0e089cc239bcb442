"""The kinds of entries in a journal, and what each does to the match."""

from __future__ import annotations

MATCH_STARTED = "match_started"
LAYOUT_NOTED = "layout_noted"
SWEPT = "swept"
DECLARED = "declared"
PENALISED = "penalised"
DEAL_CLOSED = "deal_closed"
VOIDED = "voided"
MATCH_ENDED = "match_ended"
PLAYER_RENAMED = "player_renamed"
TABLE_RENAMED = "table_renamed"
RENAMED = frozenset({PLAYER_RENAMED, TABLE_RENAMED})
DEAL_CONTESTED = "deal_contested"
"""Another closing of a closed deal, with facts of its own: kept beside the one that stands until the table chooses."""
CONFIRMED = "confirmed"
"""Somebody stands behind the closing that ``entry`` names; with ``facts``: by a closing that comes to the same."""
DISPUTED = "disputed"
REOPENING_ASKED = "reopening_asked"
REOPENING_ACCEPTED = "reopening_accepted"
STATEMENTS = frozenset({CONFIRMED, DISPUTED, REOPENING_ASKED, REOPENING_ACCEPTED})
"""What is said about a closing, which ``entry`` names; ``side`` says who says it."""
OF_A_DEAL = frozenset({LAYOUT_NOTED, SWEPT, DECLARED, PENALISED, DEAL_CLOSED, DEAL_CONTESTED}) | STATEMENTS
NOTED = frozenset({LAYOUT_NOTED, SWEPT, DECLARED, PENALISED})
"""What is told of a deal while it is played."""
KINDS = OF_A_DEAL | RENAMED | {MATCH_STARTED, VOIDED, MATCH_ENDED}
MOVES_NO_POINTS = STATEMENTS | RENAMED | {DEAL_CONTESTED}
"""What moves no point: a form drawn before it was written is as good as new."""
NOTES = NOTED | RENAMED
"""What is written beside whatever else was noted meanwhile: two sweeps are two sweeps."""
ALWAYS_ROOM_FOR = frozenset({VOIDED, MATCH_ENDED})
"""What may be written to a full match too: it happens once."""
NEVER_VOIDED = RENAMED | {VOIDED, MATCH_STARTED}
"""What voiding would not undo: a name is taken back by giving the former one again."""
