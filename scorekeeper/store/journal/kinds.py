"""The kinds of entries in a journal: their meanings, their payloads and their effects on the match.

A new kind starts with its row here. The class that writes it goes into ``web/deal_entry``, its sentence into
``web/match/entry_words.py``; tests name the kind for which one of these is forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NotRequired, TypedDict

from ...rules.contract import Card, CountedAs, Deal, ItemId, Number, Opening, Options, OwnLine, Redeal, Suit
from ...rules.contract import Side as Label

# ---------------------------------------------------------------- payloads, as they are stored


class StoredSide(TypedDict):
    """A side of the set-up: its label, the numbers of its players, and its name if it has one."""

    label: Label
    players: list[int]
    name: NotRequired[str]


class StoredSetup(TypedDict):
    """A set-up as ``Setup.as_json`` writes it."""

    game: str
    preset: str | None
    options: Options
    sides: list[StoredSide]
    first_dealer: int
    rules: Literal[1, 2, 3, 4]
    """Missing in a match that was started before rules 2: it has rules 1."""
    rules_name: NotRequired[str]
    game_name: NotRequired[str]
    """The game that is played on the free pad, if the table has named it."""
    halves: NotRequired[bool]
    """True if the target is shown as malas and buenas."""
    own_lines: NotRequired[list[OwnLine]]
    """The lines of the table's own, if it has some."""


class StoredSeries(TypedDict):
    """The series that a match belongs to: its matches at most, and the number of its first match."""

    of: int
    first: int


_Keywords = TypedDict("_Keywords", {"from": str, "to": str, "as": CountedAs | None}, total=False)
"""The former name and the new one, and the cards that wild cards count as; ``from`` and ``as`` are Python keywords."""


class AnyPayload(_Keywords, total=False):
    """Every field of a payload; the row of a kind names its fields."""

    v: int
    """The version of the payload's shape; every payload has it."""
    at: str
    """When the phone noted it, if it could be sent only later."""
    by: int
    """The number of the player who held the writer's phone, if any."""
    deal: int
    """The number of its deal."""
    setup: StoredSetup
    phones: dict[str, int | None]
    """The holders of the phones of the match before, by their marks; None is the table's phone."""
    waiting: list[int]
    """The numbers of the players who wait for a seat, the next first."""
    series: StoredSeries
    """The best of three that the match belongs to; missing if it belongs to none."""
    date: str
    """The day on which a result from paper was played, ``2026-05-03``."""
    totals: dict[Label, Number]
    """The points of every side at the end of a result from paper."""
    winners: list[Label]
    """The sides that won a result from paper, at least one."""
    layout: list[Card]
    """The four cards of the opening; ``layout_result`` is their worth if nobody noted the cards."""
    layout_result: Opening
    side: Label
    """The side that it is about, or that says it; missing if it is the side of the phone, or none."""
    count: int
    """The sweeps of one capture."""
    points: int
    """Points that the side gets, begins with, or loses if they are negative."""
    reason: str
    """Why, in the table's own words."""
    batch: int | None
    cards: list[Card] | None
    items: list[ItemId] | None
    item: ItemId
    """The fault, in the engine's shape."""
    trump: Suit | None
    """The suit of trumps of the deal; None takes back what was said of it."""
    entry: str
    """The id of the entry that this one is about: a closing, a note, or the entry to void."""
    beside: str
    """The id of a second entry."""
    player: int | None
    """The number of the player who deals, comes in, made it or holds the phone; None is nobody or everybody."""
    other: int
    """The number of the player who leaves the seat."""
    once: bool
    """The turn goes on as if the player had dealt whose turn it was."""
    redeal: Redeal
    """Who deals again."""
    again: int
    """The number of the void dealing of this deal, from 1: two phones that note the same one note it once."""
    why: Literal["opening", "shown", "misdealt"]
    facts: Deal
    """The facts of the deal, in the engine's shape."""
    takes: str
    """The id of the chosen version, or of the one that this closing repeats."""
    agreed: list[Label]
    """The sides that agreed to the closing while it was proposed."""
    opens: bool
    """True if the proposal is to open the deal again."""
    line: ItemId
    """The item of the line in dispute; without it the whole sheet is."""
    unsays: str
    """The id of a yes for the side from a phone of another, which is taken back."""
    asked: str
    """The id of the proposal that is answered or carried out."""
    sides: list[StoredSide]
    first_dealer: int
    """The seat that deals first."""
    options: Options
    leader: bool
    """True if the leader wins the match; without it nobody does."""
    note: str
    """A line about the match; "" removes it. The same for ``stakes``, what the match is played for."""
    stakes: str
    watches: bool
    """True if the holder of the phone only watches."""


# ---------------------------------------------------------------- kinds


@dataclass(frozen=True)
class Kind:
    """One kind of entry, and its effects on the match."""

    name: str
    payload: str
    """The fields of its payload beside ``v``, ``at`` and ``by``; those with a question mark may be missing."""
    is_note: bool = False
    """True if it is written beside all other notes: two sweeps are two sweeps."""
    replaces: bool = False
    """True if it replaces an earlier one of its deal, which is voided with it: a deal has one opening."""
    is_statement: bool = False
    """True if it is an opinion about a closing, which ``entry`` names."""
    moves_points: bool = True
    """True if it may change the points of a deal. If not, it does not make a form stale."""
    moves_dealer: bool = False
    """True if it may change the dealer."""
    changes_setup: bool = False
    """True if it changes the set-up from its deal on."""
    scores_match: bool = False
    """True if the match is scored again after it, and its summary written."""
    may_be_voided: bool = True
    """True if it may be voided. A renaming is undone by another renaming."""
    always_room: bool = False
    """True if it may be written to a full match, too, because it happens once."""

    @property
    def required(self) -> frozenset[str]:
        """The fields that its payload must have."""
        return frozenset({"v", *(field for field in self.payload.split() if not field.endswith("?"))})

    @property
    def fields(self) -> frozenset[str]:
        """The fields that its payload may have."""
        return frozenset({"v", "at", "by", *self.payload.replace("?", "").split()})

    @property
    def of_a_deal(self) -> bool:
        """True if its payload names a deal."""
        return "deal" in self.required


_ROWS: dict[str, Kind] = {}


def _kind(name: str, payload: str = "", **flags: bool) -> str:
    """Add a row to ``KINDS``, and return its name."""
    _ROWS[name] = Kind(name, payload, **flags)
    return name


MATCH_STARTED = _kind("match_started", "setup phones? waiting? series?", scores_match=True, may_be_voided=False)
"""The match begins, with these sides and these house rules."""
RESULT_TYPED = _kind("result_typed", "setup date totals winners", scores_match=True, may_be_voided=False)
"""The result of a match that was scored on paper. It is the only entry of its match, which is never played on."""
LAYOUT_NOTED = _kind("layout_noted", "deal layout? layout_result?", is_note=True, replaces=True)
"""The opening layout of the deal; a later one replaces it."""
SWEPT = _kind("swept", "deal side count", is_note=True)
"""A side makes a sweep, or several with one capture."""
DECLARED = _kind("declared", "deal side batch? cards? items? as?", is_note=True)
"""A side declares cards of its hand, in the engine's shape."""
POINTS_NOTED = _kind("points_noted", "deal side points", is_note=True)
"""A side gets points in a round of the free pad, or loses some."""
PENALISED = _kind("penalised", "deal item side", is_note=True)
"""A side commits a fault."""
ADJUSTED = _kind("adjusted", "deal side points reason", is_note=True)
"""The table adds points to a side, or takes some, for a reason of its own."""
TRUMP_NOTED = _kind("trump_noted", "deal trump", is_note=True, replaces=True, moves_points=False)
"""The suit that is trumps in the deal; a later one replaces it. A closing says its trumps itself, where they count."""
CREDITED = _kind("credited", "deal entry player", is_note=True, moves_points=False)
"""The player of a pair who made a sweep or declared is named; without a player, none is named any more."""
TOLD_APART = _kind("told_apart", "deal entry beside", is_note=True, moves_points=False)
"""Two sweeps or declarations from two phones are two, and not one noted twice."""
DEALT = _kind("dealt", "deal player once?", is_note=True, moves_dealer=True)
"""A player deals out of turn."""
DEALT_AGAIN = _kind("dealt_again", "deal redeal again why? layout? layout_result?", is_note=True, moves_dealer=True)
"""The dealing is void with its notes, perhaps because of the layout; the number of the deal does not change."""
DEAL_CLOSED = _kind("deal_closed", "deal facts redeal? takes? agreed?", scores_match=True)
"""The deal is over. The first closing is accepted until it is voided; none replaces another."""
DEAL_CONTESTED = _kind("deal_contested", "deal facts redeal? entry", moves_points=False)
"""Another closing of a closed deal, with other facts: it stays beside the first until the table chooses one."""
CONFIRMED = _kind("confirmed", "deal entry side? facts? redeal?", is_statement=True, moves_points=False)
"""A side agrees with a closing: it accepts it, or enters a second closing with the same sheet."""
DISPUTED = _kind("disputed", "deal entry side line? unsays?", is_statement=True, moves_points=False)
"""A side disputes a closing, or one line of its sheet."""
PROPOSED = _kind("proposed", "deal entry side? takes? facts? redeal? opens?", is_statement=True, moves_points=False)
"""A side proposes a version of a closed deal, or to open an agreed deal again."""
PROPOSAL_ACCEPTED = _kind("proposal_accepted", "deal entry side asked", is_statement=True, moves_points=False)
"""A side says yes to a proposal. The last yes carries it out."""
PROPOSAL_DECLINED = _kind("proposal_declined", "deal entry side asked", is_statement=True, moves_points=False)
"""A side says no to a proposal: the deal does not change."""
VOIDED = _kind("voided", "entry", scores_match=True, may_be_voided=False, always_room=True)
"""An entry no longer counts; it stays in the journal."""
SEATED = _kind("seated", "sides first_dealer", scores_match=True, moves_dealer=True)
"""The players change seats before the first deal is closed."""
SUBSTITUTED = _kind("substituted", "deal player other", changes_setup=True, scores_match=True, moves_dealer=True)
"""A player takes the seat of another from a deal on."""
ENTERED = _kind("entered", "deal side player points", changes_setup=True, scores_match=True, moves_dealer=True)
"""A player comes in from a deal on, as a side with a new label and points that the table agreed on."""
LEFT = _kind("left", "deal side", changes_setup=True, scores_match=True, moves_dealer=True)
"""A side leaves before a deal; its total does not change."""
RULES_PROPOSED = _kind("rules_proposed", "options side?", moves_points=False)
"""A side proposes other options from the next deal on."""
RULES_ACCEPTED = _kind("rules_accepted", "side asked", moves_points=False)
"""A side says yes to other options. The last yes makes them valid."""
RULES_DECLINED = _kind("rules_declined", "side asked", moves_points=False)
"""A side says no to other options: nothing changes."""
RULES_CHANGED = _kind("rules_changed", "deal options asked", changes_setup=True, scores_match=True)
"""Options that every side has accepted are valid from a deal on."""
MATCH_RESUMED = _kind("match_resumed", is_note=True, moves_points=False, may_be_voided=False)
"""The match is taken up again after another one."""
MATCH_NOTED = _kind("match_noted", "note stakes", is_note=True, moves_points=False)
"""The table writes a line about the match, or its stakes."""
MATCH_ENDED = _kind("match_ended", "leader?", scores_match=True, always_room=True)
"""The match is stopped before anybody has won it."""
PLAYER_RENAMED = _kind("player_renamed", "player from to", is_note=True, moves_points=False, may_be_voided=False)
"""A player gets another name."""
TABLE_RENAMED = _kind("table_renamed", "from to", is_note=True, moves_points=False, may_be_voided=False)
"""The table gets another name."""
PHONE_HELD = _kind("phone_held", "player watches?", is_note=True, moves_points=False, may_be_voided=False)
"""The holder of the phone that writes this is stated."""

KINDS: Mapping[str, Kind] = MappingProxyType(_ROWS)
"""Every kind by its name."""


def _names(has: Callable[[Kind], bool]) -> frozenset[str]:
    return frozenset(kind.name for kind in KINDS.values() if has(kind))


OF_A_DEAL = _names(lambda kind: kind.of_a_deal)
NOTED = _names(lambda kind: kind.of_a_deal and kind.is_note)
"""The notes of a deal that is played."""
NOTES = _names(lambda kind: kind.is_note)
REPLACING = _names(lambda kind: kind.replaces)
CHANGES = _names(lambda kind: kind.changes_setup)
RENAMED = _names(lambda kind: {"from", "to"} <= kind.fields)
STATEMENTS = _names(lambda kind: kind.is_statement)
MOVES_NO_POINTS = _names(lambda kind: not kind.moves_points)
MOVES_DEALER = _names(lambda kind: kind.moves_dealer)
SCORES_MATCH = _names(lambda kind: kind.scores_match)
NEVER_VOIDED = _names(lambda kind: not kind.may_be_voided)
ALWAYS_ROOM_FOR = _names(lambda kind: kind.always_room)
