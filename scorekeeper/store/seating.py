"""The changes of who plays, which rest on one another: nobody comes in who plays already, and no side too many."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import reduce

from scorekeeper import rules

from .journal import kinds
from .journal.entries import JournalEntry, NewEntry
from .journal.match_setup import Setup
from .journal.replay import MatchState

SEATS = frozenset({kinds.SEATED, kinds.SUBSTITUTED, kinds.ENTERED, kinds.LEFT})
"""The kinds that change who plays."""
Change = JournalEntry | NewEntry
"""A change of who plays, written or about to be."""


def seats_that_count(state: MatchState) -> list[JournalEntry]:
    """Return the entries of a match that change who plays and are not voided, oldest first."""
    voided = {entry.payload["entry"] for entry in state.entries if entry.kind == kinds.VOIDED}
    return [entry for entry in state.entries if entry.kind in SEATS and entry.id not in voided]


def out_of_place(state: MatchState, changes: Sequence[Change]) -> list[Change]:
    """Return those of these changes that cannot be if the match has these and no others, oldest first.

    They are taken in the order in which they were written, so that what is left without the last one is in order, too.
    Those of deals up to the last closed one are left out: nobody changes them any more.
    """
    last = max((deal.number for deal in state.closed), default=0)
    changes = [change for change in changes if change.payload.get("deal", 1) > last]
    before = state.closed[-1].setup if state.closed else Setup.from_json(state.entries[0].payload["setup"])
    numbers = sorted({last + 1, *(change.payload.get("deal", 1) for change in changes)})
    seating = _Seating(_line_ups(before), before, dict.fromkeys(numbers, before))
    return [change for change in changes if not seating.takes(change)]


def _line_ups(setup: Setup) -> Collection[tuple[int, int]]:
    """Return the numbers of sides, and of players of each, that the game of a set-up is played with."""
    game = rules.find_game(setup.game)
    return () if game is None else game.line_ups_of(setup.preset or game.default_preset)


@dataclass
class _Seating:
    """Who plays in the deals to come, after some changes."""

    line_ups: Collection[tuple[int, int]]
    before: Setup
    """The set-up before all of them."""
    deals: dict[int, Setup]
    """The set-up from each deal on, by its number."""
    taken: list[Change] = field(default_factory=list)

    def takes(self, change: Change) -> bool:
        """Return whether a change can be made after the others, and make it if it can."""
        if change.kind == kinds.SEATED:
            changed = self._seated_anew(change)
        else:
            from_then = [number for number in self.deals if number >= change.payload["deal"]]
            can_be = all(self._is_in_place(self.deals[number], change) for number in from_then)
            changed = {number: self.deals[number].changed_by(change) for number in from_then} if can_be else {}
        if changed:
            self.deals.update(changed)
            self.taken.append(change)
        return bool(changed)

    def _is_in_place(self, setup: Setup, change: Change) -> bool:
        payload, sides = change.payload, len(setup.sides)
        if change.kind == kinds.SUBSTITUTED:
            return payload["player"] not in setup.seats and payload["other"] in setup.seats
        if change.kind == kinds.ENTERED:
            is_new = payload["player"] not in setup.seats and payload["side"] not in setup.labels
            return is_new and setup.players_per_side == 1 and (sides + 1, 1) in self.line_ups
        each = setup.players_per_side
        return payload["side"] in setup.labels and (sides - 1, each) in self.line_ups

    def _seated_anew(self, change: Change) -> dict[int, Setup]:
        """Return the set-ups if everybody sits as this change says; none if the other changes do not allow that."""
        first, *later = self.deals
        seated = self.before.changed_by(change)
        if seated.labels != self.deals[first].labels or len(set(seated.seats)) < len(seated.seats):
            return {}
        if in_the_way(self.taken, change) is not None:
            return {}
        changed = {first: seated}
        for number in later:
            of_later = [one for one in self.taken if first < one.payload.get("deal", first) <= number]
            changed[number] = reduce(Setup.changed_by, of_later, seated)
        return changed


def in_the_way(changes: Sequence[Change], seated: Change) -> Change | None:
    """Return the newest of these changes with which nobody can sit as ``seated`` says; None if there is none.

    A substitute takes the seat of a player from whichever seat, and one who comes in later has none before.
    """
    sides = seated.payload["sides"]
    players = {player for side in sides for player in side["players"]}
    labels = {side["label"] for side in sides}

    def is_in_the_way(change: Change) -> bool:
        payload = change.payload
        if change.kind == kinds.SUBSTITUTED:
            return payload["other"] in players
        return change.kind == kinds.ENTERED and payload["player"] in players and payload["side"] not in labels

    return next((change for change in reversed(changes) if is_in_the_way(change)), None)
