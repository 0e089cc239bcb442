"""The referee of primes: who has the better one. The address is the question; it needs no table."""

from __future__ import annotations

from typing import cast

from flask import Blueprint, Response, request
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from ... import rules
from ...rules import contract
from ..base.verdict import answer_to, open_tab, tapped_cards, verdict_page
from ..words.primes import LABELS, METHODS, laid_primes
from ..words.problems import in_words

bp = Blueprint("referee", __name__)


def _sides(args: MultiDict[str, str]) -> str:
    number = args.get("sides", "2")
    return LABELS[: int(number)] if number in ("2", "3", "4") else LABELS[:2]


@bp.get("/prime")
def prime() -> Response:
    """Settle whose prime is better, and say what every other way of counting would say."""
    args = request.args
    sides = _sides(args)
    method = args.get("method", "face")
    piles = {side: tapped_cards(args, f"pile-{side}") for side in sides}
    asked: dict[str, object] = {
        "method": method,
        "suits_required": 4 if args.get("suits") else 0,
        "needs_pip": bool(args.get("pip")),
        "needs_seven": bool(args.get("seven")),
        "piles": piles,
    }
    found, problems, status = answer_to(asked, rules.prime)
    others = []
    if found:
        others = [(other, rules.prime({**asked, "method": other})) for other in METHODS if other != method]
    names = {side: _("side %(side)s", side=side) for side in sides}
    titles = {side: _("Side %(side)s", side=side) for side in sides}
    return verdict_page(
        "referee/prime.html",
        "referee/_prime.html",
        status,
        problems=[in_words(problem, names) for problem in problems],
        asked=asked,
        found=found,
        laid=laid_primes(method, cast(contract.Primes, found), titles) if found else [],
        others=others,
        sides=sides,
        tab=open_tab(args, sides),
        methods=METHODS,
        any_card=any(piles.values()),
    )
