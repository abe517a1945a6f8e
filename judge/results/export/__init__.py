"""Everything the judge knows, as files for others: NDJSON, CSV, Parquet, and an ICPC feed."""

from judge.results.export.feed import write_feed
from judge.results.export.kinds import SCHEMA_VERSION, Kind, read
from judge.results.export.sinks import Format, write

__all__ = ["SCHEMA_VERSION", "Format", "Kind", "read", "write", "write_feed"]
