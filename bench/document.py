"""``docs/scale.md``: the tables of the benches, and from their figures whether the aims are met.

A table is between two marks with its name, under a line with the date and the machine. Each change of a table also
renews the table of the aims.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from .aims import ALL, DATABASES
from .stage import machine, print_table
from .tables import FIGURE, PAGE, drawn, number, replaced, tables_of

__all__ = ["DATABASES", "Measured", "arguments", "medians", "report", "with_aims", "write"]

AIMS = "aims"
INTO = "SCOREKEEPER_BENCH_INTO"
"""Names a folder for the tables of each run, where a bench runs several times."""


@dataclass(frozen=True)
class Measured:
    """A table of figures, printed by a bench and shown on the page."""

    name: str
    title: str
    head: list[str]
    rows: list[list[str]]
    on: str = ""
    """The version of the database, if any."""
    machine: str = ""
    """The machine and what else it did, where not this process has measured."""
    runs: int = 1
    """The runs of which the figures are the medians."""


def arguments(about: str) -> argparse.ArgumentParser:
    """Return the options that every bench has."""
    options = argparse.ArgumentParser(description=about.splitlines()[0])
    options.add_argument("--write", action="store_true", help="write the tables into docs/scale.md")
    return options


def report(tables: Iterable[Measured], write: bool) -> None:
    """Print the tables; with ``write``, write them into the page."""
    measured = list(tables)
    for table in measured:
        print_table(table.title, table.head, table.rows)
        if folder := os.environ.get(INTO):
            told = {**asdict(table), "machine": machine()}
            Path(folder, f"{table.name}.json").write_text(json.dumps(told), encoding="utf-8")
    if write:
        write_into_page(measured)


def write_into_page(tables: Iterable[Measured]) -> None:
    """Write the tables into the page, and what they say of the aims."""
    PAGE.write_text(write(PAGE.read_text(encoding="utf-8"), tables), encoding="utf-8")


def write(text: str, tables: Iterable[Measured]) -> str:
    """Return the text of the page with these tables, and with its aims renewed."""
    for table in tables:
        runs = f", the median of {table.runs} runs" if table.runs > 1 else ""
        on = f", {table.on}" if table.on else ""
        about = f"Measured on {datetime.now(UTC):%Y-%m-%d}: {table.machine or machine()}{on}{runs}."
        text = replaced(text, table.name, f"{about}\n\n{drawn(table.head, table.rows)}")
    return with_aims(text)


def with_aims(text: str) -> str:
    """Return the text with the table of its aims renewed from its other tables."""
    tables = tables_of(text)
    rows = [[aim.said, aim.measured(tables), aim.met(tables)] for aim in ALL]
    return replaced(text, AIMS, drawn(["aim", "measured", "met"], rows))


def medians(runs: list[Measured]) -> Measured:
    """Return one table of several runs of a bench: in each cell the median, and the first where one is no figure."""
    first = runs[0]
    rows = []
    for same in zip(*(run.rows for run in runs), strict=True):
        rows.append([_median(cells) for cells in zip(*same, strict=True)])
    return Measured(first.name, first.title, first.head, rows, first.on, first.machine, len(runs))


def _median(cells: tuple[str, ...]) -> str:
    if not all(FIGURE.fullmatch(cell) for cell in cells):
        return cells[0]
    return sorted(cells, key=number)[len(cells) // 2]
