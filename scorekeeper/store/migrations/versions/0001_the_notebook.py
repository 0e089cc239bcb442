"""The notebook: tables, players, matches, their journal and the summaries that follow from it."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    time = sa.DateTime(timezone=True)
    op.create_table(
        "tables",
        sa.Column("id", big, nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("owner_key", sa.String(22), nullable=False),
        sa.Column("play_key", sa.String(22), nullable=False),
        sa.Column("watch_key", sa.String(22), nullable=False),
        sa.Column("form_id", sa.String(36), nullable=False),
        sa.Column("created_at", time, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
        sa.UniqueConstraint("form_id", name="uq_tables_form_id"),
        sa.UniqueConstraint("owner_key", name="uq_tables_owner_key"),
        sa.UniqueConstraint("play_key", name="uq_tables_play_key"),
        sa.UniqueConstraint("watch_key", name="uq_tables_watch_key"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "matches",
        sa.Column("table_id", big, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("head", sa.Integer(), nullable=False),
        sa.Column("setup", sa.JSON(), nullable=False),
        sa.Column("created_at", time, nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_matches_table_id_tables", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "number", name="pk_matches"),
    )
    op.create_table(
        "players",
        sa.Column("table_id", big, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("created_at", time, nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_players_table_id_tables", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "number", name="pk_players"),
    )
    op.create_table(
        "entries",
        sa.Column("table_id", big, autoincrement=False, nullable=False),
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("match", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(24), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("author", sa.String(40)),
        sa.Column("device", sa.String(22)),
        sa.Column("created_at", time, nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id", "match"],
            ["matches.table_id", "matches.number"],
            name="fk_entries_table_id_matches",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("table_id", "id", name="pk_entries"),
        sa.UniqueConstraint("table_id", "match", "seq", name="uq_entries_table_id"),
    )
    op.create_table(
        "match_summaries",
        sa.Column("table_id", big, autoincrement=False, nullable=False),
        sa.Column("match", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("sides", sa.JSON(), nullable=False),
        sa.Column("totals", sa.JSON(), nullable=False),
        sa.Column("course", sa.JSON(), nullable=False),
        sa.Column("winners", sa.JSON(), nullable=False),
        sa.Column("deals", sa.Integer(), nullable=False),
        sa.Column("started_at", time, nullable=False),
        sa.Column("ended_at", time),
        sa.ForeignKeyConstraint(
            ["table_id", "match"],
            ["matches.table_id", "matches.number"],
            name="fk_match_summaries_table_id_matches",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("table_id", "match", name="pk_match_summaries"),
    )


def downgrade() -> None:
    for table in ("match_summaries", "entries", "players", "matches", "tables"):
        op.drop_table(table)
