"""The rules of each game as this app scores them, from the very data that scores them."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, render_template

from ... import rules
from ..words.names import Game, game_or_404, games, item_name, option_value, pick
from ..words.points import points_of
from ..words.primes import method_name

bp = Blueprint("rules", __name__, url_prefix="/rules")

SCOPA = "CatsAtCards: Scopa"
CHORIZO = ("Mateo Molina: Chorizo, Báciga", "J. Capagorry: El juego es cosa seria (1979)", SCOPA)
SOURCES: Mapping[str, tuple[str, ...]] = {
    "chorizo": CHORIZO,
    "baciga": CHORIZO,
    "la_escoba": ("La escoba: reglas, tanteo y variantes",),
    "brisca": ("Wikipedia: Brisca",),
    "carioca": ("Wikipedia: Carioca (card game)",),
    "free": (),
}
"""Published works that tell the rules, by title; the other fishing games are told with Scopa."""


@bp.get("")
def index() -> str:
    """List the games."""
    return render_template("rules/index.html", games=games().values())


@bp.get("/<id>")
def show(id: str) -> str:
    """Show the rules of one game as they usually are, and how they differ elsewhere."""
    game = game_or_404(id)
    tables = {preset: _table(game, preset) for preset in game["presets"]}
    usual = tables[game["default_preset"]]
    return render_template(
        "rules/show.html",
        game=game,
        fishing=_fishing(usual),
        options=usual.options,
        items=points_of(usual),
        elsewhere=[_difference(game, usual, tables[preset]) for preset in tables if preset != usual.preset],
        sources=SOURCES.get(id, (SCOPA,)),
        option_value=option_value,
    )


def _table(game: Game, preset: str) -> rules.TableRules:
    """Return a table of a game and preset, with the first line-up that suits it."""
    for seat in game["seats"]:
        asked = {
            "game": game["id"],
            "preset": preset,
            "sides": [str(number) for number in range(seat["sides"])],
            "players_per_side": seat["players_per_side"],
        }
        table = rules.read_table(asked, rules.Problems())
        if table is not None:
            return table
    raise AssertionError(f"nobody can play {preset}")


def _fishing(table: rules.TableRules) -> Mapping[str, object] | None:
    """Return how cards are taken at a table of a fishing game, for sentences."""
    agreed = rules.fishing_rules(table)
    if agreed is None:
        return None
    prime = rules.prime_rule(table)
    return {
        "agreed": agreed,
        "values": rules.capture_values(agreed),
        "redeals": rules.redeal_rules(agreed),
        "tie_rule": rules.tie_rule(table, "cards") or "nobody",
        "prime": prime,
        "prime_method": method_name(prime.method) if prime else "",
    }


def _difference(game: Game, usual: rules.TableRules, other: rules.TableRules) -> Mapping[str, object]:
    """Return where a preset differs from the usual rules: its options, and what scores only there."""
    scored = dict(points_of(usual))
    return {
        "preset": other.preset,
        "options": [
            (pick(option["label"]), option_value(option, other.options[option["id"]]))
            for option in game["options"]
            if other.options.get(option["id"]) != usual.options.get(option["id"])
        ],
        "items": [(item, points) for item, points in points_of(other) if item not in scored],
        "without": [item_name(game["id"], item) for item in scored if item not in dict(points_of(other))],
    }
