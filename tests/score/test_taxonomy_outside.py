"""What failed outside of the agent is named by its code, or by its words where there is none."""

import pytest

from trajaudit.datamodel.run import Outcome
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import GradeStatus
from trajaudit.score.case_file import CaseFile
from trajaudit.score.taxonomy_outside import outside_findings


def kind_of(detail: str) -> str:
    task = Task(id="a", prompt="Hello?")
    case = CaseFile(
        scenario=Scenario(tasks=(task,), name="s", trajaudit=1),
        task=task,
        trajectory=Trajectory(task_id="a", trial=1, end_reason="infra_error"),
        verdicts=(),
        outcome=Outcome(task_id="a", trial=1, status=GradeStatus.INFRA_ERROR, status_detail=detail),
    )
    (suspicion,) = outside_findings(case)
    return suspicion.kind.value


@pytest.mark.parametrize(
    ("detail", "kind"),
    [
        ("provider_failed: the file is gone", "provider_failed"),
        ("sandbox_failed: the model of the disk is unknown", "sandbox_failed"),
        ("mock_failed: the api of the worker is gone", "sandbox_failed"),
        ("storage_failed: events.jsonl: cannot be written", "sandbox_failed"),
        ("HTTP 503 of openai", "provider_failed"),
        ("container ended", "sandbox_failed"),
        ("", "sandbox_failed"),
    ],
)
def test_the_code_decides_before_the_words(detail: str, kind: str) -> None:
    assert kind_of(detail) == kind
