"""The report of a run: numbers as a record, as JSON and as a page."""

from pathlib import Path

from trajaudit.audit.score import trajectories
from trajaudit.record.judged import (
    read_commitments,
    read_decisions,
    read_sittings,
    read_votes,
)
from trajaudit.record.rundir import RunDir
from trajaudit.report.html import Decided, write_html
from trajaudit.report.json import write_json
from trajaudit.report.judging import Judged, human_of, with_judging
from trajaudit.report.schema import Summary
from trajaudit.report.summary import summarise


def summary_of(run: RunDir, judged: Judged | None = None) -> Summary:
    """Return the figures of a scored run; `judged` where it was read already."""
    summary = summarise(
        run.config,
        list(run.read_trials()),
        list(run.read_outcomes()),
        list(run.read_findings()),
        list(run.read_verdicts()),
    )
    return with_judging(summary, judged_of(run) if judged is None else judged)


def judged_of(run: RunDir) -> Judged:
    """Return everything that lies in a run of its judges."""
    return Judged(
        votes=list(read_votes(run)),
        decisions=list(read_decisions(run)),
        commitments=list(read_commitments(run)),
        sittings=list(read_sittings(run)),
        human=human_of(list(run.read_outcomes())),
    )


def report_run(run: RunDir) -> tuple[Summary, Path]:
    """Write `report.json` and `report.html`, bring the index up to date; return what was shown."""
    judged = judged_of(run)
    summary = summary_of(run, judged)
    outcomes, findings = list(run.read_outcomes()), list(run.read_findings())
    verdicts = list(run.read_verdicts())
    write_json(
        run.path / "report.json",
        summary,
        outcomes=outcomes,
        findings=findings,
        verdicts=verdicts,
        decisions=judged.decisions,
        votes=judged.votes,
    )
    html = run.path / "report.html"
    write_html(
        html,
        summary,
        run.config,
        ((run.tasks.find(one.task_id), trajectory) for one, trajectory in trajectories(run)),
        Decided(verdicts, findings, outcomes, judged.by_trial()),
    )
    from trajaudit.record.index import update

    update(run)
    return summary, html
