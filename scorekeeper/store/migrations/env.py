"""How Alembic reaches the app's database."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from alembic import context
from flask import current_app
from sqlalchemy import Connection, func, select

LOCK = 0x5C04E
"""Any number, as long as nothing else of this database locks it."""

migrate = current_app.extensions["migrate"]


def skip_empty(_context: Any, _revision: Any, directives: list[Any]) -> None:
    """Make no migration where nothing changed."""
    if getattr(context.config.cmd_opts, "autogenerate", False) and directives[0].upgrade_ops.is_empty():
        directives[:] = []


def one_at_a_time(connection: Connection) -> None:
    """Wait for whoever migrates this database now: hosts that start together find it made by the first."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(LOCK)))


@contextmanager
def without_foreign_keys(connection: Connection) -> Iterator[None]:
    """Let SQLite put a table in the place of another, to whose rows others refer: it would delete those too.

    It takes the setting only outside a transaction.
    """
    if connection.dialect.name != "sqlite":
        yield
        return
    own = connection.connection.driver_connection
    assert own is not None
    own.execute("PRAGMA foreign_keys=OFF")
    try:
        yield
    finally:
        own.execute("PRAGMA foreign_keys=ON")


def run() -> None:
    """Migrate over one connection, in one transaction."""
    with migrate.db.engine.connect().execution_options(sqlite_begin="IMMEDIATE") as connection:
        # SQLite too takes back a migration that fails half-way, as transactions are ours to begin.
        arguments = {"transactional_ddl": True, "process_revision_directives": skip_empty, **migrate.configure_args}
        context.configure(connection=connection, target_metadata=migrate.db.metadata, **arguments)
        with without_foreign_keys(connection), context.begin_transaction():
            one_at_a_time(connection)
            context.run_migrations()


run()
