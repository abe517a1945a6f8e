"""The first tables"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "benchmark",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "problem",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(length=100), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("package", sa.String(length=64), nullable=False),
        sa.Column("languages", sa.JSON(), nullable=False),
        sa.Column("source_bytes", sa.Integer(), nullable=False),
        sa.Column("points", sa.Float(), nullable=False),
        sa.Column("released", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("slug"),
    )
    op.create_table(
        "user",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("friendly_name", sa.String(), nullable=False),
        sa.Column("role", sa.String(length=40), nullable=False),
        sa.Column("agent", sa.String(), nullable=True),
        sa.Column("model", sa.String(), nullable=True),
        sa.Column("round", sa.String(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "benchmark_entry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("benchmark_id", sa.Integer(), nullable=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("cap", sa.Integer(), nullable=True),
        sa.Column("feedback", sa.String(length=40), nullable=False),
        sa.Column("abort", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(
            ["benchmark_id"],
            ["benchmark.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("benchmark_entry", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_benchmark_entry_benchmark_id"), ["benchmark_id"], unique=False
        )

    op.create_table(
        "event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor_id", sa.Integer(), nullable=True),
        sa.Column("action", sa.String(length=60), nullable=False),
        sa.Column("record", sa.String(length=40), nullable=False),
        sa.Column("record_id", sa.Integer(), nullable=True),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["actor_id"],
            ["user.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("event", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_event_at"), ["at"], unique=False)

    op.create_table(
        "token",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("problems", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["user.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest"),
    )
    with op.batch_alter_table("token", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_token_user_id"), ["user_id"], unique=False)

    op.create_table(
        "benchmark_problem",
        sa.Column("problem_id", sa.Integer(), nullable=False),
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("weight", sa.Float(), nullable=False),
        sa.Column("full_score", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(
            ["entry_id"],
            ["benchmark_entry.id"],
        ),
        sa.ForeignKeyConstraint(
            ["problem_id"],
            ["problem.id"],
        ),
        sa.PrimaryKeyConstraint("problem_id"),
    )
    with op.batch_alter_table("benchmark_problem", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_benchmark_problem_entry_id"), ["entry_id"], unique=False
        )

    op.create_table(
        "submission",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("problem_id", sa.Integer(), nullable=False),
        sa.Column("entry_id", sa.Integer(), nullable=True),
        sa.Column("language", sa.String(length=40), nullable=False),
        sa.Column("url", sa.String(), nullable=True),
        sa.Column("repository", sa.String(), nullable=True),
        sa.Column("commit", sa.String(length=64), nullable=True),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("idempotency_key", sa.String(length=200), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("judging_id", sa.Integer(), nullable=True),
        sa.Column("status", sa.String(length=40), nullable=False),
        sa.Column("charged", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["entry_id"],
            ["benchmark_entry.id"],
        ),
        sa.ForeignKeyConstraint(
            ["problem_id"],
            ["problem.id"],
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["user.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("user_id", "idempotency_key"),
    )
    with op.batch_alter_table("submission", schema=None) as batch_op:
        batch_op.create_index("ix_submission_cap", ["entry_id", "user_id", "charged"], unique=False)
        batch_op.create_index("ix_submission_language", ["language", "id"], unique=False)
        batch_op.create_index("ix_submission_problem", ["problem_id", "id"], unique=False)
        batch_op.create_index("ix_submission_status", ["status", "id"], unique=False)
        batch_op.create_index("ix_submission_user", ["user_id", "id"], unique=False)

    op.create_table(
        "judging",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("submission_id", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("priority", sa.String(length=40), nullable=False),
        sa.Column("package", sa.String(length=64), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=40), nullable=False),
        sa.Column("lease_owner", sa.String(), nullable=True),
        sa.Column("lease_token", sa.String(length=32), nullable=True),
        sa.Column("lease_expires", sa.DateTime(timezone=True), nullable=True),
        sa.Column("verdict", sa.String(length=40), nullable=True),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("cpu_ns", sa.BigInteger(), nullable=True),
        sa.Column("wall_ns", sa.BigInteger(), nullable=True),
        sa.Column("memory_bytes", sa.BigInteger(), nullable=True),
        sa.Column("disk_bytes", sa.BigInteger(), nullable=True),
        sa.Column("files", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["submission_id"],
            ["submission.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("submission_id", "generation"),
    )
    with op.batch_alter_table("judging", schema=None) as batch_op:
        batch_op.create_index("ix_judging_state", ["state", "lease_expires"], unique=False)

    op.create_table(
        "source_text",
        sa.Column("submission_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["submission_id"],
            ["submission.id"],
        ),
        sa.PrimaryKeyConstraint("submission_id"),
    )
    op.create_table(
        "group_result",
        sa.Column("judging_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("group_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("points", sa.Float(), nullable=False),
        sa.Column("verdict", sa.String(length=40), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("tests", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["judging_id"],
            ["judging.id"],
        ),
        sa.PrimaryKeyConstraint("judging_id", "position"),
    )
    op.create_table(
        "test_result",
        sa.Column("judging_id", sa.Integer(), nullable=False),
        sa.Column("test", sa.String(length=200), nullable=False),
        sa.Column("verdict", sa.String(length=40), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("cpu_ns", sa.BigInteger(), nullable=True),
        sa.Column("wall_ns", sa.BigInteger(), nullable=True),
        sa.Column("memory_bytes", sa.BigInteger(), nullable=True),
        sa.Column("disk_bytes", sa.BigInteger(), nullable=True),
        sa.Column("files", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["judging_id"],
            ["judging.id"],
        ),
        sa.PrimaryKeyConstraint("judging_id", "test"),
    )


def downgrade() -> None:
    op.drop_table("test_result")
    op.drop_table("group_result")
    op.drop_table("source_text")
    with op.batch_alter_table("judging", schema=None) as batch_op:
        batch_op.drop_index("ix_judging_state")

    op.drop_table("judging")
    with op.batch_alter_table("submission", schema=None) as batch_op:
        batch_op.drop_index("ix_submission_user")
        batch_op.drop_index("ix_submission_status")
        batch_op.drop_index("ix_submission_problem")
        batch_op.drop_index("ix_submission_language")
        batch_op.drop_index("ix_submission_cap")

    op.drop_table("submission")
    with op.batch_alter_table("benchmark_problem", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_benchmark_problem_entry_id"))

    op.drop_table("benchmark_problem")
    with op.batch_alter_table("token", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_token_user_id"))

    op.drop_table("token")
    with op.batch_alter_table("event", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_event_at"))

    op.drop_table("event")
    with op.batch_alter_table("benchmark_entry", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_benchmark_entry_benchmark_id"))

    op.drop_table("benchmark_entry")
    op.drop_table("user")
    op.drop_table("problem")
    op.drop_table("benchmark")
