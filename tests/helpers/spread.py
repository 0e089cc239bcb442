"""Whether a statement stays within one table's rows, as a database that is spread over several servers by them asks.

A statement is read by its text: which tables it names, and which of their columns it holds equal to a value or to one
another. That is enough for the statements that SQLAlchemy writes; what it cannot read counts as crossing tables.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Engine, event

from scorekeeper.store import prepared

VALUE = r"(?:\?|:\w+|%s|%\(\w+\)s(?:::\w+)?)"
_SOURCES = re.compile(
    r'\b(FROM|JOIN|UPDATE|INTO)\s+"?(\w+)"?(?:\s+(?:AS\s+)?(?!(?:WHERE|SET|ON|JOIN|LEFT|ORDER)\b)(\w+))?'
)
_COMMA = re.compile(r'"?(\w+)"?(?:\s+AS\s+(\w+))?')
_LISTED = re.compile(r'\bFROM\s+((?:"?\w+"?(?:\s+AS\s+\w+)?,\s*)+"?\w+"?(?:\s+AS\s+\w+)?)')
_EQUAL = re.compile(rf'(?:"?(\w+)"?\.)?"?(\w+)"?\s*=\s*(?:({VALUE})|"?(\w+)"?\."?(\w+)"?)')
_ONE_OF_ONE = re.compile(rf'(?:"?(\w+)"?\.)?"?(\w+)"?\s+IN\s+\(({VALUE})\)')
_COLUMNS = re.compile(r'^\s*INSERT\s+(?:OR\s+\w+\s+)?INTO\s+"?\w+"?\s*\(([^)]*)\)', re.I)
Place = tuple[str, str]
"""A name in a statement, and a column of it."""


def stays(statement: str, spread_by: Mapping[str, str]) -> bool:
    """Return whether a statement reaches rows of one value of the columns by which its tables are spread.

    ``spread_by`` is that column of each table; a table that is not in it is on every server, and counts for nothing.
    """
    sources = {name: table for name, table in _sources(statement).items() if table in spread_by}
    if not sources:
        return True
    places = {(name, spread_by[table]) for name, table in sources.items()}
    columns = _COLUMNS.match(statement)
    if columns and "SELECT" not in statement:
        named = {column.strip(' "') for column in columns[1].split(",")}
        return all(column in named for _name, column in places)
    if any(_sets(statement, column) for _name, column in places):
        return False
    known, ties = _held(statement, sources)
    while more := {b for a, b in ties if a in known} | {a for a, b in ties if b in known}:
        if more <= known:
            break
        known |= more
    # Equal values lie beside each other only in columns that hold the same thing: ids of tables are no hashes.
    return places <= known and len({"id" if column == "table_id" else column for _name, column in places}) == 1


def _sets(statement: str, column: str) -> bool:
    """Return whether an update would move its row to another server."""
    update = re.match(r"\s*UPDATE\s+\S+\s+SET\s+(.*?)\sWHERE\s", statement, re.S)
    return bool(update and re.search(rf'(?:^|,)\s*"?{column}"?\s*=', update[1]))


def _sources(statement: str) -> dict[str, str]:
    """Return the tables of a statement, by the names that it gives them."""
    found = {alias or table: table for _word, table, alias in _SOURCES.findall(statement)}
    for listed in _LISTED.findall(statement):
        found |= {alias or table: table for table, alias in _COMMA.findall(listed) if table != "AS"}
    return found


def _held(statement: str, sources: Mapping[str, str]) -> tuple[set[Place], set[tuple[Place, Place]]]:
    """Return which columns a statement holds equal to a value, and which to one another."""
    known: set[Place] = set()
    ties: set[tuple[Place, Place]] = set()
    # What is set is not where the row lies.
    if re.match(r"\s*UPDATE", statement, re.I):
        statement = "".join(statement.partition("WHERE")[1:])
    alone = next(iter(sources)) if len(sources) == 1 else ""
    for name, column, value, other, its in _EQUAL.findall(statement):
        if value:
            known.add((name or alone, column))
        else:
            ties.add(((name or alone, column), (other, its)))
    known |= {(name or alone, column) for name, column, _value in _ONE_OF_ONE.findall(statement)}
    return known, ties


@dataclass
class Recorder:
    """Notes the functions of the app whose statements cross tables. ``take`` is given every statement."""

    spread_by: Mapping[str, str]
    taken: int = 0
    crossing: dict[str, str] = field(default_factory=dict)
    """A statement that crosses tables, by the function that runs it (``queries.tables_by_keys``)."""

    def take(self, statement: str) -> None:
        """Look at a statement that the app is about to run; the function is found on the stack."""
        self.taken += 1
        if not stays(statement, self.spread_by):
            self.crossing.setdefault(_function(), " ".join(statement.split()))

    @contextmanager
    def recording(self, engine: Engine) -> Iterator[None]:
        """Take the statements that go through an engine, and those that the driver is given without it."""

        def look(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
            self.take(statement)

        event.listen(engine, "before_cursor_execute", look)
        prepared.LISTENERS.append(self.take)
        try:
            yield
        finally:
            prepared.LISTENERS.remove(self.take)
            event.remove(engine, "before_cursor_execute", look)


def _function() -> str:
    """Return the innermost function of the app that runs a statement, with the last part of its module."""
    frame = sys._getframe(2)
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.startswith("scorekeeper.") and module != "scorekeeper.store.prepared":
            name = frame.f_code.co_qualname if hasattr(frame.f_code, "co_qualname") else frame.f_code.co_name
            return f"{module.rpartition('.')[2]}.{name.replace('.<locals>', '')}"
        frame = frame.f_back  # type: ignore[assignment]
    return "a test"
