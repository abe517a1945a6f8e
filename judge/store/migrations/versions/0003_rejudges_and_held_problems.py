"""Rejudges and held problems"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "rejudge",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("state", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("judging") as table:
        table.add_column(sa.Column("rejudge_id", sa.Integer(), nullable=True))
        table.add_column(
            sa.Column("counts", sa.Boolean(), nullable=False, server_default=sa.true())
        )
        table.create_foreign_key("fk_judging_rejudge", "rejudge", ["rejudge_id"], ["id"])
        table.create_index("ix_judging_rejudge_id", ["rejudge_id"])
    with op.batch_alter_table("problem") as table:
        table.add_column(sa.Column("held", sa.String(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("problem") as table:
        table.drop_column("held")
    with op.batch_alter_table("judging") as table:
        table.drop_index("ix_judging_rejudge_id")
        table.drop_constraint("fk_judging_rejudge", type_="foreignkey")
        table.drop_column("counts")
        table.drop_column("rejudge_id")
    op.drop_table("rejudge")
