"""The definition of a benchmark"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("benchmark") as table:
        table.add_column(sa.Column("definition", sa.JSON(), nullable=False, server_default="{}"))


def downgrade() -> None:
    with op.batch_alter_table("benchmark") as table:
        table.drop_column("definition")
