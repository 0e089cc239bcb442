"""How Alembic reaches the app's database."""

from typing import Any

from alembic import context
from flask import current_app

migrate = current_app.extensions["migrate"]


def skip_empty(_context: Any, _revision: Any, directives: list[Any]) -> None:
    """Make no migration where nothing changed."""
    if getattr(context.config.cmd_opts, "autogenerate", False) and directives[0].upgrade_ops.is_empty():
        directives[:] = []


def run() -> None:
    """Migrate over one connection, in one transaction where the database can."""
    with migrate.db.engine.connect() as connection:
        # SQLite too takes back a migration that fails half-way, as transactions are ours to begin.
        arguments = {"transactional_ddl": True, "process_revision_directives": skip_empty, **migrate.configure_args}
        context.configure(connection=connection, target_metadata=migrate.db.metadata, **arguments)
        with context.begin_transaction():
            context.run_migrations()


run()
