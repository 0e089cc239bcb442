"""Closing a deal by numbers and names: Brisca, Carioca and the free pad, where no winner grid is needed.

A form is a list of questions; what each family asks is data here, what the answers are worth is the engine's to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict
from wtforms import Field, HiddenField, IntegerField, StringField
from wtforms.validators import Length, NumberRange, Optional

from ... import rules
from ...limits import LARGEST_POINTS, RANKS_LENGTH
from ...rules import contract
from ..base.entry_form import VersionedForm, build_form, choices
from ..base.request_bounds import SeveralField
from ..match.reasons import table_of
from ..match.view import MatchView
from ..words.cards import pack_in_use, suit_name
from .adjustments import adjustment_field, read_adjustments
from .fact_fields import BLANK, NOT_SAID, FactField, choice_field, facts_of, filled_from, unchanged
from .own_fields import OwnRow, own_fields, own_rows
from .pile_sums import with_the_rest

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "X")
"""Ranks of Carioca, as its cards are tapped in; X is a joker."""


@dataclass(frozen=True)
class FormQuestion:
    """One thing that the form asks.

    ``kind`` is ``numbers``, ``ranks`` or ``piles`` (an answer of each side), ``side`` or ``suit`` (one choice), or
    ``number``.
    ``path`` is where the answer goes in the deal: names from the outside in. Where each side has an answer, ``*`` is
    the side's label, which else comes last.
    """

    id: str
    kind: str
    label: Callable[[], str]
    path: tuple[str, ...]
    hint: Callable[[], str] | None = None
    least: int = 0
    folded: bool = False
    """True if it is out of the way until it is needed."""
    answers: str = ""
    """The question of the engine that this answers."""
    blank_is_unknown: bool = False
    """True if no answer means that nothing is known (else it means nobody)."""
    says_nobody: bool = False
    """True if nobody is an answer of its own, and no answer means that nothing is known."""

    @property
    def is_per_side(self) -> bool:
        """True if each side has an answer of its own."""
        return self.kind in ("numbers", "ranks", "piles")

    def name_for(self, label: str) -> str:
        """Return the name of the field with a side's answer."""
        return f"{self.id}-{label}"

    def path_for(self, label: str) -> tuple[str, ...]:
        """Return where a side's answer goes in the deal."""
        path = self.path if "*" in self.path else (*self.path, "*")
        return tuple(label if name == "*" else name for name in path)


CARD_POINTS = FormQuestion("card_points", "numbers", lambda: _("Card points"), ("card_points",))
CARD_COUNTS = FormQuestion(
    "cards",
    "numbers",
    lambda: _("Number of cards"),
    ("counts", "*", "cards"),
    lambda: _("Only needed when the card points are level."),
    folded=True,
    answers="cards",
)
PILES = FormQuestion("pile", "piles", lambda: _("Show the cards"), ("piles",), folded=True)
REST = FormQuestion("rest", "side", lambda: _("Whose are the other cards?"), ("rest",), folded=True)
BY_CARDS = (PILES, REST)
TRUMP = FormQuestion("trump", "suit", lambda: _("Trumps"), ("trump",))
CARRIED_TRUMP = replace(TRUMP, kind="carried")
"""The trumps that were noted, in a form that does not ask for them: no points depend on them."""
WINNER = FormQuestion(
    "winner", "side", lambda: _("Or just: who won the deal?"), ("awards", "game_point"), blank_is_unknown=True
)
BIDDER = FormQuestion("bidder", "side", lambda: _("Who bid?"), ("bid", "side"), blank_is_unknown=True)
BID = FormQuestion("bid", "number", lambda: _("How much?"), ("bid", "points"), lambda: _("From 100 to 170."))
CALLER = replace(BIDDER, label=lambda: _("Who called?"))
CALLED_FOR = replace(BID, label=lambda: _("For how many card points?"), hint=lambda: _("Empty means 61."))
PARTNER = FormQuestion(
    "partner", "side", lambda: _("Who was the partner?"), ("partner",), lambda: _("Nobody: the chiamante played alone.")
)
OF_THE_CALLERS = replace(CARD_POINTS, hint=lambda: _("Those of the chiamante and the partner are enough."))
KILLED = FormQuestion(
    "three_killed", "side", lambda: _("Whose ace of trumps killed the three?"), ("three_killed",), folded=True
)
MARRIAGES = tuple(
    FormQuestion(
        f"marriage-{suit}",
        "side",
        partial(lambda of: _("Marriage in %(suit)s", suit=suit_name(of)), suit),
        ("marriages", suit),
    )
    for suit in rules.SUITS
)
LAST_OF_BID = FormQuestion(
    "last_trick", "side", lambda: _("Who took the last trick?"), ("last_trick",), blank_is_unknown=True
)
MARRIED = FormQuestion("married", "side", lambda: _("Who had the marriage in trumps?"), ("married",), says_nobody=True)
NOBODY = "none"
"""The value of an answer that is nobody, where no answer means that nothing is known."""
ASKED_BEFORE_POINTS = (BIDDER, CALLER, PARTNER, LAST_OF_BID, MARRIED)
"""The first questions about a deal of bids: each decides more than the points do."""
OUT = FormQuestion("went_out", "side", lambda: _("Who went out?"), ("went_out",), blank_is_unknown=True)
AT_ONCE = FormQuestion("out_at_once", "side", lambda: _("Or who went out at once?"), ("out_at_once",))
LEFT = FormQuestion(
    "left",
    "ranks",
    lambda: _("Cards left in hand"),
    ("left",),
    lambda: _("Tap the ranks, or write them: K 5 A. X is a joker."),
)
LEFT_POINTS = FormQuestion("left_points", "numbers", lambda: _("Or their points"), ("left_points",), folded=True)
CUT = FormQuestion("perfect_cut", "side", lambda: _("Who cut perfectly?"), ("perfect_cut",), folded=True)
STEALS = FormQuestion("steals", "numbers", lambda: _("Discards taken out of turn"), ("steals",), folded=True)
POINTS = FormQuestion("points", "numbers", lambda: _("Points"), ("points",), least=-LARGEST_POINTS)


def questions(match: MatchView) -> tuple[FormQuestion, ...]:
    """Return what a deal of this match is asked, and what its form carries."""
    asked = _asked_of(match)
    return (*asked, CARRIED_TRUMP) if match.names_trumps and TRUMP not in asked else asked


def _asked_of(match: MatchView) -> tuple[FormQuestion, ...]:
    family = match.game["family"]
    if family == "free":
        return (POINTS,)
    table = table_of(match)
    gives, tricks = rules.points_by_themselves(table), rules.trick_deal(table)
    if tricks is None:
        asked = [OUT, *([AT_ONCE] if gives.once[AT_ONCE.id] else []), LEFT, LEFT_POINTS]
        asked += [CUT] if gives.once[CUT.id] else []
        return (*asked, *([STEALS] if gives.numbers[STEALS.id] else []))
    decider = tricks.decider
    if decider.id == "bid":
        return (BIDDER, LAST_OF_BID, MARRIED, BID, CARD_POINTS, TRUMP, *BY_CARDS)
    if decider.id == "call":
        by_hand = (POINTS,) if decider.reads_points else ()
        return (CALLER, CALLED_FOR, PARTNER, *by_hand, OF_THE_CALLERS, *BY_CARDS)
    if tricks.variant.marriages:
        return (CARD_POINTS, TRUMP, *MARRIAGES, CARD_COUNTS, *BY_CARDS)
    if tricks.card_limit is not None:
        return (CARD_POINTS, *BY_CARDS)
    killed = (KILLED,) if tricks.variant.three_killed else ()
    said = () if tricks.scores_card_points else (WINNER,)
    return (CARD_POINTS, *said, *killed, CARD_COUNTS, *BY_CARDS)


class QuestionsForm(VersionedForm):
    """The facts of a deal as the table reports them; its fields follow from the questions (``questions_form``)."""

    was_open = HiddenField(default="no")
    saves_itself = False
    """Numbers are typed: nothing is saved before the button is pressed."""
    match: MatchView
    questions: tuple[FormQuestion, ...]
    fact_fields: tuple[FactField, ...]
    deal_number: int
    cutter: contract.Side
    """The side that cuts in this deal."""
    is_bare: bool
    """True if the form asks only for the points, in a game that has other facts."""

    def fields_of(self, question: FormQuestion) -> Iterator[tuple[str, Field]]:
        """Return the fields of a question with their sides' labels ("" if there is just one)."""
        if question.is_per_side:
            for label in self.match.setup.labels:
                yield label, self[question.name_for(label)]
        else:
            yield "", self[question.id]

    def is_answered(self, question: FormQuestion) -> bool:
        """Return whether anything was answered."""
        return any(field.data not in BLANK for _label, field in self.fields_of(question))

    def missing_of_bid(self) -> list[FormQuestion]:
        """Return what has to be said of the bid and is not said yet; until then there is none."""
        needed = (CALLER, BIDDER, BID)
        return [question for question in self.questions if question in needed and not self.is_answered(question)]

    def asked_first(self) -> list[FormQuestion]:
        """Return the questions that come before the points."""
        return [question for question in self.questions if question in ASKED_BEFORE_POINTS]

    def missing_word(self) -> list[FormQuestion]:
        """Return what only the table can say of a bid and has not: the last trick, then a marriage and its suit."""
        married = self.asks(MARRIED.id) and self[MARRIED.id].data not in (*BLANK, NOBODY)
        needed = (LAST_OF_BID, MARRIED, *((TRUMP,) if married else ()))
        return [question for question in self.questions if question in needed and not self.is_answered(question)][:1]

    def unsaid_own(self) -> list[OwnRow]:
        """Return the lines of the table's own that one side takes, and of which nobody has spoken yet."""
        return [row for row in own_rows(self.match, self) if not row.is_counted and row.fields[""].data in BLANK]

    @property
    def declarations(self) -> list[contract.Declaration]:
        """Return nothing: these games have no declarations."""
        return []

    def facts(self) -> contract.Deal:
        """Return the deal in the engine's shape, only with what was reported."""
        facts = facts_of(self.fact_fields, self)
        married, trump = facts.pop("married", None), facts.get("trump")
        marriages = facts.pop("marriages", None)
        if isinstance(marriages, dict):
            facts["marriages"] = [{"suit": suit, "side": side} for suit, side in marriages.items()]
        if married == NOBODY:
            facts["marriages"] = []
        elif married and trump:
            facts["marriages"] = [{"suit": trump, "side": married}]
        if self.missing_of_bid():
            facts.pop("bid", None)
        if self.match.game["family"] == "rummy" and not self.is_bare:
            facts["round"] = self.deal_number
        if self.is_bare:
            # Points are what it is told in, also while none is typed: nothing is asked about cards.
            facts.setdefault("points", {})
        return cast(contract.Deal, facts)

    def adjustments(self) -> list[tuple[str, contract.Adjustment]]:
        """Return what the table added or took, each with the text that the form carries."""
        return read_adjustments(self["adjustment"].data or [])

    def asks(self, id: str) -> bool:
        """Return whether the form has this question."""
        return any(question.id == id for question in self.questions)

    def worth_of_cards(self) -> dict[str, int]:
        """Return what each rank of Carioca costs a player who has it left."""
        return rules.rummy_values(table_of(self.match))

    def pack_ranks(self) -> tuple[int, ...]:
        """Return the printed indices of the pack, for the grid."""
        return tuple(dict.fromkeys(int(card[:-1]) for card in _pack(self.match)))

    @property
    def tricks(self) -> rules.TrickDeal | None:
        """How a game of tricks is dealt and decided; None for a game of another family."""
        return rules.trick_deal(table_of(self.match))

    @property
    def gives(self) -> rules.PointsByThemselves:
        """The points that each answer gives by itself."""
        return rules.points_by_themselves(table_of(self.match))

    def card_points_of(self) -> Mapping[str, int]:
        """Return the card points of each printed index of the pack; 0 if it counts nothing."""
        return {} if self.tricks is None else self.tricks.values

    def piles(self) -> Mapping[contract.Side, Sequence[contract.Card]]:
        """Return the cards in the pile of each side: those tapped, and with them the rest if it is that side's."""
        piles = {label: self[PILES.name_for(label)].data or [] for label in self.match.setup.labels}
        taker = self[REST.id].data if self.asks(REST.id) else None
        return with_the_rest(piles, taker, _pack(self.match))

    def sum_of(self, cards: Iterable[contract.Card]) -> int:
        """Return the card points of these cards."""
        worth = self.card_points_of()
        return sum(worth.get(card[:-1], 0) for card in cards)

    def owners(self) -> dict[contract.Card, str]:
        """Return the look of each card that lies in a pile."""
        return {card: f"side-{place}" for place, pile in enumerate(self.piles().values(), 1) for card in pile}


def questions_form(
    match: MatchView,
    number: int,
    data: MultiDict[str, str] | None,
    facts: contract.Deal | None = None,
    *,
    is_bare: bool = False,
) -> QuestionsForm:
    """Return the form of deal ``number``: with what was posted in ``data``, or filled with a deal's ``facts``.

    ``is_bare`` asks for the points of each side and nothing else, in any game.
    """
    asked = (POINTS,) if is_bare else questions(match)
    table = (*(fact_field for question in asked for fact_field in _fact_fields(question, match)), adjustment_field())
    if not is_bare:
        table = (*table, *own_fields(match))
    known: dict[str, object] = {**(facts or {})}
    if "marriages" in known:
        marriages = cast(list[contract.Marriage], known["marriages"])
        if MARRIED in asked:
            sides = [marriage["side"] for marriage in marriages if marriage["suit"] == known.get("trump")]
            known["married"] = next(iter(sides), NOBODY if not marriages else "")
        known["marriages"] = {marriage["suit"]: marriage["side"] for marriage in marriages}
    filled = filled_from(table, known)
    if asked == (POINTS,) and facts and not is_bare:
        filled = _with_noughts(match, table, filled)
    if TRUMP in asked and not filled.get("trump"):
        filled["trump"] = rules.fixed_trump(table_of(match), number) or ""
    fields = {fact_field.name: fact_field.field for fact_field in table}
    form = build_form(QuestionsForm, fields, data, {"seq": match.standing.state.head, **filled})
    form.match, form.questions, form.fact_fields, form.deal_number = match, asked, table, number
    form.is_bare = is_bare
    deal = match.standing.state.deal(number)
    form.cutter = match.setup.side_at(deal.dealer_seat - 1).label if deal else ""
    return form


def _with_noughts(match: MatchView, table: Iterable[FactField], filled: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a round in which points were tapped: a side that was given none has none.

    Where the points of a round add up to a fixed sum, the last side's follow from the others'.
    """
    points = [field.name for field in table if field.path[0] == POINTS.id]
    if rules.round_sum(table_of(match)) is not None or not any(filled.get(name) for name in points):
        return filled
    return {**filled, **{name: filled.get(name) or 0 for name in points}}


def _fact_fields(question: FormQuestion, match: MatchView) -> Iterator[FactField]:
    """Return the fields of a question, each with the fact of the deal that it holds."""
    if not question.is_per_side:
        yield FactField(question.id, question.path, _field(question, match))
        return
    to_fact, to_field = (_ranks, _written_ranks) if question.kind == "ranks" else (unchanged, unchanged)
    for label in match.setup.labels:
        field = _field(question, match)
        yield FactField(question.name_for(label), question.path_for(label), field, to_fact, to_field)


def _field(question: FormQuestion, match: MatchView) -> Any:
    if question.kind == "piles":
        return SeveralField(choices=choices((card, card) for card in _pack(match)), default=[])
    if question.kind == "ranks":
        return StringField(validators=[Optional(), Length(max=RANKS_LENGTH)])
    if question.kind == "side":
        blank = _("not said") if question.blank_is_unknown or question.says_nobody else _("nobody")
        nobody = [(NOBODY, _("nobody"))] if question.says_nobody else []
        return choice_field([("", blank), *match.sides.items(), *nobody])
    if question.kind in ("suit", "carried"):
        suits = [(suit, suit_name(suit)) for suit in pack_in_use().suits]
        return choice_field([("", _("not said")), *suits])
    limits = NumberRange(question.least, LARGEST_POINTS, _("A whole number, please."))
    return IntegerField(validators=[Optional(), limits])


def _pack(match: MatchView) -> tuple[contract.Card, ...]:
    """Return the cards that a match of the Brisca family is played with."""
    tricks = rules.trick_deal(table_of(match))
    return () if tricks is None else rules.pack_of(tricks.pack)


def _ranks(text: str) -> Any:
    """Return the ranks that were typed; a text that is too long is refused beside its field."""
    return text.upper().split() if len(text) <= RANKS_LENGTH else NOT_SAID


def _written_ranks(ranks: list[str] | None) -> str:
    return " ".join(ranks or ())
