"""A match can be left and taken up again, and be deleted; the number of a deleted match is given to no other."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Say which match is played last, the newest, and the highest number that each table has given."""
    op.add_column("tables", sa.Column("last_match", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("matches", sa.Column("taken_up", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("matches", sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True))
    op.execute("UPDATE matches SET taken_up = number")
    op.execute(
        "UPDATE tables SET last_match = COALESCE("
        "(SELECT MAX(matches.number) FROM matches WHERE matches.table_id = tables.id), 0)"
    )
    op.create_index("ix_matches_taken_up", "matches", ["table_id", "taken_up", "number"])
    is_deleted = sa.text("deleted_at IS NOT NULL")
    where = {"sqlite_where": is_deleted, "postgresql_where": is_deleted}
    op.create_index("ix_matches_deleted", "matches", ["table_id", "deleted_at"], **where)


def downgrade() -> None:
    """Take the columns out again. A match that was deleted is there again; the newest is the one being played."""
    op.drop_index("ix_matches_deleted", "matches")
    op.drop_index("ix_matches_taken_up", "matches")
    op.drop_column("matches", "deleted_at")
    op.drop_column("matches", "taken_up")
    op.drop_column("tables", "last_match")
