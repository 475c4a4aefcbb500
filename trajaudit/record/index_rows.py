"""Which rows of the index does a run directory become?"""

from collections.abc import Iterable
from itertools import chain

from sqlmodel import Session, SQLModel, col, delete

from trajaudit.datamodel.finding import Finding
from trajaudit.datamodel.run import Outcome, TrialRecord
from trajaudit.datamodel.verdict import GradeStatus
from trajaudit.record.rundir import RunDir
from trajaudit.record.tables import FindingRow, OutcomeRow, RunRow, TrialRow


def forget(session: Session, run_id: str) -> None:
    """Remove the rows of a run."""
    for table in (RunRow, TrialRow, OutcomeRow, FindingRow):
        session.exec(delete(table).where(col(table.run_id) == run_id))


def put(session: Session, run: RunDir, fingerprint: str) -> None:
    """Replace the rows of a run by what its files say; RunDirError when they are damaged."""
    config = run.config
    trials = list(run.read_trials())
    outcomes = list(run.read_outcomes())
    findings = list(run.read_findings())
    row = RunRow(
        run_id=run.run_id,
        created=config.created,
        scenario=config.scenario.name,
        agent=config.agent,
        model_id=config.model_id,
        tasks=len(config.task_ids),
        trials=config.trials,
        whole=len(trials),
        graded=sum(outcome.status is GradeStatus.GRADED for outcome in outcomes),
        strict=sum(outcome.strict is True for outcome in outcomes),
        lenient=sum(outcome.lenient is True for outcome in outcomes),
        final=sum(outcome.final is True for outcome in outcomes),
        findings=len(findings),
        fingerprint=fingerprint,
    )
    forget(session, run.run_id)
    rows: Iterable[SQLModel] = chain(
        (_trial(run.run_id, trial) for trial in trials),
        (_outcome(run.run_id, outcome) for outcome in outcomes),
        (_finding(run.run_id, finding) for finding in findings),
    )
    session.add_all([row, *rows])
    session.flush()


def _trial(run_id: str, trial: TrialRecord) -> TrialRow:
    fields = trial.model_dump(include=set(TrialRow.model_fields))
    return TrialRow(**{**fields, "run_id": run_id})


def _outcome(run_id: str, outcome: Outcome) -> OutcomeRow:
    fields = outcome.model_dump(mode="json", include=set(OutcomeRow.model_fields))
    return OutcomeRow(run_id=run_id, **fields)


def _finding(run_id: str, finding: Finding) -> FindingRow:
    fields = finding.model_dump(mode="json", include=set(FindingRow.model_fields))
    return FindingRow(run_id=run_id, **fields)
