"""Adapters from cases about tool calls, paths and loops to the scorers."""

from collections.abc import Callable, Sequence
from typing import Any

from tests.cases.outcome import Adapter, Outcome
from trajaudit.datamodel.accept import ExpectedCall
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.datamodel.trajectory import ToolCall
from trajaudit.score.argument_match import Level, expectation
from trajaudit.score.argument_repair import canonical
from trajaudit.score.assignment import Problem
from trajaudit.score.call_reading import CallReading, read_call
from trajaudit.score.criteria import basis_passes, failed_checks
from trajaudit.score.ladder import highest_step
from trajaudit.score.loops import find_loops
from trajaudit.score.matching import assign, best_assignment, f1_of

Case = dict[str, Any]
Calls = Sequence[Case | list[Case]]
_EVERYTHING = ToolSpec(name="unknown", parameters={})


def tool_args(case: Case) -> Case:
    """Compare one call with the expected one."""
    tool = ToolSpec(name=case["tool"]["name"], parameters=case["tool"].get("parameters", {}))
    others = [name for name in case.get("registry") or [] if name != tool.name]
    tools = [tool, *(ToolSpec(name=name) for name in others)]
    reading = read_call(_call(case["actual_call"]), tools)
    fit = expectation(_expected(case["expected_call"]), tools).fit(reading)
    return {
        "verdict": _verdict(reading, fit.level),
        "tolerances": list(fit.tolerances),
        "rung": highest_step(fit.tolerances),
        "label": _label(reading, fit.tolerances),
        "differences": list(fit.differences),
    }


def _verdict(reading: CallReading, level: Level) -> str:
    if reading.named.name is None or reading.unreadable is None:
        return level
    return "ambiguous" if reading.unreadable.kind == "conflict" else "unparseable"


def _label(reading: CallReading, tolerances: tuple[str, ...]) -> str | None:
    if reading.named.name is None:
        return "hallucinated_tool"
    if reading.unreadable is not None and reading.unreadable.kind == "cut":
        return "truncated"
    return "format_only" if tolerances and highest_step(tolerances) == "repaired" else None


def trajectory_match(case: Case) -> Case:
    """Compare calls with one expected list and its alternatives."""
    paths: list[Calls] = [case["expected"], *(case.get("alternatives") or [])]
    if case["mode"] == "f1":
        return max((_figures(case, path) for path in paths), key=lambda found: found["f1"])
    for number, path in enumerate(paths):
        assignment = assign(_problem(case, path))
        if assignment is not None:
            return {"match": True, "path": number, **_figures(case, path)}
    return {"match": False, **_figures(case, paths[0])}


def _figures(case: Case, path: Calls) -> Case:
    wanted, made = len(_flat(path)), len(_flat(case["actual"]))
    found = best_assignment(_problem({**case, "mode": "f1"}, path))
    precision, recall, f1 = f1_of(len(found.pairs), made, wanted)
    return {"precision": precision, "recall": recall, "f1": f1}


def _problem(case: Case, path: Calls) -> Problem:
    mode = case["mode"]
    wanted, made = _flat(path), _flat(case["actual"])
    fits = [
        [e for e, (_, call) in enumerate(wanted) if _fits(case["args_mode"], call, actual)]
        for _, actual in made
    ]
    groups = [group for group, _ in wanted]
    before = {
        (a, b)
        for a, first in enumerate(groups)
        for b, second in enumerate(groups)
        if second == first + 1
    }
    return Problem(
        kinds=range(len(wanted)),
        fits=fits,
        steps=[group for group, _ in made],
        required=[mode != "subset"] * len(wanted),
        repeat=[False] * len(wanted),
        free=[mode in {"in_order", "superset"}] * len(made),
        before=frozenset(before) if mode in {"strict", "in_order"} else frozenset(),
    )


def _flat(calls: Calls) -> list[tuple[int, Case]]:
    groups = [call if isinstance(call, list) else [call] for call in calls]
    return [(number, call) for number, group in enumerate(groups) for call in group]


def _fits(args_mode: str, wanted: Case, actual: Case) -> bool:
    """Compare as JSON; 1 equals 1.0, and an id of a call is bookkeeping."""
    if wanted["name"] != actual["name"]:
        return False
    reading = read_call(_call(actual), [ToolSpec(name=wanted["name"], parameters={})])
    if args_mode == "ignore" or reading.form is None:
        return args_mode == "ignore"
    given, demanded = reading.form.raw, wanted.get("arguments") or {}
    if args_mode == "subset":
        given = {name: value for name, value in given.items() if name in demanded}
    if args_mode == "superset":
        demanded = {name: value for name, value in demanded.items() if name in given}
    expected = _expected({"name": wanted["name"], "arguments": demanded})
    call = _call({"name": wanted["name"], "arguments": given})
    fit = expectation(expected, [_EVERYTHING]).fit(read_call(call, [_named(wanted["name"])]))
    return fit.level == "exact" or (
        fit.level == "tolerated" and set(fit.tolerances) <= {"int_float", "float_noise"}
    )


def _named(name: str) -> ToolSpec:
    return ToolSpec(name=name, parameters={})


def loop_detect(case: Case) -> Case:
    """Look for circles among calls with their results."""
    turns = [
        (call["name"], canonical(call.get("arguments")), canonical(call.get("result")))
        for call in case["calls"]
    ]
    return {"loop": bool(find_loops(turns, case.get("threshold") or 3))}


def turn_scores(case: Case) -> Case:
    """Show the whole and the parts."""
    turns: list[bool] = case["turns"]
    failures = [number for number, passed in enumerate(turns, start=1) if not passed]
    return {
        "all_turns": not failures,
        "fraction": sum(turns) / len(turns) if turns else None,
        "first_failure": failures[0] if failures else None,
    }


def reward_basis(case: Case) -> Case:
    """Reward follows the basis; a required action that nobody took fails its check."""
    checks: dict[str, bool | None] = dict(case["checks"])
    required, taken = case.get("required_actions") or [], case.get("actual_tools") or []
    if not set(required) <= set(taken):
        checks["action"] = False
    passed = basis_passes(case["basis"], checks)
    return {
        "reward": None if passed is None else float(passed),
        "shown_failed_checks": list(failed_checks(checks)),
    }


def _expected(call: Case) -> ExpectedCall:
    arguments = {name: {"exact": value} for name, value in (call.get("arguments") or {}).items()}
    return ExpectedCall.model_validate({"tool": call["name"], "arguments": arguments})


def _call(call: Case) -> ToolCall:
    arguments = call.get("arguments")
    if isinstance(arguments, str):
        return ToolCall(call_id="c", tool=call["name"], arguments_text=arguments)
    text = "" if arguments is None else canonical(arguments)
    return ToolCall(call_id="c", tool=call["name"], arguments_text=text, arguments=arguments)


def _adapted(answer: Callable[[Case], Case]) -> Adapter:
    """Judge what the product says by every value that the case expects."""

    def adapter(given: Case, expected: Case) -> Outcome:
        shown = answer(given)
        if "accept" in expected:
            said, accept = str(shown["verdict"]), list(expected["accept"])
            allowed = not _CREDIT.isdisjoint(accept)
            return Outcome(said, said in accept, said in _CREDIT, allowed, shown)
        wrong = [key for key, value in expected.items() if not _same(shown.get(key), value)]
        credited = any(shown.get(key) in (True, 1.0) for key in wrong)
        return Outcome(str(shown), not wrong, credited, False, shown)

    return adapter


_CREDIT = frozenset({"exact", "tolerated"})


def _same(said: object, wanted: object) -> bool:
    if isinstance(wanted, float) and isinstance(said, (int, float)):
        return abs(said - wanted) < 1e-6
    return said == wanted


ADAPTERS: dict[str, Adapter] = {
    "tool_args": _adapted(tool_args),
    "trajectory_match": _adapted(trajectory_match),
    "loop_detect": _adapted(loop_detect),
    "turn_scores": _adapted(turn_scores),
    "reward_basis": _adapted(reward_basis),
}
