"""The kinds of entries in a journal: what each one means, what its payload holds and what it does to the match.

A new kind starts with its row here. The class that writes it goes into ``web/deal_entry``, its sentence into
``web/match/entry_words.py``; tests name the kind for which one of these is forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NotRequired, TypedDict

from ...rules.contract import Card, CountedAs, Deal, ItemId, Opening, Options, Redeal
from ...rules.contract import Side as Label

# ---------------------------------------------------------------- payloads, as they are stored


class StoredSide(TypedDict):
    """A side of the set-up: its label, the numbers of its players, and what it is called where it has a name."""

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
    rules: NotRequired[Literal[1, 2, 3, 4]]
    """Missing in a match that was started before there were rules 2: it has rules 1."""
    rules_name: NotRequired[str]
    game_name: NotRequired[str]
    """What is played, where the game is the free pad and the table has said so."""


_Keywords = TypedDict("_Keywords", {"from": str, "to": str, "as": CountedAs | None}, total=False)
"""The former name and the new one, and how wild cards count: ``from`` and ``as`` are keywords of Python."""


class AnyPayload(_Keywords, total=False):
    """Every field that a payload may hold; the row of a kind names those that its payloads hold."""

    v: int
    """The version of the payload's shape; every payload has it."""
    at: str
    """When the phone noted it, where it could be sent only later."""
    by: int
    """The number of the player who held the phone that wrote it, where one did."""
    deal: int
    """The number of the deal that the entry is about."""
    setup: StoredSetup
    phones: dict[str, int | None]
    """Who held the phones of the match before, by their marks; None is the table's phone."""
    waiting: list[int]
    """The numbers of the players who wait for a seat, the next first."""
    layout: list[Card]
    """The four cards of the opening; ``layout_result`` is what they were where nobody noted them."""
    layout_result: Opening
    side: Label
    """Whose it is, or who says it; missing where it is the side of the phone, or nobody."""
    count: int
    """How many sweeps one capture made."""
    points: int
    """Points that the side gets, or begins with; it loses them where they are below nought."""
    reason: str
    """Why, in the table's own words."""
    batch: int | None
    cards: list[Card] | None
    items: list[ItemId] | None
    item: ItemId
    """The fault, in the engine's shape."""
    entry: str
    """The id of the entry that this one is about: a closing, a note, or what is voided."""
    beside: str
    """The id of a second entry."""
    player: int | None
    """The number of a player: who deals, comes, made it or holds the phone; None is nobody or everybody."""
    other: int
    """The number of the player who leaves the seat."""
    once: bool
    """The turn goes on as if the other had dealt."""
    redeal: Redeal
    """Who deals again."""
    again: int
    """Which dealing of this deal is void, from 1: two phones that say it of the same dealing say it once."""
    why: Literal["opening", "shown", "misdealt"]
    facts: Deal
    """The facts of the deal, in the engine's shape."""
    takes: str
    """The id of the version that is chosen, or that this closing repeats."""
    agreed: list[Label]
    """The sides that agreed to the closing while it was proposed."""
    opens: bool
    """It is proposed to open the deal again."""
    line: ItemId
    """The item of the line in dispute; without it the whole sheet is."""
    unsays: str
    """The id of a yes that was said for the side on a phone that is none of its own: it is taken back."""
    asked: str
    """The id of the proposal that is answered, or carried out."""
    sides: list[StoredSide]
    first_dealer: int
    """The seat that deals first."""
    options: Options
    leader: bool
    """Whoever is ahead wins the match; without it nobody does."""
    note: str
    """A line about the match; "" where there is none any more, and so ``stakes``, what it is played for."""
    stakes: str
    watches: bool
    """Nobody plays with the phone, whoever has it only watches."""


# ---------------------------------------------------------------- kinds


@dataclass(frozen=True)
class Kind:
    """One kind of entry, and what it does to the match."""

    name: str
    payload: str
    """The fields of its payload beside ``v``, ``at`` and ``by``; those with a question mark may be missing."""
    is_note: bool = False
    """Whether it is written beside whatever else was noted meanwhile: two sweeps are two sweeps."""
    replaces: bool = False
    """Whether it takes the place of an earlier one of its deal, which is voided with it: a deal has one opening."""
    is_statement: bool = False
    """Whether somebody says with it what they think of a closing, which ``entry`` names."""
    moves_points: bool = True
    """Whether it may change what the points of a deal are. If not, a form drawn before it is not outdated by it."""
    moves_dealer: bool = False
    """Whether it may change who deals."""
    changes_setup: bool = False
    """Whether it changes the set-up from its deal on."""
    scores_match: bool = False
    """Whether the match is scored again after it, and its summary written."""
    may_be_voided: bool = True
    """Whether voiding it undoes it. A name is taken back by giving the former one again."""
    always_room: bool = False
    """Whether it may be written to a full match too, because it happens once."""

    @property
    def required(self) -> frozenset[str]:
        """The names that its payload must hold."""
        return frozenset({"v", *(field for field in self.payload.split() if not field.endswith("?"))})

    @property
    def fields(self) -> frozenset[str]:
        """The names that its payload may hold."""
        return frozenset({"v", "at", "by", *self.payload.replace("?", "").split()})

    @property
    def of_a_deal(self) -> bool:
        """Whether it is about a deal, which its payload names."""
        return "deal" in self.required


_ROWS: dict[str, Kind] = {}


def _kind(name: str, payload: str = "", **flags: bool) -> str:
    """Add a row to ``KINDS``, and return the name that the journal stores."""
    _ROWS[name] = Kind(name, payload, **flags)
    return name


MATCH_STARTED = _kind("match_started", "setup phones? waiting?", scores_match=True, may_be_voided=False)
"""The match begins, with these sides and these house rules."""
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
CREDITED = _kind("credited", "deal entry player", is_note=True, moves_points=False)
"""A player is named who made a sweep of a pair, or declared for it; or nobody is named any more."""
TOLD_APART = _kind("told_apart", "deal entry beside", is_note=True, moves_points=False)
"""Two sweeps that two phones noted, or two declarations, are two, and not one noted twice."""
DEALT = _kind("dealt", "deal player once?", is_note=True, moves_dealer=True)
"""Another player deals than the one whose turn it is."""
DEALT_AGAIN = _kind("dealt_again", "deal redeal again why? layout? layout_result?", is_note=True, moves_dealer=True)
"""What was dealt is void, with all that was noted of it; the deal keeps its number. The layout may have voided it."""
DEAL_CLOSED = _kind("deal_closed", "deal facts redeal? takes? agreed?", scores_match=True)
"""The deal is over. The first closing is accepted until it is voided; none replaces another."""
DEAL_CONTESTED = _kind("deal_contested", "deal facts redeal? entry", moves_points=False)
"""Another closing of a closed deal, with other facts: kept beside it until the table chooses one."""
CONFIRMED = _kind("confirmed", "deal entry side? facts? redeal?", is_statement=True, moves_points=False)
"""Somebody agrees with a closing: by accepting it, or by a second closing with the same sheet."""
DISPUTED = _kind("disputed", "deal entry side line? unsays?", is_statement=True, moves_points=False)
"""A side disputes a closing, or one line of its sheet."""
PROPOSED = _kind("proposed", "deal entry side? takes? facts? redeal? opens?", is_statement=True, moves_points=False)
"""Somebody proposes which version of a closed deal counts, or to open an agreed one again."""
PROPOSAL_ACCEPTED = _kind("proposal_accepted", "deal entry side asked", is_statement=True, moves_points=False)
"""A side says yes to a proposal. With the last yes it holds, and is carried out."""
PROPOSAL_DECLINED = _kind("proposal_declined", "deal entry side asked", is_statement=True, moves_points=False)
"""A side says no to a proposal: the deal stays as it is."""
REOPENING_ASKED = _kind("reopening_asked", "deal entry side", is_statement=True, moves_points=False)
"""A side asks to open an agreed deal again, by a version that wrote no proposals."""
REOPENING_ACCEPTED = _kind("reopening_accepted", "deal entry side asked", is_statement=True, moves_points=False)
"""Another side accepts that the deal is opened again, by a version that wrote no proposals."""
VOIDED = _kind("voided", "entry", scores_match=True, may_be_voided=False, always_room=True)
"""An entry no longer counts; it stays in the journal."""
SEATED = _kind("seated", "sides first_dealer", scores_match=True, moves_dealer=True)
"""The players sit otherwise than the match began; no deal of it is closed."""
SUBSTITUTED = _kind("substituted", "deal player other", changes_setup=True, scores_match=True, moves_dealer=True)
"""A player takes the seat of another from a deal on."""
ENTERED = _kind("entered", "deal side player points", changes_setup=True, scores_match=True, moves_dealer=True)
"""A player comes in from a deal on, as a side of a label of its own, with points that the table agreed on."""
LEFT = _kind("left", "deal side", changes_setup=True, scores_match=True, moves_dealer=True)
"""A side leaves before a deal, and keeps its total."""
RULES_PROPOSED = _kind("rules_proposed", "options side?", moves_points=False)
"""Somebody proposes that other options are valid from the next deal on."""
RULES_ACCEPTED = _kind("rules_accepted", "side asked", moves_points=False)
"""A side says yes to other options. With the last yes they are valid."""
RULES_DECLINED = _kind("rules_declined", "side asked", moves_points=False)
"""A side says no to other options: all stays as it is."""
RULES_CHANGED = _kind("rules_changed", "deal options asked", changes_setup=True, scores_match=True)
"""Options that every side has accepted are valid from a deal on."""
MATCH_RESUMED = _kind("match_resumed", is_note=True, moves_points=False, may_be_voided=False)
"""The match is the one being played again, after another one."""
MATCH_NOTED = _kind("match_noted", "note stakes", is_note=True, moves_points=False)
"""The table writes a line about the match, or what it is played for."""
MATCH_ENDED = _kind("match_ended", "leader?", scores_match=True, always_room=True)
"""The match is stopped before anybody has won it."""
PLAYER_RENAMED = _kind("player_renamed", "player from to", is_note=True, moves_points=False, may_be_voided=False)
"""A player gets another name."""
TABLE_RENAMED = _kind("table_renamed", "from to", is_note=True, moves_points=False, may_be_voided=False)
"""The table gets another name."""
PHONE_HELD = _kind("phone_held", "player watches?", is_note=True, moves_points=False, may_be_voided=False)
"""Somebody says who holds the phone that writes this."""

KINDS: Mapping[str, Kind] = MappingProxyType(_ROWS)
"""Every kind by its name."""


def _names(has: Callable[[Kind], bool]) -> frozenset[str]:
    return frozenset(kind.name for kind in KINDS.values() if has(kind))


OF_A_DEAL = _names(lambda kind: kind.of_a_deal)
NOTED = _names(lambda kind: kind.of_a_deal and kind.is_note)
"""What is noted of a deal while it is played."""
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
