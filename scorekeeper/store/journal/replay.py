"""Where a match stands by its journal: a fold over the entries, so that a voided entry leaves no trace in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, cast

from ...names import drawn
from ...rules import contract
from ..db import Gone
from .entries import JournalEntry, reported_in
from .kinds import (
    DEAL_CLOSED,
    DEAL_CONTESTED,
    DECLARED,
    LAYOUT_NOTED,
    MATCH_ENDED,
    NOTED,
    OF_A_DEAL,
    PENALISED,
    PHONE_HELD,
    POINTS_NOTED,
    PROPOSED,
    STATEMENTS,
    SWEPT,
    VOIDED,
    StoredSetup,
    StoredSide,
)


@dataclass(frozen=True)
class Side:
    """Who scores together: a label for the engine, the numbers of its players, and the name of a team that has one."""

    label: str
    players: tuple[int, ...]
    name: str | None = None

    def as_json(self) -> StoredSide:
        """Write the side as JSON."""
        stored: StoredSide = {"label": self.label, "players": list(self.players)}
        if self.name:
            stored["name"] = self.name
        return stored

    @classmethod
    def from_json(cls, data: StoredSide) -> Side:
        """Read what ``as_json`` wrote."""
        return cls(data["label"], tuple(data["players"]), drawn(data["name"]) if data.get("name") else None)


@dataclass(frozen=True)
class Setup:
    """What is fixed when a match starts. ``options`` are resolved: a later default changes nothing here."""

    game: str
    preset: str | None
    options: Mapping[str, contract.OptionValue]
    sides: tuple[Side, ...]
    first_dealer: int
    """The seat that deals first; seat i is of side i modulo the number of sides."""
    rules_name: str | None = None
    """The name under which the table keeps these house rules, if it does."""
    game_name: str | None = None
    """What is played, where the game is the free pad and the table has said so."""
    rules: Literal[1, 2, 3] = 1
    """The version of the engine's rules that the match was started under, and is read with for good."""

    @property
    def labels(self) -> list[str]:
        """The sides' labels in playing order."""
        return [side.label for side in self.sides]

    @property
    def players_per_side(self) -> int:
        """How many play on each side."""
        return len(self.sides[0].players)

    @property
    def seats(self) -> list[int]:
        """The players' numbers round the table, in playing order: partners sit opposite."""
        return [side.players[turn] for turn in range(self.players_per_side) for side in self.sides]

    def side_at(self, seat: int) -> Side:
        """Return the side that sits at ``seat``."""
        return self.sides[seat % len(self.sides)]

    def as_json(self) -> StoredSetup:
        """Write the set-up as JSON, as ``from_json`` reads it."""
        stored: StoredSetup = {
            "game": self.game,
            "preset": self.preset,
            "options": dict(self.options),
            "sides": [side.as_json() for side in self.sides],
            "first_dealer": self.first_dealer,
            "rules": self.rules,
        }
        if self.rules_name:
            stored["rules_name"] = self.rules_name
        if self.game_name:
            stored["game_name"] = self.game_name
        return stored

    @classmethod
    def from_json(cls, data: StoredSetup) -> Setup:
        """Read what ``as_json`` wrote; where it does not name its rules, it was written before there were others."""
        return cls(
            game=data["game"],
            preset=data["preset"],
            options=data["options"],
            sides=tuple(map(Side.from_json, data["sides"])),
            first_dealer=data["first_dealer"],
            rules_name=drawn(data["rules_name"]) if data.get("rules_name") else None,
            game_name=drawn(data["game_name"]) if data.get("game_name") else None,
            rules=data.get("rules", 1),
        )


def same_facts(one: JournalEntry, other: JournalEntry) -> bool:
    """Say whether two closings report the very same facts."""
    return bool(one.payload["facts"] == other.payload["facts"])


@dataclass
class DealState:
    """One deal: what was noted while it was played and, once closed, the facts it was closed with."""

    number: int
    dealer_seat: int
    noted: list[JournalEntry] = field(default_factory=list)
    """Sweeps, declarations, penalties and the layout, oldest first, the voided ones left out."""
    closed: JournalEntry | None = None
    former: JournalEntry | None = None
    """The last closing that was voided: what the form is filled with when the deal is closed again."""
    rivals: list[JournalEntry] = field(default_factory=list)
    """Every other closing of this deal that nobody has voided, oldest first."""
    statements: list[JournalEntry] = field(default_factory=list)
    """What was said about the accepted closing, oldest first: agreement, disputes, proposals and the answers."""
    copied_from: JournalEntry | None = None
    """The version that the table chose, where the accepted closing repeats it."""
    not_taken: list[JournalEntry] = field(default_factory=list)
    """The other versions that there were when the table chose, oldest first. They stay to be read."""

    @property
    def contested(self) -> list[JournalEntry]:
        """The closings that differ from the accepted one and wait for the table to choose."""
        closing = self.closed
        return [] if closing is None else [rival for rival in self.rivals if not same_facts(rival, closing)]

    @property
    def noted_openings(self) -> list[JournalEntry]:
        """The openings noted, oldest first; the last of them holds."""
        return [entry for entry in self.noted if entry.kind == LAYOUT_NOTED]

    def facts(self) -> contract.Deal:
        """Return the deal in the engine's shape: as it was closed, else what was noted so far."""
        if self.closed is not None:
            return self.closed.payload["facts"].copy()
        return self.noted_so_far()

    def noted_points(self, after: int = 0) -> dict[contract.Side, int]:
        """Return the points that were noted in a round of the free pad, those after seq ``after`` only, by side."""
        points: dict[contract.Side, int] = {}
        for entry in self.noted:
            if entry.kind == POINTS_NOTED and entry.seq > after:
                points[entry.payload["side"]] = points.get(entry.payload["side"], 0) + entry.payload["points"]
        return points

    def noted_so_far(self) -> contract.Deal:
        """Return what was noted while the deal was played, in the engine's shape."""
        points = self.noted_points()
        return contract.FreeDeal(points={**points}) if points else self.noted_facts()

    def noted_facts(self) -> contract.FishingDeal:
        """Return what was noted while a deal of the fishing family was played, in the engine's shape."""
        facts: contract.FishingDeal = {}
        sweeps: dict[contract.Side, int] = {}
        declarations: list[contract.Declaration] = []
        penalties: list[contract.Penalty] = []
        for entry in self.noted:
            payload = reported_in(entry.payload)
            if entry.kind == SWEPT:
                sweeps[payload["side"]] = sweeps.get(payload["side"], 0) + payload["count"]
            elif entry.kind == DECLARED:
                declarations.append(cast(contract.Declaration, payload))
                facts["declarations"] = declarations
            elif entry.kind == PENALISED:
                penalties.append(cast(contract.Penalty, payload))
                facts["penalties"] = penalties
            elif entry.kind == LAYOUT_NOTED:
                facts.pop("layout", None)
                facts.pop("layout_result", None)
                facts.update(cast(contract.FishingDeal, payload))
        if sweeps:
            facts["sweeps"] = dict(sweeps)
        return facts


@dataclass
class MatchState:
    """A match as its entries tell it."""

    setup: Setup
    head: int
    deals: list[DealState]
    """The closed deals and the one being played, by number."""
    current: DealState
    """The deal being played: the first that is not closed."""
    ended: JournalEntry | None = None
    entries: tuple[JournalEntry, ...] = ()
    """The journal that it follows from."""
    phones: Mapping[str, int] = field(default_factory=dict)
    """The players who hold phones, by the marks of the phones."""

    def sides_with_phones(self, except_device: str | None = None) -> list[contract.Side]:
        """Return the sides of which a player holds a phone other than ``except_device``."""
        holders = {player for device, player in self.phones.items() if device != except_device}
        return [side.label for side in self.setup.sides if holders.intersection(side.players)]

    @property
    def closed(self) -> list[DealState]:
        """The deals that were closed."""
        return [deal for deal in self.deals if deal.closed]

    def deal(self, number: int) -> DealState | None:
        """Return the deal of that number, closed or being played; None where it was never dealt."""
        return next((deal for deal in self.deals if deal.number == number), None)

    def closed_deal(self, number: int) -> DealState | None:
        """Return the deal of that number, if it was closed."""
        deal = self.deal(number)
        return deal if deal and deal.closed else None

    def request(self) -> contract.MatchRequest:
        """Return the closed deals as the engine's ``match`` takes them."""
        return {**self.engine_setup(), "deals": [self.deal_request(deal) for deal in self.closed]}

    def engine_setup(self) -> contract.TableRequest:
        """Return what every request about this match has in common; its options, all resolved, override the preset."""
        return {
            "game": self.setup.game,
            "preset": self.setup.preset,
            "options": dict(self.setup.options),
            "sides": self.setup.labels,
            "players_per_side": self.setup.players_per_side,
            "rules": self.setup.rules,
        }

    def deal_request(self, deal: DealState, facts: contract.Deal | None = None) -> contract.Deal:
        """Return ``facts`` (the deal's own unless given) with the side that dealt."""
        known = deal.facts() if facts is None else facts
        return cast(contract.Deal, {"dealer": self.setup.side_at(deal.dealer_seat).label, **known})


def replay(entries: Iterable[JournalEntry]) -> MatchState:
    """Fold the entries of one match, in order, into where it stands.

    Raises ``Gone`` where there are none: every match has its first, unless it was deleted meanwhile.
    """
    entries = list(entries)
    if not entries:
        raise Gone
    voided = {entry.payload["entry"] for entry in entries if entry.kind == VOIDED}
    setup = Setup.from_json(entries[0].payload["setup"])
    deals: dict[int, DealState] = {}
    ended = None

    def deal(number: int) -> DealState:
        return deals.setdefault(number, DealState(number, dealer_seat=0))

    for entry in entries:
        if entry.kind in OF_A_DEAL:
            _place(deal(entry.payload["deal"]), entry, entry.id in voided)
        elif entry.kind == MATCH_ENDED and entry.id not in voided:
            ended = entry
    by_id = {entry.id: entry for entry in entries}
    for deal_state in deals.values():
        _drop_outdated_statements(deal_state)
        _look_up_versions(deal_state, by_id)
    closed = [deal_state for deal_state in deals.values() if deal_state.closed]
    current = deal(
        next(number for number in range(1, len(deals) + 2) if number not in deals or not deals[number].closed)
    )
    ordered = sorted([*closed, current], key=lambda deal_state: deal_state.number)
    seat = setup.first_dealer
    for deal_state in ordered:
        deal_state.dealer_seat = seat
        if deal_state.closed is None or deal_state.closed.payload.get("redeal") != "same":
            seat = (seat + 1) % len(setup.seats)
    return MatchState(setup, entries[-1].seq, ordered, current, ended, tuple(entries), phones_of(entries))


def phones_of(entries: Iterable[JournalEntry], known: Mapping[str, int] | None = None) -> dict[str, int]:
    """Return the players who hold phones after these entries, by the marks of the phones, the last to write last.

    ``known`` are those from before the first of the entries.
    """
    phones = dict(known or {})
    for entry in entries:
        phones.update(entry.payload.get("phones", {}))
        if entry.device is None:
            continue
        holder = entry.payload["player"] if entry.kind == PHONE_HELD else entry.payload.get("by")
        if holder is not None:
            phones.pop(entry.device, None)
            phones[entry.device] = holder
        elif entry.kind == PHONE_HELD:
            phones.pop(entry.device, None)
    return phones


def with_notes(state: MatchState, new: Sequence[JournalEntry]) -> MatchState | None:
    """Return the state after what was noted in the deal being played; None where ``new`` holds anything else.

    As ``replay`` of the whole journal, without folding it anew: a tap costs the same in a long match.
    """
    deal = state.current
    if not all(entry.kind in NOTED and entry.payload["deal"] == deal.number for entry in new):
        return None
    current = replace(deal, noted=[*deal.noted, *new])
    deals = [current if one is deal else one for one in state.deals]
    return replace(
        state,
        head=new[-1].seq,
        deals=deals,
        current=current,
        entries=(*state.entries, *new),
        phones=phones_of(new, state.phones),
    )


def _place(deal: DealState, entry: JournalEntry, is_void: bool) -> None:
    """Put an entry where it belongs in its deal. The first closing is accepted until it is voided."""
    if is_void:
        if entry.kind == DEAL_CLOSED:
            deal.former = entry
        elif entry.kind == DEAL_CONTESTED:
            deal.not_taken.append(entry)
    elif entry.kind in STATEMENTS:
        deal.statements.append(entry)
    elif entry.kind == DEAL_CONTESTED or (entry.kind == DEAL_CLOSED and deal.closed is not None):
        deal.rivals.append(entry)
    elif entry.kind == DEAL_CLOSED:
        deal.closed = entry
    else:
        deal.noted.append(entry)


def _drop_outdated_statements(deal: DealState) -> None:
    """Keep only the statements about the accepted closing."""
    closing = deal.closed
    deal.statements = [
        entry for entry in deal.statements if closing is not None and entry.payload["entry"] == closing.id
    ]


def _look_up_versions(deal: DealState, by_id: Mapping[str, JournalEntry]) -> None:
    """Look up which version the accepted closing repeats, and which ones the table did not take."""
    chosen = deal.closed.payload.get("takes") if deal.closed is not None else None
    deal.copied_from = by_id.get(chosen) if chosen else None
    copied = deal.copied_from
    if copied is not None and copied.kind in (DEAL_CONTESTED, PROPOSED):
        others = [entry for entry in deal.not_taken if entry is not copied]
        deal.not_taken = [*([deal.former] if deal.former else []), *others]
