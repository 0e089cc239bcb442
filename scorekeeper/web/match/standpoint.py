"""Where the people at the table stand about a closed deal, as its sheet shows it."""

from __future__ import annotations

from dataclasses import dataclass

from ...store import agreement
from ...store.agreement import Agreement
from ...store.journal import DealState, JournalEntry
from .author import speaks_for
from .view import MatchView


@dataclass(frozen=True)
class DealAgreement:
    """Where the table stands about a deal, as its sheet shows it."""

    match: MatchView
    deal: DealState
    agreement: Agreement
    phone_side: str | None
    """The side that this phone is with."""

    @property
    def agreed_names(self) -> list[str]:
        """The names of the sides that stand behind the sheet."""
        return [name for label, name in self.match.sides.items() if label in self.agreement.sides]

    def _on_this_phone(self, labels: list[str]) -> dict[str, str]:
        """Return who of these may speak on this phone: its own side first, on a shared one each of them."""
        among = [self.phone_side] if self.phone_side in labels else labels
        return {label: self.match.sides[label] for label in among if label}

    @property
    def may_accept(self) -> dict[str, str]:
        """The sides that have not said that they agree."""
        return self._on_this_phone([label for label in self.match.sides if label not in self.agreement.sides])

    @property
    def may_speak(self) -> dict[str, str]:
        """The sides that may dispute the sheet, or ask for it to be opened again."""
        return self._on_this_phone(list(self.match.sides))

    @property
    def may_reopen(self) -> dict[str, str]:
        """The sides that may agree to open the deal again: not the one that asked."""
        asked = self.agreement.reopening_request
        asking = agreement.author_of(asked).side if asked else None
        return self._on_this_phone([label for label in self.match.sides if label != asking])

    def name(self, entry: JournalEntry | None) -> str:
        """Return the side that speaks in an entry, by its name."""
        label = agreement.author_of(entry).side if entry else None
        return self.match.sides.get(label or "", "")


def agreement_about(match: MatchView, deal: DealState) -> DealAgreement:
    """Return where the table stands about a closed deal."""
    return DealAgreement(match, deal, agreement.agreement_of(deal), speaks_for(match))
