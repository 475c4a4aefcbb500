"""A trial as text says everything that a reviewer may see, each line under its step."""

from tests.review.made import SCENARIO, TASK
from trajaudit.datamodel.accept import Accept
from trajaudit.datamodel.scenario import Task
from trajaudit.datamodel.trajectory import (
    Message,
    Observation,
    Step,
    ToolCall,
    Trajectory,
    WorldChange,
)
from trajaudit.review.blind import BlindTrial, blinded
from trajaudit.review.shown import Hider
from trajaudit.review.transcript import reference, transcript


def blind(trajectory: Trajectory, task: Task = TASK, patch: str | None = None) -> BlindTrial:
    return blinded(Hider([]), task, SCENARIO, trajectory, patch)


def test_messages_calls_errors_changes_and_the_end_stand_in_order() -> None:
    call = ToolCall(call_id="1", tool="pay", arguments_text='{"n": 1', executed=False)
    step = Step(
        number=1,
        before=(
            Message(role="system", content="Be kind.", source="harness"),
            Message(role="user", content="the task itself", source="task"),
            Message(role="user", content="and now?", source="user"),
        ),
        message=Message(role="assistant", content="", reasoning="hm"),
        tool_calls=(call,),
        observations=(Observation(call_id="1", tool="pay", content="bad JSON", is_error=True),),
    )
    trajectory = Trajectory(
        task_id="late",
        steps=(step,),
        after=(Message(role="user", content="thanks", source="user"),),
        world_changes=(WorldChange(step=1, patch=({"op": "remove", "path": "/a"},)),),
        end_reason="step_limit",
    )

    assert transcript(blind(trajectory, patch="+ a line")).splitlines() == [
        "[1] user said: and now?",
        "[1] agent thought: hm",
        '[1] call pay({"n": 1) (not carried out)',
        "[1] error of pay: bad JSON",
        '[1] state changed: [{"op": "remove", "path": "/a"}]',
        "[end] user said: thanks",
        "[end] final answer: (none)",
        "[end] patch:",
        "+ a line",
        "[end] step_limit",
    ]


def test_a_reference_is_target_and_accepted_paths_and_may_be_missing() -> None:
    accept = Accept.model_validate({"forbid": ["erase"]})
    both = TASK.model_copy(update={"accept": accept})
    neither = TASK.model_copy(update={"target": None})

    assert reference(blind(Trajectory(task_id="late"), both)).splitlines() == [
        'target: {"text": "refunded"}',
        'accept: {"forbid": [{"tool": "erase"}]}',
    ]
    assert reference(blind(Trajectory(task_id="late"), neither)) == ""
