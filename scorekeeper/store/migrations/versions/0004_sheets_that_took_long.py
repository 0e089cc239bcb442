"""A closing can keep its sheet."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("entries", sa.Column("sheets", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    """Take the stored sheets out again."""
    op.drop_column("entries", "sheets")
