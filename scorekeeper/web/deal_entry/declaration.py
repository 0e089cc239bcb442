"""Declaring: three cards of a hand, and what they score, before anything is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict
from wtforms import Field, RadioField, SelectField
from wtforms.validators import InputRequired, Optional

from ... import rules
from ...rules import contract
from ...store.journal import kinds
from ...store.journal.replay import DealState
from ...store.standings import score_deal
from ..base.entry_form import EntryForm, build_form, choices, new_id
from ..base.request_bounds import SeveralField, whole_number
from ..match.closing_needs import PACK, RANKS
from ..match.reasons import table_of
from ..match.view import MatchView
from ..words.names import item_name

HAND = 3
MATTA = "7C"
"""The seven of cups, where it is wild."""


class DeclarationForm(EntryForm):
    """A hand that is declared: whose, in which batch, its cards, and what was claimed where that is doubted."""

    side: RadioField
    batch: RadioField
    cards: SeveralField
    items: SeveralField
    wilds: tuple[str, ...]
    next_batch: Mapping[contract.Side, int]
    """The batch in which each side may declare next."""

    @property
    def has_matta(self) -> bool:
        """True if the matta is wild in this game, and nothing else."""
        return self.wilds == (MATTA,)

    def is_filled(self) -> bool:
        """Return whether there is something to score yet."""
        return bool(
            self.side.data and (len(self.cards.data or []) == HAND or (self.items.data and not self.cards.data))
        )

    def may_be_saved(self, value: Worth | None) -> bool:
        """Return whether it may be written, from what it scores; if not, the form says what is missing."""
        if value is None and not self.errors:
            self.cards.errors = [_("Tap the three cards of the hand, or tick what was said.")]
        return value is not None and value.can_be_saved

    def declaration(self) -> contract.Declaration:
        """Return the declaration in the engine's shape."""
        declaration: contract.Declaration = {"side": self.side.data}
        if self.batch.data:
            declaration["batch"] = self.batch.data
        if self.cards.data:
            declaration["cards"] = self.cards.data
        if self.items.data:
            declaration["items"] = self.items.data
        given = {
            card: self[f"as-{card}"].data + card[-1]
            for card in self.wilds
            if card in (self.cards.data or []) and self[f"as-{card}"].data
        }
        if given:
            declaration["as"] = given
        return declaration


def declaration_form(match: MatchView, data: MultiDict[str, str] | None, asked: Mapping[str, str]) -> DeclarationForm:
    """Return the form; ``asked`` (the address) may name the side."""
    needs, next_batch = match.needs, next_batches(match)
    batches = choices((number, str(number)) for number in range(1, match.needs.batches + 1))
    fields: dict[str, Field] = {
        "side": RadioField(choices=choices(match.sides.items()), validators=[InputRequired(_("Whose hand is it?"))]),
        "batch": RadioField(choices=batches, coerce=int, validators=[Optional()], default=min(next_batch.values())),
        "cards": SeveralField(choices=choices((card, card) for card in PACK)),
        "items": SeveralField(
            choices=choices((item, item_name(match.setup.game, item)) for item in needs.declarations)
        ),
    }
    for card in needs.wilds:
        values = choices([("", _("what scores most")), *((rank, rank) for rank in RANKS)])
        fields[f"as-{card}"] = SelectField(choices=values, validators=[Optional()], default="")
    data = None if data is None else _with_knock(data, next_batch)
    form = build_form(DeclarationForm, fields, data, {"side": asked.get("side")})
    form.wilds, form.next_batch = needs.wilds, next_batch
    return form


def next_batches(match: MatchView) -> dict[contract.Side, int]:
    """Return the batch in which each side may declare next: the last declared in, unless all its players have.

    What is declared goes forwards: nobody goes back to a batch before one in which somebody declared.
    """
    noted = [entry.payload for entry in match.deal.noted if entry.kind == kinds.DECLARED]
    latest = max((payload.get("batch") or 1 for payload in noted), default=1)
    full = {
        label
        for label in match.setup.labels
        if sum(1 for payload in noted if payload["side"] == label and (payload.get("batch") or 1) == latest)
        >= match.setup.players_per_side
    }
    return {label: min(latest + (label in full), max(match.needs.batches, 1)) for label in match.setup.labels}


def _with_knock(data: MultiDict[str, str], next_batch: Mapping[contract.Side, int]) -> MultiDict[str, str]:
    """Return what was posted with the button carried out that says whose a hand is and what it holds, in one tap.

    The three cards may be tapped before; fewer are of no use. A batch in which the side has declared is over for it.
    """
    side, _colon, item = data.get("knock", "").partition(":")
    if not item:
        return data
    posted = MultiDict(data)
    posted["side"], posted["items"] = side, item
    if len(posted.getlist("cards")) != HAND:
        posted.poplist("cards")
    batch = whole_number(posted.get("batch", ""))
    if batch is not None:
        posted["batch"] = str(max(batch, next_batch.get(side, 1)))
    return posted


@dataclass(frozen=True)
class Worth:
    """The worth of a declaration: points by item, and what a false claim gives to the others."""

    items: Mapping[str, contract.Number]
    false: Mapping[str, contract.Number]
    """Points of the false claim, by the side that gets them."""
    problems: list[contract.Problem]
    near: tuple[str, ...] = ()
    """If nothing scores: how near it was."""
    matta: str = ""
    """The rank that the matta of the hand has without a word, from now on in this deal; "" where it has none."""

    @property
    def total(self) -> contract.Number:
        """Return the points of the declaring side."""
        return sum(self.items.values())

    @property
    def can_be_saved(self) -> bool:
        """Return whether it is possible, and worth an entry."""
        return not any(problem["severity"] == "error" for problem in self.problems) and bool(self.items or self.false)


@dataclass(frozen=True)
class Adding:
    """A declaration that is being put together in another form: as a form of its own, and its worth once it has one."""

    form: DeclarationForm
    worth: Worth | None


def adding_of(match: MatchView, deal: DealState, posted: MultiDict[str, str], facts: contract.FishingDeal) -> Adding:
    """Return the declaration that fields named ``new_…`` put together, beside those that ``facts`` hold."""
    data = MultiDict({"id": new_id(), "side": posted.get("new_side", "")})
    data.setlist("cards", posted.getlist("new_card"))
    data.setlist("items", posted.getlist("new_item"))
    form = declaration_form(match, data, {})
    is_valid = form.validate()
    return Adding(form, worth(match, deal, form, facts) if is_valid and form.is_filled() else None)


def declared_cards(declarations: Iterable[contract.Declaration]) -> dict[contract.Card, contract.Side]:
    """Return the cards that were shown in declarations, each with the side that declared it."""
    return {card.upper(): one["side"] for one in declarations for card in one.get("cards") or []}


def looks_of(match: MatchView, held: Mapping[contract.Card, contract.Side]) -> dict[contract.Card, str]:
    """Return the looks of cards that sides hold: those of the sides."""
    looks = {label: f"side-{place}" for place, label in enumerate(match.setup.labels, 1)}
    return {card: looks[side] for card, side in held.items() if side in looks}


def worth(match: MatchView, deal: DealState, form: DeclarationForm, noted: contract.FishingDeal | None = None) -> Worth:
    """Ask the engine what the declaration scores beside what was ``noted``: in this deal, if nothing is given."""
    declaration = form.declaration()
    noted = deal.noted_facts() if noted is None else noted

    def score(facts: contract.FishingDeal) -> contract.Scored:
        whole: contract.FishingDeal = {**facts, "rest": form.side.data}
        return score_deal(match.standing.state, deal, whole)

    together = score({**noted, "declarations": [*(noted.get("declarations") or []), declaration]})
    # With every card placed nothing is open: only the declaration itself is worked out.
    alone = score({"declarations": [declaration]})
    declarations = set(match.needs.declarations)
    items = {
        line["item"]: line["points"][form.side.data]
        for line in alone["lines"]
        if line["item"] in declarations and line["points"] and line["points"][form.side.data]
    }
    false = {
        label: points
        for line in alone["lines"]
        if line["reason"] == "false_claim"
        for label, points in (line["points"] or {}).items()
        if points
    }
    problems = [problem for problem in together["problems"] if "declarations" in problem["where"]]
    near = () if items or false else nearest(form.cards.data or [], table_of(match))
    return Worth(items, false, problems, near, matta_rank(form, items))


def matta_rank(form: DeclarationForm, items: Mapping[str, contract.Number]) -> str:
    """Return the rank that makes of a hand with the matta what it scores most as; "" if it was said, or has none."""
    cards = form.cards.data or []
    if MATTA not in form.wilds or MATTA not in cards or form[f"as-{MATTA}"].data or not items:
        return ""
    others = {card[:-1] for card in cards if card != MATTA}
    return others.pop() if len(others) == 1 else RANKS[0]


def nearest(cards: list[str], table: rules.TableRules) -> tuple[str, ...]:
    """Return in words how near three cards that score nothing are to what could score."""
    agreed = rules.fishing_rules(table)
    if len(cards) != HAND or agreed is None:
        return ()
    game, values = table.rules.id, rules.capture_values(agreed)
    total = sum(values[int(card[:-1])] for card in cards)
    hints = [_("They add to %(total)d.", total=total)]
    ranks = sorted(RANKS.index(card[:-1]) for card in cards)
    suits = {card[-1] for card in cards}
    played = [combo for combo in agreed.combos if combo.is_on]
    combos = {combo.near: combo.id for combo in played}
    missed = [combo.id for combo in played if isinstance(combo.near, int) and abs(total - combo.near) <= 2]
    if missed:
        named = [item_name(game, item) for item in missed]
        hints.append(_("Not %(items)s.", items=_(" nor ").join(named)))
    if "suit" in combos and len(suits) == 2:
        hints.append(_("Two of one suit: one short of %(item)s.", item=item_name(game, combos["suit"])))
    if "rank" in combos and len(set(ranks)) == 2:
        hints.append(_("Two alike: one short of %(item)s.", item=item_name(game, combos["rank"])))
    if "run" in combos and len(set(ranks)) == HAND and ranks[-1] - ranks[0] == HAND:
        hints.append(_("Nearly %(item)s: one rank apart.", item=item_name(game, combos["run"])))
    return tuple(hints)
