"""How trials got over their injected faults, and whether the faults made the difference."""

from collections import Counter

from trajaudit.datamodel.verdict import Verdict
from trajaudit.report.board import Board, Entry
from trajaudit.report.schema import Recovery, RecoveryRow, TrialRef

STATES = ("recovered", "contained", "unrecovered", "never_hit", "not_graded")
COMPARISONS = (
    "failed_with_only",
    "failed_both",
    "passed_both",
    "passed_with_only",
    "not_compared",
)


def recovery_of(board: Board) -> Recovery | None:
    """Return how the trials of tasks with faults fared; None where no task declares any."""
    by_state: dict[str, list[tuple[Entry, Verdict | None]]] = {}
    has_control = False
    for entries in board.tasks.values():
        verdicts = [_verdict(entry) for entry in entries]
        if not any(verdict is not None for verdict in verdicts):
            continue
        for entry, verdict in zip(entries, verdicts, strict=True):
            by_state.setdefault(_said(verdict, "state", "not_graded"), []).append((entry, verdict))
            has_control |= verdict is not None and verdict.detail.get("has_control") is True
    if not by_state:
        return None
    rows = tuple(_row(state, by_state[state]) for state in STATES if state in by_state)
    return Recovery(has_control=has_control, rows=rows)


def _row(state: str, members: list[tuple[Entry, Verdict | None]]) -> RecoveryRow:
    counts = Counter(_said(verdict, "comparison", "not_compared") for _, verdict in members)
    return RecoveryRow(
        state=state,
        trials=tuple(TrialRef(task_id=entry.task_id, trial=entry.trial) for entry, _ in members),
        comparisons={name: counts[name] for name in COMPARISONS},
    )


def _verdict(entry: Entry) -> Verdict | None:
    """The verdict on recovery of a trial whose task declares faults."""
    found = (v for v in entry.verdicts if v.scorer == "recovery" and v.mode == "strict")
    return next((verdict for verdict in found if "state" in verdict.detail), None)


def _said(verdict: Verdict | None, name: str, otherwise: str) -> str:
    value = verdict.detail.get(name) if verdict is not None else None
    return value if isinstance(value, str) else otherwise
