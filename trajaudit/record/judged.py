"""What lies in a run directory of its judges: every vote, and what the panel made of them."""

from collections.abc import Iterable, Iterator

from trajaudit.datamodel.judging import PanelDecision, Vote
from trajaudit.record.rundir import RunDir
from trajaudit.record.stored import read_records

VOTES = "votes"
DECISIONS = "decisions"


def write_judged(run: RunDir, votes: Iterable[Vote], decisions: Iterable[PanelDecision]) -> None:
    """Replace `votes.jsonl` and `decisions.jsonl`, with history like the verdicts.

    Raises:
        StorageError: one cannot be written; it is as before.
    """
    run.write_records(VOTES, votes)
    run.write_records(DECISIONS, decisions)


def read_votes(run: RunDir) -> Iterator[Vote]:
    """Yield the votes; none where no judge was asked. RunDirError when a line is damaged."""
    return read_records(run.path / f"{VOTES}.jsonl", Vote)


def read_decisions(run: RunDir) -> Iterator[PanelDecision]:
    """Yield the decisions; errors as for the votes."""
    return read_records(run.path / f"{DECISIONS}.jsonl", PanelDecision)
