"""The report of a run: numbers as a record, as JSON and as a page."""

from pathlib import Path

from trajaudit.audit.score import trajectories
from trajaudit.record.rundir import RunDir
from trajaudit.report.html import write_html
from trajaudit.report.json import write_json
from trajaudit.report.schema import Summary
from trajaudit.report.summary import summarise


def summary_of(run: RunDir) -> Summary:
    """Return the figures of a scored run."""
    return summarise(
        run.config,
        list(run.read_trials()),
        list(run.read_outcomes()),
        list(run.read_findings()),
        list(run.read_verdicts()),
    )


def report_run(run: RunDir) -> tuple[Summary, Path]:
    """Write `report.json` and `report.html`, bring the index up to date; return what was shown."""
    summary = summary_of(run)
    outcomes, findings = list(run.read_outcomes()), list(run.read_findings())
    verdicts = list(run.read_verdicts())
    write_json(
        run.path / "report.json",
        summary,
        outcomes=outcomes,
        findings=findings,
        verdicts=verdicts,
    )
    html = run.path / "report.html"
    write_html(
        html,
        summary,
        run.config,
        ((run.tasks.find(one.task_id), trajectory) for one, trajectory in trajectories(run)),
        verdicts,
        findings,
        outcomes,
    )
    from trajaudit.record.index import update

    update(run)
    return summary, html
