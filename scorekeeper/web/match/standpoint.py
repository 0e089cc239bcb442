"""The agreement about a closed deal, as its sheet shows it: names, and what this phone may answer."""

from __future__ import annotations

from dataclasses import dataclass

from ...store import agreement
from ...store.agreement import Agreement
from ...store.journal import DealState, JournalEntry
from .author import side_of_phone
from .view import MatchView


@dataclass(frozen=True)
class DealAgreement:
    """The agreement about a deal with the names of its match.

    ``may_accept``, ``may_object`` and ``may_reopen`` are the sides with a button on this phone: names by label.
    """

    match: MatchView
    deal: DealState
    agreement: Agreement
    phone_side: str | None
    """The side that this phone is with; None where it is shared by all."""

    @property
    def agreed_names(self) -> list[str]:
        """The names of the sides that agree with the sheet."""
        return [name for label, name in self.match.sides.items() if label in self.agreement.sides]

    def _on_this_phone(self, labels: list[str]) -> dict[str, str]:
        """Return which of these sides may answer on this phone: its own side if that is among them, else all."""
        among = [self.phone_side] if self.phone_side in labels else labels
        return {label: self.match.sides[label] for label in among if label}

    @property
    def may_accept(self) -> dict[str, str]:
        """The sides that have not agreed yet."""
        return self._on_this_phone([label for label in self.match.sides if label not in self.agreement.sides])

    @property
    def may_object(self) -> dict[str, str]:
        """The sides that may dispute the sheet, or ask for it to be opened again."""
        return self._on_this_phone(list(self.match.sides))

    @property
    def may_reopen(self) -> dict[str, str]:
        """The sides that may agree to open the deal again: not the one that asked."""
        request = self.agreement.reopening_request
        asking = agreement.author_of(request).side if request else None
        return self._on_this_phone([label for label in self.match.sides if label != asking])

    def name(self, entry: JournalEntry | None) -> str:
        """Return the name of the side behind an entry; "" where it is not known."""
        label = agreement.author_of(entry).side if entry else None
        return self.match.sides.get(label or "", "")


def agreement_about(match: MatchView, deal: DealState) -> DealAgreement:
    """Return the agreement about a closed deal, for the pages of this match."""
    return DealAgreement(match, deal, agreement.agreement_of(deal), side_of_phone(match))
