"""``docs/scale.md``: the tables that the benches write into it, and whether its aims are met, worked out from these.

A table stands between two marks that name it, under a line that says when and on what it was measured. Whoever writes
one also has the table of the aims worked out anew, so that no aim is called met which its figures miss.
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

Row = dict[str, str]
"""A row of a table: its cells by the names of their columns."""
Tables = dict[str, list[Row]]


@dataclass(frozen=True)
class Measured:
    """A table of figures, as a bench prints it and the page shows it."""

    name: str
    title: str
    head: list[str]
    rows: list[list[str]]
    on: str = ""
    """What it was measured on beside this machine: the version of a database."""


@dataclass(frozen=True)
class Aim:
    """What a table of figures is held to."""

    said: str
    measured: Callable[[Tables], str]
    met: Callable[[Tables], str]


def arguments(about: str) -> argparse.ArgumentParser:
    """Return the options that every bench has."""
    options = argparse.ArgumentParser(description=about.splitlines()[0])
    options.add_argument("--write", action="store_true", help="write the tables into docs/scale.md")
    return options


def tell(tables: Iterable[Measured], write: bool) -> None:
    """Print the tables, and write them into the page if that is asked for."""
    text = PAGE.read_text(encoding="utf-8")
    for table in tables:
        print_table(table.title, table.head, table.rows)
        text = replaced(text, table.name, f"{measured_on(table)}\n\n{drawn(table.head, table.rows)}")
    if write:
        PAGE.write_text(with_aims(text), encoding="utf-8")


def measured_on(table: Measured) -> str:
    """Return the line that says when and on what a table was measured."""
    return f"Measured on {datetime.now(UTC):%Y-%m-%d}: {machine()}{', ' if table.on else ''}{table.on}."


def drawn(head: list[str], rows: Iterable[list[str]]) -> str:
    """Return a table as Markdown has it."""
    return "".join(f"| {' | '.join(row)} |\n" for row in [head, ["---"] * len(head), *rows])


def replaced(text: str, name: str, content: str) -> str:
    """Return the text with other content between the marks of a table; without the marks it is a fault."""
    pattern = re.compile(rf"(<!-- table {name} -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
    found, times = pattern.subn(lambda marks: f"{marks[1]}{content}{marks[2]}", text)
    if times != 1:
        raise ValueError(f"docs/scale.md has {times} places for the table {name}")
    return found


def tables_of(text: str) -> Tables:
    """Return the tables that stand between marks, by name."""
    found: Tables = {}
    for name, content in MARKED.findall(text):
        lines = [line for line in content.splitlines() if line.startswith("|")]
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
        found[name] = [dict(zip(cells[0], row, strict=True)) for row in cells[2:]]
    return found


def with_aims(text: str) -> str:
    """Return the text with the table of its aims worked out from its other tables."""
    tables = tables_of(text)
    rows = [[aim.said, aim.measured(tables), aim.met(tables)] for aim in ALL]
    return replaced(text, AIMS, drawn(["aim", "measured", "met"], rows))


def figures(tables: Tables, name: str, column: str, **wanted: str) -> list[float]:
    """Return the figures of a column, in the rows whose cells begin as wanted; none at all is a fault."""
    rows = [row for row in tables[name] if all(row[key].startswith(value) for key, value in wanted.items())]
    if not rows:
        raise ValueError(f"the table {name} has no row with {wanted}")
    return [float(re.sub(r"[, %]", "", row[column])) for row in rows]


def span(values: list[float], unit: str = "", digits: int = 0) -> str:
    """Return the least and the largest in words, or the one there is."""
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
    of_pages = (
        f"{span(_rates(tables, ASKED))}, asked on the same cores; {span(_rates(tables, RECKONED))} reckoned without"
    )
    return f"{of_pages}; a file from memory {span(_rates(tables, ASKED, 'a file'))}"


def _rates_met(tables: Tables) -> str:
    return is_met(min(_rates(tables, ASKED)) >= 800)


def _shares(tables: Tables, column: str, **database: str) -> list[float]:
    return figures(tables, "writes", column, **database)


def _shares_said(tables: Tables) -> str:
    of_stack = [
        f"{span(_shares(tables, 'app of stack', database=database), ' %')} of the stack's own write on {database}"
        for database in ("SQLite", "PostgreSQL")
    ]
    return f"{', '.join(of_stack)}; {span(_shares(tables, 'app of driver'), ' %')} of the driver's"


def _grown(tables: Tables) -> list[float]:
    return figures(tables, "growth", "times the smallest", entries="1,000,000")


def _heard(tables: Tables, database: str) -> list[float]:
    return figures(tables, "live", "p95 ms", database=database, phones="1,000")


def _heard_met(tables: Tables) -> str:
    on = [database for database in ("SQLite", "PostgreSQL") if max(_heard(tables, database)) <= 150]
    return "yes" if len(on) == 2 else f"on {on[0]} only" if on else "no"


ALL = (
    _times_the_floor("its 40 sheets", "sheets of a match of 40 deals within 1.3 times the floor's CPU"),
    _times_the_floor("the match being played", "the board of the same match within 1.3 times the floor's CPU"),
    Aim("800 requests a second on two cores", _rates_said, _rates_met),
    Aim(
        "a deal written durably at 80 % of the bare write's rate",
        _shares_said,
        lambda tables: is_met(min(_shares(tables, "app of stack")) >= 80),
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
        "1,000 phones live on two workers with room for them, heard within 150 ms (p95)",
        lambda tables: ", ".join(
            f"{span(_heard(tables, database), ' ms')} on {database}" for database in ("SQLite", "PostgreSQL")
        ),
        _heard_met,
    ),
)
