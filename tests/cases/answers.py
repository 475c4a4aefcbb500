"""Adapter of the operation `final_answer`."""

from typing import Any

from pydantic import TypeAdapter

from tests.cases.outcome import Adapter, Outcome
from tests.cases.replayed import replayed
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.target import Target
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Verdict
from trajaudit.score.extract.reader import reader_for
from trajaudit.score.extract.unit import is_currency
from trajaudit.score.final_answer import final_answer

_TARGET: TypeAdapter[Target] = TypeAdapter(Target)
_FORMAT = "ANSWER: {answer}"


def final_answer_case(given: dict[str, Any], expected: dict[str, Any]) -> Outcome:
    if "target" in given:
        return replayed(given, expected)
    options = given.get("options", {})
    submitted = options.get("submitted")
    question = given.get("question") or "(none)"
    target = target_of(given, given["reference"])
    trajectory = Trajectory(
        task_id="case",
        final_reply=given["response"] if submitted is None else str(submitted),
        submitted=submitted is not None,
        finish_reason=given.get("finish_reason", "stop"),
        end_reason="step_limit" if options.get("stop_reason", "stop") != "stop" else "replied",
    )
    task = Task(id="case", prompt=question, target=target)
    scenario = Scenario(trajaudit=1, answer_format=_FORMAT, tasks=(task,))
    strict, lenient = final_answer(scenario, task, trajectory)
    said = str(lenient.detail["outcome"])
    strict_fits = expected.get("strict") is None or strict.passed is expected["strict"]
    return Outcome(
        said,
        accepted=said in expected["accept"]
        and strict_fits
        and _reading_fits(lenient, given, expected),
        credited=said == "correct",
        credit_allowed="correct" in expected["accept"],
        shown={"reading": lenient.reading, "strict": strict.passed, "reason": lenient.reason},
    )


def _reading_fits(lenient: Verdict, given: dict[str, Any], expected: dict[str, Any]) -> bool:
    """Where a value is expected and was read, both are the same to the reader of the target."""
    wanted = expected.get("reading")
    if wanted is None or lenient.reading is None or lenient.passed is None:
        return True
    unit = wanted["unit"] if isinstance(wanted, dict) else None
    value = wanted["value"] if isinstance(wanted, dict) else wanted
    options = {**given.get("options", {}), **({"unit": unit} if unit else {})}
    reader = reader_for(target_of({**given, "options": options}, value), given.get("question", ""))
    ours = reader.marked(lenient.reading) if reader else None
    if reader is None or ours is None or ours.value is None:
        return False
    return reader.matches(ours.value, lenient.reading)[0] is True


def target_of(given: dict[str, Any], reference: Any) -> Target:
    """The case's reference as a target of the product."""
    options = given.get("options", {})
    fields: dict[str, Any] = {
        "locale": options.get("locale"),
        "requires_submit": options.get("requires_submit_tool", False),
        "written": None if isinstance(reference, list) else str(reference),
    }
    return _TARGET.validate_python({**fields, **_of_kind(given["answer_type"], reference, options)})


def _of_kind(kind: str, reference: Any, options: dict[str, Any]) -> dict[str, Any]:
    if kind == "number":
        return _number(str(reference), options)
    makers: dict[str, dict[str, Any]] = {
        "text": {"text": reference, "literal": options.get("literal", False)},
        "choice": {"choice": reference, "of": options.get("choices", {})},
        "choice_multi": {"choices": reference, "of": options.get("choices", {})},
        "set": {"set": reference},
        "tuple": {"tuple": reference},
        "interval": {"interval": reference},
        "expr": {"expression": reference},
        "bool": {"bool": str(reference).lower() in ("yes", "true")},
        "date": {"date": reference, "date_order": options.get("date_order")},
        "time": {"time": reference, "clock": _hours(options.get("clock"))},
    }
    return makers[kind]


def _number(reference: str, options: dict[str, Any]) -> dict[str, Any]:
    unit, tolerance = options.get("unit"), options.get("abs_tol")
    if unit is not None and is_currency(unit):
        return {"money": reference, "currency": unit, "tolerance": tolerance}
    return {"number": reference, "unit": unit, "tolerance": tolerance}


def _hours(clock: str | None) -> int | None:
    return int(clock.rstrip("h")) if clock else None


ADAPTERS: dict[str, Adapter] = {"final_answer": final_answer_case}
