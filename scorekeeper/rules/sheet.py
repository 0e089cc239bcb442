"""The sheet: a scored deal with a reason for every line, in the form of docs/contract.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, cast

from . import contract
from .problems import Problems


class Line(NamedTuple):
    """One line of a sheet: ``points`` and ``values`` by side in playing order, ``points`` None while it is open."""

    item: str
    points: tuple[int | float, ...] | None
    reason: str
    values: tuple[Any, ...] | None = None
    evidence: contract.Evidence | None = None
    needs: tuple[str, ...] = ()
    winners: tuple[int, ...] = ()
    """The sides that took the item, where the line is settled."""
    bounds: tuple[tuple[Any, Any], ...] | None = None
    """The least and the most value of each side, of a settled or open line whose values are not all certain."""
    because: contract.Because | None = None
    """The small deal that settles the line by itself, where cards are unplaced."""
    cards: tuple[tuple[str, ...], ...] | None = None
    """The best cards of each side that are certain, on the line of a prime."""
    text: str | None = None
    """The reason of points that the table added or took, or the name of a line of its own."""

    def as_json(self, sides: Sequence[str]) -> contract.Line:
        """Return the JSON form."""
        answer: dict[str, Any] = {
            "item": self.item,
            "points": None if self.points is None else dict(zip(sides, self.points, strict=True)),
            "reason": self.reason,
        }
        if self.values is not None:
            answer["values"] = dict(zip(sides, self.values, strict=True))
        if self.bounds is not None:
            answer["bounds"] = {side: list(bound) for side, bound in zip(sides, self.bounds, strict=True)}
        if self.evidence is not None:
            answer["evidence"] = self.evidence
        if self.because is not None:
            answer["because"] = self.because
        if self.cards is not None:
            answer["cards"] = {side: list(cards) for side, cards in zip(sides, self.cards, strict=True)}
        if self.text is not None:
            answer["text"] = self.text
        if self.points is None:
            answer["needs"] = list(self.needs)
        return cast(contract.Line, answer)


class Asked(NamedTuple):
    """The next question, and the group of cards that may be asked about in its place."""

    question: contract.Question | None = None
    group: contract.GroupQuestion | None = None


@dataclass
class Sheet:
    """A scored deal.

    ``points`` per side are those settled so far. ``redeal`` is ``"same"`` or ``"next"`` where the opening voids the
    deal. ``won_by`` and ``lost_by`` are the sides that won or lost the whole match at once.
    """

    sides: tuple[str, ...]
    lines: Sequence[Line] = ()
    points: tuple[int | float, ...] | None = None
    problems: Problems = field(default_factory=Problems)
    ask: contract.Question | None = None
    ask_group: contract.GroupQuestion | None = None
    redeal: contract.Redeal | None = None
    won_by: int | None = None
    lost_by: int | None = None
    agreed: tuple[int | float, ...] | None = None
    """The part of ``points`` from lines of the table's own and from what it added or took; it does not change who won
    the deal."""
    steps: int = 0
    """Steps of work for the sheet without its question."""
    question_steps: int = 0
    """Steps for its question."""
    explain: Callable[[], Mapping[str, Line]] | None = None
    """Returns lines of the sheet with everything that is certain of them, by item; None if that takes no work."""
    find_question: Callable[[], Asked | None] | None = None
    """Returns the question, or None if the steps run out; None itself if there is no question to find."""

    @property
    def status(self) -> contract.SheetStatus:
        """``complete``, ``open`` or ``invalid``."""
        if self.problems.fatal:
            return "invalid"
        return "open" if any(line.points is None for line in self.lines) else "complete"

    def finished(self) -> Sheet:
        """Return the sheet without the functions that work out more."""
        is_finished = self.explain is None and self.find_question is None
        return self if is_finished else replace(self, explain=None, find_question=None)

    def explained(self) -> Sheet:
        """Return the sheet with everything that is certain of its lines; that takes steps of the current work."""
        if self.explain is None or self.status == "invalid" or self.redeal is not None:
            return self
        lines = self.explain()
        return replace(self, lines=[lines.get(line.item, line) for line in self.lines])

    def asking(self) -> Sheet:
        """Return the sheet with its question; that takes steps of the current work."""
        if self.find_question is None or self.status != "open" or self.redeal is not None:
            return self
        asked = self.find_question()
        if asked is not None:
            return replace(self, ask=asked.question, ask_group=asked.group)
        if any(problem.code == "budget_spent" for problem in self.problems):
            return self
        problems = Problems(self.problems)
        message = "Too many ways are left to look at to say what to ask next."
        problems.warn("budget_spent", "", message, items=[])
        return replace(self, problems=problems)

    @property
    def points_in_play(self) -> tuple[int | float, ...]:
        """The points of the game, without those of the table's own lines and what it added or took."""
        points = self.points or ()
        if self.agreed is None:
            return points
        return tuple(point - more for point, more in zip(points, self.agreed, strict=True))

    @cached_property
    def frozen_json(self) -> contract.Scored:
        """The JSON form without a question, made once: for callers that change nothing in it."""
        return self.as_json()

    def as_json(self, asks: bool = False) -> contract.Scored:
        """Return the JSON form, without the part about the table; it has the question if somebody ``asks``."""
        status = self.status
        scored = status != "invalid" and self.redeal is None and self.points is not None
        is_open = scored and status == "open"
        question: dict[str, Any] = {"ask": self.ask if is_open else None} if asks else {}
        json: dict[str, Any] = {
            "status": status,
            "problems": self.problems.as_json("deal"),
            "lines": [line.as_json(self.sides) for line in self.lines] if scored else [],
            "points": dict(zip(self.sides, self.points or (), strict=False)) if scored else {},
            **question,
            "redeal": self.redeal,
            "match": {
                "won_by": None if self.won_by is None else self.sides[self.won_by],
                "lost_by": None if self.lost_by is None else self.sides[self.lost_by],
            },
        }
        if asks and is_open and self.ask_group is not None:
            json["ask_group"] = self.ask_group
        return cast(contract.Scored, json)
