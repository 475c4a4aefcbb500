"""Did the mocked world end as it should? By assertions, or as the golden trajectory leaves it.

Either is enough, and accepts every path that leads there.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import JsonValue

from trajaudit.datamodel.accept import Accept, StateAssertion
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import GradeStatus, Verdict
from trajaudit.datamodel.worldpath import select
from trajaudit.score.accepted_paths import accept_of
from trajaudit.score.matcher import fits_regex, is_near
from trajaudit.score.state_difference import (
    differences,
    same_value,
    without,
)

NAME = "end_state"
_SHOWN = 20


@dataclass(frozen=True)
class StateCheck:
    """What one look at the end state says: the faults, or the tolerances it needs."""

    faults: tuple[str, ...]
    tolerances: tuple[str, ...] = ()


def end_state(scenario: Scenario, task: Task, trajectory: Trajectory) -> list[Verdict]:
    """Check the end state against the assertions and against the golden end state."""
    accept = accept_of(scenario, task)
    if accept is None or not (accept.state or accept.golden_state):
        return []
    if trajectory.world_end is None:
        return _ungraded(trajectory, "the world's end state was not recorded")
    if not accept.state and accept.golden_world is None:
        return _ungraded(trajectory, "the golden trajectory's end state is not known")
    try:
        return [_verdict(trajectory, accept, lenient=lenient) for lenient in (False, True)]
    except ValueError as error:
        return _ungraded(trajectory, f"the reference cannot be read: {error}", broken=True)


def check_assertions(
    assertions: tuple[StateAssertion, ...],
    start: JsonValue,
    end: JsonValue,
    *,
    lenient: bool = False,
) -> StateCheck:
    """Check every assertion on an end state.

    Raises:
        ValueError: an assertion's path is not in the dotted form.
    """
    used: list[str] = []
    faults = [
        fault
        for assertion in assertions
        for fault in _faults(assertion, start, end, used if lenient else None)
    ]
    return StateCheck(tuple(faults), tuple(dict.fromkeys(used)))


def check_golden(
    golden: JsonValue, end: JsonValue, ignored: tuple[str, ...], *, lenient: bool = False
) -> StateCheck:
    """Compare an end state with the golden one, apart from what is declared irrelevant.

    Raises:
        ValueError: a path in `ignored` is not in the dotted form.
    """
    used: list[str] = []
    found = differences(
        without(golden, ignored), without(end, ignored), used=used if lenient else None
    )
    faults = tuple(f"{at} differs from the golden end state" for at in found)
    return StateCheck(faults, tuple(dict.fromkeys(used)))


def _verdict(trajectory: Trajectory, accept: Accept, *, lenient: bool) -> Verdict:
    checks = []
    end = trajectory.world_end
    if accept.state:
        checks.append(check_assertions(accept.state, trajectory.world_start, end, lenient=lenient))
    if accept.golden_state and accept.golden_world is not None:
        checks.append(check_golden(accept.golden_world, end, accept.ignore_state, lenient=lenient))
    best = min(checks, key=lambda check: (len(check.faults) > 0, len(check.tolerances)))
    faults: list[JsonValue] = [*best.faults[:_SHOWN]]
    return Verdict(
        task_id=trajectory.task_id,
        trial=trajectory.trial,
        scorer=NAME,
        mode="lenient" if lenient else "strict",
        passed=not best.faults,
        reason="; ".join(best.faults[:3]) or "the world ended as it should",
        tolerances=best.tolerances if lenient and not best.faults else (),
        detail={"faults": faults},
    )


def _faults(
    assertion: StateAssertion, start: JsonValue, end: JsonValue, used: list[str] | None
) -> Iterator[str]:
    for path in assertion.unchanged or ():
        if not same_value([*select(start, path)], [*select(end, path)]):
            yield f"{path} changed"
    if assertion.path is not None:
        yield from _faults_at(assertion.path, assertion, select(end, assertion.path), used)


def _faults_at(
    path: str, assertion: StateAssertion, found: list[JsonValue], used: list[str] | None
) -> Iterator[str]:
    if assertion.exists is False:
        if found:
            yield f"{path} exists"
        return
    if not found:
        yield f"{path} does not exist"
    for value in found:
        if not _holds(assertion, value, used):
            yield f"{path} is {str(value)[:60]!r}, wanted {_wanted(assertion)}"


def _holds(assertion: StateAssertion, value: JsonValue, used: list[str] | None) -> bool:
    if assertion.approx is not None:
        return is_near(assertion.approx, assertion.within, value)
    if assertion.regex is not None:
        return isinstance(value, str) and fits_regex(assertion.regex, value)
    wanted = assertion.any_of
    if wanted is None and "equals" in assertion.model_fields_set:
        wanted = (assertion.equals,)
    if wanted is None or any(same_value(item, value) for item in wanted):
        return True
    if used is None:
        return False
    for item in wanted:
        rungs: list[str] = []
        if next(differences(item, value, used=rungs), None) is None:
            used += rungs
            return True
    return False


def _wanted(assertion: StateAssertion) -> str:
    keys = sorted(assertion.model_fields_set - {"path"})
    return ", ".join(f"{key} {getattr(assertion, key)!r}" for key in keys)


def _ungraded(trajectory: Trajectory, reason: str, *, broken: bool = False) -> list[Verdict]:
    status = GradeStatus.SCORER_ERROR if broken else GradeStatus.MISSING_ARTIFACT
    return [
        Verdict(
            task_id=trajectory.task_id,
            trial=trajectory.trial,
            scorer=NAME,
            mode=mode,
            passed=None,
            status=status,
            reason=reason,
        )
        for mode in ("strict", "lenient")
    ]
