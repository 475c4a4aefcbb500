"""Why trials passed or failed, grouped by cause; and where a person should look first."""

from collections import Counter
from collections.abc import Iterable, Sequence

from trajaudit.datamodel.finding import UNDESERVED, FailureKind, Finding
from trajaudit.datamodel.verdict import Fault
from trajaudit.report.board import Board, Entry
from trajaudit.report.schema import Group, Pointer, TrialRef

_NO_FINDING = "no finding explains this"


def rescued(board: Board) -> tuple[Group, ...]:
    """Strict failures whose final outcome is a pass."""
    return _grouped(
        entry
        for entry in board.entries()
        if entry.decision("strict") is False and entry.decision("final") is True
    )


def failed(board: Board) -> tuple[Group, ...]:
    """Trials whose final outcome is a failure."""
    return _grouped(entry for entry in board.entries() if entry.decision("final") is False)


def suspicious(board: Board) -> tuple[Pointer, ...]:
    """Final passes with a finding against their integrity, or that only the strict grader gave."""
    found: list[Pointer] = []
    for entry in board.entries():
        if entry.decision("strict") is True and entry.decision("lenient") is False:
            reason = "strict passes where lenient does not: the scorers contradict each other"
            found.append(Pointer(task_id=entry.task_id, trial=entry.trial, reason=reason))
        if entry.decision("final") is True:
            bad = [finding for finding in entry.findings if finding.kind in UNDESERVED]
            found += [_pointer(finding, finding.reason) for finding in bad]
    return tuple(found)


def look_first(board: Board) -> tuple[Pointer, ...]:
    """Places to look at, those that may change a number first."""
    lost = [
        _pointer(finding, _lost(finding))
        for entry in board.entries()
        for finding in entry.findings
        if finding.kind is FailureKind.EARLY_CORRECT_LATE_FAIL
    ]
    tasks = [pointer for task in board.tasks.values() for pointer in _about_task(task)]
    unclear = [
        Pointer(task_id=entry.task_id, trial=entry.trial, reason=entry.why_ungraded("final"))
        for entry in board.entries()
        if entry.outcome is not None and entry.why_ungraded("final") in {"ambiguous", "needs_judge"}
    ]
    return (*suspicious(board), *tasks, *lost, *unclear)


def _about_task(entries: Sequence[Entry]) -> list[Pointer]:
    """A task whose reference or infrastructure, not whose agent, seems to be the trouble."""
    task_id, due = entries[0].task_id, len(entries)
    pointers = []
    narrow = [entry for entry in entries if _has_fault(entry, Fault.REFERENCE)]
    if len(narrow) > due / 2:
        first = next(f for f in narrow[0].findings if f.fault is Fault.REFERENCE)
        noun = "suspect" if first.kind is FailureKind.REFERENCE_SUSPECT else "at fault"
        reason = f"reference {noun} in {len(narrow)} of {due} trials: {first.reason}"
        pointers.append(Pointer(task_id=task_id, kind=first.kind, reason=reason))
    if all(entry.decision("final") is None for entry in entries):
        reason = f"none of {due} trials graded: {entries[0].why_ungraded('final')}"
        pointers.append(Pointer(task_id=task_id, reason=reason))
    return pointers


def _has_fault(entry: Entry, fault: Fault) -> bool:
    return any(finding.fault is fault for finding in entry.findings)


def _lost(finding: Finding) -> str:
    return f"lost at step {finding.steps[-1]}" if finding.steps else finding.reason


def _pointer(finding: Finding, reason: str) -> Pointer:
    return Pointer(
        task_id=finding.task_id,
        trial=finding.trial,
        step=finding.steps[-1] if finding.steps else None,
        kind=finding.kind,
        reason=reason,
    )


def _grouped(entries: Iterable[Entry]) -> tuple[Group, ...]:
    """Each trial goes to the group of its first finding, so that the counts add up."""
    members: dict[tuple[FailureKind | None, Fault | None], list[Entry]] = {}
    for entry in entries:
        first = entry.findings[0] if entry.findings else None
        key = (first.kind, first.fault) if first else (None, None)
        members.setdefault(key, []).append(entry)
    groups = [_group(kind, fault, found) for (kind, fault), found in members.items()]
    return tuple(sorted(groups, key=lambda group: -group.count))


def _group(kind: FailureKind | None, fault: Fault | None, entries: Sequence[Entry]) -> Group:
    reasons = Counter(
        entry.findings[0].reason if entry.findings else _NO_FINDING for entry in entries
    )
    return Group(
        kind=kind,
        fault=fault,
        count=len(entries),
        reason=reasons.most_common(1)[0][0],
        other_reasons=len(reasons) - 1,
        trials=tuple(TrialRef(task_id=entry.task_id, trial=entry.trial) for entry in entries),
    )
