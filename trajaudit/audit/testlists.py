"""Which tests have to be fixed, and which have to go on passing? Found out by running them."""

from collections.abc import Callable

from trajaudit.audit.repositories import (
    PatchTask,
    for_each,
    instance_of,
    open_verifier,
    patch_tasks,
)
from trajaudit.audit.verifying.container import Verifier
from trajaudit.audit.verifying.deciding import together
from trajaudit.audit.verifying.instances import check_instance
from trajaudit.datamodel.patch import Instance, Prediction, TestStatus
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.target import PatchTarget
from trajaudit.errors import ScenarioError
from trajaudit.record.scenarios import LoadedScenario

REPEATS = 2
"""A test that does not end alike each time is in neither list."""
_PASSES = frozenset({TestStatus.PASSED, TestStatus.XPASS})
_KEEPS = frozenset({*_PASSES, TestStatus.XFAIL})
Say = Callable[[str], None]


def with_test_lists(loaded: LoadedScenario, scenario: Scenario, say: Say) -> Scenario:
    """Return the scenario with the lists of tests that its tasks leave out.

    Raises:
        ScenarioError: a reference solution mends nothing, or its tests cannot be run.
        NoEngineError: there is no container engine.
    """
    wanted = [
        one
        for one in patch_tasks(scenario)
        if one.spec.fail_to_pass is None or one.spec.pass_to_pass is None
    ]
    if not wanted:
        return scenario
    say(f"finding out which tests the reference solutions of {len(wanted)} tasks mend")
    filled: dict[str, Task] = {}
    faults: list[str] = []
    with open_verifier(loaded, wanted, "test-lists", say) as verifier:
        found = for_each(
            verifier, wanted, lambda one: _lists(verifier, instance_of(loaded, scenario, one))
        )
    for one, (mended, kept, fault) in zip(wanted, found, strict=True):
        if fault:
            faults.append(f"{loaded.path}:1: task {one.task.id}: {fault}")
        filled[one.task.id] = _filled(one, mended, kept)
    if faults:
        raise ScenarioError(faults)
    tasks = tuple(filled.get(task.id, task) for task in scenario.tasks)
    return scenario.model_copy(update={"tasks": tasks})


def patch_task_faults(
    loaded: LoadedScenario, scenario: Scenario, say: Say
) -> list[tuple[str, str]]:
    """Return (task id, fault) of tasks whose lists are not what their tests do."""
    tasks = patch_tasks(scenario)
    if not tasks:
        return []
    with open_verifier(loaded, tasks, "check-patches", say) as verifier:
        found = for_each(
            verifier,
            tasks,
            lambda one: check_instance(verifier, instance_of(loaded, scenario, one), 1),
        )
    return [
        (one.instance_id, f"its tests are {one.result}: {'; '.join(one.notes) or one.result}")
        for one in found
        if one.result != "sound"
    ]


def _lists(verifier: Verifier, instance: Instance) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Return both lists, and what is wrong."""
    gold = Prediction(instance_id=instance.instance_id, model_patch=instance.patch)
    before = verifier.baseline(instance, repeats=REPEATS)
    done = verifier.examine(instance, gold, repeats=REPEATS)
    if before.fault:
        return (), (), f"its tests do not apply to the repository; got: {before.fault}"
    if not done.runs:
        return (), (), f"its reference solution does not apply; got: {done.patch.reason}"
    was, after = together(before.runs), together(done.runs)
    now = {test: after[test] for test in done.runs[0].statuses}  # in the order of the run
    mended = [
        test
        for test, ends in now.items()
        if set(ends) <= _PASSES and not set(was.get(test, ())) & _KEEPS
    ]
    kept = [
        test
        for test, ends in now.items()
        if set(ends) <= _KEEPS and was.get(test) and set(was[test]) <= _KEEPS
    ]
    fault = "" if mended else "its reference solution makes no test pass that had failed"
    return tuple(mended), tuple(kept), fault


def _filled(one: PatchTask, mended: tuple[str, ...], kept: tuple[str, ...]) -> Task:
    spec = one.spec
    lists = {
        "fail_to_pass": mended if spec.fail_to_pass is None else spec.fail_to_pass,
        "pass_to_pass": kept if spec.pass_to_pass is None else spec.pass_to_pass,
    }
    target = PatchTarget(patch=spec.model_copy(update=lists))
    return one.task.model_copy(update={"target": target})
