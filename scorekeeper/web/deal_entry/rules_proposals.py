"""Other options in the middle of a match: what a side says about them. None of it waits on a phone."""

from __future__ import annotations

from flask import abort
from flask_babel import gettext as _

from ...rules import contract
from ...store import agreement, commands
from ...store.journal import kinds
from ...store.journal.entries import NewEntry
from ..match.view import MatchView
from .incoming import IncomingEntry, ReportedEntry


class RulesProposalEntry(IncomingEntry):
    """Options that shall be valid from the next deal on. A phone of everybody proposes them in nobody's name."""

    kind = kinds.RULES_PROPOSED

    def __init__(self, match: MatchView, reported: ReportedEntry, options: contract.Options) -> None:
        self.options = options
        super().__init__(match, reported)

    def reported_payload(self) -> kinds.AnyPayload:
        return {"options": self.options}

    def check(self) -> None:
        if self.match.standing.is_over:
            abort(409, description=_("This match is over: nothing more can be noted in it."))


class RulesAnswerEntry(IncomingEntry):
    """The answer of a side to a proposal of other options: yes."""

    kind = kinds.RULES_ACCEPTED

    def reported_payload(self) -> kinds.AnyPayload:
        return {"side": self.side(), "asked": self.fields.get("asked", "")}

    def entries(self) -> list[NewEntry]:
        """Return the answer; nothing if the proposal does not wait for this side any more."""
        proposal, side = self.match.standing.state.proposal, self.fields.get("side")
        if commands.kind_of(self.match.row, self.reported.id) is not None:
            return super().entries()
        if proposal is None or proposal.entry.id != self.fields.get("asked"):
            abort(409, description=_("This is not proposed any more. Look at the table again."))
        takes_back = self.kind == kinds.RULES_DECLINED and side == agreement.author_of(proposal.entry).side
        return [] if side in proposal.supporters and not takes_back else super().entries()


class RulesRefusalEntry(RulesAnswerEntry):
    """The answer of a side to a proposal of other options: no. The side that proposes withdraws with it."""

    kind = kinds.RULES_DECLINED
