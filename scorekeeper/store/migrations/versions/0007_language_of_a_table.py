"""The language of a table: what a chat shows of a link that is sent is written in it."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, empty: a table that exists gets its language with its next match."""
    op.add_column("tables", sa.Column("language", sa.String(length=8), nullable=True))


def downgrade() -> None:
    """Take the column out again."""
    op.drop_column("tables", "language")
