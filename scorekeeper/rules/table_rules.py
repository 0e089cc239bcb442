"""Reads the game, preset, options and sides of a request into one ``TableRules``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ..limits import NAME_LETTERS
from . import schema
from .games import GAMES
from .options import Options, check_presets, resolve_options
from .own_lines import OwnLine, read_own_lines
from .problems import Problems
from .ruleset import RULES, RuleSet, TableRules

_IN_ORDER = json.JSONEncoder(sort_keys=True, allow_nan=False)


def find_game(id: str) -> RuleSet | None:
    """Return the rule set of a game id, or None."""
    return GAMES.get(id)


def names_known_rules(request: object) -> bool:
    """Return whether there is the rules version that a request names; True where it names none."""
    version = request.get("rules") if isinstance(request, schema.OBJECTS) else None
    return version is None or (type(version) in (int, float) and version in RULES)


def read_table(request: Mapping[str, object], problems: Problems, *, needs_sides: bool = True) -> TableRules | None:
    """Read game, preset, options, sides and players per side of a request.

    Returns None where something is impossible, with the reasons added to ``problems``; raises
    :class:`~.problems.Malformed` where a type is wrong. Without ``needs_sides`` the smallest line-up replaces
    absent sides (captures need none), and lines of the table's own are ignored.
    """
    game = schema.text(request.get("game", schema.MISSING), "game")
    preset = schema.optional(request.get("preset"), "preset", schema.text)
    options = schema.optional_mapping(request.get("options"), "options")
    rules = find_game(game)
    if rules is None:
        problems.error("unknown_game", "game", f"There is no game {game[:40]!r} here.", game=game[:40])
        return None
    given_sides = request.get("sides", schema.MISSING)
    per_side = request.get("players_per_side")
    if (given_sides is None or given_sides is schema.MISSING) and not needs_sides:
        count, players = rules.line_ups[0]
        given_sides = [str(number) for number in range(1, count + 1)]
        per_side = players if per_side is None else per_side
    sides = tuple(schema.words(given_sides, "sides"))
    for number, label in enumerate(sides):
        if len(label) > NAME_LETTERS:
            where = f"sides[{number}]"
            schema.too_long(where, f"{where} may have {NAME_LETTERS} characters at most.", NAME_LETTERS)
    players = 1 if per_side is None else schema.integer(per_side, "players_per_side")
    try:
        key = _IN_ORDER.encode(options)
    except (TypeError, ValueError):
        schema.fail("options", "plain JSON values", options)
    make = _table if len(key) <= LONGEST_KEY else _table.__wrapped__
    own_lines = read_own_lines(request.get("own_lines"), problems) if needs_sides else ()
    table, faults = make(rules.id, preset, key, sides, players, own_lines)
    problems.extend(faults)
    return table


LONGEST_KEY = 4000
"""Letters of options that are cached; every option of a game together has fewer."""


@lru_cache(maxsize=512)
def _table(
    game: str,
    preset: str | None,
    options_json: str,
    sides: tuple[str, ...],
    players: int,
    own_lines: tuple[OwnLine, ...],
) -> tuple[TableRules | None, tuple[Any, ...]]:
    rules = find_game(game)
    assert rules is not None
    problems = Problems()
    preset = rules.default_preset if preset is None else preset
    if preset not in rules.preset_ids:
        problems.error("unknown_preset", "preset", f"{game} has no preset {preset[:40]!r}.", preset=preset[:40])
    if len(set(sides)) != len(sides) or "" in sides:
        problems.error("duplicate_side", "sides", "Every side needs a name of its own.")
    options = resolve_options(rules.options, rules.presets.get(preset, {}), json.loads(options_json), problems)
    check_presets(rules.options, preset, options, problems)
    line_ups = rules.line_ups_of(preset)
    if (len(sides), players) not in line_ups:
        listed = ", ".join(str(count) if each == 1 else f"{count} sides of {each}" for count, each in line_ups)
        problems.error(
            "bad_number_of_sides",
            "sides",
            f"{game} is not played by {len(sides)} sides of {players}; it takes {listed}.",
            sides=len(sides),
            players_per_side=players,
        )
    if rules.complete is not None and not problems.fatal:
        options = rules.complete(preset, options, len(sides), players, problems)
    if problems.fatal:
        return None, tuple(problems)
    agreed = Options(options, len(sides), players)
    return TableRules(rules, preset, agreed, sides, players, own_lines), tuple(problems)
