"""When each phone was last used at a table: who of a side is there speaks for it."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table, empty: a phone is noted as soon as it is used again."""
    op.create_table(
        "heard_phones",
        sa.Column("table_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("device", sa.String(length=22), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("listened_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "device", name=op.f("pk_heard_phones")),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_heard_phones_table_id_tables"), ondelete="CASCADE"
        ),
    )


def downgrade() -> None:
    """Drop the table: what it held is of the last minutes."""
    op.drop_table("heard_phones")
