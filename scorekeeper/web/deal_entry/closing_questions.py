"""Closing a deal by numbers and names: Brisca, Carioca and the free pad, where no winner grid is needed.

A form is a list of questions; what each family asks is data here, what the answers are worth is the engine's to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict
from wtforms import Field, HiddenField, IntegerField, RadioField, StringField
from wtforms.validators import Length, NumberRange, Optional

from ... import rules
from ...limits import RANKS_LENGTH
from ...names import drawn
from ..base.entry_form import VersionedForm, choices
from ..base.incoming import SeveralField
from ..match.view import MatchView

LARGEST = 100_000
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "X")
"""Ranks of Carioca, as its cards are tapped in; X is a joker."""

Facts = dict[str, Any]


@dataclass(frozen=True)
class FormQuestion:
    """One thing to be told.

    ``kind`` is ``numbers`` or ``ranks`` (one answer a side), ``side`` or ``suit`` (one choice), or ``piles`` (cards).
    ``path`` is where the answer goes in the deal: names from the outside in, the side's label last where there is one.
    """

    id: str
    kind: str
    label: Callable[[], str]
    path: tuple[str, ...]
    hint: Callable[[], str] | None = None
    least: int = 0
    folded: bool = False
    """Whether it is out of the way until it is needed."""
    unsaid: bool = False
    """Whether no answer means that nothing was said (else it means nobody)."""


CARD_POINTS = FormQuestion("card_points", "numbers", lambda: _("Card points"), ("card_points",))
CARD_COUNTS = FormQuestion(
    "cards",
    "numbers",
    lambda: _("Number of cards"),
    ("counts", "*", "cards"),
    lambda: _("Only needed when the card points are level."),
    folded=True,
)
PILES = FormQuestion("pile", "piles", lambda: _("Show the cards"), ("piles",), folded=True)
TRUMP = FormQuestion("trump", "suit", lambda: _("Trumps"), ("trump",))
WINNER = FormQuestion("winner", "side", lambda: _("Or just: who won the deal?"), ("awards", "game_point"), unsaid=True)
BIDDER = FormQuestion("bidder", "side", lambda: _("Who bid?"), ("bid", "side"), unsaid=True)
BID = FormQuestion("bid", "number", lambda: _("How much?"), ("bid", "points"))
PARTNER = FormQuestion("partner", "side", lambda: _("Who was the partner?"), ("partner",))
LAST_TRICK = FormQuestion("last_trick", "side", lambda: _("Who took the last trick?"), ("last_trick",))
KILLED = FormQuestion(
    "three_killed", "side", lambda: _("Whose ace of trumps killed the three?"), ("three_killed",), folded=True
)
MARRIAGES = tuple(
    FormQuestion(f"marriage-{suit}", "side", label, ("marriages", suit))
    for suit, label in (
        ("O", lambda: _("Marriage in coins")),
        ("C", lambda: _("Marriage in cups")),
        ("E", lambda: _("Marriage in swords")),
        ("B", lambda: _("Marriage in clubs")),
    )
)
OUT = FormQuestion("went_out", "side", lambda: _("Who went out?"), ("went_out",), unsaid=True)
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
POINTS = FormQuestion("points", "numbers", lambda: _("Points"), ("points",), least=-LARGEST)


def questions(match: MatchView) -> tuple[FormQuestion, ...]:
    """Return what a deal of this match is asked."""
    family = match.game["family"]
    if family == "free":
        return (POINTS,)
    options = match.setup.options
    if family == "rummy":
        asked = [OUT, *([AT_ONCE] if options["pts_out_at_once"] else []), LEFT, LEFT_POINTS]
        asked += [CUT] if options["pts_perfect_cut"] else []
        return (*asked, *([STEALS] if options["pts_steal"] else []))
    preset = match.setup.preset or "brisca"
    if preset == "rematada":
        return (BIDDER, BID, CARD_POINTS, TRUMP, *MARRIAGES, LAST_TRICK, PILES)
    if preset.startswith("chiamata"):
        by_hand = (POINTS,) if options["chiamata_scores"] == "manual" else ()
        return (BIDDER, BID, PARTNER, CARD_POINTS, *by_hand, PILES)
    if preset in ("mariaje", "cinquecento"):
        return (CARD_POINTS, TRUMP, *MARRIAGES, CARD_COUNTS, PILES)
    if preset == "mexican":
        return (CARD_POINTS, PILES)
    killed = (KILLED,) if preset == "muerte_al_tres" else ()
    said = () if options["match_mode"] == "cycle_points" else (WINNER,)
    cycle = (TRUMP,) if options["trump_method"] == "fixed_cycle" else ()
    return (CARD_POINTS, *said, *killed, *cycle, CARD_COUNTS, PILES)


class QuestionsForm(VersionedForm):
    """The facts of a deal as the table tells them; its fields follow from the questions (``telling_form``)."""

    was_open = HiddenField(default="no")
    saves_itself = False
    """Numbers are typed: nothing is saved before somebody says so."""
    match: MatchView
    questions: tuple[FormQuestion, ...]
    deal_number: int

    def fields_of(self, question: FormQuestion) -> Iterator[tuple[str, Field]]:
        """Return the fields of a question with their sides' labels ("" where there is just one)."""
        if question.kind in ("numbers", "ranks", "piles"):
            for label in self.match.setup.labels:
                yield label, self[f"{question.id}-{label}"]
        else:
            yield "", self[question.id]

    def is_told(self, question: FormQuestion) -> bool:
        """Say whether anything was answered."""
        return any(field.data not in (None, "", []) for _label, field in self.fields_of(question))

    @property
    def declarations(self) -> list[Any]:
        """Nothing is declared in these games."""
        return []

    def facts(self) -> Facts:
        """Return the deal in the engine's shape, only with what was told."""
        facts: Facts = {}
        for question in self.questions:
            for label, field in self.fields_of(question):
                if field.data in (None, "", []) or (question.kind == "ranks" and len(field.data) > RANKS_LENGTH):
                    continue
                value = field.data.upper().split() if question.kind == "ranks" else field.data
                _put(facts, question.path, label, value)
        married = facts.pop("marriages", None)
        if married:
            facts["marriages"] = [{"suit": suit, "side": side} for suit, side in married.items()]
        if "bid" in facts and "side" not in facts["bid"]:
            facts.pop("bid")
        if self.match.game["family"] == "rummy":
            facts["round"] = self.deal_number
        return facts

    def round(self) -> dict[str, Any] | None:
        """Return the round of Carioca that this deal is: what is lowered, the cards dealt, the perfect cut."""
        if self.match.game["family"] != "rummy":
            return None
        rounds = rules.rounds_of(self.match.setup.options["rounds"])
        if not 1 <= self.deal_number <= len(rounds):
            return None
        one = rounds[self.deal_number - 1]
        return {
            **one._asdict(),
            "name": drawn(one.name) if one.name else "",
            "cut": rules.perfect_cut(len(self.match.setup.labels), one.cards),
            "of": len(rounds),
        }

    def pack_ranks(self) -> tuple[str, ...]:
        """Return the printed indices of the pack, for the grid."""
        return tuple(dict.fromkeys(card[:-1] for card in rules.pack_of(self.match.setup.options["pack"])))


def _put(facts: Facts, path: tuple[str, ...], label: str, value: Any) -> None:
    """Put an answer where its path leads; ``*`` in a path is the side's label, else the label comes last."""
    names = [label if name == "*" else name for name in path]
    if label and "*" not in path:
        names.append(label)
    for name in names[:-1]:
        facts = facts.setdefault(name, {})
    facts[names[-1]] = value


def _get(facts: Mapping[str, Any], path: tuple[str, ...], label: str) -> Any:
    """Return the answer at a path, or None."""
    names = [label if name == "*" else name for name in path]
    if label and "*" not in path:
        names.append(label)
    found: Any = facts
    for name in names:
        if not isinstance(found, Mapping) or name not in found:
            return None
        found = found[name]
    return found


def questions_form(
    match: MatchView, number: int, data: MultiDict[str, str] | None, facts: Mapping[str, Any] | None = None
) -> QuestionsForm:
    """Return the form of deal ``number``: with what was posted in ``data``, or filled with a deal's ``facts``."""
    asked = questions(match)
    fields: dict[str, Any] = {}
    filled: dict[str, Any] = {}
    known = dict(facts or {})
    if "marriages" in known:
        known["marriages"] = {one["suit"]: one["side"] for one in known["marriages"]}
    suits = [("O", _("coins")), ("C", _("cups")), ("E", _("swords")), ("B", _("clubs"))]
    for question in asked:
        if question.kind in ("numbers", "ranks", "piles"):
            for label in match.setup.labels:
                name = f"{question.id}-{label}"
                fields[name] = _field(question, match)
                told = _get(known, question.path, label)
                filled[name] = " ".join(told) if question.kind == "ranks" and told else told
        else:
            if question.kind == "side":
                none = _("not said") if question.unsaid else _("nobody")
                someone = choices([("", none), *match.sides.items()])
                fields[question.id] = RadioField(choices=someone, validators=[Optional()], default="")
            elif question.kind == "suit":
                fields[question.id] = RadioField(
                    choices=choices([("", _("not said")), *suits]), validators=[Optional()], default=""
                )
            else:
                fields[question.id] = _number(0, LARGEST)
            filled[question.id] = _get(known, question.path, "")
    if TRUMP in asked and not filled.get("trump"):
        fixed = match.setup.options["trump_method"] == "fixed_cycle"
        filled["trump"] = rules.fixed_trump(number) if fixed else ""
    built = type("TellingForm", (QuestionsForm,), fields)
    filled = {name: value for name, value in filled.items() if value is not None}
    form: QuestionsForm = built(formdata=data, data={"seq": match.standing.state.head, **filled})
    form.match, form.questions, form.deal_number = match, asked, number
    return form


def _field(question: FormQuestion, match: MatchView) -> Any:
    if question.kind == "piles":
        cards = rules.pack_of(match.setup.options["pack"])
        return SeveralField(choices=choices((card, card) for card in cards), default=[])
    if question.kind == "ranks":
        return StringField(validators=[Optional(), Length(max=RANKS_LENGTH)])
    return _number(question.least, LARGEST)


def _number(least: int, most: int) -> IntegerField:
    return IntegerField(validators=[Optional(), NumberRange(least, most, _("A whole number, please."))])
