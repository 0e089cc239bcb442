"""What the app is to carry, and whether the figures of ``docs/scale.md`` meet it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .tables import Tables, figures, span

DATABASES = ("SQLite", "PostgreSQL")
NOT_MEASURED = "not measured"


@dataclass(frozen=True)
class Bound:
    """A column of a table that is to have no figure beyond a bound, in the rows whose cells begin as named."""

    table: str
    column: str
    most: float | None = None
    least: float | None = None
    rows: Mapping[str, str] = field(default_factory=dict)
    unit: str = ""
    digits: int = 0
    of: str = ""
    """What the figures are of, where an aim has several bounds."""

    def measured(self, tables: Tables) -> list[float]:
        """Return the figures; none if none was measured."""
        return figures(tables, self.table, self.column, self.rows)

    def said(self, tables: Tables) -> str:
        """Return the figures in words."""
        found = self.measured(tables)
        return (span(found, self.unit, self.digits) if found else NOT_MEASURED) + self.of

    def is_held(self, tables: Tables) -> bool:
        """Return whether no figure is beyond the bound."""
        return all(
            (self.most is None or figure <= self.most) and (self.least is None or figure >= self.least)
            for figure in self.measured(tables)
        )


@dataclass(frozen=True)
class Aim:
    """An aim, met if all of its bounds are held."""

    said: str
    bounds: tuple[Bound, ...]

    def measured(self, tables: Tables) -> str:
        """Return in words what was measured."""
        if not any(bound.measured(tables) for bound in self.bounds):
            return NOT_MEASURED
        return ", ".join(bound.said(tables) for bound in self.bounds)

    def met(self, tables: Tables) -> str:
        """Return ``yes`` or ``no``, or that not everything was measured."""
        if not all(bound.is_held(tables) for bound in self.bounds):
            return "no"
        return "yes" if all(bound.measured(tables) for bound in self.bounds) else NOT_MEASURED


def _page(page: str, said: str) -> Aim:
    bound = Bound("pages", "times the floor", most=1.3, rows={"page": page}, digits=2)
    return Aim(f"{said} within 1.3 times the floor's CPU", (bound,))


def _live(said: str, column: str, most: float, unit: str, digits: int = 0) -> Aim:
    rows = [{"database": database, "phones": "5,000"} for database in DATABASES]
    return Aim(
        said,
        tuple(
            Bound("live", column, most, rows=row, unit=unit, digits=digits, of=f" on {row['database']}") for row in rows
        ),
    )


def _writes(said: str, writers: tuple[str, ...], least: float) -> Aim:
    rows = [{"database": database, "writers": many} for database in DATABASES for many in writers]
    return Aim(
        said,
        tuple(
            Bound(
                "writes",
                "app of stack",
                least=least,
                rows=row,
                unit=" %",
                of=f" on {row['database']}" + (f" with {row['writers']}" if len(writers) > 1 else ""),
            )
            for row in rows
        ),
    )


LOADED = ("the match being played", "its 40 sheets", "the table's matches")

ALL = (
    _page("the match being played", "the board of a match of 40 deals"),
    _page("its 40 sheets", "its sheets"),
    _page("one sheet", "one sheet"),
    _page("the table's matches", "the table's history"),
    _page("the ranking", "a ranking"),
    _page("its rules", "the rules of a match"),
    _page("a person", "a person"),
    _page("a closing form", "a closing form just opened"),
    Aim(
        "what every request passes within 0.3 ms",
        (Bound("pages", "app, ms", most=0.3, rows={"page": "what every request"}, unit=" ms", digits=2),),
    ),
    Aim(
        "half as many requests a second as of a file from memory, on two cores",
        tuple(
            Bound("load", "of a file's", least=50, rows={"page": page}, unit=" %", of=of)
            for page, of in zip(LOADED, (" board", " sheets", " history"), strict=True)
        ),
    ),
    Aim(
        "99 of 100 requests within 100 ms when asked half as often as it answers",
        tuple(
            Bound("load", "p99 ms", most=100, rows={"page": page}, unit=" ms", of=of)
            for page, of in zip(LOADED, (" board", " sheets", " history"), strict=True)
        ),
    ),
    _writes("a deal written durably by 8 and by 32 writers at 80 % of the stack's own write", ("8", "32"), 80),
    _writes("a deal written durably by one writer at 70 % of it", ("1",), 70),
    Aim(
        "a history of 1,400 deals paged in less than 50 ms",
        (Bound("history", "median, ms", most=50, unit=" ms"),),
    ),
    Aim(
        "page time flat (1.3 times) from 10³ to 10⁶ entries",
        (Bound("growth", "times the smallest", most=1.3, rows={"entries": "1,000,000"}, digits=2),),
    ),
    Aim(
        "history, and what is found in it, flat (1.3 times) from 50 to 5,000 matches",
        tuple(
            Bound("find", f"{database}, {size}, times that", most=1.3, digits=2, of=f" on {database} with {size}")
            for database in DATABASES
            for size in ("500", "5,000")
        ),
    ),
    _live("5,000 phones live on two workers heard within 150 ms (p95)", "p95 ms", 150, " ms"),
    _live("at most 20 KB a phone", "KB a phone", 20, " KB"),
    _live("at most 10 % of a core when nothing is written", "idle CPU", 10, " %"),
    Aim(
        "from a tap to the changed board within 100 ms on a phone four times slower",
        (Bound("taps", "median ms", most=100, rows={"what": "a tap"}, unit=" ms"),),
    ),
    Aim(
        "no tap that blocks the page for more than 50 ms",
        (Bound("taps", "longest block ms", most=50, unit=" ms"),),
    ),
    Aim(
        "100,000 captures a second in Escopa and Cirulla",
        tuple(
            Bound("captures", "a second", least=100_000, rows={"game": game}, of=f" in {game}")
            for game in ("Escopa", "Cirulla")
        ),
    ),
    Aim(
        "lines scored by several jobs as many times faster as there are cores",
        (Bound("jobs", "of the cores", least=100, rows={"jobs": "all"}, unit=" %"),),
    ),
)
