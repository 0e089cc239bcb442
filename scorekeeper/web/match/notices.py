"""The notice of a board that stays until somebody acts: one at a time, in a place that is kept for it.

A source of notices looks at the match as this phone sees it and returns what it would say, or None. The first that has
something to say is drawn, so the order of ``SOURCES`` is the order in which the notices of a phone come.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .view import MatchView


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

    @property
    def cache_key(self) -> tuple[str, str]:
        """What a board that shows it depends on, besides its match."""
        return self.macro, self.entry


def doubt(match: MatchView) -> Notice | None:
    """Return the notice of the newest deal that is in dispute, has two versions or waits for an answer."""
    waiting = match.awaiting_agreement()
    return Notice("doubt", waiting[-1][0].closed.id, waiting[-1]) if waiting else None  # type: ignore[union-attr]


def other_rules(match: MatchView) -> Notice | None:
    """Return the notice of other rules that are proposed."""
    proposal = match.standing.state.proposal
    return Notice("other_rules", proposal.entry.id, proposal) if proposal is not None else None


SOURCES: tuple[Callable[[MatchView], Notice | None], ...] = (other_rules, doubt)
"""Where notices come from, the most urgent first: questions, changed scores, quarrels."""


def staying_notice(match: MatchView) -> Notice | None:
    """Return the notice that the board shows on this phone until somebody acts; None where nothing waits."""
    return next((notice for source in SOURCES if (notice := source(match)) is not None), None)
