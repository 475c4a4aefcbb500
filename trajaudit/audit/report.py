"""The report of a run: numbers as a record, as JSON and as a page."""

from pathlib import Path

from trajaudit.audit.rates import pool_of
from trajaudit.audit.score import trajectories
from trajaudit.record.judged import (
    read_commitments,
    read_decisions,
    read_sittings,
    read_votes,
)
from trajaudit.record.reviews import REVIEWS
from trajaudit.record.rundir import RunDir
from trajaudit.record.verdict_places import VerdictPlaces
from trajaudit.report.corrected import correction_for_report
from trajaudit.report.html import Decided, write_html
from trajaudit.report.json import write_json
from trajaudit.report.judging import Judged, human_of, with_judging
from trajaudit.report.schema import Summary
from trajaudit.report.summary import summarise


def summary_of(
    run: RunDir, judged: Judged | None = None, places: VerdictPlaces | None = None
) -> Summary:
    """Return the figures of a scored run; `judged` where it was read already. `places` then knows
    where the verdicts are.
    """
    summary = summarise(
        run.config,
        list(run.read_trials()),
        run.read_outcomes(),
        run.read_findings(),
        (VerdictPlaces(run) if places is None else places).read(),
    )
    if (run.path / REVIEWS).exists():
        found = correction_for_report(pool_of(run))
        summary = summary.model_copy(update={"corrected": found})
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
    """Write `report.json` and `report.html`, bring the index up to date; return what was shown.

    Verdicts, by far the most of what is said of a run, are read one trial at a time.
    """
    judged, places = judged_of(run), VerdictPlaces(run)
    summary = summary_of(run, judged, places)
    outcomes, findings = list(run.read_outcomes()), list(run.read_findings())
    write_json(
        run.path / "report.json",
        summary,
        outcomes=outcomes,
        findings=findings,
        verdicts=run.read_verdicts(),
        decisions=judged.decisions,
        votes=judged.votes,
    )
    html = run.path / "report.html"
    write_html(
        html,
        summary,
        run.config,
        ((run.tasks.find(one.task_id), trajectory) for one, trajectory in trajectories(run)),
        Decided(places, findings, outcomes, judged.by_trial()),
    )
    from trajaudit.record.index import update

    update(run)
    return summary, html
