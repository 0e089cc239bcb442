"""Closing a deal by a grid: the form that says who took what in a fishing game."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from flask_babel import get_locale
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict
from wtforms import HiddenField, IntegerField, SelectField
from wtforms.validators import NumberRange, Optional, ValidationError

from ... import rules
from ...limits import FORM_VALUES, LARGEST_ID
from ...rules import contract
from ...rules.contract import Declaration, Penalty
from ...store.lru import LruCache
from ..base.entry_form import VersionedForm, choices, form_class
from ..base.request_bounds import SeveralField
from ..match.closing_needs import ACCEPTABLE, IN_PACK, OF_KIND, PACK, RANKS, NeededLine, Needs, needs_key
from ..match.view import MatchView
from ..words.openings import opening_name
from .adjustments import adjustment_field, read_adjustments
from .fact_fields import NOT_SAID, FactField, carried_object, choice_field, facts_of, filled_from
from .judged import PRIME, JudgedClosing
from .own_fields import NOBODY, own_fields
from .pile_sums import LEFT, PileSums, with_the_rest

FIGURE, NO_CARD = "figure", "none"
"""The values of the best card of a suit, beside its index."""
FORM, SHEET = "form", "sheet"
"""The pages that the slots of the prime are opened from: they lead back there."""
NOTING = ("noted", "save")
"""The steps that note the cards of the slots: they go into the form, or from a sheet into the deal."""
BEING_ADDED = ("new_side", "new_card", "new_item")
"""The fields of a declaration that is being put together, and is none yet."""
MOST_SWEEPS = 40


def closing_form(match: MatchView, data: MultiDict[str, str] | None, facts: contract.Deal | None = None) -> ClosingForm:
    """Return the form: with what was posted in ``data``, or filled with a deal's ``facts``."""
    kind, table = _kind_of_form(match)
    filled = {"seq": match.standing.state.head, **(filled_from(table, facts) if facts is not None else {})}
    form = kind(formdata=data, data=filled)
    form.needs, form.labels, form.fact_fields, form.formdata = match.needs, match.setup.labels, table, data
    return form


MOST_KINDS = 64
"""Kinds of forms that are cached; each holds a few dozen fields."""

_kinds = LruCache[tuple[type["ClosingForm"], tuple["FactField", ...]]](MOST_KINDS)


def _kind_of_form(match: MatchView) -> tuple[type[ClosingForm], tuple[FactField, ...]]:
    """Return the class of the forms of a match and its fields: they are the same for each tap, and as long to make."""
    key = (*needs_key(match.setup), *match.sides.items(), str(get_locale()))
    kind = _kinds.get(key)
    if kind is None:
        table = fact_fields(match, match.needs)
        fields = {fact_field.name: fact_field.field for fact_field in table}
        kind = form_class(ClosingForm, fields), table
        _kinds.put(key, kind)
    return kind


def fact_fields(match: MatchView, needs: Needs) -> tuple[FactField, ...]:
    """Return the fields of the form in their order, each with the fact of the deal that it holds."""
    return (
        *_award_fields(match, needs),
        *_number_fields(match, needs),
        *own_fields(match, is_grid=True),
        *_pile_fields(match),
        *_said_fields(match, needs),
        *_best_fields(match, needs),
        *_opening_fields(needs),
        FactField(
            "declaration",
            ("declarations",),
            SeveralField(validate_choice=False),
            _declared,
            lambda declarations: [*map(written_declaration, declarations)],
            unknown=[],
        ),
        FactField(
            "penalty",
            ("penalties",),
            _several(f"{item}:{label}" for item in needs.penalties for label in match.setup.labels),
            _penalties,
            lambda penalties: [f"{penalty['item']}:{penalty['side']}" for penalty in penalties],
            unknown=[],
        ),
        *_wild_fields(needs),
        FactField("accept", ("accept",), _several(ACCEPTABLE), unknown=[]),
        adjustment_field(),
    )


def field_name(*parts: str) -> str:
    """Return the name of a field, such as ``award-prime``, ``count-coins-A``, ``pile-A``, ``told-A``, ``best-A-O``."""
    return "-".join(parts)


def _award_fields(match: MatchView, needs: Needs) -> Iterator[FactField]:
    for row in needs.rows:
        name = field_name("award", row.item)
        takers = ["", *match.setup.labels, *([NOBODY] if row.may_be_nobody else []), *map("+".join, row.several)]
        if row.several:
            # Of earlier pages, and of entries that wait, a line that several share comes as one value.
            field = _several(takers)
            yield FactField(name, ("awards", row.item), field, _takers, _written_takers, unknown=[])
        else:
            field = choice_field((taker, taker) for taker in takers)
            yield FactField(name, ("awards", row.item), field, _taker, _written_taker)


def _each_taker(written: str | list[str] | None) -> list[str]:
    """Return the takers that a field names: sides by their labels, or ``NOBODY``."""
    values = written if isinstance(written, list) else [written or ""]
    return list(dict.fromkeys(taker for value in values for taker in value.split("+") if taker))


def _takers(written: list[str]) -> Any:
    """Return who took an item from several ticks: nobody excludes the sides."""
    takers = _each_taker(written)
    if not takers:
        return NOT_SAID
    if NOBODY in takers:
        return None
    return takers if len(takers) > 1 else takers[0]


def _written_takers(taker: str | list[str] | None) -> list[str]:
    """Return what a form with several ticks says of who took an item."""
    return _each_taker(_written_taker(taker))


def _taker(written: str) -> str | list[str] | None:
    """Return who took an item from what the form says: a side, several (``A+B``), or nobody."""
    if written == NOBODY:
        return None
    return written.split("+") if "+" in written else written


def _written_taker(taker: str | list[str] | None) -> str:
    """Return what the form says of who took an item."""
    if taker is None:
        return NOBODY
    return "+".join(taker) if isinstance(taker, list) else taker


def _number_fields(match: MatchView, needs: Needs) -> Iterator[FactField]:
    labels = match.setup.labels
    for kind in needs.counts:
        for label in labels:
            yield FactField(field_name("count", kind, label), ("counts", label, kind), _number(IN_PACK[kind]))
    if needs.sweeps:
        for label in labels:
            yield FactField(f"sweeps-{label}", ("sweeps", label), _number(MOST_SWEEPS), blank_fact=0, unknown=0)


def _pile_fields(match: MatchView) -> Iterator[FactField]:
    for label in match.setup.labels:
        yield FactField(field_name("pile", label), ("piles", label), _several(PACK), unknown=[])
    yield FactField(field_name("pile", LEFT), ("leftover",), _several(PACK), unknown=[])
    someone = [("", _("not said")), *match.sides.items()]
    for name in ("rest", "last_capturer"):
        yield FactField(name, (name,), choice_field(someone), unknown="")


def _said_fields(match: MatchView, needs: Needs) -> Iterator[FactField]:
    for label in match.setup.labels if needs.told else ():
        yield FactField(field_name("told", label), ("told", label), _several(PACK), unknown=[])


def _best_fields(match: MatchView, needs: Needs) -> Iterator[FactField]:
    for label in match.setup.labels if needs.best else ():
        for suit in rules.SUITS:
            name, path = field_name("best", label, suit), ("best", label, suit)
            field = IndexField(choices=choices(_best_choices(needs)), validators=[Optional()], default="")
            yield FactField(name, path, field, _best_rank, _written_rank, unknown="")


class IndexField(SelectField):  # type: ignore[misc]
    """The index of a card, chosen from those of the pack."""

    def pre_validate(self, form: Any) -> None:
        """Refuse what is no index. Raises ``ValidationError``."""
        try:
            super().pre_validate(form)
        except ValidationError:
            raise ValidationError(_("There is no such card: choose its index again.")) from None


def _best_choices(needs: Needs) -> Iterator[tuple[str, str]]:
    yield "", "?"
    words = {FIGURE: _("figure")}
    yield from ((rank, words.get(rank, rank)) for rank in needs.best)
    yield NO_CARD, _("no card")


def _best_rank(written: str) -> Any:
    """Return the best card of a suit from what the form says; what no form of ours says is left out."""
    if written in RANKS:
        return int(written)
    return {FIGURE: FIGURE, NO_CARD: None}.get(written, NOT_SAID)


def _written_rank(rank: int | str | None) -> str:
    """Return what the form says of the best card of a suit."""
    return NO_CARD if rank is None else str(rank)


def _opening_fields(needs: Needs) -> Iterator[FactField]:
    openings = [("", _("nothing")), *((opening, opening_name(opening)) for opening in needs.said_openings)]
    yield FactField("opening", ("layout_result",), choice_field(openings), unknown="")
    yield FactField("layout", ("layout",), _several(PACK), unknown=[])


def _declared(texts: list[str]) -> Any:
    """Return the declarations that a form carries; what no form of ours carries is left out."""
    return [declaration for _text, declaration in read_declarations(texts)] or NOT_SAID


def _penalties(pairs: list[str]) -> list[Penalty]:
    """Return the penalties that a form carries, each as ``item:side``."""
    return [{"item": item, "side": label} for item, _colon, label in (pair.partition(":") for pair in pairs)]


def _wild_fields(needs: Needs) -> Iterator[FactField]:
    for card in needs.wilds:
        values = choices([("", _("its own value")), *((rank, rank) for rank in RANKS)])
        field = SelectField(choices=values, validators=[Optional()], default="")
        yield FactField(f"as-{card}", ("as", card), field, partial(_with_suit, card[-1]), _without_suit)


def _with_suit(suit: str, rank: str) -> str:
    return rank + suit


def _without_suit(card: str | None) -> str:
    return (card or "").rstrip(rules.SUITS)


def _number(most: int) -> IntegerField:
    message = _("A whole number from 0 to %(most)d.", most=most)
    return IntegerField(validators=[Optional(), NumberRange(0, most, message)])


def _several(values: Iterable[str]) -> SeveralField:
    return SeveralField(choices=choices((value, value) for value in values))


MOST_NUMBERS = 13
"""As many numbers are offered to tap; of more, those around an even share."""


@dataclass(frozen=True)
class Numbers:
    """The answers that a question for a number can have."""

    least: int
    most: int
    even: int

    @property
    def are_all(self) -> bool:
        """True if every number is offered."""
        return self.most - self.least < MOST_NUMBERS

    @property
    def likely(self) -> range:
        """The numbers to offer."""
        if self.are_all:
            return range(self.least, self.most + 1)
        first = min(max(self.least, self.even - MOST_NUMBERS // 2), self.most + 1 - MOST_NUMBERS)
        return range(first, first + MOST_NUMBERS)


class ClosingForm(VersionedForm):
    """The facts of a deal as the table reports them; its fields follow from the game (``fact_fields``)."""

    was_open = HiddenField(default="yes")
    """True if something was open when the form was drawn: what settles then is saved by itself."""
    saves_itself = True
    is_bare = False
    needs: Needs
    labels: list[str]
    fact_fields: tuple[FactField, ...]
    formdata: MultiDict[str, str] | None = None

    def award(self, row: NeededLine) -> Any:
        """Return the field that says who took a line."""
        return self[field_name("award", row.item)]

    def gives(self, row: NeededLine, taker: str) -> bool:
        """Return whether the form gives a line to a taker, alone or with others."""
        return taker in _each_taker(self.award(row).data)

    def counts_of(self, kind: str) -> list[Any]:
        """Return the fields of the counts of a kind, one a side."""
        return [self.count(kind, label) for label in self.labels]

    def is_counted(self, row: NeededLine) -> bool:
        """Return whether a count that a row opens with has an error: what was typed is wrong, or known only in part."""
        typed = [field for kind in row.counts for field in self.counts_of(kind)]
        return any(field.errors for field in typed)

    def taker_of_the_rest(self) -> str | None:
        """Return who was said to take all the other lines, if that button was pressed."""
        taker = self.formdata.get("others") if self.formdata else None
        return taker if taker in (*self.labels, NOBODY) else None

    def gives_at_once(self) -> bool:
        """Return whether a button was pressed that gives several lines at once."""
        return bool(self.taker_of_the_rest() or self._gives_rare_to_nobody)

    @property
    def _gives_rare_to_nobody(self) -> bool:
        """True if the button was pressed by which nobody has any of the rare lines."""
        return self.formdata is not None and self.formdata.get("rare") == NOBODY

    def give_what_is_open(self, judged: JudgedClosing) -> None:
        """Give every line that is still open to whom the pressed button names, the rare ones to nobody."""
        usual = self.taker_of_the_rest()
        for row in self.needs.rows if usual else self.needs.folded:
            line = judged.line(row.item)
            taker = NOBODY if row.is_rare else usual
            if not taker or self.award(row).data or (line and line["points"] is not None):
                continue
            if taker != NOBODY or row.may_be_nobody:
                self.award(row).data = taker

    def opened_from(self) -> str:
        """Return where the slots were opened from that posted the form; "" if no slots posted it."""
        opened = self.formdata.get("slots_of", "") if self.formdata else ""
        return opened if opened in (FORM, SHEET) else ""

    def says_a_prime_beside_its_cards(self) -> bool:
        """Return whether the cards of the prime's slots are noted, and a side was said to have the better prime."""
        noted = self.formdata is not None and self.formdata.get("step") in NOTING
        said = field_name("award", PRIME)
        return noted and bool(self.opened_from() and said in self and self[said].data)

    def take_back_the_said_prime(self, judged: JudgedClosing) -> None:
        """Take back what was said of the prime if the cards of its slots are noted and contradict it."""
        if self.says_a_prime_beside_its_cards() and judged.is_award_contradicted(PRIME):
            self[field_name("award", PRIME)].data = ""

    def being_added(self) -> MultiDict[str, str]:
        """Return what was typed of a declaration that is none yet."""
        posted = self.formdata or MultiDict()
        return MultiDict((name, value) for name in BEING_ADDED for value in posted.getlist(name))

    def count(self, kind: str, label: str) -> Any:
        """Return the field of a side's count of a kind."""
        return self[field_name("count", kind, label)]

    def facts(self) -> contract.FishingDeal:
        """Return the deal in the engine's shape, only with what was reported."""
        facts = cast(contract.FishingDeal, facts_of(self.fact_fields, self))
        if "layout" in facts:
            # The cards say what the opening was.
            facts.pop("layout_result", None)
        return facts

    def adjustments(self) -> list[tuple[str, contract.Adjustment]]:
        """Return what the table added or took, each with the text that the form carries."""
        return read_adjustments(self["adjustment"].data or [])

    def sums(self) -> PileSums:
        """Return the cards of the piles, to be added up: those tapped, and with them the rest if it is some side's."""
        piles = {pile: self[field_name("pile", pile)].data or [] for pile in (*self.labels, LEFT)}
        return PileSums(
            self.needs,
            with_the_rest(piles, self.rest.data),
            {card: self[f"as-{card}"].data for card in self.needs.wilds},
        )

    def numbers(self, kind: str, side: str) -> Numbers:
        """Return the numbers that a side's count of a kind can still be, as far as cards and the other counts show."""
        held = {label: len(OF_KIND[kind] & self.cards_of(label)) for label in self.labels}
        counted = {label: self.count(kind, label).data for label in self.labels}
        others = sum(counted[label] or held[label] for label in self.labels if label != side)
        return Numbers(held[side], max(held[side], IN_PACK[kind] - others), IN_PACK[kind] // len(self.labels))

    def cards_of(self, label: str) -> set[str]:
        """Return the cards that a side has, shown, laid out or said."""
        names = (field_name("pile", label), field_name("told", label))
        held = {card for name in names if name in self for card in self[name].data or []}
        return held | {f"{field.data}{field.name[-1]}" for field in self.best(label) if field.data in RANKS}

    def told(self) -> list[tuple[str, str]]:
        """Return the cards whose owner was said, each with that side."""
        labels = self.labels if self.needs.told else ()
        return [(card, label) for label in labels for card in self[field_name("told", label)].data or []]

    def best(self, label: str) -> list[Any]:
        """Return the fields with the best cards of a side, one a suit."""
        return [self[field_name("best", label, suit)] for suit in rules.SUITS] if self.needs.best else []

    def owners(self) -> dict[str, str]:
        """Return the look of each shown card: that of the side whose pile it lies in, "" for what was left."""
        looks = {label: f"side-{place}" for place, label in enumerate(self.labels, 1)}
        return {card: looks.get(pile, "") for pile, cards in self.sums().piles.items() for card in cards}

    @property
    def is_helping(self) -> bool:
        """True if help to count was asked for: the next question stays open."""
        return bool(self.formdata and self.formdata.get("helping"))

    def tab(self) -> str:
        """Return the pile whose cards are open."""
        asked = self.formdata.get("tab", "") if self.formdata else ""
        return asked if asked in (*self.labels, LEFT) else self.labels[0]

    def acceptable(self, judged: JudgedClosing) -> list[str]:
        """Return the problems that the table may accept or has accepted: they are about play, not about the pack."""
        accepted = self["accept"].data or []
        problems = [problem for problem in judged.sheet["problems"] if problem["code"] in ACCEPTABLE]
        return sorted({one["code"] for one in problems if one["severity"] == "error" or one["code"] in accepted})

    def declarations(self) -> list[tuple[str, Declaration]]:
        """Return the declarations in the form: as it carries them, and read."""
        return read_declarations(self["declaration"].data or [])


def read_declarations(texts: list[str]) -> list[tuple[str, Declaration]]:
    """Return the declarations that a form carries, each with its text; what no form of ours carries is left out."""
    declarations = ((text, _read_declaration(text)) for text in texts[:FORM_VALUES])
    return [(text, declaration) for text, declaration in declarations if declaration]


def written_declaration(declaration: Declaration) -> str:
    """Return a declaration as the form carries it (JSON)."""
    return json.dumps(declaration, sort_keys=True)


_CODE = re.compile(r"\w{1,40}", re.ASCII)


def _read_declaration(text: str) -> Declaration | None:
    """Return a declaration that the form carries (JSON), not judged yet; None for what no form of ours carries."""
    carried = carried_object(text)
    if carried is None:
        return None
    declaration = {name: carried[name] for name in _SHAPE if name in carried}
    is_sound = all(_SHAPE[name](value) for name, value in declaration.items() if value is not None)
    return cast(Declaration, declaration) if is_sound and declaration.get("side") else None


def _is_code(value: Any) -> bool:
    return isinstance(value, str) and _CODE.fullmatch(value) is not None


def _are_codes(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= FORM_VALUES and all(map(_is_code, value))


_SHAPE: dict[str, Callable[[Any], bool]] = {
    "side": _is_code,
    "batch": lambda value: isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST_ID,
    "cards": _are_codes,
    "items": _are_codes,
    "as": lambda value: isinstance(value, dict) and _are_codes([*value, *value.values()]),
}
"""The parts of a declaration that a form carries, each with its check."""
