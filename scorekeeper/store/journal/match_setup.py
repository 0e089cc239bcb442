"""The set-up of a match (game, options, sides, seats), and its changes during the match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Literal

from ...rules import NEWEST, contract
from . import kinds
from .entries import JournalEntry, NewEntry


@dataclass(frozen=True)
class Side:
    """A side: a label for the engine, the numbers of its players, and the team name if there is one."""

    label: str
    players: tuple[int, ...]
    name: str | None = None

    def with_other(self, player: int, other: int | None) -> Side:
        """Return the side with ``other`` in the seat of ``player``."""
        assert other is not None
        return replace(self, players=tuple(other if each == player else each for each in self.players))

    def as_json(self) -> kinds.StoredSide:
        """Return the side as JSON."""
        stored: kinds.StoredSide = {"label": self.label, "players": list(self.players)}
        if self.name:
            stored["name"] = self.name
        return stored

    @classmethod
    def from_json(cls, data: kinds.StoredSide) -> Side:
        """Read what ``as_json`` wrote."""
        return cls(data["label"], tuple(data["players"]), data.get("name"))


def sides_of(players: Sequence[Sequence[int]], names: Sequence[str | None] = ()) -> tuple[Side, ...]:
    """Return sides labelled A, B … from their players' numbers and team names, in playing order."""
    named = enumerate(zip_longest(players, names))
    return tuple(Side(chr(ord("A") + index), tuple(numbers), name or None) for index, (numbers, name) in named)


@dataclass(frozen=True)
class Setup:
    """The agreed set-up. ``options`` are resolved: a later default changes nothing here."""

    game: str
    preset: str | None
    options: Mapping[str, contract.OptionValue]
    sides: tuple[Side, ...]
    first_dealer: int
    """The seat that deals first; seat i is of side i modulo the number of sides."""
    rules_name: str | None = None
    """The name of these house rules, if the table has named them."""
    game_name: str | None = None
    """The game that is played on the free pad, if the table has named it."""
    halves: bool = False
    """True if the target is shown in two halves, malas and buenas: it is only said in another way."""
    rules: Literal[1, 2, 3, 4] = NEWEST
    """The version of the engine's rules that the match was started under. It never changes."""
    own_lines: tuple[contract.OwnLine, ...] = ()
    """The lines of the table's own. They never change either: ``rules_changed`` is about options."""

    @property
    def labels(self) -> list[str]:
        """The sides' labels in playing order."""
        return [side.label for side in self.sides]

    @property
    def players_per_side(self) -> int:
        """The number of players of each side."""
        return len(self.sides[0].players)

    @property
    def seats(self) -> list[int]:
        """The players' numbers round the table, in playing order: partners sit opposite."""
        return [side.players[turn] for turn in range(self.players_per_side) for side in self.sides]

    def side_at(self, seat: int) -> Side:
        """Return the side that sits at ``seat``."""
        return self.sides[seat % len(self.sides)]

    def changed_by(self, entry: JournalEntry | NewEntry) -> Setup:
        """Return the set-up after an entry of one of the kinds ``CHANGES``, or ``SEATED``."""
        payload = entry.payload
        if entry.kind == kinds.SEATED:
            changed = replace(self, sides=tuple(map(Side.from_json, payload["sides"])))
            return replace(changed, first_dealer=payload["first_dealer"] % len(changed.seats))
        if entry.kind == kinds.RULES_CHANGED:
            return replace(self, options={**self.options, **payload["options"]})
        if entry.kind == kinds.ENTERED:
            player = payload["player"]
            assert player is not None
            if payload["side"] in self.labels:
                # All sit anew since, this side too.
                return self
            return replace(self, sides=(*self.sides, Side(payload["side"], (player,))))
        if entry.kind == kinds.LEFT:
            return replace(self, sides=tuple(side for side in self.sides if side.label != payload["side"]))
        assert entry.kind == kinds.SUBSTITUTED
        return replace(self, sides=tuple(side.with_other(payload["other"], payload["player"]) for side in self.sides))

    def seat_in(self, seat: int, changed: Setup) -> int:
        """Return the seat in ``changed`` that has the turn of ``seat`` here.

        A substitute takes the turn; the turn of a player who left passes to the next.
        """
        if len(changed.seats) >= len(self.seats):
            return seat
        order = self.seats[seat:] + self.seats[:seat]
        return next((changed.seats.index(player) for player in order if player in changed.seats), 0)

    def as_json(self) -> kinds.StoredSetup:
        """Return the set-up as JSON."""
        stored: kinds.StoredSetup = {
            "game": self.game,
            "preset": self.preset,
            "options": dict(self.options),
            "sides": [side.as_json() for side in self.sides],
            "first_dealer": self.first_dealer,
            "rules": self.rules,
        }
        if self.rules_name:
            stored["rules_name"] = self.rules_name
        if self.game_name:
            stored["game_name"] = self.game_name
        if self.halves:
            stored["halves"] = True
        if self.own_lines:
            stored["own_lines"] = list(self.own_lines)
        return stored

    @classmethod
    def from_json(cls, data: kinds.StoredSetup) -> Setup:
        """Read what ``as_json`` wrote."""
        return cls(
            game=data["game"],
            preset=data["preset"],
            options=data["options"],
            sides=tuple(map(Side.from_json, data["sides"])),
            first_dealer=data["first_dealer"],
            rules_name=data.get("rules_name"),
            game_name=data.get("game_name"),
            halves=data.get("halves", False),
            rules=data["rules"],
            own_lines=tuple(data.get("own_lines", ())),
        )
