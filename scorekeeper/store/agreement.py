"""Agreement about a closed deal: who has agreed to its closing, and what is proposed about it.

A deal is locked once every side has agreed to its closing. From then on, and while it is disputed or has two versions,
a change of it is proposed, and holds once every side has said yes. All of it is worked out from the journal by pure
functions. Two phones that close a deal at the same moment get the same result whichever of them is written first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import combinations
from typing import NamedTuple, cast
from uuid import NAMESPACE_OID, uuid5

from ..rules import contract
from . import compare
from .journal import kinds
from .journal.entries import JournalEntry, Locked, NewEntry
from .journal.replay import DealState, MatchState, proposal_after
from .standings import score_closing, score_deal
from .voices import Matter, NotTheirVoice, Speaker, Voices, about_deal, about_rules

SIDES_AGREE = 2
"""The version of payloads since which a deal is locked by all its sides, and no longer by any two phones."""


class Author(NamedTuple):
    """Who is behind an entry: a side by its label and a phone by its mark, each None where it is not known."""

    side: str | None
    device: str | None


def author_of(entry: JournalEntry) -> Author:
    """Return the author of an entry: the side that it names, else the side that its phone is with."""
    return Author(entry.payload.get("side") or entry.author, entry.device)


def are_independent(first: Author, second: Author) -> bool:
    """Say whether two authors are surely two people: two sides, or two phones where a side is not known."""
    if first.side and second.side:
        return first.side != second.side
    return bool(first.device and second.device and first.device != second.device)


def _was_locked_by_two(entry: JournalEntry) -> bool:
    """Say whether an entry is from when two independent authors locked a deal; later ones ask every side."""
    return entry.payload["v"] < SIDES_AGREE


class Proposal(NamedTuple):
    """What is proposed about a closed deal, and the sides that have said yes to it."""

    entry: JournalEntry
    supporters: frozenset[str]

    @property
    def opens(self) -> bool:
        """Whether it would open the agreed deal again; else it names or holds a version of the deal."""
        return self.entry.kind == kinds.REOPENING_ASKED or bool(self.entry.payload.get("opens"))

    @property
    def version(self) -> str:
        """The id of the entry with the version that it proposes: another closing, or itself."""
        return self.entry.payload.get("takes") or self.entry.id


@dataclass
class Agreement:
    """What a table says of the closing of one deal that counts. Entries are added oldest first."""

    labels: Collection[str]
    """Every side of the match."""
    authors: Mapping[str, str] = field(default_factory=dict)
    """The sides that entered the versions of the deal, by the ids of these versions, as far as they are known."""
    accepted: str = ""
    """The id of the closing that counts."""
    agreed_by: list[Author] = field(default_factory=list)
    """Who wrote the closing or agreed to it."""
    disputes: list[JournalEntry] = field(default_factory=list)
    is_locked: bool = False
    """Every side has agreed. It stays locked until every side agrees to change it."""
    proposal: Proposal | None = None
    """The newest proposal, while it waits for a side."""
    declined: JournalEntry | None = None
    """The answer by which a side said no to the newest proposal."""
    held: Proposal | None = None
    """The proposal to which the entry added last was the last yes."""
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
        """Add a statement about the closing: who agrees, who disputes it, what is proposed, and the answers to that."""
        author, self.held = author_of(entry), None
        if entry.kind == kinds.CONFIRMED:
            self._confirm(entry, author)
        elif entry.kind == kinds.DISPUTED:
            self._dispute(entry, author)
        elif entry.kind in (kinds.PROPOSED, kinds.REOPENING_ASKED):
            self._propose(entry, author)
        elif self.proposal is not None and entry.payload.get("asked") == self.proposal.entry.id:
            self._answer(self.proposal, entry, author)

    def _confirm(self, entry: JournalEntry, author: Author) -> None:
        self.disputes = [entry for entry in self.disputes if are_independent(author_of(entry), author)]
        by_two = _was_locked_by_two(entry) and any(are_independent(other, author) for other in self.agreed_by)
        if author not in self.agreed_by:
            self.agreed_by.append(author)
        if self.is_locked or by_two or self.sides >= set(self.labels):
            self._lock()

    def _lock(self) -> None:
        self.is_locked, self.reopened = True, None
        if self.proposal is not None and self.proposal.version == self.accepted:
            self.proposal = None

    def _dispute(self, entry: JournalEntry, author: Author) -> None:
        others = [dispute for dispute in self.disputes if are_independent(author_of(dispute), author)]
        self.disputes = [*others, entry]
        if entry.payload.get("unsays"):
            # That side never said the yes by which the deal was locked.
            self.is_locked, self.reopened = False, None
            self.agreed_by = [other for other in self.agreed_by if other.side != author.side]
        if not self.is_locked:
            self.agreed_by = [other for other in self.agreed_by if are_independent(other, author)]

    def said_yes_to(self, version: str, side: str | None) -> frozenset[str]:
        """Return the sides that have said yes to a version once ``side`` proposes it: who entered it has, too."""
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
        elif _was_locked_by_two(entry):
            if are_independent(proposed_by, author):
                self._hold(proposal, entry)
        elif author.side:
            self._support(proposal._replace(supporters=proposal.supporters | {author.side}), entry)

    def _support(self, proposal: Proposal, entry: JournalEntry) -> None:
        self.proposal = proposal
        if not self.waits_for:
            self._hold(proposal, entry)

    def _hold(self, proposal: Proposal, entry: JournalEntry) -> None:
        """Do what every side has agreed to. Another version than the one that counts is written as a new closing."""
        self.proposal, self.held = None, proposal
        if proposal.opens:
            self.is_locked, self.agreed_by, self.reopened = False, [], entry
        elif proposal.version == self.accepted:
            self.agreed_by, self.disputes = [Author(label, None) for label in self.labels], []
            self._lock()


def agreement_of(state: MatchState, deal: DealState) -> Agreement:
    """Return the agreement about a deal; an empty one where the deal is not closed."""
    closing = deal.closed
    if closing is None:
        return Agreement(deal.setup.labels)
    authors = {entry.id: author_of(entry).side for entry in (closing, *deal.rivals)}
    agreement = Agreement(
        deal.setup.labels, {id: side for id, side in authors.items() if side}, closing.id, closed_by(deal)
    )
    pairs = combinations(agreement.agreed_by, 2) if _was_locked_by_two(closing) else ()
    agreement.is_locked = any(are_independent(*pair) for pair in pairs) or agreement.sides >= set(agreement.labels)
    for entry in deal.statements:
        agreement.add(entry)
    return agreement


def closed_by(deal: DealState) -> list[Author]:
    """Return who stands behind the closing that counts, before anything is said about it.

    A table that takes another version copies it: then who entered it and every side that agreed stand behind it.
    Whoever undoes a correction only takes that back: the former closing is still of who entered it, and of nobody else.
    """
    if is_restored(deal):
        return closed_by(replace(deal, closed=deal.copied_from, copied_from=None))
    authors = [author_of(entry) for entry in (deal.copied_from, deal.closed) if entry is not None]
    agreed = deal.closed.payload.get("agreed", []) if deal.closed else []
    return [*authors, *(Author(label, None) for label in agreed)]


def is_restored(deal: DealState) -> bool:
    """Say whether the closing that counts is a former one, which counts again because its correction was undone."""
    closing, copied = deal.closed, deal.copied_from
    if closing is None or copied is None or _was_locked_by_two(closing):
        return False
    return copied.kind == kinds.DEAL_CLOSED


def corrected_closing(state: MatchState, deal: DealState) -> JournalEntry | None:
    """Return the closing that the one that counts has voided and replaced; None where it is no correction.

    A version that the table took is none either. An undone correction is corrected itself, by the former closing.
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
    """Return when a closed deal was played: when it was first closed, whatever was corrected or chosen later.

    A deal that was taken back and is closed anew was played when that was done.
    """
    versions = [version for version in (deal.closed, deal.copied_from, *deal.rivals, *deal.not_taken) if version]
    voidings = {entry.id for entry in state.entries if entry.kind == kinds.VOIDED}
    closings = [
        entry for entry in state.entries if entry.kind == kinds.DEAL_CLOSED and entry.payload["deal"] == deal.number
    ]
    # What a correction takes the place of may be a correction itself.
    for version in versions:
        former = (one for one in closings if voiding_id(version.id, one.id) in voidings and one not in versions)
        versions.extend(former)
    return min(version.happened_at for version in versions)


def entries_to_restore(deal: DealState, former: JournalEntry, form_id: str) -> list[NewEntry]:
    """Return the entries that undo a correction: the former closing is repeated, and names itself in ``takes``."""
    assert deal.closed is not None
    return [voided_with(form_id, deal.closed.id), NewEntry(kinds.DEAL_CLOSED, _repeated(former), id=form_id)]


def _repeated(version: JournalEntry) -> kinds.AnyPayload:
    """Return the payload of a closing that repeats a version of its deal, and names it in ``takes``."""
    kept = {name: value for name, value in version.payload.items() if name in ("deal", "facts", "redeal")}
    return {**cast(kinds.AnyPayload, kept), "takes": version.id}


def needs_everyone(deal: DealState, agreement: Agreement) -> bool:
    """Say whether only all sides together may change a deal: it is agreed on, in dispute, or has two versions."""
    return agreement.is_locked or bool(deal.contested or agreement.disputes)


class ClosingVersion(NamedTuple):
    """A closing of a deal with its sheet."""

    entry: JournalEntry
    sheet: contract.Scored


def versions(state: MatchState, deal: DealState) -> list[JournalEntry]:
    """Return the closing that counts, then the versions beside it.

    These are the closings that contest it and the version that is proposed; where there are none, those not taken.
    """
    proposal = agreement_of(state, deal).proposal
    proposed = [proposal.entry] if proposal is not None and "facts" in proposal.entry.payload else []
    # Whoever proposes another version stands by that one, and no longer by the one before.
    left = {author_of(entry).side for entry in proposed} - {None}
    contested = [rival for rival in deal.contested if author_of(rival).side not in left]
    beside = [*contested, *proposed] or deal.not_taken
    return [*([deal.closed] if deal.closed else []), *beside]


def scored(state: MatchState, deal: DealState, found: Iterable[JournalEntry]) -> list[ClosingVersion]:
    """Return versions of a deal, each with its sheet."""
    return [ClosingVersion(entry, score_closing(state, deal, entry)) for entry in found]


def says_nothing_new(state: MatchState, deal: DealState, posted: contract.Deal) -> bool:
    """Say whether a version of a closed deal gives the points that count already, so that there is nothing to propose.

    While the deal is in doubt it says something new where it shows more of a line: then it may settle the quarrel.
    """
    if deal.closed is None:
        return False
    counts, other = score_closing(state, deal, deal.closed), score_deal(state, deal, posted, bounded=True)
    is_in_doubt = deal.contested or agreement_of(state, deal).disputes
    return compare.give_same_points(counts, other) and not (is_in_doubt and compare.shows_more(other, counts))


def as_confirmed_or_contested(state: MatchState, new: NewEntry, voided: Iterable[str]) -> NewEntry:
    """Return a closing as it is to be written: beside another closing that counts it confirms or contests that one.

    ``voided`` are the ids of entries that are voided together with it. Where the closing that counts is among them, the
    new one takes its place and stays as it is.
    """
    deal = state.closed_deal(new.payload["deal"])
    if deal is None or deal.closed is None or deal.closed.id in (*voided, new.id):
        return new
    payload: kinds.AnyPayload = {**new.payload, "entry": deal.closed.id}
    alike = compare.agree(state, deal, deal.closed, new.payload["facts"])
    return replace(new, kind=kinds.CONFIRMED if alike else kinds.DEAL_CONTESTED, payload=payload)


def refuse_to_void_agreed(state: MatchState, voided: Collection[str], by: Speaker, voices: Voices) -> None:
    """Raise ``Locked`` or ``NotTheirVoice`` where ``by`` may not void these ids.

    Nobody voids the closing of a deal that is for all sides to change, or what keeps it agreed. What somebody says
    about it, another version or a dispute, only that side takes back.
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
    """Raise ``NotTheirVoice`` where its side has a voice of its own, ``Locked`` where somebody else said it."""
    if entry.kind == kinds.REOPENING_ASKED and by.side is not None:
        # Pages of earlier versions say no to it in this way.
        return
    if not voices.may_take_back(by, entry, matter):
        side = author_of(entry).side
        if side is None:
            raise Locked(number)
        voices.refuse_to_speak(by, side, matter)
        raise NotTheirVoice(side)


def version_of(deal: DealState, entry_id: str) -> JournalEntry | None:
    """Return the closing of that id among those of a deal that nobody has voided; None where there is none."""
    return next((entry for entry in (deal.closed, *deal.rivals) if entry and entry.id == entry_id), None)


def carried_out(state: MatchState, deal: DealState, said: JournalEntry) -> list[NewEntry]:
    """Return what is written together with a statement; nothing unless it is the last yes to another version.

    That version becomes the only closing of the deal: all others are voided, and it is repeated in a new closing, which
    names it in ``takes`` and the sides in ``agreed``. Where every side keeps the closing that counts, the others are
    voided.
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
    """Return what is written together with a word about other options; nothing unless it is the last yes.

    The options are valid from the deal being played where nothing of it is noted yet, else from the next.
    """
    proposal = proposal_after(state.proposal, said)
    if proposal is None or not proposal.supporters >= set(state.setup.labels):
        return []
    deal = state.current.number + int(state.current.has_begun)
    changed: kinds.AnyPayload = {"deal": deal, "options": proposal.options, "asked": proposal.entry.id}
    return [NewEntry(kinds.RULES_CHANGED, changed, id=part_id(said.id, "changes the rules"))]


def refuse_to_void_rules(state: MatchState, voided: Collection[str], by: Speaker, voices: Voices) -> None:
    """Raise ``Locked`` where these entries changed the rules, and a side with a voice of its own has to be asked.

    What a side said about other rules only that side takes back.
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
    """Return the id of the entry by which an act voids another: the same form posted again voids it once."""
    return part_id(act_id, f"voids {entry_id}")


def part_name(entry: JournalEntry) -> str | None:
    """Return by which name an entry may be a part of an act (``part_id``); None where it is always an act itself."""
    if entry.kind == kinds.VOIDED:
        return f"voids {entry.payload['entry']}"
    return f"takes {entry.payload['takes']}" if entry.kind == kinds.DEAL_CLOSED and "takes" in entry.payload else None


def part_id(act_id: str, part: str) -> str:
    """Return the id of an entry that is only part of an act, as the voiding that comes with a correction."""
    return str(uuid5(NAMESPACE_OID, f"{act_id} {part}"))
