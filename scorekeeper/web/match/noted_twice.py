"""The question whether two phones have noted one thing, as a board and a closing ask it."""

from __future__ import annotations

from dataclasses import dataclass

from ...store.journal.entries import JournalEntry
from ...store.same_notes import NotedTwice
from ..base.remembered import known_device
from .author import AuthorNames
from .view import MatchView


@dataclass(frozen=True)
class AskedPair:
    """Two notes that may be one, and who noted the one that is not this phone's; "" if not known."""

    first: JournalEntry
    second: JournalEntry
    who: str


def about_pair(match: MatchView, pair: NotedTwice) -> AskedPair:
    """Return two notes as this phone is asked about them."""
    other = pair.first if pair.second.device == known_device(match.table) else pair.second
    return AskedPair(pair.first, pair.second, AuthorNames(match, match.standing.state.entries).owner_of(other))


def asked_pair(match: MatchView) -> AskedPair | None:
    """Return the notes that a closing asks about; None if there are none."""
    return None if match.noted_twice is None else about_pair(match, match.noted_twice)
