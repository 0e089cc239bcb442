"""Statements that are compiled once, for what happens most: to compile one anew costs more than to run it.

Those of writes run on the session's connection, in its transaction; ``direct.py`` runs its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import ClauseElement
from sqlalchemy.engine import Connection, Dialect
from sqlalchemy.exc import DBAPIError

from .faults import UNUSABLE, primary_code

LISTENERS: list[Callable[[str], object]] = []
"""Functions that get the text of each of these statements: no event of SQLAlchemy names them."""


class Prepared(NamedTuple):
    """A statement as the driver takes it."""

    text: str
    names: tuple[str, ...]
    """The names of the values; in the order of their places where the driver takes them by place."""
    fixed: Mapping[str, Any]
    """The values that the statement has itself, for the names that are not given."""
    makes: Mapping[str, Callable[[Any], Any]]
    """The functions that make a value one of the driver's, by the name of the value; none where it is one already."""
    by_place: bool

    def values(self, given: Mapping[str, Any]) -> Any:
        """Return the values for the driver from those given by name. Raises ``KeyError`` if one is missing."""
        fixed, makes = self.fixed, self.makes
        put = {name: given[name] if name in given else fixed[name] for name in self.names}
        for name, make in makes.items():
            put[name] = make(put[name])
        return tuple([put[name] for name in self.names]) if self.by_place else put


@lru_cache(maxsize=64)
def prepared(statement: ClauseElement, dialect: Dialect) -> Prepared:
    """Return a statement as the driver of a database takes it."""
    compiled: Any = statement.compile(dialect=dialect, compile_kwargs={"render_postcompile": True})
    binds = {name: compiled.binds[name] for name in compiled.params}
    makers = {name: bind.type.dialect_impl(dialect).bind_processor(dialect) for name, bind in binds.items()}
    return Prepared(
        str(compiled),
        tuple(compiled.positiontup if compiled.positional else binds),
        {name: compiled.params[name] for name, bind in binds.items() if not bind.required},
        {name: make for name, make in makers.items() if make is not None},
        bool(compiled.positional),
    )


def run(connection: Connection, statement: ClauseElement, given: Mapping[str, Any]) -> int:
    """Run a statement on a session's connection to SQLite; return the number of rows that it wrote.

    Raises what the session would raise.
    """
    ready, driver = prepared(statement, connection.dialect), _driver_of(connection)
    note(ready)
    try:
        return int(driver.execute(ready.text, ready.values(given)).rowcount)
    except driver.Error as error:
        raise _as_raised(connection, ready, error) from error


def run_and_commit(connection: Connection, statements: Sequence[ClauseElement], given: Mapping[str, Any]) -> Any:
    """Run statements and commit, in one way to the PostgreSQL server and back; return the last one's row, or None.

    The session's own commit then finds nothing to do. If a statement fails, nothing is committed. Raises what the
    session would raise.
    """
    ready = [prepared(statement, connection.dialect) for statement in statements]
    driver = _driver_of(connection)
    for one in ready:
        note(one)
    try:
        with driver.pipeline():
            cursors = [driver.execute(one.text, one.values(given)) for one in ready]
            driver.commit()
        return cursors[-1].fetchone()
    except driver.Error as error:
        raise _as_raised(connection, ready[-1], error) from error


def _driver_of(connection: Connection) -> Any:
    """Return the connection of the driver, which names the class of its errors."""
    return connection.connection.driver_connection


def note(ready: Prepared) -> None:
    """Let those who listen know that a statement is run."""
    for listen in LISTENERS:
        listen(ready.text)


def _as_raised(connection: Connection, ready: Prepared, error: Any) -> DBAPIError:
    """Return an error of the driver as a session raises it; a connection that no longer serves is closed."""
    dialect, driver = connection.dialect, _driver_of(connection)
    is_lost = primary_code(error) in UNUSABLE or dialect.is_disconnect(error, driver, None)
    if is_lost:
        connection.invalidate(error)
    raised: DBAPIError = DBAPIError.instance(ready.text, None, error, driver.Error, True, is_lost, dialect)
    return raised
