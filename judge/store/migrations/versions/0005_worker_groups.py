"""Worker groups"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("problem", "judging"):
        op.add_column(
            table, sa.Column("worker_group", sa.String(60), nullable=False, server_default="")
        )
    op.add_column("worker", sa.Column("groups", sa.JSON(), nullable=False, server_default="[]"))


def downgrade() -> None:
    op.drop_column("worker", "groups")
    for table in ("judging", "problem"):
        op.drop_column(table, "worker_group")
