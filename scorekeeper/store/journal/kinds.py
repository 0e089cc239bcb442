"""The kinds of entries in a journal: what each one means, what its payload holds and what it does to the match.

A new kind starts with its ``Kind`` here. The class that writes it goes into ``web/deal_entry``, its sentence into
``web/match/entry_words.py``; tests name the kind for which one of these is forgotten.
"""

# No "from __future__ import annotations" here: with it, a TypedDict of Python 3.11 does not see NotRequired, and its
# __required_keys__ would be wrong.

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, NotRequired, TypedDict

from ...rules.contract import Card, CountedAs, Deal, Declaration, ItemId, Opening, Options, Redeal
from ...rules.contract import Side as Label

MATCH_STARTED = "match_started"
LAYOUT_NOTED = "layout_noted"
SWEPT = "swept"
DECLARED = "declared"
POINTS_NOTED = "points_noted"
PENALISED = "penalised"
ADJUSTED = "adjusted"
CREDITED = "credited"
TOLD_APART = "told_apart"
DEALT = "dealt"
DEALT_AGAIN = "dealt_again"
DEAL_CLOSED = "deal_closed"
DEAL_CONTESTED = "deal_contested"
CONFIRMED = "confirmed"
DISPUTED = "disputed"
PROPOSED = "proposed"
PROPOSAL_ACCEPTED = "proposal_accepted"
PROPOSAL_DECLINED = "proposal_declined"
REOPENING_ASKED = "reopening_asked"
REOPENING_ACCEPTED = "reopening_accepted"
VOIDED = "voided"
SEATED = "seated"
SUBSTITUTED = "substituted"
ENTERED = "entered"
LEFT = "left"
RULES_PROPOSED = "rules_proposed"
RULES_ACCEPTED = "rules_accepted"
RULES_DECLINED = "rules_declined"
RULES_CHANGED = "rules_changed"
MATCH_RESUMED = "match_resumed"
MATCH_ENDED = "match_ended"
MATCH_NOTED = "match_noted"
PLAYER_RENAMED = "player_renamed"
TABLE_RENAMED = "table_renamed"
PHONE_HELD = "phone_held"

# ---------------------------------------------------------------- payloads, as they are stored


class Payload(TypedDict):
    """What every payload holds."""

    v: int
    """The version of the payload's shape."""
    at: NotRequired[str]
    """When the phone noted it, where it could be sent only later."""
    by: NotRequired[int]
    """The number of the player who held the phone that wrote it, where one did."""


class DealPayload(Payload):
    """What every payload about a deal holds."""

    deal: int
    """The number of the deal."""


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


class MatchStarted(Payload):
    """The set-up of the match; ``phones`` are those of the match before, by their marks: the players who held them.

    None is the table's phone. ``waiting`` are the numbers of the players who wait for a seat, the next first.
    """

    setup: StoredSetup
    phones: NotRequired[dict[str, int | None]]
    waiting: NotRequired[list[int]]


class LayoutNoted(DealPayload):
    """The four cards, or what they were where nobody noted them."""

    layout: NotRequired[list[Card]]
    layout_result: NotRequired[Opening]


class Swept(DealPayload):
    """``count`` sweeps made by one capture of ``side``."""

    side: Label
    count: int


class Declared(DealPayload, Declaration):
    """The declaration, in the engine's shape."""


class PointsNoted(DealPayload):
    """``points`` that ``side`` gets, or loses where they are below nought, in a round of the free pad."""

    side: Label
    points: int


class Penalised(DealPayload):
    """The fault, in the engine's shape."""

    item: ItemId
    side: Label


class Adjusted(DealPayload):
    """``points`` that the table adds to ``side``, or takes from it, and why, in its own words."""

    side: Label
    points: int
    reason: str


class Credited(DealPayload):
    """The number of the player who made the sweep, or declared, of ``entry``; None where nobody is named any more."""

    entry: str
    player: int | None


class ToldApart(DealPayload):
    """The ids of two sweeps, or of two declarations, that two phones noted: they are two, and not one noted twice."""

    entry: str
    beside: str


class Dealt(DealPayload):
    """The number of the player who really dealt; ``once`` where the turn goes on as if the other had dealt."""

    player: int
    once: NotRequired[bool]


class DealtAgain(DealPayload):
    """A dealing that is void: who deals again, and why; ``again`` counts the dealings of this deal, from 1.

    So two phones that say it of the same dealing say it once. The layout is there where it voided the dealing.
    """

    redeal: Redeal
    again: int
    why: NotRequired[Literal["opening", "shown", "misdealt"]]
    layout: NotRequired[list[Card]]
    layout_result: NotRequired[Opening]


class DealClosed(DealPayload):
    """The facts of the deal, in the engine's shape."""

    facts: Deal
    redeal: NotRequired[Redeal]
    """Who deals again, where the opening layout voids the deal."""
    takes: NotRequired[str]
    """The id of the version that the table chose, where this closing repeats it."""
    agreed: NotRequired[list[Label]]
    """The sides that agreed to it while it was proposed."""


class DealContested(DealPayload):
    """As ``DealClosed``, with the closing that it contests."""

    facts: Deal
    redeal: NotRequired[Redeal]
    entry: str


class Statement(DealPayload):
    """A statement about the closing ``entry``."""

    entry: str


class Confirmed(Statement):
    """The side that agrees, if one is named; ``facts`` where a second closing says so."""

    side: NotRequired[Label]
    facts: NotRequired[Deal]
    redeal: NotRequired[Redeal]


class Disputed(Statement):
    """``line`` is the item of the line in dispute; without it the whole sheet is.

    ``unsays`` is the id of a yes that was said for the side on a phone that is none of its own: it is taken back.
    """

    side: Label
    line: NotRequired[ItemId]
    unsays: NotRequired[str]


class Proposed(Statement):
    """What is proposed: a version that is there (``takes``), another one (``facts``), or to open the deal (``opens``).

    ``side`` is who proposes it, where it is not the side of the phone; a phone of everybody names nobody.
    """

    side: NotRequired[Label]
    takes: NotRequired[str]
    facts: NotRequired[Deal]
    redeal: NotRequired[Redeal]
    opens: NotRequired[bool]


class Answered(Statement):
    """The side that answers the proposal ``asked``."""

    side: Label
    asked: str


class ReopeningAsked(Statement):
    """The side that asks."""

    side: Label


class Voided(Payload):
    """The id of the entry that is voided."""

    entry: str


class Seated(Payload):
    """Who sits where, before a deal was closed: the sides with their players, and the seat that deals first."""

    sides: list[StoredSide]
    first_dealer: int


class Substituted(DealPayload):
    """From the deal on ``player`` plays in the seat of ``other``."""

    player: int
    other: int


class Entered(DealPayload):
    """From the deal on ``player`` plays as a side of a label of its own, and begins with so many points."""

    side: Label
    player: int
    points: int


class Left(DealPayload):
    """From the deal on the side plays no more."""

    side: Label


class RulesProposed(Payload):
    """Options that shall be valid from the next deal on; ``side`` is who proposes them, where the phone has none."""

    options: Options
    side: NotRequired[Label]


class RulesAnswered(Payload):
    """The side that answers the proposal ``asked``."""

    side: Label
    asked: str


class RulesChanged(DealPayload):
    """Options that are valid from the deal on, and the proposal that every side has accepted."""

    options: Options
    asked: str


class MatchResumed(Payload):
    """Nothing more: the match is the one being played again."""


class MatchEnded(Payload):
    """``leader`` where whoever is ahead wins the match; without it nobody does."""

    leader: NotRequired[bool]


class MatchNoted(Payload):
    """A line about the match, and what it is played for; "" where there is none any more."""

    note: str
    stakes: str


_FromTo = TypedDict("_FromTo", {"from": str, "to": str})
"""The former name and the new one; ``from`` is a keyword of Python."""


class TableRenamed(Payload, _FromTo):
    """The former name of the table and the new one."""


class PlayerRenamed(Payload, _FromTo):
    """The former name of a player and the new one; ``player`` is the player's number."""

    player: int


class PhoneHeld(Payload):
    """The number of the player who holds the phone from now on, None where it is everybody's.

    ``watches``: nobody plays with it, whoever has it only watches.
    """

    player: int | None
    watches: NotRequired[bool]


_Keywords = TypedDict("_Keywords", {"from": str, "to": str, "as": CountedAs | None}, total=False)
"""The fields of ``AnyPayload`` that a class cannot name, as they are keywords of Python, and ``to`` beside ``from``."""


class AnyPayload(_Keywords, total=False):
    """The payload of an entry whose type does not say its kind: every field that a payload of some kind holds."""

    v: int
    at: str
    by: int
    phones: dict[str, int | None]
    waiting: list[int]
    setup: StoredSetup
    deal: int
    layout: list[Card]
    layout_result: Opening
    side: Label
    count: int
    points: int
    reason: str
    once: bool
    again: int
    why: Literal["opening", "shown", "misdealt"]
    options: Options
    sides: list[StoredSide]
    first_dealer: int
    other: int
    beside: str
    leader: bool
    note: str
    stakes: str
    batch: int | None
    cards: list[Card] | None
    items: list[ItemId] | None
    item: ItemId
    facts: Deal
    redeal: Redeal
    takes: str
    agreed: list[Label]
    opens: bool
    entry: str
    line: ItemId
    unsays: str
    asked: str
    player: int | None
    watches: bool


# ---------------------------------------------------------------- kinds


@dataclass(frozen=True)
class Kind:
    """One kind of entry, and what it does to the match."""

    name: str
    meaning: str
    payload: Callable[..., Any]
    """The type of its payload, a ``TypedDict``."""
    of_a_deal: bool = False
    """Whether its payload names a deal."""
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
    scores_match: bool = False
    """Whether the match is scored again after it, and its summary written."""
    may_be_voided: bool = True
    """Whether voiding it undoes it. A name is taken back by giving the former one again."""
    always_room: bool = False
    """Whether it may be written to a full match too, because it happens once."""

    @property
    def fields(self) -> frozenset[str]:
        """The names that its payload may hold."""
        required: frozenset[str] = self.payload.__required_keys__  # type: ignore[attr-defined]
        optional: frozenset[str] = self.payload.__optional_keys__  # type: ignore[attr-defined]
        return required | optional


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        kind.name: kind
        for kind in (
            Kind(
                MATCH_STARTED,
                "The match begins, with these sides and these house rules.",
                MatchStarted,
                scores_match=True,
                may_be_voided=False,
            ),
            Kind(
                LAYOUT_NOTED,
                "The opening layout of the deal; a later one replaces it.",
                LayoutNoted,
                of_a_deal=True,
                is_note=True,
                replaces=True,
            ),
            Kind(SWEPT, "A side makes a sweep, or several with one capture.", Swept, of_a_deal=True, is_note=True),
            Kind(DECLARED, "A side declares cards of its hand.", Declared, of_a_deal=True, is_note=True),
            Kind(
                POINTS_NOTED,
                "A side gets points in a round of the free pad, or loses some.",
                PointsNoted,
                of_a_deal=True,
                is_note=True,
            ),
            Kind(PENALISED, "A side commits a fault.", Penalised, of_a_deal=True, is_note=True),
            Kind(
                ADJUSTED,
                "The table adds points to a side, or takes some, for a reason of its own.",
                Adjusted,
                of_a_deal=True,
                is_note=True,
            ),
            Kind(
                CREDITED,
                "A player is named who made a sweep of a pair, or declared for it.",
                Credited,
                of_a_deal=True,
                is_note=True,
                moves_points=False,
            ),
            Kind(
                TOLD_APART,
                "Two sweeps that two phones noted, or two declarations, are two.",
                ToldApart,
                of_a_deal=True,
                is_note=True,
                moves_points=False,
            ),
            Kind(
                DEALT,
                "Another player deals than the one whose turn it is.",
                Dealt,
                of_a_deal=True,
                is_note=True,
                moves_dealer=True,
            ),
            Kind(
                DEALT_AGAIN,
                "What was dealt is void, with all that was noted of it; the deal keeps its number.",
                DealtAgain,
                of_a_deal=True,
                is_note=True,
                moves_dealer=True,
            ),
            Kind(
                DEAL_CLOSED,
                "The deal is over. The first closing is accepted until it is voided; none replaces another.",
                DealClosed,
                of_a_deal=True,
                scores_match=True,
            ),
            Kind(
                DEAL_CONTESTED,
                "Another closing of a closed deal, with other facts: kept beside it until the table chooses one.",
                DealContested,
                of_a_deal=True,
                moves_points=False,
            ),
            Kind(
                CONFIRMED,
                "Somebody agrees with a closing: by accepting it, or by a second closing with the same sheet.",
                Confirmed,
                of_a_deal=True,
                is_statement=True,
                moves_points=False,
            ),
            Kind(
                DISPUTED,
                "A side disputes a closing, or one line of its sheet.",
                Disputed,
                of_a_deal=True,
                is_statement=True,
                moves_points=False,
            ),
            Kind(
                PROPOSED,
                "Somebody proposes which version of a closed deal counts, or to open an agreed one again.",
                Proposed,
                of_a_deal=True,
                is_statement=True,
                moves_points=False,
            ),
            Kind(
                PROPOSAL_ACCEPTED,
                "A side says yes to a proposal. With the last yes it holds, and is carried out.",
                Answered,
                of_a_deal=True,
                is_statement=True,
                moves_points=False,
            ),
            Kind(
                PROPOSAL_DECLINED,
                "A side says no to a proposal: the deal stays as it is.",
                Answered,
                of_a_deal=True,
                is_statement=True,
                moves_points=False,
            ),
            Kind(
                REOPENING_ASKED,
                "A side asks to open an agreed deal again, by a version that wrote no proposals.",
                ReopeningAsked,
                of_a_deal=True,
                is_statement=True,
                moves_points=False,
            ),
            Kind(
                REOPENING_ACCEPTED,
                "Another side accepts that the deal is opened again, by a version that wrote no proposals.",
                Answered,
                of_a_deal=True,
                is_statement=True,
                moves_points=False,
            ),
            Kind(
                VOIDED,
                "An entry no longer counts; it stays in the journal.",
                Voided,
                scores_match=True,
                may_be_voided=False,
                always_room=True,
            ),
            Kind(
                SEATED,
                "The players sit otherwise than the match began; no deal of it is closed.",
                Seated,
                scores_match=True,
                moves_dealer=True,
            ),
            Kind(
                SUBSTITUTED,
                "A player takes the seat of another from a deal on.",
                Substituted,
                of_a_deal=True,
                scores_match=True,
                moves_dealer=True,
            ),
            Kind(
                ENTERED,
                "A player comes in from a deal on, with points that the table agreed on.",
                Entered,
                of_a_deal=True,
                scores_match=True,
                moves_dealer=True,
            ),
            Kind(
                LEFT,
                "A side leaves before a deal, and keeps its total.",
                Left,
                of_a_deal=True,
                scores_match=True,
                moves_dealer=True,
            ),
            Kind(
                RULES_PROPOSED,
                "Somebody proposes that other options are valid from the next deal on.",
                RulesProposed,
                moves_points=False,
            ),
            Kind(
                RULES_ACCEPTED,
                "A side says yes to other options. With the last yes they are valid.",
                RulesAnswered,
                moves_points=False,
            ),
            Kind(
                RULES_DECLINED,
                "A side says no to other options: all stays as it is.",
                RulesAnswered,
                moves_points=False,
            ),
            Kind(
                RULES_CHANGED,
                "Options that every side has accepted are valid from a deal on.",
                RulesChanged,
                of_a_deal=True,
                scores_match=True,
            ),
            Kind(
                MATCH_RESUMED,
                "The match is the one being played again, after another one.",
                MatchResumed,
                is_note=True,
                moves_points=False,
                may_be_voided=False,
            ),
            Kind(
                MATCH_NOTED,
                "The table writes a line about the match, or what it is played for.",
                MatchNoted,
                is_note=True,
                moves_points=False,
            ),
            Kind(
                MATCH_ENDED,
                "The match is stopped before anybody has won it.",
                MatchEnded,
                scores_match=True,
                always_room=True,
            ),
            Kind(
                PLAYER_RENAMED,
                "A player gets another name.",
                PlayerRenamed,
                is_note=True,
                moves_points=False,
                may_be_voided=False,
            ),
            Kind(
                TABLE_RENAMED,
                "The table gets another name.",
                TableRenamed,
                is_note=True,
                moves_points=False,
                may_be_voided=False,
            ),
            Kind(
                PHONE_HELD,
                "Somebody says who holds the phone that writes this.",
                PhoneHeld,
                is_note=True,
                moves_points=False,
                may_be_voided=False,
            ),
        )
    }
)
"""Every kind by its name, which is what the journal stores."""


def _names(has: Callable[[Kind], bool]) -> frozenset[str]:
    return frozenset(kind.name for kind in KINDS.values() if has(kind))


OF_A_DEAL = _names(lambda kind: kind.of_a_deal)
NOTED = _names(lambda kind: kind.of_a_deal and kind.is_note)
"""What is noted of a deal while it is played."""
NOTES = _names(lambda kind: kind.is_note)
REPLACING = _names(lambda kind: kind.replaces)
CHANGES = frozenset({SUBSTITUTED, ENTERED, LEFT, RULES_CHANGED})
"""Kinds of entries that change the set-up from a deal on."""
RENAMED = frozenset({PLAYER_RENAMED, TABLE_RENAMED})
STATEMENTS = _names(lambda kind: kind.is_statement)
MOVES_NO_POINTS = _names(lambda kind: not kind.moves_points)
MOVES_DEALER = _names(lambda kind: kind.moves_dealer)
SCORES_MATCH = _names(lambda kind: kind.scores_match)
NEVER_VOIDED = _names(lambda kind: not kind.may_be_voided)
ALWAYS_ROOM_FOR = _names(lambda kind: kind.always_room)
