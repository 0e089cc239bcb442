"""The part of a match that only boards show: the deal being played, as it has been noted so far."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ...limits import NOTED_SHOWN, TAPS_SHOWN
from ...rules import contract
from ...store.journal import kinds
from ...store.journal.entries import JournalEntry
from .opening_worth import opening_sweeps, opening_worth
from .view import MatchView


@dataclass
class Board:
    """The deal being played on the board of its match."""

    match: MatchView

    @cached_property
    def gained(self) -> dict[str, contract.Number]:
        """The points that what is noted in the deal being played gives each side already; the totals are without.

        Where notes count at once, the totals have them and nothing is left to add.
        """
        if self.match.counts_at_once:
            return dict.fromkeys(self.match.setup.labels, 0)
        return self.match.standing.noted

    def gains(self) -> list[tuple[str, contract.Number, list[contract.SettledLine]]]:
        """Return for each side its name, its points in the last counted deal, and the lines that moved any; else [].

        Points that the table wrote down have no line to name.
        """
        last = self.match.standing.last
        if last is None or last[1].get("redeal"):
            return []
        deal, sheet = last
        told = [line for line in sheet["lines"] if line["reason"] not in ("open", "manual") and line["points"]]
        scored = self.match.by_weight(told)
        return [
            (name, sheet["points"][label], [line for line in scored if line["points"][label]])
            for label, name in self.match.as_of(deal).sides.items()
        ]

    def last_gain(self, label: str) -> contract.Number | None:
        """Return what a side made in the last counted deal; None before the first, and before its own first.

        What a player who comes in later is given to begin with is in the points of a deal, and was not made in it.
        """
        if not self.match.standing.sheets:
            return None
        deal, sheet = self.match.standing.sheets[-1]
        if label not in deal.setup.labels or label not in sheet["points"]:
            return None
        given = [line["points"] or {} for line in sheet["lines"] if line.get("text") == kinds.ENTERED]
        return sheet["points"][label] - sum(points.get(label, 0) for points in given)

    def sweeps(self) -> dict[str, int]:
        """Return the sweeps noted in the deal being played, by side."""
        noted = self.match.deal.noted_facts().get("sweeps") or {}
        return {label: noted.get(label) or 0 for label in self.match.setup.labels}

    def opened(self) -> dict[str, int]:
        """Return the sweeps of the opening noted in the deal being played, by side."""
        deal = self.match.deal
        return opening_sweeps(deal, opening_worth(self.match, deal, deal.noted_facts()))

    def to_go(self, label: str) -> contract.Number:
        """Return the points that a side still lacks to the target; 0 if it has them, or there is no target."""
        return max((self.match.ending.target or 0) - self.match.totals[label], 0)

    def log(self) -> list[JournalEntry]:
        """Return what was noted in the deal being played, newest first: of several openings only the newest.

        With it, who dealt out of turn, what was dealt again, and what has changed since the deal before. Where notes
        count at once the journal has the older ones.
        """
        return self._log[: TAPS_SHOWN if self.match.counts_at_once else NOTED_SHOWN]

    @cached_property
    def _log(self) -> list[JournalEntry]:
        deal, state = self.match.deal, self.match.standing.state
        changes = [entry for entry in state.changes if entry.payload["deal"] >= deal.number]
        seated = [] if state.closed else [entry for entry in state.entries if entry is state.seated]
        noted = sorted([*deal.noted, *deal.dealings, *changes, *seated], key=lambda entry: -entry.seq)
        newest = deal.noted_openings[-1:]
        return [entry for entry in noted if entry.kind != kinds.LAYOUT_NOTED or entry in newest]

    def is_taken_as_one(self, entry_id: str) -> bool:
        """Return whether a note of the deal being played was taken back, so that it may be counted again."""
        entries, number = self.match.standing.state.entries, self.match.deal.number
        is_of_deal = any(one.id == entry_id and one.payload.get("deal") == number for one in entries)
        return is_of_deal and any(one.kind == kinds.VOIDED and one.payload["entry"] == entry_id for one in entries)

    @property
    def cutter(self) -> str:
        """The name of the player who cuts in the deal being played, where the cut counts; "" elsewhere."""
        if not self.match.perfect_cut:
            return ""
        deal = self.match.deal
        return self.match.players[deal.setup.seats[deal.dealer_seat - 1]]
