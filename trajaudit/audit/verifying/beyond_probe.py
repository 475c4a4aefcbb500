"""On which inputs does a patch not do what the reference solution does?

Arguments are taken from calls that the tests make and varied; the same calls are then made with the
reference solution and with the patch, each in a container of its own; where they differ, with the
reference solution again and without any patch.
"""

import json
from dataclasses import dataclass

from pydantic import BaseModel, ValidationError

from trajaudit.audit.verifying.beyond_tree import NotDoneError, Opened, opened, source
from trajaudit.audit.verifying.container import Verifier
from trajaudit.audit.verifying.patching import TEST_FILE
from trajaudit.datamodel.patch import Instance
from trajaudit.datamodel.patch_findings import (
    BeyondCheck,
    CheckResult,
    PatchFinding,
    PatchFindingKind,
    clean,
    found,
)
from trajaudit.score.patch.changes import changed_lines
from trajaudit.score.patch.differing import (
    Compared,
    Outcome,
    Outcomes,
    ProbeInput,
    compare,
    suspects,
)

PROBE = BeyondCheck.PROBE
MOST_INPUTS = 300
SEED = 20
LIMIT_S = 30.0
"""For all calls in one container; what is not reached by then is not compared."""
PATIENCE_S = 30.0
"""How much longer a program may take before it is given up."""


class _Shown(BaseModel):
    inputs: list[ProbeInput]
    lost: list[str]
    """Changed functions, of which some calls could not be kept."""


@dataclass(frozen=True)
class _Inputs:
    """Calls as they are made in each container, and with which Python."""

    python: bytes
    calls: bytes
    shown: _Shown


Changed = tuple[dict[str, bytes], dict[str, bytes]]
"""Python files before and after a patch."""


def check_probe(verifier: Verifier, instance: Instance, patch: str) -> CheckResult:
    """Call the functions that either solution changes, and compare.

    Raises:
        NotDoneError: there is nothing to compare with, or nothing that could be called.
        SandboxError: the infrastructure failed.
    """
    if not instance.patch:
        raise NotDoneError("no reference solution is known")
    with opened(verifier, instance, patch) as place:
        mine = _changed(place)
        with opened(verifier, instance, instance.patch) as reference:
            inputs = _inputs(reference, mine)
            gold, candidate = _outcomes(reference, inputs), _outcomes(place, inputs)
            differing = suspects(inputs.shown.inputs, gold, candidate)
            again = _outcomes(reference, inputs, differing)
    base: Outcomes = {}
    if differing:
        with opened(verifier, instance, None) as place:
            base = _outcomes(place, inputs, differing)
    compared = compare(inputs.shown.inputs, gold, again, candidate, base)
    if not compared.compared:
        raise NotDoneError("no input could be had on which the solutions can be compared")
    if not compared.differences:
        functions = len({one.function for one in inputs.shown.inputs})
        said = f"as the reference solution on {compared.compared} inputs of {functions} functions"
        return clean(PROBE, said)
    return found(PROBE, _finding(compared))


def _finding(compared: Compared) -> PatchFinding:
    differences = compared.differences
    kinds = [one.likeness for one in differences]
    unfixed, changed = kinds.count("unfixed"), kinds.count("changed")
    first = differences[0].call
    reason = (
        f"differs from the reference solution on {len(differences)} of {compared.compared} inputs"
        f" (as without a patch: {unfixed}, where that changes nothing: {changed}), such as"
        f" {first.function}({first.arguments}): {first.gold}, here {first.candidate}"
    )
    return PatchFinding(
        kind=PatchFindingKind.DIFFERS_FROM_GOLD,
        reason=reason,
        count=len(differences),
        of=compared.compared,
        details=tuple(sorted({one.call.function for one in differences})),
        example=first,
    )


def _changed(place: Opened) -> Changed:
    before = {path: place.before.get(path, b"") for path in place.changed}
    return before, {path: place.after[path] for path in place.changed}


def _inputs(place: Opened, mine: Changed) -> _Inputs:
    """Run the tests with the reference solution, and make inputs of their calls."""
    theirs = _changed(place)
    if theirs == mine:
        raise NotDoneError("the patch leaves the same files as the reference solution")
    sources = [*_sources(theirs), *_sources(mine)]
    if not sources:
        raise NotDoneError("neither solution changes a Python file but tests")
    settings = {"root": place.tree.root, "tests": TEST_FILE.pattern, "sources": sources}
    if place.run_tests("calls_plugin", json.dumps(settings).encode()).from_log:
        raise NotDoneError("the tests are not run by pytest")
    texts = [one["text"] for one in sources]
    place.put({"sources": json.dumps(texts).encode(), "probe_program.py": source("probe_program")})
    place.python("inputs_program", place.home, str(MOST_INPUTS), str(SEED), timeout_s=PATIENCE_S)
    return _Inputs(place.said("python"), place.said("inputs"), _shown(place))


def _sources(changed: Changed) -> list[dict[str, object]]:
    """Return both states of changed files with the lines in which they differ."""
    before, after = changed
    told: list[dict[str, object]] = []
    for path in after:
        for one, other in ((before[path], after[path]), (after[path], before[path])):
            lines = sorted(changed_lines(one, other))
            text = other.decode("utf-8", "replace")
            told.append({"path": path, "text": text, "lines": lines})
    return told


def _shown(place: Opened) -> _Shown:
    try:
        return _Shown.model_validate_json(place.said("shown"))
    except ValidationError as e:
        raise NotDoneError("the inputs cannot be read") from e


def _outcomes(place: Opened, inputs: _Inputs, only: list[int] | None = None) -> Outcomes:
    """Make the calls, or those that are wanted, in one container."""
    if only == []:
        return {}
    wanted = json.dumps(only).encode()
    place.put({"python": inputs.python, "inputs": inputs.calls, "only": wanted, "told": b""})
    place.python("probe_program", place.home, str(LIMIT_S), timeout_s=LIMIT_S + PATIENCE_S)
    outcomes: dict[int, Outcome] = {}
    for line in place.said("told").splitlines():
        try:
            one = Outcome.model_validate_json(line)
        except ValidationError:
            continue
        outcomes[one.number] = one
    return outcomes
