"""Agreement about a closed deal: who has agreed to its closing, and what is proposed about it.

A deal is locked once every side has agreed to its closing. A locked deal, or one that is disputed or has two versions,
changes only by a proposal to which every side says yes. Pure functions of the journal: when two phones close a deal at
the same moment, the order of the two entries makes no difference.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple, cast
from uuid import NAMESPACE_OID, uuid5

from ..rules import contract
from . import compare
from .journal import kinds
from .journal.entries import JournalEntry, Locked, NewEntry
from .journal.replay import DealState, MatchState, proposal_after
from .standings import score_closing, score_deal
from .voices import Matter, NotTheirVoice, Speaker, Voices, about_deal, about_rules


class Author(NamedTuple):
    """The side that wrote an entry, by its label, and the phone, by its mark; None where unknown."""

    side: str | None
    device: str | None


def author_of(entry: JournalEntry) -> Author:
    """Return the author of an entry: the side that it names, else the side of its phone."""
    return Author(entry.payload.get("side") or entry.author, entry.device)


def are_independent(first: Author, second: Author) -> bool:
    """Return whether two authors are surely two people: two sides, or two phones if a side is unknown."""
    if first.side and second.side:
        return first.side != second.side
    return bool(first.device and second.device and first.device != second.device)


class Proposal(NamedTuple):
    """A proposal about a closed deal, and the sides that have said yes to it."""

    entry: JournalEntry
    supporters: frozenset[str]

    @property
    def opens(self) -> bool:
        """True if it is to open the agreed deal again; if not, it names or holds a version of the deal."""
        return bool(self.entry.payload.get("opens"))

    @property
    def version(self) -> str:
        """The id of the entry with the proposed version: another closing, or this entry."""
        return self.entry.payload.get("takes") or self.entry.id


@dataclass
class Agreement:
    """The statements of a table about the closing that counts of one deal. Entries are added oldest first."""

    labels: Collection[str]
    """Every side of the match."""
    authors: Mapping[str, str] = field(default_factory=dict)
    """The sides that entered the versions of the deal, by the ids of the versions; unknown ones are left out."""
    accepted: str = ""
    """The id of the closing that counts."""
    agreed_by: list[Author] = field(default_factory=list)
    """Who wrote the closing or agreed to it."""
    disputes: list[JournalEntry] = field(default_factory=list)
    is_locked: bool = False
    """Every side has agreed. It stays locked until every side agrees to change it."""
    proposal: Proposal | None = None
    """The newest proposal, while a side has not answered it."""
    declined: JournalEntry | None = None
    """The no of a side to the newest proposal."""
    held: Proposal | None = None
    """The proposal that got its last yes from the newest entry."""
    reopened: JournalEntry | None = None
    """The entry that opened the deal again; None once it is locked again."""

    @property
    def sides(self) -> set[str]:
        """The sides that agree to the closing."""
        return {author.side for author in self.agreed_by if author.side}

    @property
    def waits_for(self) -> list[str]:
        """The sides that have not answered the proposal, in playing order."""
        supporters = self.proposal.supporters if self.proposal else self.labels
        return [label for label in self.labels if label not in supporters]

    def add(self, entry: JournalEntry) -> None:
        """Add a statement about the closing: agreement, a dispute, a proposal or an answer to one."""
        author, self.held = author_of(entry), None
        if entry.kind == kinds.CONFIRMED:
            self._confirm(entry, author)
        elif entry.kind == kinds.DISPUTED:
            self._dispute(entry, author)
        elif entry.kind == kinds.PROPOSED:
            self._propose(entry, author)
        elif self.proposal is not None and entry.payload.get("asked") == self.proposal.entry.id:
            self._answer(self.proposal, entry, author)

    def _confirm(self, entry: JournalEntry, author: Author) -> None:
        self.disputes = [entry for entry in self.disputes if are_independent(author_of(entry), author)]
        if author not in self.agreed_by:
            self.agreed_by.append(author)
        if self.is_locked or self.sides >= set(self.labels):
            self._lock()

    def _lock(self) -> None:
        self.is_locked, self.reopened = True, None
        if self.proposal is not None and self.proposal.version == self.accepted:
            self.proposal = None

    def _dispute(self, entry: JournalEntry, author: Author) -> None:
        others = [dispute for dispute in self.disputes if are_independent(author_of(dispute), author)]
        self.disputes = [*others, entry]
        if entry.payload.get("unsays"):
            # The yes that locked the deal was not that side's own.
            self.is_locked, self.reopened = False, None
            self.agreed_by = [other for other in self.agreed_by if other.side != author.side]
        if not self.is_locked:
            self.agreed_by = [other for other in self.agreed_by if are_independent(other, author)]

    def said_yes_to(self, version: str, side: str | None) -> frozenset[str]:
        """Return the sides that agree to a version when ``side`` proposes it; the side that entered it is one."""
        said_yes = {label for label in (side, self.authors.get(version)) if label}
        return frozenset(said_yes | self.sides if version == self.accepted else said_yes)

    def _propose(self, entry: JournalEntry, author: Author) -> None:
        proposal = Proposal(entry, frozenset())
        if proposal.opens and not self.is_locked:
            return
        self.declined = None
        self._support(proposal._replace(supporters=self.said_yes_to(proposal.version, author.side)), entry)

    def _answer(self, proposal: Proposal, entry: JournalEntry, author: Author) -> None:
        proposed_by = author_of(proposal.entry)
        if entry.kind == kinds.PROPOSAL_DECLINED:
            if author.side != proposed_by.side:
                self.proposal, self.declined = None, entry
        elif author.side:
            self._support(proposal._replace(supporters=proposal.supporters | {author.side}), entry)

    def _support(self, proposal: Proposal, entry: JournalEntry) -> None:
        self.proposal = proposal
        if not self.waits_for:
            self._hold(proposal, entry)

    def _hold(self, proposal: Proposal, entry: JournalEntry) -> None:
        """Apply a proposal with every yes. ``carried_out`` writes a version that does not count yet as a closing."""
        self.proposal, self.held = None, proposal
        if proposal.opens:
            self.is_locked, self.agreed_by, self.reopened = False, [], entry
        elif proposal.version == self.accepted:
            self.agreed_by, self.disputes = [Author(label, None) for label in self.labels], []
            self._lock()


def agreement_of(state: MatchState, deal: DealState) -> Agreement:
    """Return the agreement about a deal; an empty one if the deal is not closed."""
    closing = deal.closed
    if closing is None:
        return Agreement(deal.setup.labels)
    authors = {entry.id: side for entry in (closing, *deal.rivals) if (side := author_of(entry).side)}
    agreement = Agreement(deal.setup.labels, authors, closing.id, _closed_by(deal))
    agreement.is_locked = agreement.sides >= set(agreement.labels)
    for entry in deal.statements:
        agreement.add(entry)
    return agreement


def _closed_by(deal: DealState) -> list[Author]:
    """Return the authors of the closing that counts.

    The authors of a version that the table took are its own author and every side that agreed. A closing that counts
    again, because its correction was undone, has its former authors alone.
    """
    if is_restored(deal):
        return _closed_by(replace(deal, closed=deal.copied_from, copied_from=None))
    authors = [author_of(entry) for entry in (deal.copied_from, deal.closed) if entry is not None]
    agreed = deal.closed.payload.get("agreed", []) if deal.closed else []
    return [*authors, *(Author(label, None) for label in agreed)]


def is_restored(deal: DealState) -> bool:
    """Return whether the closing that counts repeats a former one because its correction was undone."""
    return deal.closed is not None and deal.copied_from is not None and deal.copied_from.kind == kinds.DEAL_CLOSED


def corrected_closing(state: MatchState, deal: DealState) -> JournalEntry | None:
    """Return the closing that the correction that counts replaced; None if the closing that counts is no correction.

    A version that the table took is no correction. To undo a correction is one.
    """
    closing, copied = deal.closed, deal.copied_from
    if closing is None or (copied is not None and not is_restored(deal)):
        return None
    voidings = {entry.id for entry in state.entries if entry.kind == kinds.VOIDED}
    former = [
        entry
        for entry in state.entries[: closing.seq - 1]
        if entry.kind == kinds.DEAL_CLOSED and entry.payload["deal"] == deal.number
    ]
    return next((entry for entry in reversed(former) if voiding_id(closing.id, entry.id) in voidings), None)


def played_at(state: MatchState, deal: DealState) -> datetime:
    """Return when a closed deal was first closed, before all corrections and choices of a version.

    A deal that was taken back and closed anew counts from its new closing.
    """
    versions = [version for version in (deal.closed, deal.copied_from, *deal.rivals, *deal.not_taken) if version]
    voidings = {entry.id for entry in state.entries if entry.kind == kinds.VOIDED}
    closings = [
        entry for entry in state.entries if entry.kind == kinds.DEAL_CLOSED and entry.payload["deal"] == deal.number
    ]
    # The list grows in the loop: a correction may replace a correction.
    for version in versions:
        versions.extend(one for one in closings if voiding_id(version.id, one.id) in voidings and one not in versions)
    return min(version.happened_at for version in versions)


def entries_to_restore(deal: DealState, former: JournalEntry, form_id: str) -> list[NewEntry]:
    """Return the entries that undo a correction: a closing that repeats the former one and names it in ``takes``."""
    assert deal.closed is not None
    return [voided_with(form_id, deal.closed.id), NewEntry(kinds.DEAL_CLOSED, _repeated(former), id=form_id)]


def _repeated(version: JournalEntry) -> kinds.AnyPayload:
    """Return the payload of a closing that repeats a version of its deal, and names it in ``takes``."""
    copied = {name: value for name, value in version.payload.items() if name in ("deal", "facts", "redeal")}
    return {**cast(kinds.AnyPayload, copied), "takes": version.id}


def needs_everyone(deal: DealState, agreement: Agreement) -> bool:
    """Return whether only all sides together may change a deal: it is agreed on, in dispute, or has two versions."""
    return agreement.is_locked or bool(deal.contested or agreement.disputes)


class ClosingVersion(NamedTuple):
    """A closing of a deal with its sheet."""

    entry: JournalEntry
    sheet: contract.Scored


def versions(state: MatchState, deal: DealState) -> list[JournalEntry]:
    """Return the closing that counts, then the closings that contest it and the proposed version.

    If there are none, the versions that were not taken follow.
    """
    proposal = agreement_of(state, deal).proposal
    proposed = [proposal.entry] if proposal is not None and "facts" in proposal.entry.payload else []
    # A side that proposes another version drops its earlier one.
    left = {author_of(entry).side for entry in proposed} - {None}
    contested = [rival for rival in deal.contested if author_of(rival).side not in left]
    beside = [*contested, *proposed] or deal.not_taken
    return [*([deal.closed] if deal.closed else []), *beside]


def scored(state: MatchState, deal: DealState, closings: Iterable[JournalEntry]) -> list[ClosingVersion]:
    """Return versions of a deal, each with its sheet."""
    return [ClosingVersion(entry, score_closing(state, deal, entry)) for entry in closings]


def says_nothing_new(state: MatchState, deal: DealState, posted: contract.Deal) -> bool:
    """Return whether there is no reason to propose a version of a closed deal, because its points count already.

    A version that shows more of a line is a reason while the deal is in doubt: it may settle the dispute.
    """
    if deal.closed is None:
        return False
    counts, other = score_closing(state, deal, deal.closed), score_deal(state, deal, posted)
    is_in_doubt = deal.contested or agreement_of(state, deal).disputes
    return compare.give_same_points(counts, other) and not (is_in_doubt and compare.shows_more(other, counts))


def as_confirmed_or_contested(state: MatchState, new: NewEntry, voided: Iterable[str]) -> NewEntry:
    """Return the entry to write for a closing: one that confirms or contests the closing that counts, if there is one.

    ``voided`` are the ids of entries that are voided together with it. If the closing that counts is one of them, the
    new closing replaces it and is returned unchanged.
    """
    deal = state.closed_deal(new.payload["deal"])
    if deal is None or deal.closed is None or deal.closed.id in (*voided, new.id):
        return new
    payload: kinds.AnyPayload = {**new.payload, "entry": deal.closed.id}
    alike = compare.agree(state, deal, deal.closed, new.payload["facts"])
    return replace(new, kind=kinds.CONFIRMED if alike else kinds.DEAL_CONTESTED, payload=payload)


def refuse_to_void_agreed(state: MatchState, voided: Collection[str], by: Speaker, voices: Voices) -> None:
    """Raise ``Locked`` or ``NotTheirVoice`` if ``by`` may not void these ids.

    Nobody voids the closing of a deal that only all sides may change, or a statement without which it would no longer
    be agreed. Other versions and statements are voided only by the side that wrote them.
    """
    for deal in state.closed:
        said = [entry for entry in (*deal.rivals, *deal.statements) if entry.id in voided]
        if deal.closed is None or not (said or deal.closed.id in voided):
            continue
        matter, agreement = about_deal(state, deal), agreement_of(state, deal)
        for entry in said:
            _refuse_to_take_back(deal.number, entry, by, voices, matter)
        if not needs_everyone(deal, agreement):
            continue
        left = replace(deal, statements=[entry for entry in deal.statements if entry not in said])
        is_loosened = agreement.is_locked and not agreement_of(state, left).is_locked
        if deal.closed.id in voided or is_loosened:
            raise Locked(deal.number)


def _refuse_to_take_back(number: int | None, entry: JournalEntry, by: Speaker, voices: Voices, matter: Matter) -> None:
    """Raise ``NotTheirVoice`` if the entry is another side's, ``Locked`` if it is another phone's and of no side."""
    if voices.may_take_back(by, entry, matter):
        return
    side = author_of(entry).side
    if side is None:
        raise Locked(number)
    voices.refuse_to_speak(by, side, matter)
    raise NotTheirVoice(side)


def version_of(deal: DealState, entry_id: str) -> JournalEntry | None:
    """Return the closing of a deal with this id, if nobody has voided it; else None."""
    return next((entry for entry in (deal.closed, *deal.rivals) if entry and entry.id == entry_id), None)


def carried_out(state: MatchState, deal: DealState, said: JournalEntry) -> list[NewEntry]:
    """Return the entries to write with a statement: none unless it is the last yes to a version.

    All other closings of the deal are then voided. If the version does not count yet, a new closing repeats it and
    names it in ``takes`` and the sides in ``agreed``.
    """
    agreement = agreement_of(state, deal)
    agreement.add(said)
    if agreement.held is None or agreement.held.opens or deal.closed is None:
        return []
    proposal = agreement.held
    voided = [entry.id for entry in deal.rivals]
    closing = []
    if proposal.version != deal.closed.id:
        voided.insert(0, deal.closed.id)
        version = version_of(deal, proposal.version) or proposal.entry
        copy: kinds.AnyPayload = {**_repeated(version), "agreed": list(deal.setup.labels)}
        closing = [NewEntry(kinds.DEAL_CLOSED, copy, id=part_id(said.id, f"takes {version.id}"))]
    return [*(voided_with(said.id, id) for id in voided), *closing]


def changed_rules(state: MatchState, said: JournalEntry) -> list[NewEntry]:
    """Return the entries to write with a statement about other options: none unless it is the last yes.

    The options are valid from the deal being played if nothing of it is noted yet, else from the next.
    """
    proposal = proposal_after(state.proposal, said)
    if proposal is None or not proposal.supporters >= set(state.setup.labels):
        return []
    deal = state.current.number + int(state.current.has_begun)
    changed: kinds.AnyPayload = {"deal": deal, "options": proposal.options, "asked": proposal.entry.id}
    return [NewEntry(kinds.RULES_CHANGED, changed, id=part_id(said.id, "changes the rules"))]


def refuse_to_void_rules(state: MatchState, voided: Collection[str], by: Speaker, voices: Voices) -> None:
    """Raise ``Locked`` if these entries changed the rules and another side has a voice of its own.

    A statement about other rules is voided only by the side that made it; else ``NotTheirVoice`` or ``Locked``.
    """
    matter = about_rules(state)
    for entry in state.changes:
        if entry.kind == kinds.RULES_CHANGED and entry.id in voided:
            asked = [label for label in state.setup.labels if label != by.side]
            if not all(voices.may_speak(by, label, matter) for label in asked):
                raise Locked(None)
    for entry in matter.said:
        if entry.id in voided:
            _refuse_to_take_back(None, entry, by, voices, matter)


def voided_with(act_id: str, entry_id: str) -> NewEntry:
    """Return the entry by which an act voids another one."""
    return NewEntry(kinds.VOIDED, {"entry": entry_id}, id=voiding_id(act_id, entry_id))


def voiding_id(act_id: str, entry_id: str) -> str:
    """Return the id of the entry by which an act voids another. A repeated form gets the same id, and voids once."""
    return part_id(act_id, f"voids {entry_id}")


def part_name(entry: JournalEntry) -> str | None:
    """Return the name that an entry has as a part of an act (see ``part_id``); None if it is always an act itself."""
    if entry.kind == kinds.VOIDED:
        return f"voids {entry.payload['entry']}"
    return f"takes {entry.payload['takes']}" if entry.kind == kinds.DEAL_CLOSED and "takes" in entry.payload else None


def part_id(act_id: str, part: str) -> str:
    """Return the id of an entry that is only a part of an act, such as the voiding in a correction."""
    return str(uuid5(NAMESPACE_OID, f"{act_id} {part}"))
