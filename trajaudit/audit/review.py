"""What people said goes back: into outcomes, into what is known of judges, and into the report."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from trajaudit.audit.report import report_run
from trajaudit.audit.score import Flip, score_run
from trajaudit.audit.sitting import queue_of
from trajaudit.datamodel.judged import Sitting
from trajaudit.datamodel.judging import PanelDecision
from trajaudit.datamodel.review import SamplePlan
from trajaudit.errors import ScenarioError
from trajaudit.judge.risk import audited, with_risk
from trajaudit.record.judged import DECISIONS, QUEUE, read_decisions, read_sittings
from trajaudit.record.judges import LoadedPanel, load_panel
from trajaudit.record.reviews import REVIEWS
from trajaudit.record.rundir import RunDir
from trajaudit.review.column import broken_tasks, passes_of
from trajaudit.review.policy import load_plan, store_plan
from trajaudit.review.sample import framed
from trajaudit.review.settle import human_decisions


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """Trials of a run on which people's word is still wanted."""

    resolve: int
    audit: int

    @property
    def text(self) -> str:
        """Both counts, as the last line of a page says them."""
        return f"{self.resolve} to resolve, {self.audit} to audit"


@dataclass(frozen=True, kw_only=True)
class TakenBack:
    """What people's labels changed in a run."""

    run_id: str
    flips: tuple[Flip, ...]
    sent: int
    """Trials that are put to people because others of their stratum were wrong too often."""
    html: Path


def waiting(run: RunDir) -> Waiting:
    """Return how many trials people still have to look at; errors as for `framed`."""
    done = human_decisions(run)
    broken = broken_tasks(done.values())
    queues = [
        one.queue
        for one in framed(run)
        if (one.task_id, one.trial) not in done and one.task_id not in broken
    ]
    return Waiting(resolve=queues.count("resolve"), audit=queues.count("audit"))


def draw_where_nobody_did(runs: Sequence[RunDir]) -> list[tuple[RunDir, Waiting]]:
    """Write the default plan of runs that have none; return those, with what people are to do.

    Written down, the sample stays what it is when a later version has other defaults.

    Raises:
        UsageError: a run was not scored.
        StorageError: a plan cannot be written.
    """
    found = []
    for run in runs:
        if load_plan(run) is None:
            found.append((run, waiting(run)))
            store_plan(run, SamplePlan())
    return found


def label_marks(runs: Path) -> dict[str, tuple[int, int]]:
    """Return size and time of each run's labels, which change when somebody says something."""
    found = {}
    for path in runs.glob(f"*/{REVIEWS}"):
        info = path.stat()
        found[path.parent.name] = (info.st_size, info.st_mtime_ns)
    return found


def changed_runs(runs: Path, before: dict[str, tuple[int, int]]) -> list[RunDir]:
    """Return the runs of whose trials people said something since `label_marks`."""
    after = label_marks(runs)
    return [RunDir(runs / name) for name in sorted(after) if after[name] != before.get(name)]


def take_back(run: RunDir, start: Path) -> TakenBack:
    """Let people's labels count: queues, outcomes, report and index of a run are made anew.

    `start`: where names of panels are looked up from.

    Raises:
        RunDirError: a file of the run is damaged, or another process holds it.
        StorageError: a file cannot be written.
    """
    with run.lock():
        sent = _weigh(run, start)
        flips = score_run(run)
        _, html = report_run(run)
    return TakenBack(run_id=run.run_id, flips=tuple(flips), sent=sent, html=html)


def _weigh(run: RunDir, start: Path) -> int:
    """Let the costs of each panel see what people found wrong; return how many trials that sends.

    Nothing is asked of any judge. A panel whose files changed since decides nothing here; it does
    when it judges the run again.
    """
    before = list(read_decisions(run))
    if not before:
        return 0
    people = human_decisions(run)
    sittings = {one.rubric: one for one in read_sittings(run)}
    after: list[PanelDecision] = []
    for rubric in dict.fromkeys(one.rubric for one in before):
        own = [one for one in before if one.rubric == rubric]
        loaded = _same_panel(sittings.get(rubric), start)
        if loaded is not None:
            own = with_risk(own, audited(own, passes_of(people)), loaded.panel.costs)
        after += own
    run.write_records(DECISIONS, after)
    run.write_records(QUEUE, queue_of(after, people))
    return _resolve(after) - _resolve(before)


def _same_panel(sitting: Sitting | None, start: Path) -> LoadedPanel | None:
    if sitting is None:
        return None
    try:
        loaded = load_panel(sitting.panel, start, rubric=sitting.rubric)
    except ScenarioError:
        return None
    return loaded if loaded.sha256 == sitting.sha256 else None


def _resolve(decisions: Sequence[PanelDecision]) -> int:
    return sum(one.queue == "resolve" for one in decisions)
