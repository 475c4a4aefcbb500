"""Verdicts as Parquet, and the findings in a second file beside it."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from trajaudit.audit.exporting.base import Exporter, audited_trials
from trajaudit.audit.exporting.rows import FINDINGS, VERDICTS, Row, finding_rows, verdict_rows
from trajaudit.errors import UsageError
from trajaudit.record.rundir import RunDir
from trajaudit.record.stored import storing

_BATCH = 5000


def write(run: RunDir, path: Path) -> int:
    """Write both files; return the number of trials.

    Raises:
        UsageError: the package pyarrow is not installed.
    """
    findings = path.with_name(f"{path.stem.removesuffix('.verdicts')}.findings{path.suffix}")
    rows = (row for one in audited_trials(run) for row in finding_rows(one, run.run_id))
    _write(findings, FINDINGS, rows)
    rows = (row for one in audited_trials(run) for row in verdict_rows(one, run.run_id))
    _write(path, VERDICTS, rows)
    return sum(1 for _ in run.read_outcomes())


def _write(path: Path, columns: dict[str, type], rows: Iterable[Row]) -> None:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise UsageError(
            "Parquet needs the package pyarrow; it is not installed; pip install trajaudit[parquet]"
        ) from None
    kinds = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    schema = pa.schema([(name, kinds[kind]) for name, kind in columns.items()])
    draft = path.with_name(f".{path.name}.part")
    with storing(path):
        try:
            with parquet.ParquetWriter(draft, schema) as writer:
                for batch in _batches(rows):
                    full = [{name: _clean(row.get(name)) for name in columns} for row in batch]
                    writer.write_table(pa.Table.from_pylist(full, schema=schema))
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    rest = iter(rows)
    while batch := list(islice(rest, _BATCH)):
        yield batch


def _clean(value: Any) -> Any:
    """Texts that are no Unicode cannot be stored."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    return value


EXPORTER = Exporter(
    name="parquet",
    suffix=".verdicts.parquet",
    write=write,
    describes="verdicts as Parquet, findings in a second file beside it (needs pyarrow)",
)
