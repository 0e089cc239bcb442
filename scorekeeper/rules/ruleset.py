"""Rule sets: a game is one value, and a variant is a small difference to it. A table has agreed on every option."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Final, Protocol

from . import contract
from .examples import Example
from .options import Option, Options, Value
from .own_lines import OwnLine
from .problems import Problems
from .sheet import Sheet

NEWEST: Final = 1
"""The newest rules version."""

RULES = (NEWEST,)
"""Every rules version."""

LineUps = tuple[tuple[int, int], ...]
"""The line-ups of a game: pairs of number of sides and players per side."""


@dataclass(frozen=True)
class Ending:
    """When a match ends and who wins it.

    ``target`` is the total that ends it, ``rounds`` the number of deals that do (None: never); ``winner`` is
    ``"highest"`` or ``"lowest"``; ``tie`` is ``"extra_round"`` (deals go on until one leads) or ``"shared"``.
    """

    target: int | None = None
    rounds: int | None = None
    winner: str = "highest"
    tie: str = "extra_round"
    counts_wins: bool = False
    """With ``rounds``: the side that won most deals wins, not the one with most points."""
    counts_at_once: bool = False
    """True if what is noted in a deal counts towards the totals at once, before the deal is closed."""

    @property
    def is_by_hand(self) -> bool:
        """True if the rules name no end, so that the table ends the match."""
        return self.target is None and self.rounds is None

    def leading(self, compared: Sequence[contract.Number]) -> tuple[int, ...]:
        """Return the positions of the sides that are ahead by these totals; several if they are level."""
        best = max(compared) if self.winner == "highest" else min(compared)
        return tuple(side for side, total in enumerate(compared) if total == best)


class Game(Protocol):
    """A family's rules at one table, ready to score."""

    by_number: ClassVar[bool]
    """True if the sheet of a deal depends on the number of deals before it."""

    deal_fields: ClassVar[frozenset[str]]
    """The fields of its deals, apart from those of a deal of any game."""

    @property
    def reads_points(self) -> bool:
        """True if ``points`` of a deal are a part of its rules, not plain points that replace everything else."""

    @property
    def ending(self) -> Ending:
        """When the match ends."""

    def check_round(self, named: object, number: int, problems: Problems) -> bool | None:
        """Check the round of a deal (None: not named), after ``number`` deals, where the game has rounds."""

    def score(self, deal: Mapping[str, object], number: int = 0) -> Sheet:
        """Score one deal; ``number`` counts the deals of the match from 0. Raises :class:`Malformed`."""

    def item_ids(self) -> tuple[str, ...]:
        """Return the ids of the items that can have a line at this table."""


@dataclass(frozen=True)
class RuleSet:
    """A game: its id, line-ups, options, presets and rules. ``items`` name everything it can score, in order."""

    id: str
    family: contract.Family
    line_ups: LineUps
    options: tuple[Option, ...]
    engine: Callable[[TableRules], Game]
    """The function that makes the game of one table from what the table agreed on."""
    items: tuple[str, ...]
    vocabularies: tuple[str, ...] = ()
    """The games whose words name items and cards where it has none of its own: a variant of Scopa shares scope, re."""
    preset_vocabulary: Mapping[str, str] = field(default_factory=dict)
    """The words of the presets that come from another place than the game."""
    examples: tuple[Example, ...] = ()
    """Examples that explain its rules."""
    sources: tuple[str, ...] = ()
    """Published works with the rules, by title."""
    first_dealer: str = "cut"
    """How the first dealer is chosen: ``cut`` or drawn for, or by the ``highest`` or ``lowest`` card drawn."""
    cutter_looks: bool = False
    """True if the cutter looks at a card, and takes it or lays it on the table."""
    cards: contract.CardsOfThePlace = "spanish"
    """The cards of the place where it is at home."""
    presets: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    default_preset: str = ""
    form_values: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    """The values that forms choose beforehand, by preset, where they are not the defaults of their options."""
    said_in_halves: tuple[str, ...] = ()
    """The presets under which forms choose beforehand to say points in two halves of the target, malas and buenas."""
    preset_line_ups: Mapping[str, LineUps] = field(default_factory=dict)
    """Line-ups of the presets whose line-ups differ from those of the game."""
    complete: Callable[[str, dict[str, Value], int, int, Problems], dict[str, Value]] | None = None
    """Resolves the options that depend on preset and players: takes preset, options, sides and players per side."""

    @property
    def preset_ids(self) -> tuple[str, ...]:
        """The presets, the default first."""
        return (self.default_preset, *(id for id in self.presets if id != self.default_preset))

    def line_ups_of(self, preset: str) -> LineUps:
        """Return the line-ups of a preset."""
        return self.preset_line_ups.get(preset, self.line_ups)

    @property
    def target(self) -> int | None:
        """The default target, where the game has one."""
        for option in self.options:
            if option.group == "goal" and option.kind == "int":
                return option.default if isinstance(option.default, int) else None
        return None


@dataclass(frozen=True)
class TableRules:
    """A game as one table plays it: rule set, preset, every option resolved, side labels in playing order."""

    rules: RuleSet
    preset: str
    options: Options
    sides: tuple[str, ...]
    players_per_side: int
    own_lines: tuple[OwnLine, ...] = ()
    """The lines of the table's own, after the items of the game."""
    game: Game = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "game", self.rules.engine(self))

    @cached_property
    def text(self) -> str:
        """The heading and the players per side as text; tables with the same text play alike."""
        return repr((self.heading(), self.players_per_side))

    def heading(self) -> contract.Heading:
        """Return the first part of every answer: game, preset, options, lines of the table's own, and sides."""
        heading: contract.Heading = {
            "game": self.rules.id,
            "preset": self.preset,
            "options": self.options.as_dict(),
            "sides": list(self.sides),
        }
        if self.own_lines:
            heading["own_lines"] = [line.as_json() for line in self.own_lines]
        return heading
