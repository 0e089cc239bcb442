"""Judge the matches of a table's file: replayed, and each closing scored by the engine.

It is done a closing at a time: a match of many closings takes longer than one request may.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from ... import rules
from ...limits import DEAL_RIVALS, DEAL_SAID, MATCH_DEALS, MATCH_SIDES
from ...rules import contract
from ..journal import kinds
from ..journal.entries import JournalEntry
from ..journal.match_setup import Setup
from ..journal.replay import DealState, MatchState, replay
from ..standings import BrokenMatch, Standing, is_unfinished, score_closing, score_match
from .values import Refused, inside, refuse


def journal_of(match: Mapping[str, Any], marks: Mapping[int, str] | None = None) -> list[JournalEntry]:
    """Return the journal of a match of a file; ``marks`` are those of its phones, by default their numbers."""

    def mark(number: int) -> str:
        return str(number) if marks is None else marks[number]

    return [
        JournalEntry(
            entry["id"],
            seq,
            entry["kind"],
            _payload_of(entry, mark),
            entry["side"],
            datetime.fromisoformat(entry["at"]),
            None if entry["phone"] is None else mark(entry["phone"]),
        )
        for seq, entry in enumerate(match["entries"], 1)
    ]


def _payload_of(entry: Mapping[str, Any], mark: Any) -> kinds.AnyPayload:
    payload = {"v": entry["v"], **entry["payload"]}
    if "phones" in payload:
        payload["phones"] = {mark(int(number)): player for number, player in payload["phones"].items()}
    if entry["told"] is not None:
        payload["at"] = entry["told"]
    if entry["by"] is not None:
        payload["by"] = entry["by"]
    return cast(kinds.AnyPayload, payload)


class Judging:
    """A match of a file while its closings are judged; ``at`` is its place in the file."""

    def __init__(self, journal: Sequence[JournalEntry], at: str) -> None:
        self.journal, self.at = journal, at
        self.state = self._replayed(journal)
        self.closings = [entry for entry in journal if "facts" in entry.payload and self.state.original(entry) is entry]
        """The closings that repeat no other."""

    def check_course(self) -> None:
        """Check what follows from all entries together, without their closings. Raises ``Refused``."""
        state = self.state
        if state.typed is not None:
            return
        for setup in _setups_of(state):
            self._check_setup(setup, f"{self.at}.setup")
        if len(state.closed) > MATCH_DEALS:
            refuse(self.at, f"A match has {MATCH_DEALS} deals at most.", "too_many")
        if len(state.everybody) > MATCH_SIDES:
            refuse(self.at, f"A match has {MATCH_SIDES} sides at most.", "too_many")
        for deal in state.deals:
            if len(deal.rivals) > DEAL_RIVALS or len(deal.statements) > DEAL_SAID:
                refuse(self.at, f"There are too many statements about deal {deal.number}.", "too_many")
        for entry in self.journal:
            if entry.kind == kinds.RULES_PROPOSED:
                self._check_proposal(entry)

    def judge(self, closing: JournalEntry) -> None:
        """Score one closing. Raises ``Refused``."""
        sheet = self._scored(self.state, closing)
        if _is_refused(sheet):
            # A closing that no longer counts may be of other sides, or another dealer.
            sheet = self._scored(self._replayed(self.journal[: closing.seq]), closing)
        if _is_refused(sheet):
            messages = [problem["message"] for problem in sheet["problems"] if problem["severity"] == "error"]
            reason = messages[0] if messages else "It takes too long to judge."
            refuse(self._place(closing, "payload.facts"), reason, "not_accepted")

    def standing(self) -> Standing:
        """Return the standing of the match, once all closings are judged. Raises ``Refused``."""
        try:
            return Standing(self.state, score_match(self.state))
        except (BrokenMatch, rules.Malformed) as broken:
            refuse(self.at, broken.problems[0]["message"], "not_accepted")

    def _replayed(self, journal: Sequence[JournalEntry]) -> MatchState:
        try:
            return replay(journal)
        except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError) as fault:
            raise Refused("malformed", self.at, "Its entries make no match.") from fault

    def _scored(self, state: MatchState, closing: JournalEntry) -> contract.Scored:
        deal: DealState = state.deal(closing.payload["deal"]) or state.current
        return score_closing(state, deal, closing)

    def _check_setup(self, setup: Setup, at: str) -> None:
        """Check that the engine knows a set-up. Raises ``Refused``."""
        problems = rules.Problems()
        try:
            rules.read_table(self.state.engine_setup(setup), problems)
        except rules.Malformed as malformed:
            fault = malformed.problems[0]
            refuse(inside(at, fault["where"]), fault["message"], "not_accepted")
        errors = [problem for problem in problems if problem.severity == "error"]
        if errors:
            refuse(inside(at, errors[0].where), errors[0].message, "not_accepted")

    def _check_proposal(self, entry: JournalEntry) -> None:
        """Check that options can be proposed in one of the set-ups that the match has had."""
        refused: Refused | None = None
        for setup in _setups_of(self.state):
            proposed = {**setup.options, **entry.payload["options"]}
            try:
                self._check_setup(Setup(**{**setup.__dict__, "options": proposed}), self._place(entry, "payload"))
            except Refused as fault:
                refused = fault
            else:
                return
        if refused is not None:
            raise refused

    def _place(self, entry: JournalEntry, name: str) -> str:
        return f"{self.at}.entries[{entry.seq - 1}].{name}"


def _setups_of(state: MatchState) -> list[Setup]:
    """Return the set-ups that a match has had, each once."""
    found: list[Setup] = []
    for setup in (state.started, *(deal.setup for deal in state.deals), state.setup_to_come):
        if setup not in found:
            found.append(setup)
    return found


def _is_refused(sheet: contract.Scored) -> bool:
    """Return whether a sheet cannot have been accepted."""
    return sheet["status"] == "invalid" or is_unfinished(sheet)
