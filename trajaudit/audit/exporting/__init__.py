"""Which formats a scored run can be written in: one file a format; this table is the only list."""

from trajaudit.audit.exporting import (
    atif,
    csv,
    inspect,
    jsonl,
    junit,
    otel,
    parquet,
    sarif,
)
from trajaudit.audit.exporting.base import Exporter

_ALL: tuple[Exporter, ...] = (
    atif.EXPORTER,
    csv.EXPORTER,
    inspect.EXPORTER,
    jsonl.EXPORTER,
    junit.EXPORTER,
    otel.EXPORTER,
    parquet.EXPORTER,
    sarif.EXPORTER,
)
EXPORTERS: dict[str, Exporter] = {one.name: one for one in _ALL}
