"""Worked examples of a game's rules: only cards and counts are written, the engine says what they come to at a table.

An example is of one of five kinds, and each is shown in the section of the rules that it explains: a card that is
``Played`` to the table, opening cards ``Dealt`` there, a hand ``Shown``, primes ``Compared``, a deal ``Ended``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True)
class Example:
    """A case that the rules decide."""

    kind: ClassVar[str]
    """The section of the rules that it explains."""


@dataclass(frozen=True)
class Played(Example):
    """A card that is played to the cards on the table."""

    kind = "taking"
    layout: str
    card: str
    last_play: bool = False


@dataclass(frozen=True)
class Dealt(Example):
    """The four opening cards."""

    kind = "deal"
    layout: str


@dataclass(frozen=True)
class Shown(Example):
    """Three cards that are declared; an example may need that an ``item`` is played, or that a card is ``wild``."""

    kind = "declaring"
    cards: str
    item: str = ""
    wild: str = ""


@dataclass(frozen=True)
class Compared(Example):
    """The cards of piles whose primes are compared."""

    kind = "prime"
    piles: tuple[str, ...]


@dataclass(frozen=True)
class Ended(Example):
    """The facts of a deal that ended, and the items that it is about; ``sides`` must be as many as the table's."""

    kind = "scoring"
    deal: Mapping[str, Any]
    items: tuple[str, ...]
    sides: int = 2
    presets: tuple[str, ...] = ()
    bare: tuple[str, ...] = ()
    """The items of which no numbers are shown."""


@dataclass(frozen=True)
class Faulty(Ended):
    """A deal with a fault, shown with the penalties."""

    kind = "penalties"


def counted(kind: str, *numbers: int) -> dict[str, Any]:
    """Return a deal in which the sides have so many cards of a kind."""
    return {"counts": {label: {kind: number} for label, number in zip("ABCD", numbers, strict=False)}}
