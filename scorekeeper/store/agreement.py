"""Settlement: who stands behind a closing, when a deal is locked, what opens it again, and which closings agree.

Pure functions over what the journal holds; nothing is decided by the order in which two phones happened to write.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, NamedTuple
from uuid import NAMESPACE_OID, uuid5

from . import journal
from .journal import DealState, JournalEntry, Locked, MatchState, NewEntry
from .standings import score_deal

BUDGET_SPENT = "budget_spent"
"""The engine's warning that it stopped before everything was weighed."""


class Author(NamedTuple):
    """Who speaks: a side by its label, where it is known, and the phone it was written on."""

    side: str | None
    device: str | None


def author_of(entry: JournalEntry) -> Author:
    """Return who speaks in an entry: the side it names, else the side that its phone speaks for."""
    return Author(entry.payload.get("side") or entry.author, entry.device)


def are_independent(one: Author, other: Author) -> bool:
    """Say whether two voices are surely two: two sides, or two phones where a side is not known."""
    if one.side and other.side:
        return one.side != other.side
    return bool(one.device and other.device and one.device != other.device)


@dataclass
class Agreement:
    """Where the table stands about one closed deal."""

    behind: list[Author] = field(default_factory=list)
    """Who wrote the closing or confirmed it."""
    disputes: list[JournalEntry] = field(default_factory=list)
    is_locked: bool = False
    asked: JournalEntry | None = None
    """The request to open the locked deal again that waits for another side."""
    reopened: JournalEntry | None = None
    """What opened it again, until it is closed anew or agreed again."""

    @property
    def sides(self) -> set[str]:
        """The sides that stand behind the closing."""
        return {voice.side for voice in self.behind if voice.side}

    def hear(self, entry: JournalEntry) -> None:
        """Take in what somebody says about the closing."""
        who = author_of(entry)
        if entry.kind == journal.CONFIRMED:
            self._confirm(who)
        elif entry.kind == journal.DISPUTED:
            self._dispute(entry, who)
        elif entry.kind == journal.REOPENING_ASKED and self.is_locked:
            self.asked = entry
        elif entry.kind == journal.REOPENING_ACCEPTED and self._may_reopen(entry, who):
            self.is_locked, self.behind, self.asked, self.reopened = False, [], None, entry

    def _confirm(self, who: Author) -> None:
        self.disputes = [one for one in self.disputes if are_independent(author_of(one), who)]
        # Two who stood behind it before and are independent have locked it already: only whoever comes makes a pair.
        if self.is_locked or any(are_independent(one, who) for one in self.behind):
            self.is_locked, self.reopened = True, None
        if who not in self.behind:
            self.behind.append(who)

    def _dispute(self, entry: JournalEntry, who: Author) -> None:
        self.disputes = [*(one for one in self.disputes if are_independent(author_of(one), who)), entry]
        if not self.is_locked:
            self.behind = [voice for voice in self.behind if are_independent(voice, who)]

    def _may_reopen(self, entry: JournalEntry, who: Author) -> bool:
        asked = self.asked
        return asked is not None and entry.payload.get("asked") == asked.id and are_independent(author_of(asked), who)


def agreement_of(deal: DealState) -> Agreement:
    """Fold what was said about the closing that stands into where the table stands."""
    settlement = Agreement()
    if deal.closed is None:
        return settlement
    # Whoever takes another's closing as it is stands behind it, and so does the one who wrote it.
    settlement.behind = [author_of(one) for one in (deal.copied_from, deal.closed) if one is not None]
    settlement.is_locked = any(are_independent(one, other) for one, other in combinations(settlement.behind, 2))
    for entry in deal.statements:
        settlement.hear(entry)
    return settlement


class ClosingVersion(NamedTuple):
    """A closing of a deal and what the engine makes of it."""

    entry: JournalEntry
    sheet: Mapping[str, Any]


def versions(state: MatchState, deal: DealState) -> list[ClosingVersion]:
    """Return the closing that stands and every one that contests it, each scored."""
    entries = [*([deal.closed] if deal.closed else []), *deal.contested]
    return [ClosingVersion(entry, score_deal(state, deal, entry.payload["facts"])) for entry in entries]


def lines_of(sheet: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return a sheet's lines by their items."""
    return {line["item"]: line for line in sheet["lines"]}


def differ(one: Mapping[str, Any] | None, other: Mapping[str, Any] | None) -> bool:
    """Say whether two lines of one item give other points, or rest on numbers that cannot both be true."""
    if _points(one) != _points(other):
        return True
    values, others = (one or {}).get("values") or {}, (other or {}).get("values") or {}
    return any(None not in (values[label], others.get(label)) and values[label] != others[label] for label in values)


def _points(line: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return the points that a line moves; a line that is not there moves none, an open one is not known."""
    if line is None:
        return {}
    points = line["points"]
    return None if points is None else {label: number for label, number in points.items() if number}


def pile_of_card(facts: Mapping[str, Any]) -> dict[str, str]:
    """Return in whose pile each card lies that was shown."""
    return {card.upper(): label for label, cards in facts.get("piles", {}).items() for card in cards}


def cards_elsewhere(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Return the cards that two tellings of a deal put in different piles."""
    first, second = pile_of_card(one), pile_of_card(other)
    return sorted(card for card in first if card in second and first[card] != second[card])


def agree(state: MatchState, deal: DealState, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Say whether two tellings of a deal come to the same sheet, and to no contradiction about cards or counts.

    ``one`` is stored, ``other`` is not yet.
    """
    if one == other:
        return True
    first, second = score_deal(state, deal, one), score_deal(state, deal, other, bounded=True)
    if first["redeal"] != second["redeal"] or cards_elsewhere(one, other):
        return False
    if not first["redeal"] and {first["status"], second["status"]} != {"complete"}:
        return False
    lines, others = lines_of(first), lines_of(second)
    return not any(differ(lines.get(item), others.get(item)) for item in {*lines, *others})


def as_confirmed_or_contested(state: MatchState, new: NewEntry, voided: Iterable[str]) -> NewEntry:
    """Return a closing as it is to be written: beside a closing that stands it confirms that one, or contests it.

    ``voided`` are the entries that go with it: a closing that voids the one that stands takes its place.
    """
    deal = state.closed_deal(new.payload["deal"])
    if deal is None or deal.closed is None or deal.closed.id in (*voided, new.id):
        return new
    payload = {**new.payload, "entry": deal.closed.id}
    alike = agree(state, deal, deal.closed.payload["facts"], new.payload["facts"])
    return replace(new, kind=journal.CONFIRMED if alike else journal.DEAL_CONTESTED, payload=payload)


def is_unfinished(sheet: Mapping[str, Any]) -> bool:
    """Say whether a sheet was left open because its work had a limit: saved, it could never be settled."""
    return sheet["status"] == "open" and any(one["code"] == BUDGET_SPENT for one in sheet["problems"])


def blocking_problems(sheet: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the problems for which a sheet cannot be saved; what leaves it unfinished is one of them."""
    problems = [{**one, "severity": "error"} if one["code"] == BUDGET_SPENT else dict(one) for one in sheet["problems"]]
    return [one for one in problems if one["severity"] == "error"]


def refuse_to_void_agreed(state: MatchState, voided: Sequence[str]) -> None:
    """Refuse to void what locks a deal: its closing, or what agreed with it. Raises ``Locked``."""
    for deal in state.closed:
        if deal.closed is None or not agreement_of(deal).is_locked:
            continue
        gone = {deal.closed.id, *(one.id for one in deal.statements)} & set(voided)
        left = replace(deal, statements=[one for one in deal.statements if one.id not in gone])
        if deal.closed.id in gone or not agreement_of(left).is_locked:
            raise Locked(deal.number)


def closing_to_take(deal: DealState, entry_id: str) -> JournalEntry | None:
    """Return the closing of that id among those the table may choose from."""
    among = [*([deal.closed] if deal.closed else []), *deal.contested] if deal.contested else []
    return next((one for one in among if one.id == entry_id), None)


def entries_to_take(deal: DealState, chosen: JournalEntry, form_id: str) -> list[NewEntry]:
    """Return the entries that let ``chosen`` stand alone: the others are voided, what stands names what it repeats."""
    assert deal.closed is not None
    away = [one.id for one in deal.rivals]
    if chosen.id == deal.closed.id:
        told = NewEntry(journal.CONFIRMED, {"deal": deal.number, "entry": chosen.id}, id=form_id)
    else:
        away.insert(0, deal.closed.id)
        kept = {name: value for name, value in chosen.payload.items() if name not in ("v", "entry")}
        told = NewEntry(journal.DEAL_CLOSED, {**kept, "takes": chosen.id}, id=form_id)
    return [*(NewEntry(journal.VOIDED, {"entry": one}, id=voiding_id(form_id, one)) for one in away), told]


def voiding_id(form_id: str, entry_id: str) -> str:
    """Return the id of the voiding that goes with a form: the same form voids the same entry once."""
    return str(uuid5(NAMESPACE_OID, f"{form_id} voids {entry_id}"))
