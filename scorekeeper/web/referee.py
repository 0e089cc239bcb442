"""The referee without a table: who has the better prime, and what a card may take. The address is the question."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, make_response, render_template, request
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from .. import rules
from .problems import in_words
from .words import game_or_404, games

bp = Blueprint("referee", __name__)

METHODS = ("face", "italian", "half_ace", "seventy", "sevens_count")
LABELS = "ABCD"


def _fragment(target: str) -> bool:
    """Say whether only the verdict is asked for."""
    return request.headers.get("HX-Target") == target and request.headers.get("HX-History-Restore-Request") != "true"


def _page(template: str, fragment: str, problems: list[Any], **context: Any) -> Response:
    part = _fragment("verdict")
    drawn = render_template(fragment if part else template, problems=problems, oob=part, **context)
    response = make_response(drawn, 422 if problems else 200)
    response.vary.add("HX-Request")
    response.vary.add("HX-Target")
    return response


def method_name(method: str) -> str:
    """Return what a way of counting the prime is called."""
    names: dict[str, str] = {
        "face": _("by the number on the card"),
        "italian": _("21 for a seven, 18 for a six, 16 for an ace"),
        "half_ace": _("by the number, an ace five and a half"),
        "seventy": _("out of seventy"),
        "sevens_count": _("most sevens"),
    }
    return names[method]


def _sides(args: MultiDict[str, str]) -> str:
    number = args.get("sides", "2")
    return LABELS[: int(number)] if number in ("2", "3", "4") else LABELS[:2]


@bp.get("/prime")
def prime() -> Response:
    """Settle whose prime is better, and say what every other way of counting would say."""
    args = request.args
    sides = _sides(args)
    method = args.get("method", "face")
    asked: dict[str, Any] = {
        "method": method,
        "suits_required": 4 if args.get("suits") else 0,
        "needs_pip": bool(args.get("pip")),
        "needs_seven": bool(args.get("seven")),
        "piles": {side: args.getlist(f"pile-{side}") for side in sides},
    }
    found = rules.prime(asked)
    problems = [in_words(problem) for problem in found.get("problems", [])]
    others = []
    if not problems:
        others = [(other, rules.prime({**asked, "method": other})) for other in METHODS if other != method]
    return _page(
        "referee/prime.html",
        "referee/_prime.html",
        problems,
        asked=asked,
        found=found,
        others=others,
        sides=sides,
        methods=METHODS,
        method_name=method_name,
        any_card=any(asked["piles"].values()),
    )


@bp.get("/captures")
def captures() -> Response:
    """Show every set that a card may take, which of them sweep, and whether it may stay."""
    args = request.args
    fishing = {id: game for id, game in games().items() if game["family"] == "fishing"}
    game = game_or_404(args.get("game", "chorizo"))
    if game["id"] not in fishing:
        game = fishing["chorizo"]
    preset = args.get("preset", "")
    preset = preset if preset in game["presets"] else game["default_preset"]
    asked: dict[str, Any] = {
        "game": game["id"],
        "preset": preset,
        "layout": args.getlist("layout"),
        "hand": args.getlist("hand"),
        "last_play": bool(args.get("last")),
        "as": {},
    }
    table = rules.read_table(asked, rules.Problems(), needs_sides=False)
    assert table is not None
    obligation = table.game.rules.obligation  # type: ignore[attr-defined]
    wilds = [rules.card_name(card) for card in table.game.wilds]  # type: ignore[attr-defined]
    asked["as"] = {card: args[f"as-{card}"] for card in wilds if args.get(f"as-{card}")}
    card = args.get("card")
    found: dict[str, Any] | None = None
    problems: list[str] = []
    if card:
        found = rules.captures({**asked, "card": card})
        problems = [in_words(problem) for problem in found.get("problems", [])]
    return _page(
        "referee/captures.html",
        "referee/_captures.html",
        problems,
        asked=asked,
        card=card,
        found=found,
        game=game,
        fishing=fishing,
        obligation=obligation,
        wilds=wilds,
    )
