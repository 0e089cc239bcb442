"""The tables of ``docs/scale.md``: each between two marks with its name, read and written as text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "scale.md"
MARKED = re.compile(r"<!-- table (\w+) -->\n(.*?)<!-- end of \1 -->", re.DOTALL)
FIGURE = re.compile(r"-?[\d,]+(?:\.\d+)? ?%?")
"""A cell that is a figure and nothing else."""

Row = dict[str, str]
"""A row of a table: its cells by the names of their columns."""
Tables = dict[str, list[Row]]


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


def number(cell: str) -> float:
    """Return the figure in a cell, in its unit. Raises ``ValueError``."""
    return float(re.sub(r"[, %]", "", cell))


def figures(tables: Tables, name: str, column: str, wanted: Mapping[str, str]) -> list[float]:
    """Return the figures of a column in the rows whose cells begin as wanted; none if none was measured."""
    rows = [row for row in tables.get(name, []) if all(row.get(key, "").startswith(wanted[key]) for key in wanted)]
    return [number(row[column]) for row in rows if FIGURE.fullmatch(row.get(column, ""))]


def span(values: list[float], unit: str = "", digits: int = 0) -> str:
    """Return the least and the largest figure in words, or the only one."""
    least, most = (f"{value:,.{digits}f}" for value in (min(values), max(values)))
    return f"{least if least == most else f'{least} to {most}'}{unit}"
