"""The changes of others, as a notice says them: who, what, from what to what, and where to look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import url_for

from ...rules import contract
from ...store.agreement import author_of
from ...store.changes import Change, may_be_unsaid
from ...store.journal.entries import JournalEntry
from ...store.journal.replay import DealState
from ...store.standings import score_closing
from ...store.voices import Speaker
from .author import AuthorNames, said_on
from .view import MatchView


@dataclass(frozen=True)
class ShownChange:
    """A change with the words and numbers of its match."""

    match: MatchView
    change: Change
    deal: DealState | None
    points_before: tuple[contract.Number, ...] = ()
    """The points of the sides in the deal as it was, in playing order; none if no closing counted."""
    points_after: tuple[contract.Number, ...] = ()
    may_object: bool = False
    """True if this phone may say that it is not so."""

    @property
    def who(self) -> str:
        """Who did it: a player, a side or a phone; "" if not known."""
        return AuthorNames(self.match, self.match.standing.state.entries).owner_of(self.change.entry)

    @property
    def where(self) -> str:
        """On whose phone something was said for a side, in words."""
        return said_on(self.match, self.change.entry)

    @property
    def see(self) -> str:
        """The address where to look; there it counts as seen."""
        number, seq = self.match.number, self.change.entry.seq
        address: dict[str, Any] = {"key": self.match.key, "number": number, "seen": f"{number}.{seq}"}
        if self.deal is not None and self.deal.closed is not None:
            return url_for("deals.sheet", deal=self.deal.number, **address)
        if self.change.what == "rules":
            return url_for("rules.of_match", **address)
        return url_for("journal.show", **address)


def change_shown(match: MatchView, change: Change, by: Speaker) -> ShownChange | None:
    """Return a change as its notice shows it; None if the points of a deal are what they were."""
    deal = None if change.deal is None else match.standing.state.deal(change.deal)
    if change.what not in ("points", "reopened"):
        may_object = change.what == "said" and may_be_unsaid(match.standing.state, change.entry, by)
        return ShownChange(match, change, deal, may_object=may_object)
    assert deal is not None
    assert change.before is not None
    before = _points(match, deal, change.before)
    after = _points(match, deal, deal.closed) if deal.closed is not None else ()
    is_own = by.side is not None and author_of(change.entry).side == by.side
    may_object = bool(after) and not is_own and change.what == "points"
    return None if before == after else ShownChange(match, change, deal, before, after, may_object)


def _points(match: MatchView, deal: DealState, closing: JournalEntry) -> tuple[contract.Number, ...]:
    points: Mapping[str, contract.Number] = score_closing(match.standing.state, deal, closing).get("points") or {}
    return tuple(points.get(label, 0) for label in deal.setup.labels)
