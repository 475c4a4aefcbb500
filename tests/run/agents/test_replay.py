"""A replayed trial leaves the same messages, calls and verdicts as the recorded one."""

from tests.conftest import RunText
from tests.run.agents.test_scripted import SHOP
from trajaudit.audit.score import trajectory_of
from trajaudit.datamodel.trajectory import Trajectory


def said(trajectory: Trajectory) -> list[object]:
    return [
        (
            step.message.content,
            [(call.tool, call.arguments_text) for call in step.tool_calls],
            [one.content for one in step.observations],
        )
        for step in trajectory.steps
    ]


def test_a_replay_does_the_same_again(run_text: RunText) -> None:
    recorded = run_text(SHOP, trials=2)

    replayed = run_text(SHOP, trials=2, agent=f"replay:{recorded.run.path}")

    for trial in (1, 2):
        before = trajectory_of(recorded.run, "a", trial)
        after = trajectory_of(replayed.run, "a", trial)
        assert said(before) == said(after)
        assert before.final_reply == after.final_reply


def test_a_trial_that_was_not_recorded_is_an_agent_error(run_text: RunText) -> None:
    recorded = run_text(SHOP, trials=1)

    replayed = run_text(SHOP, trials=2, agent=f"replay:{recorded.run.path}")

    reasons = [record.end_reason for record in replayed.run.read_trials()]
    assert reasons == ["replied", "agent_error"]
