"""How far people and judges agree on the trials of runs."""

from collections.abc import Sequence
from dataclasses import dataclass

from trajaudit.record.judged import read_decisions, read_votes
from trajaudit.record.reviews import read_reviews
from trajaudit.record.rundir import RunDir
from trajaudit.review.agreement import AgreementTable, Said, agreement_tables
from trajaudit.review.settle import human_decisions


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """Tables over one run, or of people over several together."""

    run_ids: tuple[str, ...]
    tables: tuple[AgreementTable, ...]


def agreements(runs: Sequence[RunDir], *, confidence: float = 0.95) -> list[Agreement]:
    """Return how far people agree over all runs, and people and judges in each.

    Raises:
        RunDirError: a file of a run is damaged.
    """
    found = [
        Agreement(run_ids=(run.run_id,), tables=agreement_tables(_said(run), confidence=confidence))
        for run in runs
    ]
    if len(runs) < 2:
        return found
    # The same label lies in each run that shows its content.
    lines = {str(one): one for run in runs for one in read_reviews(run)}
    together = agreement_tables(Said(records=tuple(lines.values())), confidence=confidence)
    return [Agreement(run_ids=tuple(run.run_id for run in runs), tables=together), *found]


def _said(run: RunDir) -> Said:
    return Said(
        records=tuple(read_reviews(run)),
        human=human_decisions(run),
        decisions=tuple(one for one in read_decisions(run) if one.decides),
        votes=tuple(read_votes(run)),
    )
