"""Agreement about a closed deal: who has confirmed its closing, when that locks the deal, and which closings are alike.

All of it is worked out from the journal by pure functions. Two phones that close a deal at the same moment get the same
result whichever of them is written first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, NamedTuple, cast
from uuid import NAMESPACE_OID, uuid5

from ..rules import contract
from . import journal
from .journal import DealState, JournalEntry, Locked, MatchState, NewEntry
from .standings import score_deal

Facts = Mapping[str, Any]
"""The facts of a deal, as the payload of its closing has them."""

BUDGET_SPENT = "budget_spent"
"""The engine's warning that it stopped before everything was weighed."""


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


@dataclass
class Agreement:
    """Who agrees with the closing of one deal that counts, and who does not. Entries are added oldest first."""

    agreed_by: list[Author] = field(default_factory=list)
    """Who wrote the closing or confirmed it."""
    disputes: list[JournalEntry] = field(default_factory=list)
    is_locked: bool = False
    """Two independent authors have agreed. It stays locked until two sides open the deal again."""
    reopening_request: JournalEntry | None = None
    """The request to open the locked deal again that waits for another side."""
    reopened: JournalEntry | None = None
    """The entry that opened the deal again; None once it is locked again."""

    @property
    def sides(self) -> set[str]:
        """The sides that agree with the closing."""
        return {author.side for author in self.agreed_by if author.side}

    def add(self, entry: JournalEntry) -> None:
        """Add a statement about the closing: a confirmation, a dispute, or a step of opening it again."""
        author = author_of(entry)
        if entry.kind == journal.CONFIRMED:
            self._confirm(author)
        elif entry.kind == journal.DISPUTED:
            self._dispute(entry, author)
        elif entry.kind == journal.REOPENING_ASKED and self.is_locked:
            self.reopening_request = entry
        elif entry.kind == journal.REOPENING_ACCEPTED and self._may_reopen(entry, author):
            self.is_locked, self.agreed_by, self.reopening_request, self.reopened = False, [], None, entry

    def _confirm(self, author: Author) -> None:
        self.disputes = [entry for entry in self.disputes if are_independent(author_of(entry), author)]
        # Only pairs with the new author need a look: two independent authors from before have locked it already.
        if self.is_locked or any(are_independent(other, author) for other in self.agreed_by):
            self.is_locked, self.reopened = True, None
        if author not in self.agreed_by:
            self.agreed_by.append(author)

    def _dispute(self, entry: JournalEntry, author: Author) -> None:
        others = [dispute for dispute in self.disputes if are_independent(author_of(dispute), author)]
        self.disputes = [*others, entry]
        if not self.is_locked:
            self.agreed_by = [other for other in self.agreed_by if are_independent(other, author)]

    def _may_reopen(self, entry: JournalEntry, author: Author) -> bool:
        request = self.reopening_request
        if request is None or entry.payload.get("asked") != request.id:
            return False
        return are_independent(author_of(request), author)


def agreement_of(deal: DealState) -> Agreement:
    """Return the agreement about a deal; an empty one where the deal is not closed."""
    agreement = Agreement()
    if deal.closed is None:
        return agreement
    # A table that takes a contested closing copies it: then both who wrote it and who took it agree.
    agreement.agreed_by = [author_of(entry) for entry in (deal.copied_from, deal.closed) if entry is not None]
    agreement.is_locked = any(are_independent(*pair) for pair in combinations(agreement.agreed_by, 2))
    for entry in deal.statements:
        agreement.add(entry)
    return agreement


class ClosingVersion(NamedTuple):
    """A closing of a deal with its sheet."""

    entry: JournalEntry
    sheet: contract.Scored


def versions(state: MatchState, deal: DealState) -> list[ClosingVersion]:
    """Return the closing that counts, then those that contest it, each with its sheet."""
    entries = [*([deal.closed] if deal.closed else []), *deal.contested]
    return [ClosingVersion(entry, score_deal(state, deal, entry.payload["facts"])) for entry in entries]


def lines_of(sheet: contract.Scored) -> dict[contract.ItemId, contract.Line]:
    """Return a sheet's lines by their items."""
    return {line["item"]: line for line in sheet["lines"]}


def differ(first: contract.Line | None, second: contract.Line | None) -> bool:
    """Say whether two lines of one item give other points, or rest on numbers that cannot both be true.

    None is a sheet without that item.
    """
    if _points(first) != _points(second):
        return True
    values, others = _values(first), _values(second)
    return any(None not in (values[side], others.get(side)) and values[side] != others[side] for side in values)


def _points(line: contract.Line | None) -> dict[contract.Side, contract.Number] | None:
    """Return the points that a line moves: none where there is no line, None where the line is open."""
    if line is None:
        return {}
    points = line["points"]
    return None if points is None else {side: number for side, number in points.items() if number}


def _values(line: contract.Line | None) -> Mapping[contract.Side, contract.Number | None]:
    if line is None or line["reason"] == "open":
        return {}
    return line.get("values", {})


def pile_of_card(facts: Facts) -> dict[contract.Card, contract.Side]:
    """Return in whose pile each card lies that was shown or said; what was shown is stronger."""
    places: dict[contract.Card, contract.Side] = {}
    for side, cards in _by_side(facts, "told"):
        places.update({card.upper(): side for card in cards})
    for side, best in _by_side(facts, "best"):
        places.update({f"{rank}{suit}": side for suit, rank in best.items() if isinstance(rank, int)})
    for side, cards in _by_side(facts, "piles"):
        places.update({card.upper(): side for card in cards})
    return places


def _by_side(facts: Facts, name: str) -> Iterator[tuple[contract.Side, Any]]:
    """Yield what a fact says of each side; what is null is not known."""
    yield from ((side, known) for side, known in (facts.get(name) or {}).items() if known)


def cards_elsewhere(first: Facts, second: Facts) -> list[contract.Card]:
    """Return the cards that lie in different piles by these two closings of a deal."""
    one, other = pile_of_card(first), pile_of_card(second)
    return sorted(card for card in one if card in other and one[card] != other[card])


def agree(state: MatchState, deal: DealState, stored: contract.Deal, posted: contract.Deal) -> bool:
    """Say whether two closings of a deal have the same sheet, and contradict each other about no card and no count.

    ``posted`` is not stored yet, so it is scored within bounds.
    """
    if stored == posted:
        return True
    first, second = score_deal(state, deal, stored), score_deal(state, deal, posted, bounded=True)
    if first["redeal"] != second["redeal"] or cards_elsewhere(stored, posted):
        return False
    if not first["redeal"] and {first["status"], second["status"]} != {"complete"}:
        return False
    lines, others = lines_of(first), lines_of(second)
    return not any(differ(lines.get(item), others.get(item)) for item in {*lines, *others})


def as_confirmed_or_contested(state: MatchState, new: NewEntry, voided: Iterable[str]) -> NewEntry:
    """Return a closing as it is to be written: beside another closing that counts it confirms or contests that one.

    ``voided`` are the ids of entries that are voided together with it. Where the closing that counts is among them, the
    new one takes its place and stays as it is.
    """
    deal = state.closed_deal(new.payload["deal"])
    if deal is None or deal.closed is None or deal.closed.id in (*voided, new.id):
        return new
    payload: journal.AnyPayload = {**new.payload, "entry": deal.closed.id}
    alike = agree(state, deal, deal.closed.payload["facts"], new.payload["facts"])
    return replace(new, kind=journal.CONFIRMED if alike else journal.DEAL_CONTESTED, payload=payload)


def is_unfinished(sheet: contract.Scored) -> bool:
    """Say whether a sheet is open because the work had a limit. Saved like this, it would stay open for good."""
    return sheet["status"] == "open" and any(problem["code"] == BUDGET_SPENT for problem in sheet["problems"])


def blocking_problems(sheet: contract.Scored) -> list[contract.Problem]:
    """Return the problems for which a sheet cannot be saved: its errors, and a spent budget as one of them."""
    blocking: list[contract.Problem] = []
    for problem in sheet["problems"]:
        if problem["code"] == BUDGET_SPENT:
            blocking.append({**problem, "severity": "error"})
        elif problem["severity"] == "error":
            blocking.append(problem.copy())
    return blocking


def refuse_to_void_agreed(state: MatchState, voided: Sequence[str]) -> None:
    """Raise ``Locked`` when these ids void the closing of a locked deal, or a confirmation that keeps it locked."""
    for deal in state.closed:
        if deal.closed is None or not agreement_of(deal).is_locked:
            continue
        gone = {deal.closed.id, *(entry.id for entry in deal.statements)} & set(voided)
        left = replace(deal, statements=[entry for entry in deal.statements if entry.id not in gone])
        if deal.closed.id in gone or not agreement_of(left).is_locked:
            raise Locked(deal.number)


def closing_to_take(deal: DealState, entry_id: str) -> JournalEntry | None:
    """Return the closing of that id among those the table may choose from; None where nothing is contested."""
    if deal.closed is None or not deal.contested:
        return None
    return next((entry for entry in (deal.closed, *deal.contested) if entry.id == entry_id), None)


def entries_to_take(deal: DealState, chosen: JournalEntry, form_id: str) -> list[NewEntry]:
    """Return the entries that make ``chosen`` the only closing of the deal: all others are voided.

    The closing that counts is confirmed. A contested one is copied into a new closing, which names it in ``takes``: an
    entry of kind ``deal_contested`` itself never counts.
    """
    assert deal.closed is not None
    to_void = [entry.id for entry in deal.rivals]
    if chosen.id == deal.closed.id:
        choice = NewEntry(journal.CONFIRMED, {"deal": deal.number, "entry": chosen.id}, id=form_id)
    else:
        to_void.insert(0, deal.closed.id)
        kept = {name: value for name, value in chosen.payload.items() if name not in ("v", "entry")}
        copied = cast(journal.AnyPayload, kept)
        choice = NewEntry(journal.DEAL_CLOSED, {**copied, "takes": chosen.id}, id=form_id)
    voidings = [NewEntry(journal.VOIDED, {"entry": id}, id=voiding_id(form_id, id)) for id in to_void]
    return [*voidings, choice]


def voiding_id(form_id: str, entry_id: str) -> str:
    """Return the id of the entry by which a form voids another: the same form posted again voids it once."""
    return str(uuid5(NAMESPACE_OID, f"{form_id} voids {entry_id}"))
