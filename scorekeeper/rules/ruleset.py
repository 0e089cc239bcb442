"""Rule sets: a game is one value, a variant a small difference, a table what was agreed on before the first deal."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Protocol

from ..limits import NAME_LETTERS
from . import shape
from .options import Option, Value, agreed, settle_options
from .problems import Malformed, Problems
from .sheet import Sheet
from .work import is_bounded

Seats = tuple[tuple[int, int], ...]
"""Line-ups a game knows: pairs of number of sides and players per side."""


@dataclass(frozen=True)
class Ending:
    """When a match ends and who wins it.

    ``target`` ends it once a total is there (None: never); ``rounds`` after so many deals (None: never); ``winner`` is
    ``"highest"`` or ``"lowest"``; ``tie`` is ``"extra_round"`` (deals go on until one leads) or ``"shared"``.
    """

    target: int | None = None
    rounds: int | None = None
    winner: str = "highest"
    tie: str = "extra_round"
    counts_wins: bool = False
    """With ``rounds``: the side that won most deals wins, whatever the points."""


class Game(Protocol):
    """A family's rules at one table, ready to score."""

    by_number: ClassVar[bool]
    """Whether a deal's sheet depends on how many deals of the match came before."""

    @property
    def ending(self) -> Ending:
        """When the match ends."""

    def score(self, deal: Mapping[str, Any], number: int = 0) -> Sheet:
        """Score one deal; ``number`` counts the deals of the match from 0. Raises :class:`Malformed`."""

    def item_ids(self) -> tuple[str, ...]:
        """Name the items that can have a line at this table."""


class Play(Protocol):
    """The rules of a family of games with options still in them."""

    def at(self, table: Table) -> Game:
        """Give the game as this table plays it."""


@dataclass(frozen=True)
class RuleSet:
    """A game: its id, line-ups, options, presets and rules. ``items`` name everything it can score, in order."""

    id: str
    family: str
    seats: Seats
    options: tuple[Option, ...]
    play: Play
    items: tuple[str, ...]
    presets: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    default_preset: str = ""
    preset_seats: Mapping[str, Seats] = field(default_factory=dict)
    """Line-ups of presets that are not played by just as many as the game itself."""
    complete: Callable[[str, dict[str, Value], int, int, Problems], dict[str, Value]] | None = None
    """Settles options that depend on preset and players: takes them, the sides and the players per side."""

    @property
    def preset_ids(self) -> tuple[str, ...]:
        """The presets, the default first."""
        return (self.default_preset, *(id for id in self.presets if id != self.default_preset))

    @property
    def target(self) -> int | None:
        """The default target, where the game has one."""
        for option in self.options:
            if option.id in ("target", "match_to"):
                return option.default if isinstance(option.default, int) else None
        return None


@dataclass(frozen=True)
class Table:
    """A game as one table plays it: rule set, preset, every option resolved, side labels in playing order."""

    rules: RuleSet
    preset: str
    options: Mapping[str, Value]
    sides: tuple[str, ...]
    players_per_side: int
    game: Game = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "game", self.rules.play.at(self))

    def settled(self, part: Any) -> Any:
        """Replace every option mentioned in a part of the rules by what this table agreed on."""
        return agreed(part, self.options, len(self.sides), self.players_per_side)

    @cached_property
    def text(self) -> str:
        """The heading and the players per side as text: tables of one text play alike."""
        return repr((self.heading(), self.players_per_side))

    def heading(self) -> dict[str, Any]:
        """Give the first part of every answer: what was played, by whom."""
        return {
            "game": self.rules.id,
            "preset": self.preset,
            "options": dict(self.options),
            "sides": list(self.sides),
        }


def find_game(id: str) -> RuleSet | None:
    """Give the rule set of a game id, or None."""
    from .rulebook import GAMES

    return GAMES.get(id)


def read_table(request: Mapping[str, Any], problems: Problems, *, needs_sides: bool = True) -> Table | None:
    """Read game, preset, options, sides and players per side of a request.

    Gives None where they are impossible, with the reasons added to ``problems``; raises :class:`Malformed` where a type
    is wrong. Without ``needs_sides`` the smallest line-up stands in for absent sides (captures need none).
    """
    game = shape.text(request.get("game"), "game")
    preset = shape.optional(request.get("preset"), "preset", shape.text)
    options = shape.optional_mapping(request.get("options"), "options")
    rules = find_game(game)
    if rules is None:
        problems.error("unknown_game", "game", f"There is no game {game[:40]!r} here.", game=game[:40])
        return None
    given_sides = request.get("sides")
    per_side = request.get("players_per_side")
    if given_sides is None and not needs_sides:
        count, players = rules.seats[0]
        given_sides = [str(number) for number in range(1, count + 1)]
        per_side = players if per_side is None else per_side
    sides = tuple(shape.words(given_sides, "sides"))
    for number, label in enumerate(sides):
        if len(label) > NAME_LETTERS and is_bounded():
            where = f"sides[{number}]"
            shape.too_long(where, f"{where} may have {NAME_LETTERS} characters at most.", NAME_LETTERS)
    players = 1 if per_side is None else shape.integer(per_side, "players_per_side")
    try:
        key = json.dumps(options, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError):
        shape.fail("options", "plain JSON values", options)
    make = _table if len(key) <= LONGEST_KEY else _table.__wrapped__
    table, found = make(rules.id, preset, key, sides, players, is_bounded())
    problems.extend(found)
    return table


LONGEST_KEY = 4000
"""Letters of options that are remembered; all that a game has, chosen, are fewer."""


@lru_cache(maxsize=512)
def _table(
    game: str, preset: str | None, options_json: str, sides: tuple[str, ...], players: int, in_bounds: bool
) -> tuple[Table | None, tuple[Any, ...]]:
    rules = find_game(game)
    assert rules is not None
    problems = Problems()
    preset = rules.default_preset if preset is None else preset
    if preset not in rules.preset_ids:
        problems.error("unknown_preset", "preset", f"{game} has no preset {preset[:40]!r}.", preset=preset[:40])
    if len(set(sides)) != len(sides) or "" in sides:
        problems.error("duplicate_side", "sides", "Every side needs a name of its own.")
    options = settle_options(rules.options, rules.presets.get(preset, {}), json.loads(options_json), problems)
    seats = rules.preset_seats.get(preset, rules.seats)
    if (len(sides), players) not in seats:
        listed = ", ".join(str(count) if each == 1 else f"{count} sides of {each}" for count, each in seats)
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
    return Table(rules, preset, options, sides, players), tuple(problems)


__all__ = ["Ending", "Game", "Malformed", "Play", "RuleSet", "Seats", "Table", "find_game", "read_table"]
