"""What a process does with a part of the logs: read it, write its trials, score them at once."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from trajaudit.audit.grading import Grader
from trajaudit.audit.scoring import KeptScores, ScoredTrial, Scoring
from trajaudit.audit.worker import Ask
from trajaudit.datamodel.imported import Loss
from trajaudit.datamodel.scenario import Scenario
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.record.importers.base import (
    ForeignTrial,
    Importer,
    PartOfAnotherError,
    ReadShare,
    Share,
    Source,
    SourceError,
)
from trajaudit.record.importers.losses import Losses
from trajaudit.record.intake_trial import Place, TrialWriter, WrittenTrial
from trajaudit.score.identity import Same

TOGETHER = 16
"""Trials that share one question for their numbers; twice as many are in memory."""


@dataclass(frozen=True)
class IntakeUnit:
    """One log, or a share of it."""

    source: int
    """Which of the sources of this import."""
    share: Share | None = None
    """None: the log as a whole."""


_SOON = 3
"""Trials that are left to be scored when a unit is said to be nearly done."""
_Asked = tuple[list[ForeignTrial], Callable[[], list[Place]]]
"""Trials that were read, and what waits for their places."""


@dataclass(frozen=True)
class KeptTrial:
    """What the parent keeps of a trial that a worker wrote."""

    source: int
    agent: str
    model_id: str
    task_line: bytes | None
    toolset_line: bytes | None
    scores: KeptScores | None


@dataclass(frozen=True)
class UnitEnd:
    """What is said of a unit when it was read to its end."""

    source: int
    losses: tuple[Loss, ...]
    error: str | None = None
    is_part: bool = False
    """It belongs to a log that another file holds."""


@dataclass
class IntakeWork:
    """Reads units of one import; made before processes are forked, and used in each of them."""

    known: list[tuple[Source, Importer]]
    writer: TrialWriter
    grader: Grader | None
    """None: trials are not scored."""
    scoring: Scoring
    _open: tuple[int, ExitStack, ReadShare] | None = None
    """The log that was cut and is open, by its number."""

    def __call__(self, unit: IntakeUnit, ask: Ask) -> Iterator[list[KeptTrial] | UnitEnd]:
        """Yield what was written, some trials at a time, then what is said of the unit."""
        reading = _Reading(self.known[unit.source][0].name)
        reading.begin(self._trials(unit, reading.losses))
        before: _Asked | None = None
        while some := reading.some(ask):
            places = ask([self.writer.claim(one) for one in some], last=reading.is_over)
            # These are read before others are written, so that nobody waits for an answer.
            if before is not None:
                yield self._done(unit, before, ask)
            before = some, places
        if before is not None:
            yield self._done(unit, before, ask, last=True)
        losses = reading.losses.report()
        yield UnitEnd(unit.source, losses, reading.error, is_part=reading.is_part)

    def close(self) -> None:
        """Close the log that is open."""
        if self._open is not None:
            self._open[1].close()
            self._open = None

    def _trials(self, unit: IntakeUnit, losses: Losses) -> Iterator[ForeignTrial]:
        source, importer = self.known[unit.source]
        if unit.share is None or importer.shared is None:
            yield from importer.read(source, losses)
            return
        if self._open is None or self._open[0] != unit.source:
            self.close()
            stack = ExitStack()
            self._open = unit.source, stack, stack.enter_context(importer.shared.opened(source))
        yield from self._open[2](unit.share, losses)

    def _done(
        self, unit: IntakeUnit, asked: _Asked, ask: Ask, *, last: bool = False
    ) -> list[KeptTrial]:
        """Write and score trials, one kind of work after the other: its code is at hand then."""
        trials, places = asked
        written = []
        for one, place in zip(trials, places(), strict=True):
            ask.attend()
            written.append(self.writer.write(one, place))
        scores = self._scores(written, ask, _SOON if last else 0)
        return [_kept(unit.source, one, said) for one, said in zip(written, scores, strict=True)]

    def _scores(
        self, written: list[WrittenTrial], ask: Ask, soon: int
    ) -> Sequence[KeptScores | None]:
        if self.grader is None:
            return [None] * len(written)
        scored = []
        for left, one in zip(range(len(written), 0, -1), written, strict=True):
            ask.attend()
            if left == soon:
                ask.soon()
            scored.append(_scored(self.grader, one))
        return self.scoring.keep(scored)


def _kept(source: int, written: WrittenTrial, scores: KeptScores | None) -> KeptTrial:
    origin = written.record.origin
    return KeptTrial(
        source=source,
        agent=origin.agent if origin else "",
        model_id=origin.model_id if origin else "",
        task_line=written.task_line,
        toolset_line=written.toolset_line,
        scores=scores,
    )


def _scored(grader: Grader, written: WrittenTrial) -> ScoredTrial:
    scenario = _with_tools(Same(*written.tools))
    return grader.grade(written.record, scenario, written.task, written.trajectory())


@lru_cache(maxsize=64)
def _with_tools(tools: Same) -> Scenario:
    """Return the scenario of trials that were offered these tools: the same one for the same."""
    offered = cast("tuple[ToolSpec, ...]", tools.things)
    return Scenario(trajaudit=1, name="", tasks=(), tools=offered)


class _Reading:
    """The trials of a unit, some at a time, until the unit or its log comes to an end."""

    def __init__(self, name: str) -> None:
        self.losses = Losses()
        self.losses.where = name
        self.error: str | None = None
        self.is_part = False
        self.is_over = False
        """No trial comes after those that were given."""
        self._ahead: ForeignTrial | None = None
        self._trials: Iterator[ForeignTrial] = iter(())

    def begin(self, trials: Iterator[ForeignTrial]) -> None:
        """Take the trials, which count their losses in `losses`."""
        self._trials = trials

    def some(self, ask: Ask) -> list[ForeignTrial]:
        """Return the next trials; none are left where there are none."""
        found = [] if self._ahead is None else [self._ahead]
        self._ahead = None
        while not self.is_over:
            ask.attend()
            one = self._next()
            if one is None:
                self.is_over = True
            elif len(found) == TOGETHER:
                self._ahead = one
                break
            else:
                found.append(one)
        return found

    def _next(self) -> ForeignTrial | None:
        try:
            return next(self._trials, None)
        except PartOfAnotherError:
            self.is_part = True
        except SourceError as problem:
            self.error = str(problem)
        return None
