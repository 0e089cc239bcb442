"""The rules of a game, and those of a match, as this app scores them: from the very data that scores them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, g, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from ... import rules
from ...store import queries
from ..base.access import LINKS, visitor
from ..base.by_facts import by_facts
from ..base.htmx import whole_page
from ..base.marks import for_watchers
from ..base.request_bounds import number_in
from ..match.reasons import table_of
from ..match.view import MatchView, match_at
from ..words.cards import cards_for
from ..words.examples import Asked, examples_of
from ..words.names import Game, game_or_404, games, item_name, option_value
from ..words.points import points_of, told_points
from ..words.primes import method_name, worth_in
from ..words.readers import pick

bp = Blueprint("rules", __name__)

AT_A_CARIOCA = 4
"""The players for whom the rules of Carioca are shown if nobody plays yet: most tables have as many."""


@bp.get("/rules")
def index() -> str:
    """List the games."""
    return render_template("rules/index.html", games=games().values())


@bp.get("/rules/<id>")
def show(id: str) -> str:
    """Show the rules of one game as they usually are or as a preset has them, and how they differ elsewhere."""
    game = game_or_404(id)
    usual = _table(game, game["default_preset"])
    preset = request.args.get("preset", "")
    preset = preset if preset in game["presets"] else game["default_preset"]
    cards_for(lambda: id, lambda: preset)
    table = _table(game, preset)
    others = [other for other in game["presets"] if other != usual.preset]
    return render_template(
        "rules/show.html",
        match=None,
        **_told(game, _asked(table), table),
        usual_points=dict(told_points(usual)),
        elsewhere=[_difference(game, usual, _table(game, other)) for other in others],
        sources=table.rules.sources,
        option_value=option_value,
    )


@bp.get(f"{LINKS}/matches/<int:number>/rules")
@for_watchers
@by_facts
def of_match(key: str, number: int) -> BaseResponse:
    """Show the rules of a match, with its house rules and its line-up, and the way back."""
    match = match_at(key, number, number_in(request.args, "deal"))
    back = _way_back(match)
    # Not its version: what is noted and closed moves nothing here. What the page says of the match is in its set-up.
    who = (match.key, visitor().link, match.row.table_id, number, match.table.name, *match.players.items())
    shown = (*who, back, repr(match.setup), g.get("moved_to"))
    return whole_page(lambda: _of_match(match, back), "rules/of_match", shown)


def _of_match(match: MatchView, back: str) -> str:
    """Draw the rules of a match; ``back`` is the address of where the reader comes from."""
    table = table_of(match)
    usual = _table(match.game, match.game["default_preset"], (len(table.sides), table.players_per_side))
    return render_template(
        "rules/show.html",
        match=match,
        back=back,
        seated=[match.players[player] for player in match.setup.seats],
        **_told(match.game, {**match.engine_setup, "sides": list(table.sides)}, table),
        usual_points=dict(told_points(usual)),
    )


def _way_back(match: MatchView) -> str:
    """Return the address of the sheet that the reader comes from, else of the board, else of the match."""
    deal = number_in(request.args, "deal")
    if deal is not None and match.sheet_of(deal) is not None:
        return url_for("deals.sheet", key=match.key, number=match.number, deal=deal)
    latest = queries.current_match(match.table)
    if latest is not None and latest.number == match.number:
        return url_for("tables.show", key=match.key)
    return url_for("matches.show", key=match.key, number=match.number)


def _asked(table: rules.TableRules) -> Asked:
    """Return the request that names a table."""
    asked = table.heading()
    return {**asked, "players_per_side": table.players_per_side}


def _table(game: Game, preset: str, line_up: tuple[int, int] | None = None) -> rules.TableRules:
    """Return a table of a game and preset with this line-up, else with the first that suits it."""
    seats = [(seat["sides"], seat["players_per_side"]) for seat in game["preset_seats"][preset]]
    if game["family"] == "rummy":
        seats.sort(key=lambda seat: seat[0] != AT_A_CARIOCA)
    sides, players = line_up if line_up in seats and line_up is not None else seats[0]
    asked = {
        "game": game["id"],
        "preset": preset,
        "sides": list("ABCDEFGHIJ"[:sides]),
        "players_per_side": players,
    }
    table = rules.read_table(asked, rules.Problems())
    assert table is not None
    return table


def _told(game: Game, asked: Asked, table: rules.TableRules) -> dict[str, Any]:
    """Return what the page says of a table, by any seating."""
    fishing = _fishing(table)
    agreed = rules.fishing_rules(table)
    declared = {combo.id for combo in agreed.combos} if agreed else set()
    points, at_fault = told_points(table), rules.fault_items(table)
    return {
        "game": game,
        "table": table,
        "options": table.options.as_dict(),
        "round_sum": rules.round_sum(table),
        "players": len(table.sides) * table.players_per_side,
        "fishing": fishing,
        "tricks": _tricks(table),
        "contracts": _contracts(table),
        "rummy_values": rules.rummy_values(table),
        "items": [(item, worth) for item, worth in points if item not in declared and item not in at_fault],
        "declared": [(item, worth) for item, worth in points if item in declared],
        "faults": [item for item, _worth in points if item in at_fault],
        "ending": rules.match_ending(table),
        "examples": examples_of(asked),
    }


def _fishing(table: rules.TableRules) -> Mapping[str, Any] | None:
    """Return how cards are taken at a table of a fishing game, for sentences."""
    agreed = rules.fishing_rules(table)
    if agreed is None:
        return None
    prime = rules.prime_rule(table)
    return {
        "agreed": agreed,
        "values": rules.capture_values(agreed),
        "redeals": rules.redeal_rules(agreed),
        "ties": rules.tied_items(table),
        "wholes": rules.wholes(agreed),
        "wins_at_once": any(rules.ends_match(table, item) for item, _worth in points_of(table)),
        "replaced": any(combo.replaced_by for combo in agreed.combos),
        "prime": prime,
        "prime_item": rules.prime_item(table),
        "prime_method": method_name(prime.method) if prime else "",
        "prime_worths": _prime_worths(prime) if prime else (),
        "batches": rules.describe_deal(table).batches if agreed.hand_size == 3 else 0,
    }


def _prime_worths(prime: rules.PrimeRule) -> list[tuple[str, int | float]]:
    """Return what each card adds to a prime, the figures as one; nothing where only sevens are counted."""
    if prime.method == "sevens_count":
        return []
    return [(str(rank), worth_in(prime.method, f"{rank}O")) for rank in (*range(1, 8), 12)]


def _tricks(table: rules.TableRules) -> Mapping[str, Any] | None:
    """Return how a trick game is dealt and what its cards are worth."""
    dealt = rules.trick_deal(table)
    if dealt is None:
        return None
    players = len(table.sides) * table.players_per_side
    at_first = dealt.variant.hand * players
    return {
        **dealt._asdict(),
        "has_stock": at_first + dealt.variant.apart < dealt.pack,
        "before": (dealt.pack - at_first) // players,
        "all": dealt.pack // players,
    }


def _contracts(table: rules.TableRules) -> list[tuple[Any, int]]:
    """Return the rounds of Carioca with the perfect cut of each for the players at the table."""
    return [(each, rules.perfect_cut(len(table.sides), each.cards)) for each in rules.rounds_of(table)]


def _difference(game: Game, usual: rules.TableRules, other: rules.TableRules) -> Mapping[str, object]:
    """Return where a preset differs from the usual rules: its options, and what scores only there."""
    scored = dict(told_points(usual))
    return {
        "preset": other.preset,
        "options": [
            (pick(option["label"]), option_value(option, other.options[option["id"]]))
            for option in game["options"]
            if other.options.get(option["id"]) != usual.options.get(option["id"])
        ],
        "items": [(item, points) for item, points in told_points(other) if item not in scored],
        "without": [item_name(game["id"], item) for item in scored if item not in dict(told_points(other))],
    }
