"""The prime referee: who has the better one. The address is the question; it needs no table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

from flask import Blueprint, Response, request
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from ... import rules
from ...limits import NAME_LETTERS
from ...names import clean
from ...rules import contract
from ..base.engine_answers import answer_to, open_tab, tapped_cards, verdict_page
from ..words.cards import cards_for
from ..words.names import games
from ..words.primes import LABELS, METHODS, LaidPrime, counted_by_all, laid_cards, laid_primes, wins
from ..words.problems import in_words

bp = Blueprint("prime", __name__)


@dataclass(frozen=True)
class RefereeSlot:
    """The place for the best card of a suit that a side has."""

    side: str
    suit: str
    chosen: list[contract.Card]
    """The cards of the suit that the address has; only the best of them counts."""
    card: contract.Card | None
    worth: contract.Number | None

    @property
    def name(self) -> str:
        """The name of the slot in its page."""
        return f"{self.side}-{self.suit}"


def _sides(args: MultiDict[str, str]) -> str:
    number = args.get("sides", "2")
    return LABELS[: int(number)] if number in ("2", "3", "4") else LABELS[:2]


def _game(args: MultiDict[str, str]) -> str:
    """Return the game from which the question comes: cards and prime are called and drawn as there; "" for none."""
    game = args.get("game", "")
    return game if game in games() and rules.item_words(game, "prime") else ""


def _default_names() -> dict[str, str]:
    return {"A": _("Me"), "B": _("The other"), "C": _("The third"), "D": _("The fourth")}


def _victories(typed: Mapping[str, str]) -> dict[str, str]:
    """Return the sentence that each side wins."""
    nameless = {"A": _("I win"), "B": _("The other wins"), "C": _("The third wins"), "D": _("The fourth wins")}
    return {side: wins(name) if name else nameless[side] for side, name in typed.items()}


def _slots(asked: Mapping[str, list[str]], laid: Mapping[str, LaidPrime]) -> dict[str, list[RefereeSlot]]:
    """Return the slots of each side: its best cards, or where the engine refused those of the address."""
    slots = {}
    for side, cards in asked.items():
        known = [card for card in cards if card in rules.CODES]
        best = laid[side].cards if side in laid else [(card, None) for card, _worth in laid_cards("face", known)]
        slots[side] = [
            RefereeSlot(side, suit, [card for card in known if card[-1] == suit], *place)
            for suit, place in zip(rules.SUITS, best, strict=True)
        ]
    return slots


def _open_slot(slots: Mapping[str, list[RefereeSlot]], tab: str) -> str:
    """Return the first empty slot, of the side of ``tab`` if it has one; "" if all are filled."""
    empty = [slot.name for side in slots.values() for slot in side if slot.card is None]
    return next((name for name in empty if name.startswith(tab)), empty[0] if empty else "")


@bp.get("/prime")
def show() -> Response:
    """Settle whose prime is better, and say what every other way of counting would say."""
    args = request.args
    sides, game = _sides(args), _game(args)
    cards_for(lambda: game)
    method = args.get("method", "face")
    piles = {side: tapped_cards(args, f"pile-{side}") for side in sides}
    rule = {
        "suits_required": 4 if args.get("suits") else 0,
        "needs_pip": bool(args.get("pip")),
        "needs_seven": bool(args.get("seven")),
    }
    asked: dict[str, object] = {"method": method, **rule, "piles": piles}
    answer, problems, status = answer_to(asked, rules.prime)
    typed = {side: clean(args.get(f"name-{side}", "")[:NAME_LETTERS]) for side in sides}
    names = {side: typed[side] or name for side, name in _default_names().items() if side in sides}
    laid = dict(zip(sides, laid_primes(method, cast(contract.Primes, answer), names), strict=True)) if answer else {}
    if not all(piles.values()):
        laid = {side: replace(prime, wins=False) for side, prime in laid.items()}
    others = counted_by_all(rule, piles) if answer else {}
    slots = _slots(piles, laid)
    return verdict_page(
        "prime/prime.html",
        "prime/_prime.html",
        status,
        problems=[in_words(problem, names) for problem in problems],
        asked=asked,
        game=game,
        found=answer,
        laid=laid,
        others=[(other, counted) for other, counted in others.items() if other != method],
        names=names,
        typed=typed,
        defaults=_default_names(),
        victories=_victories(typed),
        slots=slots,
        open_slot=_open_slot(slots, open_tab(args, sides) if "tab" in args else ""),
        methods=METHODS,
        any_card=any(piles.values()),
    )
