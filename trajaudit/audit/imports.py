"""Logs from elsewhere: read, written as a run, and from there on like any other."""

import hashlib
import platform
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from trajaudit import __version__, plugins
from trajaudit.audit.intake import ImportOptions, Intake
from trajaudit.audit.score import finish_scoring
from trajaudit.audit.scoring import Scoring
from trajaudit.datamodel.imported import ImportedSource, ImportRecord
from trajaudit.datamodel.run import RunConfig
from trajaudit.datamodel.scenario import Scenario
from trajaudit.errors import RunDirError, UsageError
from trajaudit.record.importers import IMPORTERS
from trajaudit.record.importers.base import Importer, Source
from trajaudit.record.importers.sources import find_sources
from trajaudit.record.intake import IntakeWriter
from trajaudit.record.rundir import RunDir
from trajaudit.record.stored import read_record
from trajaudit.score import scoring_checksum

MOST_UNKNOWN = 100
SEVERAL = "several"


@dataclass(frozen=True, kw_only=True)
class Imported:
    """An import that was carried out, or had been before."""

    run: RunDir
    report: ImportRecord
    new: bool
    """False: the same input had been imported already, and nothing was added."""


def import_logs(paths: list[Path], options: ImportOptions) -> Imported:
    """Write the logs under `paths` as one run; the same input gives the same run.

    Raises:
        UsageError: a path is not there, nothing was found in them, or `strict` and a loss.
    """
    importers = _importers(options.format)
    found = list(_sources(paths, importers, options.format))
    known = [(source, importer) for source, importer in found if importer is not None]
    unknown = [source.name for source, importer in found if importer is None]
    if not known:
        raise UsageError(_nothing_known(paths, unknown, importers))
    digests = [_digest(source) for source, _ in known]
    run_id = _run_id(known, digests)
    if (options.runs_dir / run_id / "run.json").exists():
        return _earlier(options.runs_dir / run_id)
    with IntakeWriter(options.runs_dir, run_id) as writer, Scoring(writer.draft) as scoring:
        intake = Intake(writer, known, options, scoring)
        checksum = cache(scoring_checksum)
        intake.read(checksum)
        sources = intake.sources(digests)
        report = ImportRecord(
            run_id=run_id,
            sources=tuple(sources),
            losses=intake.losses.report(),
            unknown=tuple(unknown[:MOST_UNKNOWN]),
            unknown_count=len(unknown),
        )
        _require_something(writer, report, strict=options.strict)
        try:
            run = writer.finish(_config(run_id, writer, sources, intake, checksum()), report)
        except RunDirError:
            # Another import of the same logs was faster; what is in the way may be no run at all.
            if not (options.runs_dir / run_id / "run.json").exists():
                raise
            return _earlier(options.runs_dir / run_id)
        if options.score:
            finish_scoring(run, scoring)
    return Imported(run=run, report=report, new=True)


def _earlier(path: Path) -> Imported:
    run = RunDir(path)
    return Imported(run=run, report=import_report(run), new=False)


def import_report(run: RunDir) -> ImportRecord:
    """Return the loss report of an imported run.

    Raises:
        RunDirError: the run was not imported.
    """
    return read_record(run.path / "import.json", ImportRecord)


def _importers(name: str | None) -> dict[str, Importer]:
    if name is None:
        return dict(IMPORTERS)
    return {name: plugins.find("importer", name, IMPORTERS)}


def _sources(
    paths: list[Path], importers: dict[str, Importer], wanted: str | None
) -> Iterator[tuple[Source, Importer | None]]:
    """With a format that was asked for, files that do not look like it are read as it all the same
    when they were named themselves.
    """
    named = {path.resolve() for path in paths if path.is_file()}
    for source, importer in find_sources(paths, importers):
        if importer is None and wanted is not None and source.path.resolve() in named:
            yield source, importers[wanted]
        else:
            yield source, importer


def _only(names: set[str]) -> str:
    return SEVERAL if len(names) > 1 else next(iter(names), "unknown")


def _config(
    run_id: str,
    writer: IntakeWriter,
    sources: list[ImportedSource],
    intake: Intake,
    checksum: str,
) -> RunConfig:
    formats = sorted({source.format for source in sources})
    name = (
        sources[0].path if len(sources) == 1 else f"{sources[0].path} and {len(sources) - 1} more"
    )
    return RunConfig(
        run_id=run_id,
        created=datetime.now(UTC).isoformat(timespec="milliseconds"),
        trajaudit_version=__version__,
        scoring_checksum=checksum,
        scenario=Scenario(trajaudit=1, name=f"{name} ({', '.join(formats)})", tasks=()),
        scenario_path="",
        scenario_sha256="",
        files_sha256={source.path: source.sha256 for source in sources[:MOST_UNKNOWN]},
        sandbox_kind="none",
        isolation="none",
        agent=_only(intake.agents),
        model_id=_only(intake.models),
        versions={"python": platform.python_version()},
        task_ids=writer.task_ids,
        trials=0,
    )


def _digest(source: Source) -> str:
    digest = hashlib.sha256()
    for path in [source.path] if source.path.is_file() else _files(source.path):
        digest.update(_below(path, source.path))
        with path.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()


def _below(path: Path, base: Path) -> bytes:
    """Return the path below `base`, as bytes that end in NUL."""
    return b"" if path == base else bytes(path.relative_to(base)) + b"\0"


def _files(folder: Path) -> Iterable[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink())


def _run_id(known: list[tuple[Source, Importer]], digests: list[str]) -> str:
    """The same files, whatever their folder is called, read by the same importers."""
    whole = hashlib.sha256()
    for (_, importer), digest in zip(known, digests, strict=True):
        whole.update(f"{importer.name} {digest}\n".encode())
    formats = {importer.name for _, importer in known}
    kind = formats.pop() if len(formats) == 1 else "mixed"
    return f"import-{kind.replace('_', '-')}-{whole.hexdigest()[:12]}"


def _nothing_known(paths: list[Path], unknown: list[str], importers: dict[str, Importer]) -> str:
    seen = f"{len(unknown)} files, {', '.join(unknown[:3])}" if unknown else "no files"
    return (
        f"{', '.join(map(str, paths))}: no log of a known format; got {seen}; "
        f"known: {', '.join(importers)} (--format names one)"
    )


def _require_something(writer: IntakeWriter, report: ImportRecord, *, strict: bool) -> None:
    if not writer.trials:
        errors = [source.error or f"{source.path}: holds no trial" for source in report.sources]
        raise UsageError("nothing could be imported\n" + "\n".join(errors[:20]))
    if strict:
        faults = [
            f"{one.kind} {one.field}: {one.count} times; {one.example}" for one in report.losses
        ]
        faults += [source.error for source in report.sources if source.error]
        if faults:
            raise UsageError("--strict refuses a lossy import\n" + "\n".join(faults))
