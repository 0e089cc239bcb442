"""``docs/scale.md``: the tables of the benches, and from their figures whether the aims are met.

A table is between two marks with its name, under a line with the date and the machine. Each change of a table also
renews the table of the aims.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from .stage import machine, print_table

PAGE = Path(__file__).parents[1] / "docs" / "scale.md"
AIMS = "aims"
MARKED = re.compile(r"<!-- table (\w+) -->\n(.*?)<!-- end of \1 -->", re.DOTALL)

DATABASES = ("SQLite", "PostgreSQL")

Row = dict[str, str]
"""A row of a table: its cells by the names of their columns."""
Tables = dict[str, list[Row]]


@dataclass(frozen=True)
class Measured:
    """A table of figures, printed by a bench and shown on the page."""

    name: str
    title: str
    head: list[str]
    rows: list[list[str]]
    on: str = ""
    """The version of the database, if any."""


@dataclass(frozen=True)
class Aim:
    """An aim for a table of figures."""

    said: str
    measured: Callable[[Tables], str]
    met: Callable[[Tables], str]


def arguments(about: str) -> argparse.ArgumentParser:
    """Return the options that every bench has."""
    options = argparse.ArgumentParser(description=about.splitlines()[0])
    options.add_argument("--write", action="store_true", help="write the tables into docs/scale.md")
    return options


def report(tables: Iterable[Measured], write: bool) -> None:
    """Print the tables; with ``write``, write them into the page."""
    text = PAGE.read_text(encoding="utf-8")
    for table in tables:
        print_table(table.title, table.head, table.rows)
        about = f"Measured on {datetime.now(UTC):%Y-%m-%d}: {machine()}{', ' if table.on else ''}{table.on}."
        text = replaced(text, table.name, f"{about}\n\n{drawn(table.head, table.rows)}")
    if write:
        PAGE.write_text(with_aims(text), encoding="utf-8")


def drawn(head: list[str], rows: Iterable[list[str]]) -> str:
    """Return a table in Markdown."""
    return "".join(f"| {' | '.join(row)} |\n" for row in [head, ["---"] * len(head), *rows])


def replaced(text: str, name: str, content: str) -> str:
    """Return the text with ``content`` between the marks of a table. Raises ``ValueError`` without the marks."""
    pattern = re.compile(rf"(<!-- table {name} -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
    changed, times = pattern.subn(lambda marks: f"{marks[1]}{content}{marks[2]}", text)
    if times != 1:
        raise ValueError(f"docs/scale.md has {times} places for the table {name}")
    return changed


def tables_of(text: str) -> Tables:
    """Return the tables between marks, by name."""
    tables: Tables = {}
    for name, content in MARKED.findall(text):
        lines = [line for line in content.splitlines() if line.startswith("|")]
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
        tables[name] = [dict(zip(cells[0], row, strict=True)) for row in cells[2:]]
    return tables


def with_aims(text: str) -> str:
    """Return the text with the table of its aims renewed from its other tables."""
    tables = tables_of(text)
    rows = [[aim.said, aim.measured(tables), aim.met(tables)] for aim in ALL]
    return replaced(text, AIMS, drawn(["aim", "measured", "met"], rows))


def figures(tables: Tables, name: str, column: str, **wanted: str) -> list[float]:
    """Return the figures of a column in the rows whose cells begin as wanted. Raises ``ValueError`` for none."""
    rows = [row for row in tables[name] if all(row[key].startswith(value) for key, value in wanted.items())]
    if not rows:
        raise ValueError(f"the table {name} has no row with {wanted}")
    return [float(re.sub(r"[, %]", "", row[column])) for row in rows]


def span(values: list[float], unit: str = "", digits: int = 0) -> str:
    """Return the least and the largest figure in words, or the only one."""
    least, most = (f"{value:,.{digits}f}" for value in (min(values), max(values)))
    return f"{least if least == most else f'{least} to {most}'}{unit}"


def is_met(met: bool) -> str:
    return "yes" if met else "no"


def _times_the_floor(page: str, said: str) -> Aim:
    def times(tables: Tables) -> list[float]:
        return figures(tables, "pages", "times the floor", page=page)

    return Aim(said, lambda tables: span(times(tables), digits=2), lambda tables: is_met(max(times(tables)) <= 1.3))


ASKED, RECKONED = "requests a second", "a second, reckoned for cores of their own"


def _rates(tables: Tables, column: str, *pages: str) -> list[float]:
    return [
        rate for page in pages or ("the match", "its 40 sheets") for rate in figures(tables, "load", column, page=page)
    ]


def _rates_said(tables: Tables) -> str:
    asked, reckoned = span(_rates(tables, ASKED)), span(_rates(tables, RECKONED))
    of_file = span(_rates(tables, ASKED, "a file"))
    return f"{asked}, asked on the same cores; {reckoned} reckoned without; a file from memory {of_file}"


def _shares(tables: Tables, column: str, **database: str) -> str:
    return span(figures(tables, "writes", column, **database), " %")


def _shares_said(tables: Tables) -> str:
    of_stack = [
        f"{_shares(tables, 'app of stack', database=database)} of the stack's own write on {database}"
        for database in DATABASES
    ]
    return f"{', '.join(of_stack)}; {_shares(tables, 'app of driver')} of the driver's"


def _grown(tables: Tables) -> list[float]:
    return figures(tables, "growth", "times the smallest", entries="1,000,000")


def _found(tables: Tables, database: str) -> list[float]:
    return [ratio for size in ("500", "5,000") for ratio in figures(tables, "find", f"{database}, {size}, times that")]


def _heard(tables: Tables, database: str) -> list[float]:
    return figures(tables, "live", "p95 ms", database=database, phones="1,000")


def _heard_met(tables: Tables) -> str:
    on = [database for database in DATABASES if max(_heard(tables, database)) <= 150]
    return "yes" if len(on) == 2 else f"on {on[0]} only" if on else "no"


ALL = (
    _times_the_floor("its 40 sheets", "sheets of a match of 40 deals within 1.3 times the floor's CPU"),
    _times_the_floor("the match being played", "the board of the same match within 1.3 times the floor's CPU"),
    Aim("800 requests a second on two cores", _rates_said, lambda tables: is_met(min(_rates(tables, ASKED)) >= 800)),
    Aim(
        "a deal written durably at 80 % of the bare write's rate",
        _shares_said,
        lambda tables: is_met(min(figures(tables, "writes", "app of stack")) >= 80),
    ),
    Aim(
        "a history of 1,400 deals paged in less than 50 ms",
        lambda tables: span(figures(tables, "history", "median, ms"), " ms"),
        lambda tables: is_met(max(figures(tables, "history", "median, ms")) < 50),
    ),
    Aim(
        "page time flat (1.3 times) from 10³ to 10⁶ entries",
        lambda tables: span(_grown(tables), digits=2),
        lambda tables: is_met(max(_grown(tables)) <= 1.3),
    ),
    Aim(
        "history, and what is found in it, flat (1.3 times) from 50 to 5,000 matches",
        lambda tables: ", ".join(f"{span(_found(tables, database), digits=2)} on {database}" for database in DATABASES),
        lambda tables: is_met(max(ratio for database in DATABASES for ratio in _found(tables, database)) <= 1.3),
    ),
    Aim(
        "1,000 phones live on two workers with room for them, heard within 150 ms (p95)",
        lambda tables: ", ".join(f"{span(_heard(tables, database), ' ms')} on {database}" for database in DATABASES),
        _heard_met,
    ),
)
