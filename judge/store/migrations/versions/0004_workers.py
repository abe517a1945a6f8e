"""Workers"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "worker",
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("core", sa.Integer(), nullable=True),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("hardware", sa.String(), nullable=False),
        sa.Column("load", sa.Float(), nullable=False),
        sa.Column("memory_free_bytes", sa.BigInteger(), nullable=False),
        sa.Column("judging_id", sa.Integer(), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_index("ix_worker_seen_at", "worker", ["seen_at"])


def downgrade() -> None:
    op.drop_table("worker")
