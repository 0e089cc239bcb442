"""The types of every JSON object that a request or an answer of the engine holds; docs/contract.md explains them.

The types describe well-formed data. They check nothing while the program runs: a request of the wrong shape raises
``Malformed``. Parts of a request that may be left out may also be null where their type says so.
"""

# No "from __future__ import annotations" here: with it, a TypedDict of Python 3.11 does not see NotRequired, and its
# __required_keys__ would be wrong.

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

# ---------------------------------------------------------------- words and numbers

Side: TypeAlias = str
"""The label of a side, as the request names it in ``sides``."""

Card: TypeAlias = str
"""A card's code: index and suit (``7O``, ``12B``); in Carioca the suit may be missing, and ``X`` is a joker."""

Suit: TypeAlias = Literal["O", "C", "E", "B"]
"""Coins, cups, swords and clubs. A request may also write them in lower case."""

ItemId: TypeAlias = str
"""The id of something that scores: one of the ``items`` of the game's description."""

Number: TypeAlias = int | float
"""A whole number, or a half where the rules have halves (a prime of 56.5, a lost bid of 52.5)."""

OptionType: TypeAlias = Literal["choice", "int", "bool"]
"""The kind of value of an option: one of a few, a number, or yes and no."""

CardsOfThePlace: TypeAlias = Literal["spanish", "italian", "french"]
"""The cards that a game is played with where it is at home; the codes of cards are the same in all."""
Family: TypeAlias = Literal["fishing", "tricks", "rummy", "free"]
"""The family of a game. It decides what a deal of the game may hold."""

Evidence: TypeAlias = Literal["shown", "counted", "said"]
"""How a line is known: from cards, from counts, or from what the table says. The strongest is first."""

Severity: TypeAlias = Literal["error", "warning"]
"""An error makes the request invalid; a warning is only reported."""

SheetStatus: TypeAlias = Literal["complete", "open", "invalid"]
"""Every line is settled; some line needs more evidence; an error is among the problems."""

MatchStatus: TypeAlias = Literal["playing", "won", "invalid"]
"""Not won yet; won; an error is among the problems."""

MatchReason: TypeAlias = Literal["target", "tie_at_target", "cappotto", "no_capture", "rounds"]
"""Why a match is won, or (``tie_at_target``) why it goes on although the end was reached."""

Redeal: TypeAlias = Literal["same", "next"]
"""Who deals again after an opening layout that voids the deal: the same player, or the next one."""

Opening: TypeAlias = Literal["15", "30", "flush3", "flush4", "redeal"]
"""The result of an opening layout whose cards nobody noted; ``redeal`` is one that voids the deal."""

Acceptable: TypeAlias = Literal["pile_modulus", "pile_parity", "leftover_modulus", "leftover_parity", "pile_of_one"]
"""Codes of the problems that a table may accept, so that they become warnings."""

CountKind: TypeAlias = Literal["cards", "coins", "sevens", "sixes", "figures"]
"""The kinds of cards that are counted in the piles of a fishing game."""

AskedCount: TypeAlias = Literal[CountKind, "card_points", "left_points", "points"]
"""The counts that a question may ask of a side, in any game."""

PrimeMethod: TypeAlias = Literal["face", "half_ace", "italian", "seventy", "sevens_count"]
"""How the cards of a prime are valued."""

Reason: TypeAlias = Literal[
    # A majority or a prime.
    "most",
    "tied",
    "tied_each_scores",
    "best_untied",
    "most_sixes",
    "nobody_eligible",
    # A certain card, or a number of cards in one pile.
    "holds",
    "nobody",
    "all",
    "not_all",
    "run",
    "few_cards",
    "not_few",
    # Any end item.
    "superseded",
    "barred",
    "certain",
    # Sweeps, opening, declarations, faults.
    "each",
    "fifteen",
    "thirty",
    "flush3",
    "flush4",
    "declared",
    "false_claim",
    "forfeit",
    "wrong_capture",
    # The Brisca family.
    "counted",
    "not_counted",
    "last_trick",
    "more_cards",
    "over_hundred",
    "three_killed",
    "within_limit",
    "over_limit",
    "made",
    "failed",
    "manual",
    # Carioca and the free pad.
    "left_in_hand",
    "out_at_once",
    "perfect_cut",
    "steal",
    "given",
    # Any game: a line of the table's own, and what the table adds or takes for a reason of its own.
    "said_own",
    "each_own",
    "agreed",
]
"""Why a settled line has its points."""

# ---------------------------------------------------------------- the table

CardValues: TypeAlias = dict[str, int]
"""Carioca's option ``card_values`` as a table of its own: rank to points."""


class ExtraRounds(TypedDict):
    """Carioca's option ``rounds`` with rounds of its own: their names are played after the seventh."""

    extra: list[str]


OptionValue: TypeAlias = int | str | bool | CardValues | ExtraRounds | None
"""The value that a table chose for one option."""

Options: TypeAlias = dict[str, OptionValue]
"""Options by id. In a request those that differ from the preset, in an answer every one the game has."""


OwnLineHow: TypeAlias = Literal["one", "count"]
"""How a line of the table's own is made: one side takes it, or each side makes it as often as it can."""


class OwnLine(TypedDict):
    """A line of the table's own: its name, and the points of who takes it, or of each time that it is made."""

    name: str
    points: int
    how: OwnLineHow


class TableRequest(TypedDict):
    """The table of a score or match request: the game, the house rules and who plays."""

    game: str
    preset: NotRequired[str | None]
    options: NotRequired[Options | None]
    own_lines: NotRequired[list[OwnLine] | None]
    sides: list[Side]
    players_per_side: NotRequired[int | None]
    rules: NotRequired[Literal[1] | None]


class Heading(TypedDict):
    """The first part of an answer: the table, with every option resolved. ``own_lines`` are there if it has some."""

    game: str
    preset: str
    options: Options
    own_lines: NotRequired[list[OwnLine]]
    sides: list[Side]


# ---------------------------------------------------------------- a deal, as the table reports it

CountedAs: TypeAlias = dict[Card, Card]
"""Wild cards and the cards that they count as: ``{"12O": "5O"}``; the suit may be left out (``"5"``)."""

_As = TypedDict("_As", {"as": NotRequired[CountedAs | None]})
"""The field ``as``, which is a keyword of Python."""


class Declaration(_As):
    """A declaration: three cards, the items claimed, or both."""

    side: Side
    batch: NotRequired[int | None]
    cards: NotRequired[list[Card] | None]
    items: NotRequired[list[ItemId] | None]


class Penalty(TypedDict):
    """A fault that the table recorded."""

    item: ItemId
    side: Side


class Counts(TypedDict, total=False):
    """The number of cards of each kind in a finished pile of a fishing game."""

    cards: int | None
    coins: int | None
    sevens: int | None
    sixes: int | None
    figures: int | None


Awarded: TypeAlias = Side | list[Side] | None
"""The takers of an item, by the table's word: a side, several, or nobody."""

BestRank: TypeAlias = int | Literal["figure"] | None
"""The best card of a suit that a side laid out for the prime: its printed index, any figure, or None for no card."""

BestCards: TypeAlias = dict[Suit, BestRank]
"""The cards that a side laid out for the prime, by suit. Nothing is known of a suit that is missing."""


class Adjustment(TypedDict):
    """Points that the table adds to a side, or takes from it, and why: a penalty agreed, a start given."""

    side: Side
    points: int
    reason: str


class AnyDeal(TypedDict, total=False):
    """The fields of a deal of any game.

    ``points`` replaces everything else that scores. ``awards`` and ``own`` say who made the lines of the table's own,
    and in some games who took an item. ``options`` and ``sides`` of a match count from this deal on.
    """

    dealer: Side | None
    points: dict[Side, int | None] | None
    awards: dict[ItemId, Awarded] | None
    own: dict[ItemId, dict[Side, int | None] | None] | None
    adjustments: list[Adjustment] | None
    options: Options | None
    sides: list[Side] | None


class FishingDeal(AnyDeal, _As):
    """A deal of a fishing game. Every part is optional."""

    layout: NotRequired[list[Card] | None]
    layout_result: NotRequired[Opening | list[Opening] | None]
    declarations: NotRequired[list[Declaration] | None]
    sweeps: NotRequired[dict[Side, int | None] | None]
    penalties: NotRequired[list[Penalty] | None]
    last_capturer: NotRequired[Side | None]
    leftover: NotRequired[list[Card] | None]
    piles: NotRequired[dict[Side, list[Card] | None] | None]
    rest: NotRequired[Side | None]
    best: NotRequired[dict[Side, BestCards | None] | None]
    counts: NotRequired[dict[Side, Counts | None] | None]
    told: NotRequired[dict[Side, list[Card] | None] | None]
    accept: NotRequired[list[Acceptable] | None]


class Bid(TypedDict):
    """A bid of the Brisca family; a caller may leave out the points, which are then 61."""

    side: Side
    points: NotRequired[int]


class Marriage(TypedDict):
    """King and knight of one suit, declared."""

    side: Side
    suit: Suit


class PileSize(TypedDict, total=False):
    """The number of cards in a pile of tricks."""

    cards: int | None


class TricksDeal(AnyDeal, total=False):
    """A deal of the Brisca family. Every part is optional, but for the bid where the preset has bidding."""

    trump: Suit | None
    piles: dict[Side, list[Card] | None] | None
    rest: Side | None
    card_points: dict[Side, int | None] | None
    counts: dict[Side, PileSize | None] | None
    marriages: list[Marriage] | None
    last_trick: Side | None
    bid: Bid | None
    partner: Side | None
    three_killed: Side | None


class RummyDeal(AnyDeal, total=False):
    """A round of Carioca. Every part is optional."""

    round: int | None
    left: dict[Side, list[Card] | None] | None
    left_points: dict[Side, int | None] | None
    went_out: Side | None
    out_at_once: Side | None
    perfect_cut: Side | None
    steals: dict[Side, int | None] | None


class FreeDeal(AnyDeal, total=False):
    """A round of the free pad. Every part is optional."""


Deal: TypeAlias = FishingDeal | TricksDeal | RummyDeal | FreeDeal
"""A deal, by the family of its game."""

# ---------------------------------------------------------------- problems

Facts: TypeAlias = dict[str, Any]
"""Numbers and codes of a problem's message, for the same message in another language."""

Mend = TypedDict("Mend", {"card": Card, "from": str, "to": str})
"""The fact ``mend``: the one card whose move would make the sums right, with the places it leaves and goes to."""


class Problem(TypedDict):
    """One thing that is wrong with a request. ``where`` is the place (``piles.B[3]``), empty for the whole.

    ``at`` is the same place from the top of the request (``deal.piles.B[3]``).
    """

    severity: Severity
    code: str
    where: str
    at: NotRequired[str]
    message: str
    facts: NotRequired[Facts]


class Invalid(TypedDict):
    """The answer to a request that cannot be answered: malformed, or impossible before anything could be scored."""

    game: NotRequired[str]
    status: Literal["invalid"]
    problems: list[Problem]


# ---------------------------------------------------------------- score


class ScoreRequest(TableRequest):
    """One deal to score."""

    deal: NotRequired[Deal]
    ask: NotRequired[bool]
    """True, or absent, to work out the next question."""


Bounds: TypeAlias = dict[Side, list[Number | None]]
"""The least and the most value of each side, where it is not certain; None as the least: perhaps it cannot compete."""


class Because(TypedDict, total=False):
    """A small deal that settles a line by itself, without any evidence that is not needed."""

    piles: dict[Side, list[Card]]
    leftover: list[Card]
    last_capturer: Side | None
    best: dict[Side, BestCards]
    counts: dict[Side, Counts]
    told: dict[Side, list[Card]]
    awards: dict[ItemId, Awarded]


class SettledLine(TypedDict):
    """A line whose points are known.

    ``bounds`` replace ``values`` that are not all certain. A line has ``because`` if cards are unplaced. The line of a
    prime has ``cards``, the best cards that are certain. ``text`` is the reason of an adjustment, or the name of a line
    of the table's own.
    """

    item: ItemId
    points: dict[Side, Number]
    reason: Reason
    values: NotRequired[dict[Side, Number | None]]
    bounds: NotRequired[Bounds]
    evidence: NotRequired[Evidence]
    because: NotRequired[Because]
    cards: NotRequired[dict[Side, list[Card]]]
    text: NotRequired[str]


class OpenLine(TypedDict):
    """A line that needs more evidence: ``needs`` are the cards that can still change it, the weightiest first."""

    item: ItemId
    points: None
    reason: Literal["open"]
    bounds: NotRequired[Bounds]
    cards: NotRequired[dict[Side, list[Card]]]
    text: NotRequired[str]
    needs: list[Card]


Line: TypeAlias = SettledLine | OpenLine
"""The points that one item gives each side, and why."""


class CardQuestion(TypedDict):
    """Whose card is this?"""

    card: Card
    settles: list[ItemId]


class CountQuestion(TypedDict):
    """How many has this side?"""

    count: AskedCount
    side: Side
    settles: list[ItemId]


class GroupQuestion(TypedDict):
    """Which of these cards does this side have? The other side has the rest."""

    cards: list[Card]
    side: Side
    settles: list[ItemId]


Question: TypeAlias = CardQuestion | CountQuestion
"""The one thing worth knowing next, with the items that it helps to settle."""


class MatchEnd(TypedDict):
    """The side that won, or lost, the whole match by this deal alone."""

    won_by: Side | None
    lost_by: Side | None


class Scored(TypedDict):
    """The part of a sheet that does not depend on the table."""

    status: SheetStatus
    problems: list[Problem]
    lines: list[Line]
    points: dict[Side, Number]
    ask: NotRequired[Question | None]
    ask_group: NotRequired[GroupQuestion]
    redeal: Redeal | None
    match: MatchEnd


class Sheet(Heading, Scored):
    """A scored deal, with a line and a reason for everything that counts."""


class SheetOfNoTable(Scored):
    """The answer where the table itself is impossible (an unknown game or option): invalid, with the problems."""

    game: NotRequired[str]


ScoreAnswer: TypeAlias = Sheet | SheetOfNoTable
"""The answer of ``score``."""

# ---------------------------------------------------------------- match


class MatchRequest(TableRequest):
    """The deals of a match, in the order they were played."""

    deals: NotRequired[list[Deal] | None]
    ask: NotRequired[bool]
    """True, or absent, to work out the next question of each deal."""


class Standing(Heading):
    """The totals of a match after its deals, and its status. ``winner`` is a list where several sides win together."""

    totals: dict[Side, Number]
    sheets: list[Sheet]
    status: MatchStatus
    winner: Side | list[Side] | None
    reason: MatchReason | None
    next_dealer: Side | None
    problems: list[Problem]


MatchAnswer: TypeAlias = Standing | Invalid
"""The answer of ``match``."""

# ---------------------------------------------------------------- captures


class CapturesRequest(_As):
    """A card that is played to a layout."""

    game: str
    preset: NotRequired[str | None]
    options: NotRequired[Options | None]
    sides: NotRequired[list[Side] | None]
    players_per_side: NotRequired[int | None]
    rules: NotRequired[Literal[1] | None]
    layout: NotRequired[list[Card]]
    card: Card
    hand: NotRequired[list[Card] | None]
    last_play: NotRequired[bool | None]


class Capture(TypedDict):
    """One legal set of cards, in the order of the layout, and the sweeps that taking it is worth."""

    takes: list[Card]
    sweep: int


class Captures(TypedDict):
    """Every legal set of a card. ``more`` is the number of sets beyond those listed, and missing if all are."""

    captures: list[Capture]
    may_leave: bool
    more: NotRequired[int]


CapturesAnswer: TypeAlias = Captures | Invalid
"""The answer of ``captures``."""

# ---------------------------------------------------------------- prime


class Prime(TypedDict):
    """One side's prime: its best card of each suit it holds, what they add up to, and whether it may compete."""

    cards: list[Card]
    value: Number
    eligible: bool


class Primes(TypedDict):
    """Every side's prime. ``winners`` are the sides that share the best eligible value above 0."""

    primes: dict[Side, Prime]
    winners: list[Side]


PrimeAnswer: TypeAlias = Primes | Invalid
"""The answer of ``prime``."""

Answer: TypeAlias = ScoreAnswer | MatchAnswer | CapturesAnswer | PrimeAnswer
"""The answer of any function that takes a request."""

# ---------------------------------------------------------------- games

Language: TypeAlias = Literal["es", "en", "it", "pt", "fr"]
"""A language of the glossary. Spanish and English are always there, the others where a game is played in them."""

Words: TypeAlias = dict[Language, str]
"""The same words in several languages."""


class LineUp(TypedDict):
    """One way for players to sit: so many sides of so many players."""

    sides: int
    players_per_side: int


OptionGroup: TypeAlias = Literal["goal", "cards", "taking", "points", "end", "derived"]
"""The place of an option on a form: the number at which the match ends (``goal``), the house rules about cards, taking,
points or the end, or none, because it follows from the rest of the form (``derived``)."""


class OptionDescription(TypedDict):
    """One house rule. ``values`` are all there are for a choice, suggestions for a number from its ``minimum`` on.

    ``table``: it also takes an object. ``note``: the table remembers it, and no points depend on it. ``presets``: it
    may be chosen under these only. ``concerns``: it decides something under these only. ``needs``: only where these
    options have one of these values. ``sides``, ``players``: only between so many. ``upfront``: forms ask for it beside
    who plays.
    """

    id: str
    group: OptionGroup
    type: OptionType
    values: list[int | str | bool | None]
    default: int | str | bool | None
    table: bool
    note: bool
    minimum: NotRequired[int]
    upfront: NotRequired[bool]
    presets: NotRequired[list[str]]
    concerns: NotRequired[list[str]]
    needs: NotRequired[dict[str, list[OptionValue]]]
    sides: NotRequired[list[int]]
    players: NotRequired[list[int]]
    label: Words
    about: Words
    value_labels: dict[str, Words]


class ItemDescription(TypedDict):
    """Something that a game scores."""

    id: ItemId
    names: Words


class GameDescription(TypedDict):
    """A game as data for a form. ``presets`` hold the options in which each differs from the defaults."""

    id: str
    family: Family
    names: Words
    note: Words
    sides: list[int]
    seats: list[LineUp]
    preset_seats: dict[str, list[LineUp]]
    target: int | None
    default_preset: str
    presets: dict[str, Options]
    preset_names: dict[str, Words]
    preset_notes: dict[str, Words]
    played_as: dict[str, Words]
    options: list[OptionDescription]
    items: list[ItemDescription]
    cards: CardsOfThePlace


class Games(TypedDict):
    """The answer of ``games``."""

    games: list[GameDescription]
