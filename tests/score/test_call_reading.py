"""Every call of a trial is read once, with what the tool answered to it."""

import pytest

from trajaudit.datamodel.tool import ToolSpec
from trajaudit.datamodel.trajectory import Message, Observation, Step, ToolCall, Trajectory
from trajaudit.score.call_reading import read_call, read_calls

TOOLS = (ToolSpec(name="look"),)


def made(*steps: tuple[str, str]) -> Trajectory:
    """Return steps with calls of these ids (a letter each), and observations of those."""
    return Trajectory(
        task_id="a",
        steps=tuple(
            Step(
                number=number,
                message=Message(role="assistant", content=""),
                tool_calls=tuple(
                    ToolCall(call_id=one, tool="look", arguments_text="{}") for one in calls
                ),
                observations=tuple(
                    Observation(call_id=one, tool="look", content=f"{one}{place}")
                    for place, one in enumerate(seen)
                ),
            )
            for number, (calls, seen) in enumerate(steps, start=1)
        ),
    )


@pytest.mark.parametrize(
    ("calls", "seen", "replies"),
    [
        ("a", "a", ["a0"]),
        ("a", "x", ["x0"]),
        ("a", "", [None]),
        ("ab", "", [None, None]),
        ("ab", "ba", ["a1", "b0"]),
        ("ab", "bx", ["b0", "b0"]),
        ("ab", "b", [None, "b0"]),
        ("aa", "aa", ["a0", "a1"]),
        ("aa", "a", ["a0", None]),
        ("ab", "aab", [None, "b2"]),
        ("", "a", []),
    ],
)
def test_an_answer_is_found_by_its_id_else_by_its_place(
    calls: str, seen: str, replies: list[str | None]
) -> None:
    assert [one.reply for one in read_calls(made((calls, seen)), TOOLS)] == replies


def test_calls_keep_their_order_and_their_steps() -> None:
    found = read_calls(made(("", ""), ("a", "a"), ("", "x"), ("bc", "cb")), TOOLS)

    assert [(one.step, one.call.call_id, one.reply) for one in found] == [
        (2, "a", "a0"),
        (4, "b", "b1"),
        (4, "c", "c0"),
    ]


def test_the_same_trial_is_read_once_for_each_way_of_reading() -> None:
    trajectory, off = made(("a", "a")), frozenset({"tool_name_style"})
    first, strict = read_calls(trajectory, TOOLS), read_calls(trajectory, TOOLS, off)
    first.clear()

    (again,) = read_calls(trajectory, TOOLS)
    assert again is read_calls(trajectory, list(TOOLS))[0]
    assert again is not strict[0]
    assert strict[0] is read_calls(trajectory, TOOLS, frozenset(off))[0]


def test_tools_that_were_added_meanwhile_are_known() -> None:
    trajectory, tools = made(("a", "a")), [ToolSpec(name="pay")]
    (before,) = read_calls(trajectory, tools)
    tools.append(TOOLS[0])
    (after,) = read_calls(trajectory, tools)

    assert (before.named.name, after.named.name) == (None, "look")


def test_arguments_are_read_as_the_tool_s_that_is_meant() -> None:
    call = ToolCall(call_id="a", tool="Look", arguments_text='{"at": 1}')
    reading = read_call(call, TOOLS)

    assert (reading.named.name, reading.strict, reading.arguments.tool) == (
        "look",
        {"at": 1},
        TOOLS[0],
    )
    assert reading.arguments is reading.arguments
