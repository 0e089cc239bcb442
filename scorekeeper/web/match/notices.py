"""The notice of a board that stays until a player acts: one at a time, in a place of its own.

A source of notices looks at the match as this phone sees it and returns what it would say, or None. The first that has
something to say is drawn, so the order of ``SOURCES`` is the order in which the notices of a phone come.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from ...store.changes import changes_after, last_change
from ...store.deleted import newest_deletion
from ...store.doubts import Doubt
from ...store.models import now
from ...store.voices import Speaker
from ..base.access import visitor
from ..base.by_facts import only_now
from ..base.remembered import known_device
from ..base.seen import milliseconds, seen_of
from .author import side_of_phone, speaker
from .changes_shown import change_shown
from .noted_twice import about_pair
from .view import MatchView

SHOWN = timedelta(minutes=1)
"""How long a change is shown to watchers."""
WATCHED = 50
"""The newest entries that may be younger than that."""


@dataclass(frozen=True)
class Notice:
    """A notice that stays: ``macro`` of ``macros/notices.html`` draws it from ``about``.

    ``entry`` is the id of the entry that it is about, which says on which boards it is the same; ``lines`` how many
    rows of 48 it takes, the one with its answers included.
    """

    macro: str
    entry: str
    about: Any = None
    lines: int = 1
    seconds: int = 0
    """After how many seconds it goes by itself; 0 if a player puts it away."""

    @property
    def cache_key(self) -> tuple[str, str]:
        """The parts of the cache key of a board that shows it, besides its match."""
        return self.macro, self.entry


def same_note(match: MatchView) -> Notice | None:
    """Return the question whether two phones have noted one thing, on these two phones."""
    pair = match.noted_twice
    device = known_device(match.table)
    if pair is None or device not in pair.devices or not visitor().may_write:
        return None
    return Notice("same_note", pair.second.id, about_pair(match, pair), 2)


def doubt(match: MatchView) -> Notice | None:
    """Return the notice of the newest deal that is in dispute, has two versions or waits for an answer."""
    return _about_newest(match.doubts)


def asked(match: MatchView) -> Notice | None:
    """Return the notice of the newest proposal about a deal to which the side of this phone has not answered."""
    side = side_of_phone(match) if visitor().may_write else None
    asked_here = [d for d in match.doubts if d.agreement.proposal and side in d.agreement.waits_for]
    return _about_newest(asked_here)


def _about_newest(doubts: list[Doubt]) -> Notice | None:
    if not doubts or (closed := doubts[-1].deal.closed) is None:
        return None
    return Notice("doubt", closed.id, doubts[-1])


def other_rules(match: MatchView) -> Notice | None:
    """Return the notice of other rules that are proposed."""
    proposal = match.standing.state.proposal
    return Notice("other_rules", proposal.entry.id, proposal) if proposal is not None else None


def changed(match: MatchView) -> Notice | None:
    """Return the notice of the oldest change by others that this phone has not seen; watchers see it for a minute."""
    state, seen = match.standing.state, seen_of(match.table)
    by = Speaker(None, None)
    if visitor().may_write:
        if seen is None:
            return None
        by = speaker(match)
        changes = changes_after(state, seen.entries.get(match.number, 0), by)
    else:
        young = [entry.seq for entry in reversed(state.entries[-WATCHED:]) if now() - entry.created_at < SHOWN]
        changes = changes_after(state, min(young, default=state.head + 1) - 1, by)[-1:]
    oldest = next((shown for change in changes if (shown := change_shown(match, change, by)) is not None), None)
    if oldest is None:
        return None
    seconds = 0 if visitor().may_write else int(SHOWN.total_seconds())
    return Notice("changed", oldest.change.entry.id, oldest, 2 if oldest.may_object else 1, seconds)


def deleted_match(match: MatchView) -> Notice | None:
    """Return the notice that a match of the table was deleted, until this phone has seen it."""
    seen = seen_of(match.table)
    if seen is None or not visitor().may_write:
        return None
    gone = newest_deletion(match.table)
    if gone is None or milliseconds(gone[1]) <= seen.deletions:
        return None
    return Notice("deleted_match", f"deleted-{gone[0]}", gone[0])


SOURCES: tuple[Callable[[MatchView], Notice | None], ...]
SOURCES = (same_note, asked, other_rules, changed, deleted_match, doubt)
"""The sources of notices, the most urgent first: questions, changed scores, quarrels."""


def staying_notice(match: MatchView) -> Notice | None:
    """Return the notice that the board shows on this phone until a player acts, if any."""
    notice = next((notice for source in SOURCES if (notice := source(match)) is not None), None)
    if notice is not None:
        # Some go by themselves after a while, some with what happens to other matches.
        only_now()
    return notice


def quiet_from(match: MatchView) -> int | None:
    """Return up to which entry a phone must have seen the match to have no notice that others have not.

    None if one may have a notice in any case. A phone that has seen as much has one only where all have it that are
    held by the same players.
    """
    if match.noted_twice is not None or newest_deletion(match.table) is not None:
        return None
    return last_change(match.standing.state) if visitor().may_write else 0
