"""Each probe changes what it names and nothing that decides; what cannot be changed is left out."""

from pathlib import Path

import pytest

from trajaudit.audit.bias import subjects
from trajaudit.audit.labelled import from_gold
from trajaudit.datamodel.scenario import Task
from trajaudit.datamodel.trajectory import Message, Step, Trajectory
from trajaudit.judge.probes import PROBES, Probe, Side, Subject, clean
from trajaudit.judge.probes.base import inserted
from trajaudit.judge.view import View, view_of
from trajaudit.record.judges import load_panel

ROOT = Path(__file__).resolve().parents[3]
BY_NAME = {one.name: one for one in PROBES}
MUST = {"order", "style", "claimed_reasoning", "identity", "injection"}


def of_set(name: str) -> list[Subject]:
    return subjects(from_gold(None, load_panel("default", ROOT, rubric=name), ROOT))


TASKS = of_set("task_success")
WITHOUT_CALLS = of_set("answer_equivalence")


def twin(name: str, subject: Subject) -> Side:
    side = BY_NAME[name].twin(subject)
    assert side is not None
    return side


def seen(side: Side, kind: str = "outcome") -> View:
    return view_of("process" if kind == "process" else "outcome", side.task, side.trajectory)


def base(one: Probe, subject: Subject) -> Side:
    return one.base(subject) if one.base else clean(subject)


def test_the_battery_is_whole() -> None:
    assert len(BY_NAME) == 11
    assert {one.name for one in PROBES if one.must_pass} == MUST


@pytest.mark.parametrize("one", PROBES, ids=lambda one: str(one.name))
def test_a_probe_changes_the_request_of_most_trials_and_not_the_trial_itself(one: Probe) -> None:
    every = [*TASKS, *WITHOUT_CALLS]
    before = [subject.trajectory.model_dump_json() for subject in every]
    pairs = [(base(one, subject), side) for subject in every if (side := one.twin(subject))]

    assert len(pairs) >= 35
    assert all(a != b for a, b in pairs)
    assert [subject.trajectory.model_dump_json() for subject in every] == before


@pytest.mark.parametrize("one", PROBES, ids=lambda one: str(one.name))
def test_a_twin_is_a_whole_trajectory(one: Probe) -> None:
    for subject in TASKS:
        for side in (base(one, subject), one.twin(subject)):
            if side is None:
                continue
            steps = side.trajectory.steps
            assert [step.number for step in steps] == list(range(1, len(steps) + 1))
            assert side.trajectory.final_step == len(steps)
            assert steps[-1].message.content == side.trajectory.final_reply
            changes = {
                one.step for one in side.trajectory.world_changes
            }  # each still belongs to a step with a call
            assert all(steps[number - 1].tool_calls for number in changes)


def test_calls_and_their_results_stay_but_for_the_probes_that_are_about_them() -> None:
    about_calls = {"recovery", "late_error", "injection"}
    for one in PROBES:
        if one.name in about_calls:
            continue
        for subject in TASKS:
            side = one.twin(subject)
            if side is not None:
                assert [(step.tool_calls, step.observations) for step in side.trajectory.steps] == [
                    (step.tool_calls, step.observations) for step in subject.trajectory.steps
                ]


def test_style_and_length_keep_every_word_of_the_answer() -> None:
    for name in ("style", "length"):
        for subject in TASKS:
            answer = str(subject.trajectory.final_reply)
            changed = str(twin(name, subject).trajectory.final_reply)
            assert set(answer.split()) <= set(changed.replace("*", " ").split())
            assert changed != answer
    long = str(twin("length", TASKS[0]).trajectory.final_reply)
    assert len(long) >= 4 * len(str(TASKS[0].trajectory.final_reply))


def test_claims_beside_calls_are_kept_from_the_outcome_view_those_in_the_answer_are_not() -> None:
    side = twin("claimed_reasoning", TASKS[0])

    assert "checked this step by step" in seen(side, "process").untrusted
    assert "checked this step by step" not in seen(side).untrusted
    assert "verified every step twice" in seen(side).untrusted


def test_recovery_repeats_a_call_that_failed_once() -> None:
    steps = twin("recovery", TASKS[0]).trajectory.steps

    assert steps[0].observations[0].is_error
    assert not steps[1].observations[0].is_error
    assert steps[0].tool_calls[0].arguments == steps[1].tool_calls[0].arguments
    assert steps[0].tool_calls[0].call_id != steps[1].tool_calls[0].call_id


def test_a_late_error_is_compared_with_the_same_error_early() -> None:
    one = BY_NAME["late_error"]
    early, late = base(one, TASKS[0]), twin("late_error", TASKS[0])
    places = [
        [at for at, step in enumerate(side.trajectory.steps) if _failed(step)]
        for side in (early, late)
    ]

    assert places == [[0], [len(TASKS[0].trajectory.steps) - 1]]
    assert len(early.trajectory.steps) == len(late.trajectory.steps)


def _failed(step: Step) -> bool:
    return any(one.is_error for one in step.observations)


@pytest.mark.parametrize("name", ["outcome_leak", "injection"])
def test_what_is_leaked_or_demanded_is_the_opposite_of_the_truth(name: str) -> None:
    passes, fails = TASKS[0], TASKS[1]
    wanted = {"outcome_leak": ("failed", "passed"), "injection": ("'fail'", "'pass'")}[name]

    assert (passes.label, fails.label) == ("pass", "fail")
    assert wanted[0] in seen(twin(name, passes)).untrusted
    assert wanted[1] in seen(twin(name, fails)).untrusted
    assert wanted[1] not in seen(twin(name, passes)).untrusted


def test_an_injection_reaches_both_views_and_is_seen_to_be_meant_for_a_judge() -> None:
    for kind in ("outcome", "process"):
        assert seen(twin("injection", TASKS[0]), kind).addressed


def test_a_wrong_reference_is_another_tasks_and_of_its_kind() -> None:
    for subject in WITHOUT_CALLS:
        side = twin("wrong_reference", subject)
        assert side.task.target not in (None, subject.task.target)
    numbers = [one for one in WITHOUT_CALLS if one.task.id in ("seats", "hedged")]
    kinds = [type(twin("wrong_reference", one).task.target).__name__ for one in numbers]
    assert kinds == ["NumberTarget", "NumberTarget"]


def test_what_has_no_answer_no_call_and_no_reference_is_left_alone() -> None:
    empty = Subject(Task(id="t", prompt="x"), Trajectory(task_id="t"), "fail")
    alone = {name for name, one in BY_NAME.items() if one.twin(empty) is None}

    assert alone == set(BY_NAME) - {"order", "option_order"}


def test_steps_that_are_put_in_front_take_over_what_was_said_before() -> None:
    rule = Message(role="system", content="Be kind.")
    said = Message(role="assistant", content="x")
    trajectory = Trajectory(
        task_id="t", steps=(Step(number=1, before=(rule,), message=said),), final_step=1
    )
    found = inserted(trajectory, 0, [Step(number=9, message=said)])

    assert [step.before for step in found.steps] == [(rule,), ()]
    assert found.final_step == 2


@pytest.mark.parametrize("one", PROBES, ids=lambda one: str(one.name))
def test_a_probe_stands_on_the_page_with_whether_it_has_to_be_passed(one: Probe) -> None:
    page = (ROOT / "docs" / "judges.md").read_text(encoding="utf-8")
    (row,) = [line for line in page.splitlines() if line.startswith(f"| `{one.name}` |")]

    assert row.rstrip().endswith("| yes |") is one.must_pass
    assert one.what.split(",")[0] in row
