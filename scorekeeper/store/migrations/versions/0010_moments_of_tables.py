"""The moment of each table: a number that every write moves on, by which drawn pages are kept."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the rows, one a table; a table that an earlier version makes meanwhile gets its own with its next write."""
    op.create_table(
        "moments",
        sa.Column("table_id", BIG, autoincrement=False, nullable=False),
        sa.Column("number", BIG, nullable=False),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_moments")),
    )
    op.execute("INSERT INTO moments (table_id, number) SELECT id, 1 FROM tables")


def downgrade() -> None:
    """Drop them."""
    op.drop_table("moments")
