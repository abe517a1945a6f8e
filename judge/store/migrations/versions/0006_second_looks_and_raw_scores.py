"""Second looks and raw scores"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("test_result", sa.Column("raw_score", sa.Float()))
    op.add_column("test_result", sa.Column("other_cpu_ns", sa.BigInteger()))
    op.add_column("test_result", sa.Column("other_wall_ns", sa.BigInteger()))


def downgrade() -> None:
    for column in ("other_wall_ns", "other_cpu_ns", "raw_score"):
        op.drop_column("test_result", column)
