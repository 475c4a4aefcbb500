import io

import pytest
from rich.console import Console

from tests.report import sample, trajectories
from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.patch_trial import TakenPatch
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Fault, Verdict
from trajaudit.report.trial import print_trial


def _printed(trajectory: Trajectory, *verdicts: Verdict, kind: FailureKind | None = None) -> str:
    file = io.StringIO()
    reason = trajectories.HOSTILE if kind is FailureKind.LOOP else "lost it"
    found = [sample.finding("t01", 1, kind, Fault.AGENT, reason)] if kind else []
    print_trial(trajectory, verdicts, found, console=Console(file=file, width=100))
    return file.getvalue()


def test_every_step_is_shown_with_its_calls_and_what_came_back() -> None:
    verdict = sample.run().verdicts[0]
    printed = _printed(
        trajectories.refund("t01", 1), verdict, kind=FailureKind.EARLY_CORRECT_LATE_FAIL
    )

    for words in (
        "t01/1   langgraph   local/smollm2",
        "step 4",
        'refund_order {"order_id": "A-17", "amount": "42.50"}',
        "error: timed out [timeout]",
        "note: refund before answering",
        "ended: replied",
        "final reply: You get a voucher.",
        "final_answer strict: pass",
        "early_correct_late_fail · agent · lost it (step 4, 6)",
    ):
        assert words in printed


def test_a_hostile_log_cannot_steer_the_terminal() -> None:
    printed = _printed(trajectories.hostile("t01", 1), kind=FailureKind.LOOP)

    assert not set(printed) & set("\x1b\x00\x9b\u202e\u202c")
    assert "\\x1b[31mred" in printed


@pytest.mark.parametrize(
    ("patch", "said"),
    [
        (
            TakenPatch(artifact="ab", size=7, files=("a.py", "\x1b[31m.py")),
            "7 bytes in artifacts/ab",
        ),
        (TakenPatch(artifact="ab"), "patch: empty"),
        (TakenPatch(problem="lost", detail="no memory"), "patch: none (lost): no memory"),
    ],
)
def test_what_was_left_in_a_repository_is_told(patch: TakenPatch, said: str) -> None:
    trial = trajectories.refund("t01", 1).model_copy(update={"patch": patch})

    printed = _printed(trial)

    assert said in printed
    assert "\x1b" not in printed


def test_what_was_cut_says_how_long_it_was() -> None:
    assert "(3149 characters)" in _printed(trajectories.refund("t01", 1))
