"""A figure of the accuracy benchmark, and the imported trials that it is counted from."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from trajaudit.audit.imports import import_logs
from trajaudit.audit.intake import ImportOptions
from trajaudit.audit.score import score_run, trajectory_of
from trajaudit.datamodel.finding import Finding
from trajaudit.datamodel.imported import Origin
from trajaudit.datamodel.run import Outcome
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.stats import wilson


@dataclass(frozen=True)
class Figure:
    """`hits` of `of`, and what that is a share of."""

    what: str
    hits: int
    of: int

    def line(self, name: str) -> str:
        """Write it for a terminal."""
        share, interval = self._numbers()
        return f"{name:13} {self.what:64} {share:>6} {self.hits:5} of {self.of:<6} {interval}"

    def row(self, name: str) -> str:
        """Write it as a row of a Markdown table."""
        share, interval = self._numbers()
        return f"| `{name}` | {self.what} | {share} | {self.hits} of {self.of} | {interval} |"

    def _numbers(self) -> tuple[str, str]:
        if not self.of:
            return "none", ""
        found = wilson(self.hits, self.of)
        return f"{self.hits / self.of:.3f}", f"[{found.low:.3f}, {found.high:.3f}]"


@dataclass(frozen=True)
class Audited:
    """What the audit says of one trial."""

    origin: Origin
    outcome: Outcome
    findings: tuple[Finding, ...]
    trajectory: Trajectory | None = None
    """Where it was asked for."""

    def has(self, *kinds: str) -> bool:
        """Whether it has a finding of one of these kinds."""
        return any(finding.kind.value in kinds for finding in self.findings)

    @property
    def is_doubted_failure(self) -> bool:
        """Whether a recorded failure is said to be none, or to be nobody's but the reference's."""
        by_other = any(
            finding.kind.value == "right_process_wrong_criterion" and finding.fault.value != "agent"
            for finding in self.findings
        )
        return (
            self.outcome.final is True or self.has("reference_suspect", "task_broken") or by_other
        )

    @property
    def is_doubted_pass(self) -> bool:
        """Whether a recorded pass is said to be none, or to be by a reference in doubt."""
        return self.outcome.final is False or self.has("reference_suspect", "answer_leak")


def audited(
    paths: Iterable[Path], runs: Path, log_format: str, *, whole: bool = False
) -> Iterator[Audited]:
    """Import and score logs, and yield what is said of each trial; `whole`: with its steps."""
    run = import_logs(list(paths), ImportOptions(runs_dir=runs, format=log_format)).run
    score_run(run)
    findings: dict[tuple[str, int], list[Finding]] = {}
    for one in run.read_findings():
        findings.setdefault((one.task_id, one.trial), []).append(one)
    origins = {(one.task_id, one.trial): one.origin for one in run.read_trials()}
    for outcome in run.read_outcomes():
        key = (outcome.task_id, outcome.trial)
        origin = origins[key]
        if origin is not None:
            steps = trajectory_of(run, *key) if whole else None
            yield Audited(origin, outcome, tuple(findings.get(key, ())), steps)


def detection(what: str, pairs: Iterable[tuple[bool, bool]]) -> Iterator[Figure]:
    """Yield recall, precision and false alarms of (said, true) pairs."""
    known = list(pairs)
    hits = sum(said and true for said, true in known)
    yield Figure(f"{what}: found, of those that are", hits, sum(true for _, true in known))
    yield Figure(f"{what}: right, of those that are said", hits, sum(said for said, _ in known))
    alarms = sum(said and not true for said, true in known)
    yield Figure(f"{what}: false alarms, of those that are not", alarms, _others(known))


def agreement(what: str, pairs: Iterable[tuple[bool | None, bool]]) -> Iterator[Figure]:
    """Yield how (verdict, truth) pairs agree: false credit, false denial, balanced accuracy."""
    every = list(pairs)
    known = [(said, true) for said, true in every if said is not None]
    right = sum(true for _, true in known)
    credit = sum(bool(said) and not true for said, true in known)
    denial = sum(not said and true for said, true in known)
    wrong = len(known) - right
    if right and wrong:
        balanced = (2 - credit / wrong - denial / right) / 2
        what = f"{what} (balanced accuracy {balanced:.3f})"
    yield Figure(f"{what}: false credit, of the wrong", credit, wrong)
    yield Figure(f"{what}: false denial, of the right", denial, right)
    if len(known) < len(every):
        yield Figure(f"{what}: left open", len(every) - len(known), len(every))


def _others(known: list[tuple[bool, bool]]) -> int:
    return sum(not true for _, true in known)
