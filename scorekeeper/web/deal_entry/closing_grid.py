"""Closing a deal: the form that says who took what, and what the engine makes of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict
from wtforms import HiddenField, IntegerField, RadioField, SelectField
from wtforms.validators import NumberRange, Optional

from ...limits import DECLARATION_LENGTH, FORM_VALUES, LARGEST_ID
from ...store.agreement import BUDGET_SPENT
from ...store.standings import score_deal
from ..base.entry_form import VersionedForm, choices
from ..base.incoming import SeveralField, whole_number
from ..match.needs import ACCEPTABLE, IN_PACK, OF_KIND, PACK, RANKS, NeededLine, Needs
from ..match.view import MatchView
from ..words.openings import opening_name
from .pile_sums import LEFT, PileSums

NOBODY = "nobody"
FEW = 12
"""As few unseen cards as a table can hold in its head: what so few decide stands out."""


def closing_form(
    match: MatchView, needs: Needs, data: MultiDict[str, str] | None, facts: Mapping[str, Any] | None = None
) -> ClosingForm:
    """Return the form: with what was posted in ``data``, or filled with a deal's ``facts``."""
    labels = match.setup.labels
    fields: dict[str, Any] = {}
    for row in needs.rows:
        takers = [("", _("not known")), *((label, match.sides[label]) for label in labels)]
        if row.may_be_nobody:
            takers.append((NOBODY, _("nobody")))
        takers += [("+".join(group), " + ".join(match.sides[label] for label in group)) for group in row.several]
        fields[f"award-{row.item}"] = RadioField(choices=choices(takers), validators=[Optional()], default="")
    for kind in needs.counts:
        for label in labels:
            fields[f"count-{kind}-{label}"] = _number(IN_PACK[kind])
    if needs.sweeps:
        for label in labels:
            fields[f"sweeps-{label}"] = _number(40)
    for pile in (*labels, LEFT):
        fields[f"pile-{pile}"] = _cards()
    someone = [("", _("not said")), *match.sides.items()]
    fields["rest"] = RadioField(choices=choices(someone), validators=[Optional()], default="")
    fields["last_capturer"] = RadioField(choices=choices(someone), validators=[Optional()], default="")
    openings = [("", _("nothing")), *((told, opening_name(told)) for told in needs.openings)]
    fields["opening"] = RadioField(choices=choices(openings), validators=[Optional()], default="")
    fields["layout"] = _cards()
    fields["declaration"] = SeveralField(validate_choice=False)
    fields["penalty"] = SeveralField(
        choices=choices((f"{item}:{label}", item) for item in needs.penalties for label in labels)
    )
    for card in needs.wilds:
        values = choices([("", _("its own value")), *((rank, rank) for rank in RANKS)])
        fields[f"as-{card}"] = SelectField(choices=values, validators=[Optional()], default="")
    fields["accept"] = SeveralField(choices=choices((code, code) for code in ACCEPTABLE))
    built = type("ClosingForm", (ClosingForm,), fields)
    filled = _filled(needs, labels, facts) if facts is not None else {}
    form: ClosingForm = built(formdata=data, data={"seq": match.standing.state.head, **filled})
    form.needs, form.labels, form.formdata = needs, labels, data
    return form


def _number(most: int) -> IntegerField:
    message = _("A whole number from 0 to %(most)d.", most=most)
    return IntegerField(validators=[Optional(), NumberRange(0, most, message)])


def _cards() -> SeveralField:
    return SeveralField(choices=choices((card, card) for card in PACK))


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
        """Whether every number is offered."""
        return self.most - self.least < MOST_NUMBERS

    @property
    def likely(self) -> range:
        """Return the numbers to offer."""
        if self.are_all:
            return range(self.least, self.most + 1)
        first = min(max(self.least, self.even - MOST_NUMBERS // 2), self.most + 1 - MOST_NUMBERS)
        return range(first, first + MOST_NUMBERS)


class ClosingForm(VersionedForm):
    """The facts of a deal as the table tells them; its fields follow from the game (``closing_form``)."""

    was_open = HiddenField(default="yes")
    """Whether something was open when the form was drawn: what settles then is saved by itself."""
    saves_itself = True
    needs: Needs
    labels: list[str]
    formdata: MultiDict[str, str] | None = None

    def award(self, row: NeededLine) -> Any:
        """The field that says who took a line."""
        return self[f"award-{row.item}"]

    def taker_of_the_rest(self) -> str | None:
        """Return who was said to take all the other lines, if that button was pressed."""
        taker = self.formdata.get("others") if self.formdata else None
        return taker if taker in (*self.labels, NOBODY) else None

    def give_the_rest(self, taker: str, judged: JudgedClosing) -> None:
        """Say that ``taker`` took every line that is still open; the rare ones, that nobody did where that can be."""
        for row in self.needs.rows:
            line = judged.line(row.item)
            if self.award(row).data or (line and line["points"] is not None):
                continue
            told = NOBODY if row.is_rare and row.may_be_nobody else taker
            if told != NOBODY or row.may_be_nobody:
                self.award(row).data = told

    def count(self, kind: str, label: str) -> Any:
        """The field of a side's count."""
        return self[f"count-{kind}-{label}"]

    def facts(self) -> dict[str, Any]:
        """Return the deal in the engine's shape, only with what was told."""
        facts: dict[str, Any] = {}
        awards: dict[str, Any] = {}
        for row in self.needs.rows:
            told = self.award(row).data
            if told:
                awards[row.item] = None if told == NOBODY else told.split("+") if "+" in told else told
        if awards:
            facts["awards"] = awards
        counts: dict[str, dict[str, int]] = {}
        for kind in self.needs.counts:
            for label in self.labels:
                if self.count(kind, label).data is not None:
                    counts.setdefault(label, {})[kind] = self.count(kind, label).data
        if counts:
            facts["counts"] = counts
        if self.needs.sweeps:
            facts["sweeps"] = {label: self[f"sweeps-{label}"].data or 0 for label in self.labels}
        piles = {label: self[f"pile-{label}"].data for label in self.labels if self[f"pile-{label}"].data}
        if piles:
            facts["piles"] = piles
        if self[f"pile-{LEFT}"].data:
            facts["leftover"] = self[f"pile-{LEFT}"].data
        for name in ("rest", "last_capturer"):
            if self[name].data:
                facts[name] = self[name].data
        if self["layout"].data:
            facts["layout"] = self["layout"].data
        elif self["opening"].data:
            facts["layout_result"] = self["opening"].data
        if self.declarations():
            facts["declarations"] = [declaration for _text, declaration in self.declarations()]
        if self["penalty"].data:
            facts["penalties"] = [
                {"item": item, "side": label}
                for item, _colon, label in (one.partition(":") for one in self["penalty"].data)
            ]
        given = {card: self[f"as-{card}"].data + card[-1] for card in self.needs.wilds if self[f"as-{card}"].data}
        if given:
            facts["as"] = given
        if self["accept"].data:
            facts["accept"] = self["accept"].data
        return facts

    def sums(self) -> PileSums:
        """Return the cards tapped into piles, to be added up."""
        piles = {pile: self[f"pile-{pile}"].data or [] for pile in (*self.labels, LEFT)}
        return PileSums(self.needs, piles, {card: self[f"as-{card}"].data for card in self.needs.wilds})

    def numbers(self, kind: str, side: str) -> Numbers:
        """Return the numbers that a side's count of a kind can still be, as far as cards and the other counts tell."""
        held = {label: len(OF_KIND[kind] & set(self[f"pile-{label}"].data or [])) for label in self.labels}
        counted = {label: self.count(kind, label).data for label in self.labels}
        others = sum(counted[label] or held[label] for label in self.labels if label != side)
        return Numbers(held[side], max(held[side], IN_PACK[kind] - others), IN_PACK[kind] // len(self.labels))

    def owners(self, initials: Mapping[str, str]) -> dict[str, str]:
        """Return the initial of whose pile each shown card lies in."""
        return {card: initials[pile] for pile, cards in self.sums().piles.items() for card in cards}

    def tab(self) -> str:
        """Return the pile whose cards are open."""
        asked = self.formdata.get("tab", "") if self.formdata else ""
        return asked if asked in (*self.labels, LEFT) else self.labels[0]

    def shows_cards(self) -> bool:
        """Say whether any card was shown."""
        return any(self[f"pile-{pile}"].data for pile in (*self.labels, LEFT))

    def acceptable(self, judged: JudgedClosing) -> list[str]:
        """Return the problems that the table may accept, as they are about play and not about the pack."""
        return sorted({one["code"] for one in judged.sheet["problems"] if one["code"] in ACCEPTABLE})

    def declarations(self) -> list[tuple[str, dict[str, Any]]]:
        """Return the declarations in the form: as it carries them, and read."""
        return [(text, one) for text in (self["declaration"].data or [])[:FORM_VALUES] if (one := _read(text))]


_CODE = re.compile(r"\w{1,40}", re.ASCII)


def _read(text: str) -> dict[str, Any] | None:
    """Read a declaration as the form carries it (JSON); None for what no form of ours carries.

    Whether such a declaration can be is the engine's to say.
    """
    if len(text) > DECLARATION_LENGTH:
        return None
    try:
        declaration = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(declaration, dict):
        return None
    told = {name: declaration[name] for name in _SHAPE if name in declaration}
    is_sound = all(_SHAPE[name](value) for name, value in told.items() if value is not None)
    return told if is_sound and told.get("side") else None


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
"""What a form carries of a declaration, each with what it looks like."""


def carried(declaration: Mapping[str, Any]) -> str:
    """Write a declaration as the form carries it."""
    return json.dumps(declaration, sort_keys=True)


def _filled(needs: Needs, labels: list[str], facts: Mapping[str, Any]) -> dict[str, Any]:
    """Turn a deal's facts into the form's data: the inverse of ``ClosingForm.facts``."""
    data: dict[str, Any] = {}
    for item, told in facts.get("awards", {}).items():
        data[f"award-{item}"] = NOBODY if told is None else "+".join(told) if isinstance(told, list) else told
    for label, counts in facts.get("counts", {}).items():
        for kind, number in counts.items():
            data[f"count-{kind}-{label}"] = number
    for label in labels:
        data[f"sweeps-{label}"] = facts.get("sweeps", {}).get(label, 0)
        data[f"pile-{label}"] = facts.get("piles", {}).get(label, [])
    data[f"pile-{LEFT}"] = facts.get("leftover", [])
    data["rest"] = facts.get("rest", "")
    data["last_capturer"] = facts.get("last_capturer", "")
    data["opening"] = facts.get("layout_result", "")
    data["layout"] = facts.get("layout", [])
    data["declaration"] = [carried(declaration) for declaration in facts.get("declarations", [])]
    data["penalty"] = [f"{one['item']}:{one['side']}" for one in facts.get("penalties", [])]
    for card, given in facts.get("as", {}).items():
        data[f"as-{card}"] = given.rstrip("OCEB")
    data["accept"] = facts.get("accept", [])
    return data


def has_answer(posted: Mapping[str, str] | None) -> bool:
    """Say whether the question was answered with one of its buttons."""
    return posted is not None and any(posted.get(name) for name in ("give", "tell"))


def with_taps(match: MatchView, posted: MultiDict[str, str]) -> MultiDict[str, str]:
    """Return what was posted with the form's own buttons carried out, so that they work without script."""
    data = MultiDict(posted)
    label, _blank, card = data.get("give", "").partition(" ")
    if label in match.sides and card:
        data.add(f"pile-{label}", card)
    label, kind, number = (*data.get("tell", "").split(" "), "", "", "")[:3]
    if label in match.sides and number:
        data[f"count-{kind}-{label}"] = number
    label, _blank, kind = data.get("answer_for", "").partition(" ")
    if label in match.sides and data.get("answer", "").strip():
        data[f"count-{kind}-{label}"] = data["answer"]
    side, cards, items = data.get("new_side", ""), data.getlist("new_card"), data.getlist("new_item")
    if data.get("step") == "add" and side in match.sides and (cards or items):
        declaration: dict[str, Any] = {"side": side}
        if batch := whole_number(data.get("new_batch", "")):
            declaration["batch"] = batch
        if cards:
            declaration["cards"] = cards
        if items:
            declaration["items"] = items
        data.add("declaration", carried(declaration))
        for name in ("new_side", "new_card", "new_item", "new_batch"):
            data.poplist(name)
    return data


@dataclass
class JudgedClosing:
    """What the engine makes of the form as it stands."""

    sheet: Mapping[str, Any]
    by_row: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """Problems that belong to a row, by its item."""
    general: list[dict[str, Any]] = field(default_factory=list)

    @property
    def is_complete(self) -> bool:
        """Every line is settled, or the layout asks for a new deal."""
        return bool(self.sheet["status"] == "complete")

    @property
    def is_doubtful(self) -> bool:
        """Something is improbable, or contradicts something stronger: worth a look before saving."""
        return bool(self.by_row or self.general)

    @property
    def redeal(self) -> str | None:
        """Who deals again, where the opening voids the deal."""
        redeal: str | None = self.sheet.get("redeal")
        return redeal

    def line(self, item: str) -> dict[str, Any] | None:
        """Return the line of an item, if it has one yet."""
        return next((line for line in self.sheet["lines"] if line["item"] == item), None)

    @property
    def other_lines(self) -> list[dict[str, Any]]:
        """Return every line with points, to be summed."""
        return [line for line in self.sheet["lines"] if line["points"] is not None]

    @property
    def matters(self) -> set[str]:
        """Return the cards that some open line still depends on."""
        return {card for line in self.sheet["lines"] for card in line.get("needs", ())}

    @property
    def few(self) -> set[str]:
        """Return the cards on which alone, or with a few others, an open line depends."""
        needed = (line.get("needs", ()) for line in self.sheet["lines"])
        return {card for cards in needed if len(cards) <= FEW for card in cards}


def judge_closing(match: MatchView, facts: Mapping[str, Any], deal: Any, needs: Needs) -> JudgedClosing:
    """Score the deal as told so far."""
    sheet = score_deal(match.standing.state, deal, facts, bounded=True)
    if sheet["ask"]:
        # That too little is known to weigh a line is said by the question that is asked next.
        sheet = {**sheet, "problems": [one for one in sheet["problems"] if one["code"] != BUDGET_SPENT]}
    judged = JudgedClosing(sheet)
    for problem in judged.sheet["problems"]:
        item = _row_of(problem["where"].removeprefix("deal."), needs)
        if item is None:
            judged.general.append(problem)
        else:
            judged.by_row.setdefault(item, []).append(problem)
    return judged


def _row_of(where: str, needs: Needs) -> str | None:
    """Return the item of the row where a problem is shown, None for the head of the form."""
    told = re.match(r"(?:awards\.(?P<item>\w+)|counts\.\w+\.(?P<kind>\w+)|(?P<sweeps>sweeps))", where)
    if told is None:
        return None
    if told["sweeps"]:
        return "sweeps"
    rows = [row.item for row in needs.rows if told["item"] == row.item or told["kind"] in row.counts]
    return rows[0] if rows else None
