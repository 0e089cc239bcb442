"""The agreement about a closed deal, as its pages show it: names, and what this phone may say."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ...rules import contract
from ...store import agreement, compare
from ...store.agreement import Agreement, Proposal, author_of
from ...store.journal import kinds
from ...store.journal.entries import JournalEntry
from ...store.journal.replay import DealState
from ...store.standings import BrokenMatch, Standing, score_closing, standing_with
from ...store.voices import Matter, about_deal
from ..words.names import join_names
from ..words.person import ask_to_accept
from .author import minutes_until, said_on, side_of_phone, speaker
from .view import MatchView


@dataclass(frozen=True)
class DealAgreement:
    """The agreement about a deal with the names of its match.

    ``may_accept``, ``may_object`` and ``may_answer`` are the sides with a button on this phone: names by label.
    """

    match: MatchView
    deal: DealState
    agreement: Agreement
    phone_side: str | None
    """The side that this phone is with; None if it is shared by all."""

    @property
    def agreed_names(self) -> list[str]:
        """The names of the sides that agree with the sheet."""
        return [name for label, name in self.match.sides.items() if label in self.agreement.sides]

    def _on_this_phone(self, labels: list[str]) -> dict[str, str]:
        """Return which of these sides may speak on this phone.

        On a phone of one side that is this side alone if it is among them, else those without a voice of their own. On
        the table's phone it is any of them.
        """
        voices, by, matter = self.match.voices, speaker(self.match), self._matter
        labels = [label for label in labels if voices.may_speak(by, label, matter)]
        if self.phone_side in labels:
            labels = [self.phone_side]
        return {label: self.match.sides[label] for label in labels}

    @cached_property
    def _matter(self) -> Matter:
        return about_deal(self.match.standing.state, self.deal)

    @property
    def elsewhere(self) -> list[tuple[str, int]]:
        """The sides that speak on a phone of their own, not here: their names, and in how many minutes also here."""
        voices, by = self.match.voices, speaker(self.match)
        return [
            (name, minutes_until(voices, label, by.device))
            for label, name in self.match.sides.items()
            if label != self.phone_side and not voices.may_speak(by, label, self._matter)
        ]

    @property
    def cache_key(self) -> tuple[tuple[str, bool, int], ...]:
        """The part of it that depends on the moment: whether this phone speaks for each side, and how long others do.

        The rest follows from the version of the match, and from this phone's mark and its holder.
        """
        voices, by = self.match.voices, speaker(self.match)
        return tuple(
            (label, voices.may_speak(by, label, self._matter), minutes_until(voices, label, by.device))
            for label in self.match.sides
        )

    def said_on(self, entry: JournalEntry) -> str:
        """Return on whose phone a side said something, in words; "" if its own, or not known."""
        return said_on(self.match, entry)

    @property
    def agreed_on(self) -> dict[str, str]:
        """On whose phone each side agreed that did not do so on its own, in words, by its label."""
        said = [entry for entry in self.deal.statements if entry.kind in (kinds.CONFIRMED, kinds.PROPOSAL_ACCEPTED)]
        words = {author_of(entry).side or "": self.said_on(entry) for entry in said}
        return {label: where for label, where in words.items() if where}

    @property
    def may_accept(self) -> dict[str, str]:
        """The sides that have not agreed yet."""
        return self._on_this_phone([label for label in self.match.sides if label not in self.agreement.sides])

    @property
    def may_object(self) -> dict[str, str]:
        """The sides that may dispute the sheet, or ask for it to be opened again."""
        return self._on_this_phone(list(self.match.sides))

    @property
    def may_answer(self) -> dict[str, str]:
        """The sides that the proposal waits for."""
        return self._on_this_phone(self.agreement.waits_for)

    @property
    def waits_for(self) -> list[str]:
        """The names of the sides that the proposal waits for."""
        return [self.match.sides[label] for label in self.agreement.waits_for]

    @property
    def disputed_lines(self) -> list[str]:
        """The items that a side disputes."""
        return [entry.payload["line"] for entry in self.agreement.disputes if entry.payload.get("line")]

    @property
    def needs_everyone(self) -> bool:
        """True if a change of the deal is proposed, and holds once every side has said yes."""
        return agreement.needs_everyone(self.deal, self.agreement)

    @property
    def is_from_here(self) -> bool:
        """True if the proposal that waits was made by the side of this phone, or on a phone of everybody."""
        proposal = self.agreement.proposal
        return proposal is not None and agreement.author_of(proposal.entry).side == self.phone_side

    @cached_property
    def proposed_version(self) -> JournalEntry | None:
        """The entry with the version that is proposed; None if nothing is, or to open the deal again."""
        proposal = self.agreement.proposal
        if proposal is None or proposal.opens:
            return None
        return agreement.version_of(self.deal, proposal.version) or proposal.entry

    def points(self, version: JournalEntry) -> list[contract.Number]:
        """Return the points of the sides by a version of the deal, in playing order."""
        points = score_closing(self.match.standing.state, self.deal, version)["points"]
        return [points.get(label, 0) for label in self.match.sides]

    @cached_property
    def standing_if_proposed(self) -> Standing | None:
        """The standing if the proposal held; None if there is none, or it cannot be scored."""
        version = self.proposed_version
        if version is None:
            return None
        try:
            return standing_with(self.match.standing, {self.deal.number: version})
        except BrokenMatch:
            return None

    @cached_property
    def proposed_lines(self) -> list[contract.Line]:
        """The lines that what is proposed would change, as it has them."""
        version, state = self.proposed_version, self.match.standing.state
        if version is None or self.deal.closed is None:
            return []
        before = compare.lines_of(score_closing(state, self.deal, self.deal.closed))
        after = compare.lines_of(score_closing(state, self.deal, version))
        return [line for item, line in after.items() if compare.differ(before.get(item), line)]

    def would_hold(self, version: JournalEntry) -> bool:
        """Return whether a version counts as soon as this phone accepts it: then no other side has to be asked."""
        return self.agreement.said_yes_to(version.id, self.phone_side) >= set(self.match.sides)

    def ask_to_accept(self) -> str:
        """Return what asks the other sides to accept the version of this phone's side, in its words."""
        others = join_names(name for label, name in self.match.sides.items() if label != self.phone_side)
        return ask_to_accept(others, self.match.sides.get(self.phone_side or "", ""))

    def is_ours(self, version: JournalEntry) -> bool:
        """Return whether the side of this phone entered a version."""
        return self.phone_side is not None and agreement.author_of(version).side == self.phone_side

    def name(self, entry: JournalEntry | Proposal | None) -> str:
        """Return the name of the side behind an entry; "" if it is not known."""
        written = entry.entry if isinstance(entry, Proposal) else entry
        label = agreement.author_of(written).side if written else None
        return self.match.sides.get(label or "", "")


def agreement_about(match: MatchView, deal: DealState) -> DealAgreement:
    """Return the agreement about a closed deal, for the pages of this match."""
    return DealAgreement(match, deal, agreement.agreement_of(match.standing.state, deal), side_of_phone(match))
