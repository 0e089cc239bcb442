"""The state of a match from its journal: a fold over the entries, in which a voided entry leaves no trace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, NamedTuple, cast

from ...rules import contract
from ..db import Gone
from . import kinds
from .entries import JournalEntry, reported_in
from .match_setup import Setup, Side

PLAIN_NOTES = kinds.NOTED - kinds.MOVES_DEALER - {kinds.CREDITED, kinds.TOLD_APART}
"""The kinds of notes that only add to ``DealState.noted``."""


def same_facts(one: JournalEntry, other: JournalEntry) -> bool:
    """Return whether two closings report the same facts."""
    return bool(one.payload.get("facts") == other.payload.get("facts"))


@dataclass
class DealState:
    """One deal: its notes and, if it is closed, its closings and the statements about them."""

    number: int
    dealer_seat: int
    setup: Setup
    """Its sides and options."""
    noted: list[JournalEntry] = field(default_factory=list)
    """Sweeps, declarations, penalties, the layout and adjustments that are not voided, oldest first."""
    dealings: list[JournalEntry] = field(default_factory=list)
    """The entries of dealing out of turn and again, oldest first."""
    credits: dict[str, int] = field(default_factory=dict)
    """The players who were named for a sweep or a declaration, by the id of its entry."""
    apart: set[frozenset[str]] = field(default_factory=set)
    """The ids of two notes each that are not one noted twice."""
    starts: dict[contract.Side, int] = field(default_factory=dict)
    """The first points of the sides that enter with this deal."""
    closed: JournalEntry | None = None
    former: JournalEntry | None = None
    """The last voided closing; the form for the next one begins with it."""
    rivals: list[JournalEntry] = field(default_factory=list)
    """The other closings that are not voided, oldest first."""
    statements: list[JournalEntry] = field(default_factory=list)
    """The statements about the accepted closing, oldest first: agreement, disputes, proposals and answers."""
    copied_from: JournalEntry | None = None
    """The version that the accepted closing repeats."""
    not_taken: list[JournalEntry] = field(default_factory=list)
    """The versions that the table did not choose, oldest first; pages still show them."""

    @property
    def contested(self) -> list[JournalEntry]:
        """The rivals whose facts differ from those of the accepted closing."""
        closing = self.closed
        return [] if closing is None else [rival for rival in self.rivals if not same_facts(rival, closing)]

    @property
    def dealer(self) -> Side:
        """The side that deals."""
        return self.setup.side_at(self.dealer_seat)

    @property
    def has_begun(self) -> bool:
        """True if it has a note, or was closed before."""
        return bool(self.noted or self.dealings or self.former)

    @property
    def times_dealt_again(self) -> int:
        """The number of its void dealings."""
        return sum(entry.kind == kinds.DEALT_AGAIN for entry in self.dealings)

    @property
    def noted_openings(self) -> list[JournalEntry]:
        """The noted openings, oldest first; the last one counts."""
        return [entry for entry in self.noted if entry.kind == kinds.LAYOUT_NOTED]

    @property
    def noted_trump(self) -> contract.Suit | None:
        """The suit that was noted as trumps of the deal; None if none was, or it was taken back."""
        noted = [entry.payload["trump"] for entry in self.noted if entry.kind == kinds.TRUMP_NOTED]
        return noted[-1] if noted else None

    def facts(self) -> contract.Deal:
        """Return the deal in the engine's shape: the facts of its closing, else of its notes."""
        return self.noted_so_far() if self.closed is None else self.closed.payload["facts"].copy()

    def noted_points(self, after: int = 0) -> dict[contract.Side, int]:
        """Return the points noted in a round of the free pad after the seq ``after``, by side."""
        points: dict[contract.Side, int] = {}
        for entry in self.noted:
            if entry.kind == kinds.POINTS_NOTED and entry.seq > after:
                points[entry.payload["side"]] = points.get(entry.payload["side"], 0) + entry.payload["points"]
        return points

    def noted_so_far(self) -> contract.Deal:
        """Return the notes of the deal, in the engine's shape."""
        if not (points := self.noted_points()):
            noted, trump = self.noted_facts(), self.noted_trump
            return cast(contract.Deal, {**noted, "trump": trump}) if trump else noted
        facts = contract.FreeDeal(points={**points})
        if adjustments := self.noted_adjustments():
            facts["adjustments"] = adjustments
        return facts

    def noted_adjustments(self) -> list[contract.Adjustment]:
        """Return the adjustments of this deal, in the engine's shape."""
        noted = [entry.payload for entry in self.noted if entry.kind == kinds.ADJUSTED]
        return [{"side": each["side"], "points": each["points"], "reason": each["reason"]} for each in noted]

    def noted_facts(self) -> contract.FishingDeal:
        """Return the notes of a deal of the fishing family, in the engine's shape."""
        facts: contract.FishingDeal = {}
        sweeps: dict[contract.Side, int] = {}
        declarations: list[contract.Declaration] = []
        penalties: list[contract.Penalty] = []
        for entry in self.noted:
            payload = reported_in(entry.payload)
            if entry.kind == kinds.SWEPT:
                sweeps[payload["side"]] = sweeps.get(payload["side"], 0) + payload["count"]
            elif entry.kind == kinds.DECLARED:
                declarations.append(cast(contract.Declaration, payload))
                facts["declarations"] = declarations
            elif entry.kind == kinds.PENALISED:
                penalties.append(cast(contract.Penalty, payload))
                facts["penalties"] = penalties
            elif entry.kind == kinds.LAYOUT_NOTED:
                facts.pop("layout", None)
                facts.pop("layout_result", None)
                facts.update(cast(contract.FishingDeal, payload))
        if sweeps:
            facts["sweeps"] = {**sweeps}
        if adjustments := self.noted_adjustments():
            facts["adjustments"] = adjustments
        return facts


class RulesProposal(NamedTuple):
    """Proposed options for the next deals, and the sides that have said yes."""

    entry: JournalEntry
    supporters: frozenset[str]

    @property
    def options(self) -> contract.Options:
        """The options to change."""
        return self.entry.payload["options"]


class TablePhone(NamedTuple):
    """The table's phone: the first of a match that an entry made everybody's."""

    device: str
    since: int
    """The seq of the entry since which it has been everybody's without a break."""


@dataclass
class MatchState:
    """A match, replayed from its entries."""

    started: Setup
    """The set-up at the start of the match."""
    deals: list[DealState]
    """The closed deals and the one being played, by number."""
    current: DealState
    """The deal being played: the first that is not closed."""
    entries: tuple[JournalEntry, ...]
    """The whole journal."""
    ended: JournalEntry | None = None
    phones: Mapping[str, int] = field(default_factory=dict)
    """The players who hold phones, by the marks of the phones."""
    table_phone: TablePhone | None = None
    """The table's phone; None if there is none, or a player holds it."""
    changes: tuple[JournalEntry, ...] = ()
    """The entries that change the set-up, now or with the next deal, oldest first."""
    proposal: RulesProposal | None = None
    """The newest proposal of other options, while a side has not answered it."""
    about: JournalEntry | None = None
    """The newest line about the match."""
    waiting: tuple[int, ...] = ()
    """The players who wait for a seat, the next first."""
    seated: JournalEntry | None = None
    """The newest entry about the seats after the start of the match."""
    series: kinds.StoredSeries | None = None
    """The best of three that the match belongs to; None if it belongs to none."""

    @property
    def head(self) -> int:
        """The seq of the newest entry."""
        return self.entries[-1].seq

    @property
    def typed(self) -> JournalEntry | None:
        """The entry of a result from paper; None for a match that is played here."""
        return self.entries[0] if self.entries[0].kind == kinds.RESULT_TYPED else None

    @property
    def setup(self) -> Setup:
        """The set-up of the deal being played."""
        return self.current.setup

    @property
    def everybody(self) -> tuple[Side, ...]:
        """Every side of the match, those that have left, too."""
        sides: dict[str, Side] = {}
        for setup in (self.started, *(deal.setup for deal in self.deals)):
            sides.update({side.label: side for side in setup.sides})
        return tuple(sides.values())

    @property
    def coming(self) -> list[JournalEntry]:
        """The entries that change the set-up only with the next deal."""
        return [entry for entry in self.changes if entry.payload["deal"] > self.current.number]

    @property
    def setup_to_come(self) -> Setup:
        """The set-up of the next deal."""
        return reduce(Setup.changed_by, self.coming, self.setup)

    def original(self, closing: JournalEntry) -> JournalEntry:
        """Return the closing that another one repeats, through any chain; the closing itself if it repeats none.

        A closing that counts again, or that a table took, was judged when it was first written.
        """
        while "facts" in closing.payload and "takes" in closing.payload:
            earlier, taken = self.entries[: closing.seq - 1], closing.payload["takes"]
            repeated = next((entry for entry in earlier if entry.id == taken), None)
            if repeated is None or not same_facts(repeated, closing):
                break
            closing = repeated
        return closing

    @property
    def closed(self) -> list[DealState]:
        """The closed deals."""
        return [deal for deal in self.deals if deal.closed]

    def deal(self, number: int) -> DealState | None:
        """Return the deal with this number, closed or being played; None if there is none."""
        return next((deal for deal in self.deals if deal.number == number), None)

    def closed_deal(self, number: int) -> DealState | None:
        """Return the deal with this number if it is closed."""
        deal = self.deal(number)
        return deal if deal and deal.closed else None

    def request(self) -> contract.MatchRequest:
        """Return the closed deals as the engine's ``match`` takes them."""
        deals, before = [], self.started
        for deal in self.closed:
            asked = self.deal_request(deal)
            if deal.setup.options != before.options:
                asked["options"] = dict(deal.setup.options)
            if deal.setup.labels != before.labels:
                asked["sides"] = deal.setup.labels
            deals.append(asked)
            before = deal.setup
        return {**self.engine_setup(self.started), "deals": deals, "ask": False}

    def engine_setup(self, setup: Setup | None = None) -> contract.TableRequest:
        """Return the table's part of a request, by default for the deal being played.

        All its options are resolved, and override the preset.
        """
        setup = setup or self.setup
        asked: contract.TableRequest = {
            "game": setup.game,
            "preset": setup.preset,
            "options": dict(setup.options),
            "sides": setup.labels,
            "players_per_side": setup.players_per_side,
            "rules": setup.rules,
        }
        if setup.own_lines:
            asked["own_lines"] = list(setup.own_lines)
        return asked

    def deal_request(self, deal: DealState, facts: contract.Deal | None = None) -> contract.Deal:
        """Return ``facts`` (by default the deal's own) with the dealer's side and the first points of newcomers."""
        known = deal.facts() if facts is None else facts
        asked: dict[str, Any] = {"dealer": deal.dealer.label, **known}
        starts = [(side, points) for side, points in deal.starts.items() if points]
        if starts:
            first = [{"side": side, "points": points, "reason": kinds.ENTERED} for side, points in starts]
            asked["adjustments"] = [*first, *(known.get("adjustments") or [])]
        return cast(contract.Deal, asked)


def replay(entries: Iterable[JournalEntry]) -> MatchState:
    """Return the state of a match from its entries in order.

    Raises ``Gone`` if there are none: the match was deleted meanwhile.
    """
    entries = list(entries)
    if not entries:
        raise Gone
    voided = {entry.payload["entry"] for entry in entries if entry.kind == kinds.VOIDED}
    started = Setup.from_json(entries[0].payload["setup"])
    valid = [entry for entry in entries if entry.id not in voided]
    seated = _last(valid, kinds.SEATED)
    if seated is not None:
        started = started.changed_by(seated)
    deals: dict[int, DealState] = {}

    def deal(number: int) -> DealState:
        return deals.setdefault(number, DealState(number, 0, started))

    for entry in entries:
        if entry.kind in kinds.OF_A_DEAL and entry.kind not in kinds.CHANGES:
            _place(deal(entry.payload["deal"]), entry, entry.id in voided)
    by_id = {entry.id: entry for entry in entries}
    for deal_state in deals.values():
        closing = deal_state.closed.id if deal_state.closed else None
        deal_state.statements = [entry for entry in deal_state.statements if entry.payload["entry"] == closing]
        _look_up_versions(deal_state, by_id)
    closed = [deal_state for deal_state in deals.values() if deal_state.closed]
    current = deal(
        next(number for number in range(1, len(deals) + 2) if number not in deals or not deals[number].closed)
    )
    ordered = sorted([*closed, current], key=lambda deal_state: deal_state.number)
    changes = tuple(entry for entry in valid if entry.kind in kinds.CHANGES)
    _seat(ordered, started, changes)
    return MatchState(
        started=started,
        deals=ordered,
        current=current,
        entries=tuple(entries),
        ended=_last(valid, kinds.MATCH_ENDED),
        phones=phones_of(entries),
        table_phone=table_phone_of(entries),
        changes=changes,
        proposal=reduce(proposal_after, valid, None),
        about=_last(valid, kinds.MATCH_NOTED),
        waiting=tuple(entries[0].payload.get("waiting", ())),
        seated=seated,
        series=entries[0].payload.get("series"),
    )


def _last(entries: Sequence[JournalEntry], kind: str) -> JournalEntry | None:
    return next((entry for entry in reversed(entries) if entry.kind == kind), None)


def proposal_after(proposal: RulesProposal | None, entry: JournalEntry) -> RulesProposal | None:
    """Return the open proposal of other options after an entry; ``proposal`` was open before it.

    None if a side has said no, or the options have changed.
    """
    if entry.kind == kinds.RULES_PROPOSED:
        side = entry.payload.get("side") or entry.author
        return RulesProposal(entry, frozenset({side} if side else ()))
    if proposal is None or entry.payload.get("asked") != proposal.entry.id:
        return proposal
    if entry.kind == kinds.RULES_ACCEPTED:
        return RulesProposal(proposal.entry, proposal.supporters | {entry.payload["side"]})
    return None if entry.kind in (kinds.RULES_DECLINED, kinds.RULES_CHANGED) else proposal


def _seat(deals: Iterable[DealState], started: Setup, changes: Sequence[JournalEntry]) -> None:
    """Set the set-up and the dealer of each deal."""
    setup, seat = started, started.first_dealer
    waiting = list(changes)
    for deal in deals:
        for entry in [entry for entry in waiting if entry.payload["deal"] <= deal.number]:
            waiting.remove(entry)
            changed = setup.changed_by(entry)
            seat, setup = setup.seat_in(seat, changed), changed
            if entry.kind == kinds.ENTERED:
                deal.starts[entry.payload["side"]] = entry.payload["points"]
            elif entry.kind == kinds.LEFT:
                deal.starts.pop(entry.payload["side"], None)
        deal.setup = setup
        deal.dealer_seat, seat = _turn(deal, seat)


def _turn(deal: DealState, seat: int) -> tuple[int, int]:
    """Return the seat that deals this deal in the turn of ``seat``, and the seat with the next turn."""
    seats, dealt = deal.setup.seats, seat
    for entry in deal.dealings:
        if entry.kind == kinds.DEALT_AGAIN:
            turn = 1 if entry.payload["redeal"] == "next" else 0
            seat = (seat + turn) % len(seats)
            dealt = seat if turn else dealt
        elif entry.kind == kinds.DEALT and entry.payload["player"] in seats:
            dealt = seats.index(entry.payload["player"])
            seat = seat if entry.payload.get("once") else dealt
    is_void = deal.closed is not None and deal.closed.payload.get("redeal") == "same"
    return dealt, seat if is_void else (seat + 1) % len(seats)


def phones_of(entries: Iterable[JournalEntry], known: Mapping[str, int] | None = None) -> dict[str, int]:
    """Return the holders of phones after these entries, by the marks of the phones, the last writer last.

    ``known`` are the holders before the entries.
    """
    phones = dict(known or {})
    for entry in entries:
        for device, holder in _holders_in(entry):
            phones.pop(device, None)
            if holder is not None:
                phones[device] = holder
    return phones


def _holders_in(entry: JournalEntry) -> Iterator[tuple[str, int | None]]:
    """Yield the mark and the holder of each phone that an entry gives a holder; None is everybody's."""
    yield from entry.payload.get("phones", {}).items()
    if entry.device is not None:
        if entry.kind == kinds.PHONE_HELD:
            yield entry.device, entry.payload["player"]
        elif "by" in entry.payload:
            yield entry.device, entry.payload["by"]


def _becomes_everybodys(entry: JournalEntry, holder: int | None) -> bool:
    """Return whether an entry with this holder makes a phone everybody's; a watching phone is nobody's."""
    return holder is None and not entry.payload.get("watches")


def table_phone_of(entries: Iterable[JournalEntry]) -> TablePhone | None:
    """Return the table's phone after all entries of a match; None if there is none."""
    first, since = None, None
    for entry in entries:
        for device, holder in _holders_in(entry):
            for_all = _becomes_everybodys(entry, holder)
            if for_all:
                first = first or device
            if device == first:
                since = (since or entry.seq) if for_all else None
    return TablePhone(first, since) if first is not None and since is not None else None


def is_everybodys(state: MatchState, device: str) -> bool:
    """Return whether a phone is everybody's by the last entry about it."""
    said = (
        _becomes_everybodys(entry, holder)
        for entry in reversed(state.entries)
        for mark, holder in _holders_in(entry)
        if mark == device
    )
    return next(said, False)


def has_held(state: MatchState, device: str, player: int) -> bool:
    """Return whether a player ever held a phone in a match."""
    return any(mark == device and holder == player for entry in state.entries for mark, holder in _holders_in(entry))


def with_notes(state: MatchState, new: Sequence[JournalEntry]) -> MatchState | None:
    """Return the state after notes of the deal being played; None if ``new`` has any other entry.

    The result equals a ``replay`` of the whole journal, but a tap costs the same in a long match.
    """
    deal = state.current
    if not all(entry.kind in PLAIN_NOTES and entry.payload["deal"] == deal.number for entry in new):
        return None
    current = replace(deal, noted=[*deal.noted, *new])
    deals = [current if one is deal else one for one in state.deals]
    return replace(
        state,
        deals=deals,
        current=current,
        entries=(*state.entries, *new),
        phones=phones_of(new, state.phones),
        table_phone=_after_notes(state.table_phone, new),
    )


def _after_notes(phone: TablePhone | None, new: Sequence[JournalEntry]) -> TablePhone | None:
    """Return the table's phone after notes, which make no phone everybody's but may give it a holder."""
    held = {device for entry in new for device, holder in _holders_in(entry) if holder is not None}
    return None if phone is not None and phone.device in held else phone


def _place(deal: DealState, entry: JournalEntry, is_void: bool) -> None:
    """Put an entry into its deal. The first closing is accepted until it is voided."""
    if is_void:
        if entry.kind == kinds.DEAL_CLOSED:
            deal.former = entry
        elif entry.kind == kinds.DEAL_CONTESTED:
            deal.not_taken.append(entry)
    elif entry.kind in kinds.STATEMENTS:
        deal.statements.append(entry)
    elif entry.kind == kinds.DEAL_CONTESTED or (entry.kind == kinds.DEAL_CLOSED and deal.closed is not None):
        deal.rivals.append(entry)
    elif entry.kind == kinds.DEAL_CLOSED:
        deal.closed = entry
    elif entry.kind == kinds.CREDITED:
        if entry.payload["player"] is None:
            deal.credits.pop(entry.payload["entry"], None)
        else:
            deal.credits[entry.payload["entry"]] = entry.payload["player"]
    elif entry.kind == kinds.TOLD_APART:
        deal.apart.add(frozenset((entry.payload["entry"], entry.payload["beside"])))
    elif entry.kind in kinds.MOVES_DEALER:
        _deal_anew(deal, entry)
    else:
        deal.noted.append(entry)


def _deal_anew(deal: DealState, entry: JournalEntry) -> None:
    """Add an entry of dealing out of turn or again; dealing again drops all notes but the adjustments."""
    if entry.kind == kinds.DEALT_AGAIN:
        if entry.payload["again"] <= deal.times_dealt_again:
            return
        deal.noted = [noted for noted in deal.noted if noted.kind == kinds.ADJUSTED]
    deal.dealings.append(entry)


def _look_up_versions(deal: DealState, by_id: Mapping[str, JournalEntry]) -> None:
    """Set the version that the accepted closing repeats, and those that the table did not take."""
    chosen = deal.closed.payload.get("takes") if deal.closed is not None else None
    deal.copied_from = by_id.get(chosen) if chosen else None
    copied = deal.copied_from
    if copied is not None and copied.kind in (kinds.DEAL_CONTESTED, kinds.PROPOSED):
        others = [entry for entry in deal.not_taken if entry is not copied]
        deal.not_taken = [*([deal.former] if deal.former else []), *others]
