"""Statements of a side about a closed deal: one class for each kind of statement.

Statements are made on the page that shows the sheet; none of them waits on a phone.
"""

from __future__ import annotations

from flask import abort
from flask_babel import gettext as _

from ...store import agreement, commands
from ...store.journal import kinds
from ...store.journal.entries import NewEntry
from ...store.journal.replay import DealState
from ..base.entry_form import damaged
from ..match.view import MatchView
from .incoming import IncomingEntry


def closed_deal(match: MatchView, number: int) -> DealState:
    """Return a closed deal; any other is a 404."""
    deal_state = match.standing.state.closed_deal(number)
    if deal_state is None:
        abort(404, description=_("This match has no such deal, or it is being played."))
    return deal_state


class StatementEntry(IncomingEntry):
    """A statement of a side about the closing that its form was drawn with."""

    def read(self) -> None:
        self.deal_state = closed_deal(self.match, self.reported.deal)

    def reported_payload(self) -> kinds.AnyPayload:
        return {"entry": self.fields.get("entry", ""), "side": self.side()}

    def entries(self) -> list[NewEntry]:
        new, closed = super().entries(), self.deal_state.closed
        is_other = closed is None or closed.id != self.fields.get("entry")
        if is_other and commands.kind_of(self.match.row, self.reported.id) is None:
            abort(409, description=_("This deal was corrected meanwhile. Look at its sheet again."))
        return new


class ConfirmationEntry(StatementEntry):
    """A side accepts the sheet."""

    kind = kinds.CONFIRMED


class DisputeEntry(StatementEntry):
    """A side disputes the sheet, or one line of it."""

    kind = kinds.DISPUTED

    def reported_payload(self) -> kinds.AnyPayload:
        line = self.fields.get("line", "")
        sheets = [sheet for deal, sheet in self.match.standing.sheets if deal.number == self.reported.deal]
        if line and line not in {known["item"] for sheet in sheets for known in sheet["lines"]}:
            damaged()
        payload = super().reported_payload()
        if line:
            payload["line"] = line
        return payload


class ProposalEntry(StatementEntry):
    """A proposal: which version of the deal counts, or to open an agreed deal again.

    A phone of everybody proposes in nobody's name; then every side is asked.
    """

    kind = kinds.PROPOSED

    def reported_payload(self) -> kinds.AnyPayload:
        payload: kinds.AnyPayload = {"entry": self.fields.get("entry", "")}
        if self.fields.get("side"):
            payload["side"] = self.side()
        if self.fields.get("take"):
            payload["takes"] = self.fields["take"]
        else:
            payload["opens"] = True
        return payload


class AnswerEntry(StatementEntry):
    """The answer of a side to a proposal: yes."""

    kind = kinds.PROPOSAL_ACCEPTED

    @property
    def proposal(self) -> agreement.Proposal | None:
        """The proposal that the form answers; None if it does not wait any more."""
        waiting = agreement.agreement_of(self.match.standing.state, self.deal_state).proposal
        return waiting if waiting is not None and waiting.entry.id == self.fields.get("asked") else None

    def reported_payload(self) -> kinds.AnyPayload:
        proposal = self.proposal
        if proposal is not None and self.fields.get("side") == agreement.author_of(proposal.entry).side:
            abort(422, description=_("The side that asks cannot answer for the others."))
        return {**super().reported_payload(), "asked": self.fields.get("asked", "")}


class RefusalEntry(AnswerEntry):
    """The answer of a side to a proposal: no."""

    kind = kinds.PROPOSAL_DECLINED


STATEMENT_CLASSES: dict[str, type[StatementEntry]] = {
    entry_class.kind: entry_class
    for entry_class in (ConfirmationEntry, DisputeEntry, ProposalEntry, AnswerEntry, RefusalEntry)
}
"""The classes of statements, by their kinds."""
