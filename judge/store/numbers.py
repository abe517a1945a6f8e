"""Where ids that were given, not counted, leave the counting."""

from sqlalchemy import Connection, Integer, Table, text


def continue_numbers(connection: Connection, table: Table) -> None:
    """Lets the ids of new rows go on after the last one. PostgreSQL counts them apart from the
    rows; SQLite looks at the rows."""
    key = table.primary_key.columns.get("id")
    if connection.dialect.name != "postgresql" or key is None or not isinstance(key.type, Integer):
        return
    name = connection.dialect.identifier_preparer.format_table(table)
    connection.execute(
        text(f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), max(id)) FROM {name}")  # noqa: S608
    )
