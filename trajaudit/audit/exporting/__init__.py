"""Which formats a scored run can be written in: one file a format; this table is the only list."""

from trajaudit.audit.exporting import jsonl
from trajaudit.audit.exporting.base import Exporter

_ALL: tuple[Exporter, ...] = (jsonl.EXPORTER,)
EXPORTERS: dict[str, Exporter] = {one.name: one for one in _ALL}
