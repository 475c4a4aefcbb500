"""One import while it goes on: sources are cut into units, and what comes of them is collected."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from trajaudit.audit.grading import Grader
from trajaudit.audit.intake_work import IntakeUnit, IntakeWork, KeptTrial, UnitEnd
from trajaudit.audit.scoring import Scoring
from trajaudit.audit.workers import processes_for, spread
from trajaudit.datamodel.imported import ImportedSource
from trajaudit.record.importers.base import Importer, Share, Source, SourceError
from trajaudit.record.importers.losses import Losses
from trajaudit.record.intake import IntakeWriter
from trajaudit.record.intake_trial import Claim, Place

SMALL_BYTES = 1_000_000
"""Smaller logs are read before a further process is worth its start."""
_ENDS = 4
"""Shares at the end that are halved."""
Tick = Callable[[int], None]


@dataclass(frozen=True, kw_only=True)
class ImportOptions:
    """What can be chosen for an import."""

    format: str | None = None
    """Name of an importer; None: found by looking."""
    strict: bool = False
    """Refuse a log that cannot be carried over without loss."""
    runs_dir: Path
    tick: Tick | None = None
    """Told the number of trials so far."""
    score: bool = False
    """Score each trial while it is at hand; a run that was there already is left as it is."""
    processes: int | None = None
    """None: one for each processor; small logs are read by one alone."""


@dataclass
class _Told:
    """What was said of one source."""

    trials: int = 0
    error: str | None = None
    is_part: bool = False


class Intake:
    """Reads all sources of an import, and keeps what was said of them."""

    def __init__(
        self,
        writer: IntakeWriter,
        known: list[tuple[Source, Importer]],
        options: ImportOptions,
        scoring: Scoring,
    ) -> None:
        self.losses = Losses()
        self.agents: set[str] = set()
        self.models: set[str] = set()
        self._writer = writer
        self._known = known
        self._options = options
        self._scoring = scoring
        self._told = [_Told() for _ in known]
        self._whole: list[Losses] = []
        """Of the logs that are read in shares: what is said of each as a whole."""

    def read(self, meanwhile: Callable[[], object] = lambda: None) -> None:
        """Read all sources, and score their trials where that is wanted.

        `meanwhile` is called at least once, as a rule while other processes are at work.
        """
        grader = Grader() if self._options.score else None
        work = IntakeWork(self._known, self._writer.trial_writer, grader, self._scoring)
        size = sum(_size(source) for source, _ in self._known)
        processes = 1 if size < SMALL_BYTES else processes_for(self._options.processes)
        units = self._units(processes, meanwhile)
        parts = spread(units, work, self._numbered, processes=processes)
        with closing(work):
            for part in parts:
                if isinstance(part, UnitEnd):
                    self._end(part)
                else:
                    self._keep(part)
        # After the others: when they were counted depends on how many processes there are.
        for losses in self._whole:
            self.losses.merge(losses.report())

    def sources(self, digests: list[str]) -> list[ImportedSource]:
        """Return what was said of each source."""
        return [
            _imported(source, importer, digest, told)
            for (source, importer), digest, told in zip(
                self._known, digests, self._told, strict=True
            )
        ]

    def _units(self, processes: int, meanwhile: Callable[[], object]) -> Iterator[IntakeUnit]:
        for number, (source, importer) in enumerate(self._known):
            shares: list[Share] | None = None
            self.losses.where = source.name
            if importer.shared is not None:
                try:
                    shares = importer.shared.cut(source, self.losses)
                except SourceError as problem:
                    self._told[number].error = str(problem)
                    continue
            if shares is None:
                yield IntakeUnit(number)
            else:
                last = number == len(self._known) - 1
                some = tapered(tapered(shares)) if last else shares
                units = [IntakeUnit(number, share) for share in some]
                yield from units[:processes]
                # Of the first log, each process has begun with one: for a while none waits.
                self._count(source, importer)
                meanwhile()
                yield from units[processes:]
        meanwhile()

    def _count(self, source: Source, importer: Importer) -> None:
        """Count the losses of a log as a whole while its shares are read."""
        if importer.shared is not None:
            losses = Losses()
            losses.where = source.name
            importer.shared.count(source, losses)
            self._whole.append(losses)

    def _numbered(self, claims: list[Claim]) -> list[Place]:
        return [self._writer.number(claim) for claim in claims]

    def _keep(self, trials: list[KeptTrial]) -> None:
        for one in trials:
            self._writer.keep(one.task_line, one.toolset_line)
            _remember(self.agents, one.agent)
            _remember(self.models, one.model_id)
            self._told[one.source].trials += 1
            if one.scores is not None:
                self._scoring.take(one.scores)
        if self._options.tick is not None:
            self._options.tick(sum(told.trials for told in self._told))

    def _end(self, end: UnitEnd) -> None:
        told = self._told[end.source]
        self.losses.merge(end.losses)
        told.error = told.error or end.error
        told.is_part = told.is_part or end.is_part


def tapered(shares: list[Share]) -> list[Share]:
    """Halve the last shares of all: while one process reads the last, the others have nothing."""
    kept = max(len(shares) - _ENDS, 0)
    halves = [half for share in shares[kept:] for half in _halves(share)]
    return [*shares[:kept], *halves]


def _halves(share: Share) -> list[Share]:
    middle = (share.start + share.end) // 2
    halves = [Share(share.start, middle), Share(middle, share.end)]
    return [half for half in halves if half.start < half.end]


def _imported(source: Source, importer: Importer, digest: str, told: _Told) -> ImportedSource:
    error = told.error
    if not told.trials and error is None and not told.is_part:
        error = f"{source.name}: holds no trial"
    return ImportedSource(
        path=source.name, format=importer.name, sha256=digest, trials=told.trials, error=error
    )


def _size(source: Source) -> int:
    return source.path.stat().st_size if source.path.is_file() else SMALL_BYTES


def _remember(names: set[str], name: str) -> None:
    if name and len(names) < 2:
        names.add(name)
