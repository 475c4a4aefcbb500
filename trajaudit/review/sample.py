"""The sample of a run, read from its files."""

from trajaudit.datamodel.review import Framed, SamplePlan
from trajaudit.errors import UsageError
from trajaudit.record.judged import read_decisions
from trajaudit.record.rundir import RunDir
from trajaudit.review.frame import frame, kinds_of
from trajaudit.review.policy import load_plan


def framed(run: RunDir, plan: SamplePlan | None = None) -> list[Framed]:
    """Return the trials of a run as its sample sees them.

    `plan` takes the place of the run's own; without either, the defaults hold.

    Raises:
        UsageError: the run was not scored.
        RunDirError: a file of it is damaged.
    """
    if not (run.path / "outcomes.jsonl").exists():
        raise UsageError(
            f"{run.run_id} was not scored, so that nobody knows which trials are in doubt; "
            f"run trajaudit score {run.run_id} first"
        )
    kinds = kinds_of(run.read_findings())
    chosen = plan or load_plan(run) or SamplePlan()
    return frame(run.read_outcomes(), read_decisions(run), kinds, chosen)
