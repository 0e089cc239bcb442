"""Problems: faults of a request, worded so that a player can mend them.

``Malformed`` is raised for a request of the wrong shape (a word in place of a number). All that is well-formed but
impossible is collected as :class:`Problem` objects and reported at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..limits import MOST_PROBLEMS
from . import contract


class TooManyProblems(Exception):
    """Too many problems: the reading stops; ``problems`` are those so far, and the last one says that it stopped."""

    def __init__(self, problems: Problems) -> None:
        super().__init__()
        self.problems = problems


@dataclass(frozen=True)
class Problem:
    """One fault: ``severity`` is ``"error"`` (nothing is scored) or ``"warning"`` (only reported)."""

    severity: contract.Severity
    code: str
    where: str
    message: str
    facts: contract.Facts = field(default_factory=dict)
    """Numbers and codes of the message, for words in another language."""
    at: str | None = None
    """The place from the top of the request; None if ``where`` begins there."""

    def as_json(self, inside: str = "") -> contract.Problem:
        """Return the problem in the form of docs/contract.md, with ``facts`` only where there are any.

        ``inside`` is the part of the request in which ``where`` begins.
        """
        answer: contract.Problem = {
            "severity": self.severity,
            "code": self.code,
            "where": self.where,
            "at": self.place(inside) if self.at is None else self.at,
            "message": self.message,
        }
        if self.facts:
            answer["facts"] = self.facts
        return answer

    def inside(self, prefix: str) -> Problem:
        """Return the same problem with ``prefix`` before its place; the problem of too many problems has no place."""
        if self.code == TOO_MANY:
            return self
        return replace(self, where=self.place(prefix), at=None)

    def place(self, inside: str) -> str:
        """Return ``where`` as seen from outside; the problem of too many problems has no place."""
        if self.code == TOO_MANY or not inside:
            return self.where
        return f"{inside}.{self.where}" if self.where else inside


TOO_MANY = "too_many_problems"


def too_many(severity: contract.Severity) -> Problem:
    """Return the problem that replaces all beyond the listed ones."""
    message = f"There are more than {MOST_PROBLEMS} problems; these are the first."
    return Problem(severity, TOO_MANY, "", message, {"most": MOST_PROBLEMS})


class Problems(list[Problem]):
    """A list of problems with short ways to add to it.

    The problem after :data:`~scorekeeper.limits.MOST_PROBLEMS` raises
    :class:`TooManyProblems`, which ends the reading.
    """

    def error(self, code: str, where: str, message: str, **facts: Any) -> None:
        """Add a problem that makes the deal invalid."""
        self._add(Problem("error", code, where, message, facts))

    def warn(self, code: str, where: str, message: str, **facts: Any) -> None:
        """Add a problem that is only reported."""
        self._add(Problem("warning", code, where, message, facts))

    def _add(self, problem: Problem) -> None:
        if len(self) >= MOST_PROBLEMS:
            self.append(too_many("error"))
            raise TooManyProblems(self)
        self.append(problem)

    def include(self, others: Iterable[Problem]) -> None:
        """Add problems from another list."""
        for problem in others:
            self._add(problem)

    @property
    def fatal(self) -> bool:
        """True if a problem in the list is an error."""
        for problem in self:  # noqa: SIM110 - asked for many times in each deal; a generator takes four times as long
            if problem.severity == "error":
                return True
        return False

    def as_json(self, inside: str = "") -> list[contract.Problem]:
        """Return all problems in the form of docs/contract.md; their places begin ``inside`` a part of the request."""
        return [problem.as_json(inside) for problem in self]


def check_fields(deal: Mapping[str, object], known: frozenset[str], problems: Problems) -> None:
    """Warn of fields of a deal that its game ignores; a penalty that the game does not have is an error."""
    for name, value in deal.items():
        if name in known:
            continue
        if name == "penalties" and value:
            problems.error("unknown_penalty", name, "This game has no penalties.")
        else:
            shown = name[:40]
            problems.warn("unknown_field", shown, f"{shown!r} is not looked at in this game.", field=shown)


class Malformed(ValueError):
    """The request has the wrong shape: it is not JSON, or has a value of the wrong type.

    ``problems`` holds the faults in the form of docs/contract.md. The web app answers 400, and the command line exits
    with 2.
    """

    def __init__(self, problems: Problems, part: str = "") -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self._listed = problems
        self.problems = problems.as_json(part)

    def inside(self, prefix: str) -> Malformed:
        """Return the same fault with ``prefix`` before every place."""
        return Malformed(Problems(problem.inside(prefix) for problem in self._listed))

    def of_part(self, part: str) -> Malformed:
        """Return the same fault of a part of the request: ``where`` stays as it is, ``at`` begins with the part."""
        return Malformed(self._listed, part)
