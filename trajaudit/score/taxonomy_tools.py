"""Findings about tool calls and paths."""

from collections.abc import Iterator

from pydantic import JsonValue

from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.verdict import Evidence, Fault, Verdict
from trajaudit.score.case_file import CaseFile, Suspicion, steps_of
from trajaudit.score.criteria import PATCH
from trajaudit.score.ladder import TOLERANCES
from trajaudit.score.nearest_path import evidence_of

K = FailureKind
_EDITS: dict[str, FailureKind] = {
    "insert": K.MISSING_CALL,
    "delete": K.UNNEEDED_CALLS,
    "replace": K.WRONG_TOOL,
    "reorder": K.ORDER_VIOLATION,
    "argument": K.INVALID_ARGUMENTS,
}
_GUARDS: dict[str, FailureKind] = {
    "forbidden_actions": K.FORBIDDEN_ACTION,
    "allowed_tools": K.DISALLOWED_TOOL,
}
_SIDE: dict[str, FailureKind] = {
    "unknown_tools": K.UNKNOWN_TOOL,
    "loops": K.LOOP,
    "truncation": K.TRUNCATED,
    "recovery": K.UNRECOVERED_ERROR,
}
_STATES = ("end_state", "effects", "recorded_checks")
_NO_CONTROL = "; no control trial tells whether it passes without the fault"
_LIMITS = frozenset({"step_limit", "time_limit", "token_limit", "context_overflow"})


def process_findings(case: CaseFile) -> Iterator[Suspicion]:
    """Yield why the process fails, or passes leniently only."""
    for scorer, kind in _GUARDS.items():
        verdict = case.verdict(scorer, "lenient")
        if verdict is not None and verdict.passed is False:
            yield _of(verdict, kind, explains=case.failed)
    if any(case.passed(scorer, "lenient") for scorer in _STATES):
        yield from _by_state(case)
    else:
        yield from _by_path(case)


def _by_state(case: CaseFile) -> Iterator[Suspicion]:
    """The end state is right: a path that nobody listed is the reference's fault."""
    path = case.verdict("accepted_paths", "lenient")
    if path is not None and path.passed is False:
        calls = " → ".join(reading.call.tool for reading in case.readings[:12]) or "no call"
        yield Suspicion(
            K.ALTERNATE_VALID_PATH,
            f"the end state is right, by a path that is not listed: {calls}",
            Fault.REFERENCE,
            tuple(sorted({reading.step for reading in case.readings})),
            path.evidence,
            path.scorer,
            explains=case.differs,
        )
    elif path is not None:
        yield from _tolerated(case, path)
    state = case.verdict("end_state", "lenient")
    if state is not None and state.tolerances:
        reason = f"the end state is right but for {', '.join(state.tolerances)}"
        yield Suspicion(
            K.SCHEMA_NEAR_MISS, reason, Fault.HARNESS, scorer=state.scorer, explains=case.differs
        )


def _by_path(case: CaseFile) -> Iterator[Suspicion]:
    path = case.verdict("accepted_paths", "lenient")
    if path is not None and path.passed:
        yield from _tolerated(case, path)
    elif path is not None and path.passed is False:
        yield from _edits(case, path)
    elif path is None:
        yield from _wrong_state(case)


def _wrong_state(case: CaseFile) -> Iterator[Suspicion]:
    """No path is listed, and the end state is wrong: by our own look, or by the log's."""
    seen = (case.verdict(scorer, "lenient") for scorer in ("end_state", "recorded_checks"))
    state = next((one for one in seen if one is not None and one.passed is False), None)
    if state is not None:
        made = any(reading.happened for reading in case.readings)
        kind = K.INVALID_ARGUMENTS if made else K.MISSING_CALL
        reason = f"the end state is wrong: {state.reason}"
        yield Suspicion(kind, reason, scorer=state.scorer, explains=case.failed)


def _tolerated(case: CaseFile, path: Verdict) -> Iterator[Suspicion]:
    """Only tolerances let the path pass: name them, and whose fault the difference is."""
    forms = [rung for rung in path.tolerances if TOLERANCES[rung][0] != "meaning"]
    moved = {"read_only_moved", "read_only_left_out", "failed_extra_call"} & set(path.tolerances)
    if moved:
        yield Suspicion(
            K.ALTERNATE_VALID_PATH,
            f"follows the path but for {', '.join(sorted(moved))}",
            Fault.REFERENCE,
            evidence=path.evidence,
            scorer=path.scorer,
            explains=case.differs,
        )
    if set(path.tolerances) - moved:
        named = "; ".join(TOLERANCES[rung][1] for rung in path.tolerances if rung not in moved)
        near = case.verdict("tool_args", "lenient")
        evidence = near.evidence if near is not None else path.evidence
        fault = near.fault if near is not None and near.fault else Fault.AGENT
        yield Suspicion(
            K.SCHEMA_NEAR_MISS if forms or fault is not Fault.REFERENCE else K.REFERENCE_SUSPECT,
            f"the call is right but for its form: {named}",
            fault,
            steps_of(evidence),
            evidence,
            path.scorer,
            explains=case.differs,
        )


def _edits(case: CaseFile, path: Verdict) -> Iterator[Suspicion]:
    """Turn the edit script into findings, one for each kind of edit."""
    by_kind: dict[FailureKind, list[dict[str, JsonValue]]] = {}
    edits = path.detail.get("edits")
    for edit in edits if isinstance(edits, list) else []:
        if isinstance(edit, dict):
            kind = _EDITS[str(edit["kind"])]
            if "that succeeds" in str(edit["text"]) and not _fails_without_faults(case):
                kind = K.UNRECOVERED_ERROR
            by_kind.setdefault(kind, []).append(edit)
    for kind, found in by_kind.items():
        steps = tuple(sorted({s for edit in found if isinstance(s := edit["step"], int)}))
        texts = "; ".join(str(edit["text"]) for edit in found[:3])
        yield Suspicion(
            kind,
            f"nearest path {path.detail.get('path')!r}: {texts}",
            Fault.AGENT,
            steps,
            tuple(item for item in path.evidence if item.step in steps),
            path.scorer,
            explains=case.failed,
        )


def side_findings(case: CaseFile) -> Iterator[Suspicion]:
    """Yield what the scorers saw that explain but do not decide on their own."""
    stopped = case.trajectory.end_reason in _LIMITS
    for scorer, kind in _SIDE.items():
        verdict = case.verdict(scorer, "lenient")
        if verdict is None or verdict.passed is not False:
            continue
        if kind is K.UNRECOVERED_ERROR:
            yield from _unrecovered(case, verdict)
            continue
        cause = kind is not K.LOOP or stopped
        yield _of(verdict, kind, explains=case.failed and cause)
    yield from _schema(case)
    yield from _changed_by_harness(case)


def _unrecovered(case: CaseFile, verdict: Verdict) -> Iterator[Suspicion]:
    """The agent did not get over an error; no cause where it fails without the error as well."""
    if _fails_without_faults(case):
        return
    # To who mends code a command that fails is an ordinary answer; the tests say more.
    tested = case.verdict(PATCH, "lenient") is not None
    suspicion = _of(verdict, K.UNRECOVERED_ERROR, explains=case.failed and not tested)
    if verdict.detail.get("faults_declared"):
        known = case.control is not None and case.control.final is True
        told = "; its control trial passes without the fault" if known else _NO_CONTROL
        suspicion = suspicion._replace(reason=suspicion.reason + told)
    yield suspicion


def _fails_without_faults(case: CaseFile) -> bool:
    return case.control is not None and case.control.final is False


def _schema(case: CaseFile) -> Iterator[Suspicion]:
    strict, lenient = case.verdict("tool_schema", "strict"), case.verdict("tool_schema", "lenient")
    if strict is None or lenient is None:
        return
    if lenient.passed is False:
        yield _of(lenient, K.INVALID_ARGUMENTS, explains=False)
    elif lenient.passed and strict.passed is False:
        yield _of(lenient, K.SCHEMA_NEAR_MISS, explains=False)


def _changed_by_harness(case: CaseFile) -> Iterator[Suspicion]:
    if any(call.differs for step in case.trajectory.steps for call in step.tool_calls):
        changed = [reading for reading in case.readings if reading.call.differs]
        evidence: tuple[Evidence, ...] = tuple(evidence_of(reading) for reading in changed[:5])
        what = "; ".join(text for reading in changed[:3] for text in reading.call.differs)
        yield Suspicion(
            K.SCHEMA_NEAR_MISS,
            f"the agent's framework changed what the model asked for: {what}",
            Fault.HARNESS,
            steps_of(evidence),
            evidence,
        )


def _of(verdict: Verdict, kind: FailureKind, *, explains: bool) -> Suspicion:
    return Suspicion(
        kind,
        verdict.reason,
        verdict.fault or Fault.AGENT,
        steps_of(verdict.evidence),
        verdict.evidence,
        verdict.scorer,
        explains=explains,
    )
