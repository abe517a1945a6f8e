"""Messages to judges"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("test_result", sa.Column("judge_message", sa.Text()))


def downgrade() -> None:
    op.drop_column("test_result", "judge_message")
