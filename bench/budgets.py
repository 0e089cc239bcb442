"""What the app may cost at most beside its floors: ``bench/budgets.toml``, held by ``make bench-app``.

``python -m bench.budgets`` looks at the figures in docs/scale.md; with ``--fill`` it writes the present figure into
each budget whose aim is not held, as ``so_far``, and takes it out of those that are.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .tables import PAGE, Tables, figures, tables_of

FILE = Path(__file__).with_name("budgets.toml")
SLACK = 0.2
"""The share by which a figure may be worse than its budget: no machine measures twice the same."""


@dataclass(frozen=True)
class Budget:
    """A bound for a ratio of a table, in the rows whose cells begin as named."""

    table: str
    column: str
    row: dict[str, str]
    most: float | None = None
    least: float | None = None
    so_far: float | None = None
    """What is held where the aim is not; it takes the place of the aim."""

    def __post_init__(self) -> None:
        if (self.most is None) == (self.least is None):
            raise ValueError(f"a budget has either most or least: {self.said}")

    @property
    def said(self) -> str:
        """What is bounded, in words."""
        where = ", ".join(self.row.values())
        return f"{self.table}: {self.column}" + (f" ({where})" if where else "")

    def worst(self, tables: Tables) -> float:
        """Return the worst figure. Raises ``ValueError`` if there is none."""
        found = figures(tables, self.table, self.column, self.row)
        if not found:
            raise ValueError(f"{self.said}: not measured")
        return max(found) if self.least is None else min(found)

    def missed(self, tables: Tables) -> str:
        """Return in words by what the budget is missed, "" if it is held."""
        try:
            worst = self.worst(tables)
        except ValueError as fault:
            return str(fault)
        if self.least is None:
            bound = self.so_far or self.most or 0.0
            return f"{self.said}: {worst:g}, at most {bound:g}" if worst > bound * (1 + SLACK) else ""
        bound = self.so_far or self.least
        return f"{self.said}: {worst:g}, at least {bound:g}" if worst < bound * (1 - SLACK) else ""

    def filled(self, tables: Tables) -> Budget:
        """Return the budget with its present figure where the aim is not held; as it is where nothing was measured."""
        try:
            worst = self.worst(tables)
        except ValueError:
            return self
        held = worst <= self.most if self.most is not None else worst >= (self.least or 0.0)
        return replace(self, so_far=None if held else worst)


def read(text: str) -> list[Budget]:
    """Return the budgets of a file. Raises ``ValueError`` and ``TypeError`` for what is none."""
    asked: list[dict[str, Any]] = tomllib.loads(text)["budget"]
    return [Budget(**{"row": {}, **each}) for each in asked]


def written(budgets: Iterable[Budget], about: str) -> str:
    """Return the text of a file with these budgets, under comments of its own."""
    parts = [about.rstrip("\n")]
    for each in budgets:
        row = ", ".join(f"{json.dumps(name)} = {json.dumps(cell)}" for name, cell in each.row.items())
        lines = ["[[budget]]", f"table = {json.dumps(each.table)}", f"column = {json.dumps(each.column)}"]
        lines += [f"row = {{ {row} }}"] if row else []
        bounds = {"most": each.most, "least": each.least, "so_far": each.so_far}
        lines += [f"{name} = {value:g}" for name, value in bounds.items() if value is not None]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def comments(text: str) -> str:
    """Return the lines of a file before its first budget."""
    return text.partition("[[budget]]")[0]


def missed(budgets: Iterable[Budget], tables: Tables, of: Collection[str] | None = None) -> list[str]:
    """Return in words every budget that is missed, of these tables or of all."""
    said = [each.missed(tables) for each in budgets if of is None or each.table in of]
    return [each for each in said if each]


def main() -> int:
    """Say which budgets are missed, or fill in the present figures; return 1 if any is missed."""
    options = argparse.ArgumentParser(description="Look at the budgets of the benches.")
    options.add_argument("--fill", action="store_true", help="write the present figure where an aim is not held")
    asked = options.parse_args()
    text, tables = FILE.read_text(encoding="utf-8"), tables_of(PAGE.read_text(encoding="utf-8"))
    budgets = read(text)
    if asked.fill:
        budgets = [each.filled(tables) for each in budgets]
        FILE.write_text(written(budgets, comments(text)), encoding="utf-8")
    faults = missed(budgets, tables)
    print(*(faults or ["every budget is held"]), sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
