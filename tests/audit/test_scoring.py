"""What was said of trials is kept whole, in memory or in a file, until all were scored."""

import pytest

from trajaudit.audit import scoring
from trajaudit.audit.scoring import ScoredTrial, Scoring, Seen, read_findings
from trajaudit.datamodel.finding import FailureKind, Finding
from trajaudit.datamodel.run import Outcome
from trajaudit.datamodel.verdict import Fault
from trajaudit.record.stored import dumped
from trajaudit.score.agreement import TrialReading


def _finding(task_id: str, trial: int, kind: FailureKind, *, decided: bool = True) -> Finding:
    return Finding(
        task_id=task_id,
        trial=trial,
        kind=kind,
        fault=Fault.AGENT,
        reason="line\r\nbreaks \u2028 stay",
        decided=decided,
    )


def _scored(task_id: str, trial: int, findings: int) -> ScoredTrial:
    reading = TrialReading(trial=trial, passed=False)
    found = [
        _finding(task_id, trial, FailureKind.WRONG_ANSWER, decided=number == 0)
        for number in range(findings)
    ]
    return ScoredTrial(
        seen=Seen(task_id, trial, "", final=False, reading=reading),
        verdicts=b"".join(f"verdict {n} of {task_id}/{trial}\n".encode() for n in range(3)),
        outcome=dumped(Outcome(task_id=task_id, trial=trial, final=False)),
        findings=tuple(map(dumped, found)),
    )


@pytest.mark.parametrize("at_hand", [1, 1_000_000])
def test_all_of_it_comes_back_in_the_order_of_the_run(
    at_hand: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scoring, "_AT_HAND", at_hand)
    taken = [_scored("b", 1, 2), _scored("a", 2, 0), _scored("a", 1, 1)]
    with Scoring() as kept:
        for one in taken:
            kept.take(one)
        kept.sort(["a", "b"])

        verdicts, outcomes = list(kept.verdict_lines()), list(kept.outcome_lines())
        found = list(kept.finding_lines({}))
        assert list(kept.verdict_lines()) == verdicts

    ordered = [taken[2], taken[1], taken[0]]
    assert verdicts == [one.verdicts for one in ordered]
    assert outcomes == [one.outcome + b"\n" for one in ordered]
    assert found == [
        (one.seen, one.outcome + b"\n", b"".join(line + b"\n" for line in one.findings))
        for one in ordered
    ]


def test_a_finding_of_the_whole_task_that_decides_takes_the_place_of_the_others() -> None:
    broken = _finding("a", 1, FailureKind.TASK_BROKEN)
    with Scoring() as kept:
        kept.take(_scored("a", 1, 2))
        kept.take(_scored("a", 2, 2))

        first, second = (
            read_findings(lines) for _, _, lines in kept.finding_lines({("a", 1): broken})
        )

    assert [(one.kind.value, one.decided) for one in first] == [
        ("task_broken", True),
        ("wrong_answer", False),
        ("wrong_answer", False),
    ]
    assert [one.decided for one in second] == [True, False]
    assert all(one.reason == broken.reason for one in [*first, *second])
