"""The tables of 1.0: the notebook, what follows from it, and files on their way in."""

import sqlalchemy as sa
from alembic import op

revision = "1_0001"
down_revision = None
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make all tables. What refers to another comes after it."""
    op.create_table(
        "daily_work",
        sa.Column("work", sa.String(16), nullable=False),
        sa.Column("done_on", sa.Date(), nullable=False),
        sa.PrimaryKeyConstraint("work", name="pk_daily_work"),
    )
    op.create_table(
        "moments",
        sa.Column("table_id", BIG, autoincrement=False, nullable=False),
        sa.Column("number", BIG, nullable=False),
        sa.PrimaryKeyConstraint("table_id", name="pk_moments"),
    )
    op.create_table(
        "tables",
        sa.Column("id", BIG, nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("last_match", sa.Integer(), server_default="0", nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("language", sa.String(8)),
        sa.Column("zone", sa.String(40)),
        sa.Column("imported_at", TIME),
        sa.Column("imported_entries", sa.Integer(), server_default="0", nullable=False),
        sa.Column("moved_to", sa.String(500)),
        sa.Column("deletions", sa.Integer(), server_default="0", nullable=False),
        sa.Column("opened_in", sa.Date()),
        sa.Column("expires_on", sa.Date()),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_tables_opened_in", "tables", ["opened_in"])
    op.create_table(
        "heard_phones",
        sa.Column("table_id", BIG, nullable=False),
        sa.Column("device", sa.String(22), nullable=False),
        sa.Column("used_at", TIME, nullable=False),
        sa.Column("listened_at", TIME, nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name="fk_heard_phones_table_id_tables", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "device", name="pk_heard_phones"),
    )
    op.create_table(
        "imports",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("address", sa.String(64), nullable=False),
        sa.Column("touched_at", TIME, nullable=False),
        sa.Column("head", sa.JSON(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("table_id", BIG),
        sa.Column("adds", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("problem", sa.JSON(none_as_null=True)),
        sa.Column("done_at", TIME),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_imports_table_id_tables", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_imports"),
    )
    op.create_index("ix_imports_table_id", "imports", ["table_id"])
    op.create_index("ix_imports_touched_at", "imports", ["touched_at"])
    op.create_table(
        "line_ups",
        sa.Column("table_id", BIG, nullable=False),
        sa.Column("span", sa.String(7), nullable=False),
        sa.Column("sides", sa.String(240), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("who", sa.String(120), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("played", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("ahead", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_line_ups_table_id_tables", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "span", "sides", "game", "who", name="pk_line_ups"),
    )
    op.create_index("ix_line_ups_who", "line_ups", ["table_id", "who", "span", "sides"])
    op.create_table(
        "links",
        sa.Column("hash", sa.String(43), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("table_id", BIG, nullable=False),
        sa.Column("sealed", sa.String(160)),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_links_table_id_tables", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("hash", name="pk_links"),
    )
    op.create_index("ix_links_table_id", "links", ["table_id", "kind"])
    op.create_table(
        "matches",
        sa.Column("table_id", BIG, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("head", sa.Integer(), nullable=False),
        sa.Column("setup", sa.JSON(), nullable=False),
        sa.Column("taken_up", sa.Integer(), server_default="0", nullable=False),
        sa.Column("deleted_at", TIME),
        sa.Column("created_at", TIME, nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_matches_table_id_tables", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "number", name="pk_matches"),
    )
    op.create_index(
        "ix_matches_deleted",
        "matches",
        ["table_id", "deleted_at"],
        sqlite_where=sa.text("deleted_at IS NOT NULL"),
        postgresql_where=sa.text("deleted_at IS NOT NULL"),
    )
    op.create_index("ix_matches_taken_up", "matches", ["table_id", "taken_up", "number"])
    op.create_table(
        "phones",
        sa.Column("table_id", BIG, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("mark", sa.String(22), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_phones_table_id_tables", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "number", name="pk_phones"),
        sa.UniqueConstraint("table_id", "mark", name="uq_phones_table_id"),
    )
    op.create_table(
        "players",
        sa.Column("table_id", BIG, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("guest", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("into", sa.Integer()),
        sa.Column("forgotten_at", TIME),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_players_table_id_tables", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "number", name="pk_players"),
    )
    op.create_index(
        "ix_players_forgotten",
        "players",
        ["table_id", "forgotten_at"],
        sqlite_where=sa.text("forgotten_at IS NOT NULL"),
        postgresql_where=sa.text("forgotten_at IS NOT NULL"),
    )
    op.create_table(
        "entries",
        sa.Column("table_id", BIG, autoincrement=False, nullable=False),
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("match", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(24), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("author", sa.String(40)),
        sa.Column("device", sa.String(22)),
        sa.Column("created_at", TIME, nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id", "match"],
            ["matches.table_id", "matches.number"],
            name="fk_entries_table_id_matches",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("table_id", "id", name="pk_entries"),
        sa.UniqueConstraint("table_id", "match", "seq", name="uq_entries_table_id"),
    )
    op.create_index(
        "ix_entries_player_renamed",
        "entries",
        ["table_id", "match", "seq"],
        sqlite_where=sa.text("kind = 'player_renamed'"),
        postgresql_where=sa.text("kind = 'player_renamed'"),
    )
    op.create_table(
        "import_matches",
        sa.Column("import_id", sa.String(36), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("checked", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["import_id"], ["imports.id"], name="fk_import_matches_import_id_imports", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("import_id", "number", name="pk_import_matches"),
    )
    op.create_table(
        "match_summaries",
        sa.Column("table_id", BIG, autoincrement=False, nullable=False),
        sa.Column("match", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("sides", sa.JSON(), nullable=False),
        sa.Column("totals", sa.JSON(), nullable=False),
        sa.Column("course", sa.JSON(), nullable=False),
        sa.Column("winners", sa.JSON(), nullable=False),
        sa.Column("deals", sa.Integer(), nullable=False),
        sa.Column("started_at", TIME, nullable=False),
        sa.Column("ended_at", TIME),
        sa.Column("counted_at", TIME, nullable=False),
        sa.Column("evening", sa.Date(), nullable=False),
        sa.Column("doubt_deal", sa.Integer()),
        sa.Column("doubt_at", TIME),
        sa.Column("doubt_decides", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id", "match"],
            ["matches.table_id", "matches.number"],
            name="fk_match_summaries_table_id_matches",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("table_id", "match", name="pk_match_summaries"),
    )
    op.create_index("ix_match_summaries_counted_at", "match_summaries", ["table_id", "counted_at"])
    op.create_index(
        "ix_match_summaries_doubt",
        "match_summaries",
        ["table_id", "evening", "match"],
        sqlite_where=sa.text("doubt_decides = 1"),
        postgresql_where=sa.text("doubt_decides = true"),
    )
    op.create_index(
        "ix_match_summaries_doubt_at",
        "match_summaries",
        ["table_id", "doubt_at"],
        sqlite_where=sa.text("doubt_at IS NOT NULL"),
        postgresql_where=sa.text("doubt_at IS NOT NULL"),
    )
    op.create_index("ix_match_summaries_evening", "match_summaries", ["table_id", "evening", "match"])
    op.create_index("ix_match_summaries_game", "match_summaries", ["table_id", "game", "evening", "match"])
    op.create_index(
        "ix_match_summaries_game_status", "match_summaries", ["table_id", "game", "status", "evening", "match"]
    )
    op.create_index("ix_match_summaries_status", "match_summaries", ["table_id", "status", "evening", "match"])
    op.create_table(
        "seats",
        sa.Column("table_id", BIG, autoincrement=False, nullable=False),
        sa.Column("who", sa.String(120), nullable=False),
        sa.Column("match", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("evening", sa.Date(), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id", "match"],
            ["matches.table_id", "matches.number"],
            name="fk_seats_table_id_matches",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("table_id", "who", "match", name="pk_seats"),
    )
    op.create_index("ix_seats_evening", "seats", ["table_id", "who", "evening", "match"])
    op.create_index("ix_seats_game", "seats", ["table_id", "who", "game", "evening", "match"])
    op.create_index("ix_seats_game_status", "seats", ["table_id", "who", "game", "status", "evening", "match"])
    op.create_index("ix_seats_match", "seats", ["table_id", "match"])
    op.create_index("ix_seats_status", "seats", ["table_id", "who", "status", "evening", "match"])


def downgrade() -> None:
    """Drop them."""
    for table in (
        "seats",
        "match_summaries",
        "import_matches",
        "entries",
        "players",
        "phones",
        "matches",
        "links",
        "line_ups",
        "imports",
        "heard_phones",
        "tables",
        "moments",
        "daily_work",
    ):
        op.drop_table(table)
