"""Runs migrations on the connection that Database.migrate hands over."""

from alembic import context
from sqlmodel import SQLModel

import judge.store.tables  # noqa: F401  (fills SQLModel.metadata)

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
