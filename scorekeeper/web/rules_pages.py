"""The rules of each game as this app scores them, from the very data that scores them."""

from __future__ import annotations

from flask import Blueprint, render_template

from .. import rules
from .words import game_or_404, games

bp = Blueprint("rules_pages", __name__, url_prefix="/rules")

SOURCES = {
    "chorizo": ("Mateo Molina, Chorizo y Báciga", "J. Capagorry, El juego es cosa seria (1979)", "CatsAtCards: Scopa"),
    "baciga": ("Mateo Molina, Chorizo y Báciga", "J. Capagorry, El juego es cosa seria (1979)", "CatsAtCards: Scopa"),
    "brisca": ("Wikipedia: Brisca",),
    "la_escoba": ("La escoba: reglas y variantes",),
    "carioca": ("Perla: Carioca",),
    "free": (),
}
USUAL_SOURCE = ("CatsAtCards: Scopa",)


@bp.get("")
def index() -> str:
    """List the games."""
    return render_template("rules/index.html", games=games().values())


@bp.get("/<id>")
def show(id: str) -> str:
    """Show the rules of one game with its usual options."""
    game = game_or_404(id)
    presets = {}
    for preset in game["presets"]:
        table = None
        for seat in game["seats"]:
            request = {
                "game": id,
                "preset": preset,
                "sides": [str(number) for number in range(seat["sides"])],
                "players_per_side": seat["players_per_side"],
            }
            table = rules.read_table(request, rules.Problems())
            if table is not None:
                break
        assert table is not None
        presets[preset] = rules.item_points(table)
    return render_template("rules/show.html", game=game, presets=presets, sources=SOURCES.get(id, USUAL_SOURCE))
