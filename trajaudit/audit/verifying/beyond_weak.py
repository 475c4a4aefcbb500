"""Would the tests of an instance notice a wrong fix? Small faults in its own solution tell."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trajaudit.audit.verifying.beyond_coverage import LISTED, TO_FIX, WATCHED, Lines, covered
from trajaudit.audit.verifying.beyond_tree import NotDoneError, Opened, opened
from trajaudit.audit.verifying.container import Verifier
from trajaudit.audit.verifying.testrun import run_tests
from trajaudit.datamodel.patch import Instance, PatchVerdict, TestStatus
from trajaudit.datamodel.patch_evidence import TestRun
from trajaudit.score.patch.changes import line_ranges, shown
from trajaudit.score.patch.mutants import Mutant, mutants, planted
from trajaudit.score.patch.verdict import Lists, decide_tests

MOST_MUTANTS = 8
MOST_TRIED = 100
SLOWER = 5
"""A mutant may take so many times as long as the reference solution, and ten seconds more."""
COMPILES = """
import json, sys

told = []
for text in json.load(sys.stdin):
    try:
        compile(text, "mutant", "exec")
        told.append(True)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        told.append(False)
print(json.dumps(told))
"""


@dataclass(frozen=True)
class Planted:
    """One small fault in one file of the reference solution."""

    path: str
    mutant: Mutant
    content: bytes

    def __str__(self) -> str:
        return f"{shown(self.path)}:{self.mutant.line} as `{shown(self.mutant.text.strip())}`"


def weaknesses(verifier: Verifier, instance: Instance, most: int = MOST_MUTANTS) -> tuple[str, ...]:
    """Say what the listed tests would not notice about the reference solution.

    Args:
        verifier: Starts one container.
        instance: Whose tests.
        most: How many faults are planted at most.

    Raises:
        NotDoneError: it cannot be known.
        SandboxError: the infrastructure failed.
    """
    with opened(verifier, instance, instance.patch) as place:
        began = time.monotonic()
        run, lines = covered(place)
        statuses = _listed(instance, run)
        limit_s = min(instance.timeout_s, SLOWER * (time.monotonic() - began) + 10)
        notes = _not_executed(lines)
        survivors = [
            one for one in _plans(place, lines, most) if _survives(place, one, statuses, limit_s)
        ]
    return (*notes, *(f"the listed tests pass with {one} too" for one in survivors))


def _listed(instance: Instance, run: TestRun) -> dict[str, TestStatus]:
    """Return how the listed tests end with the reference solution."""
    lists = Lists(fail_to_pass=instance.fail_to_pass, pass_to_pass=instance.pass_to_pass)
    after = {test: (status,) for test, status in run.statuses.items()}
    if decide_tests(lists, after).lenient is not PatchVerdict.RESOLVED:
        raise NotDoneError(WATCHED)
    listed = (*instance.fail_to_pass, *instance.pass_to_pass)
    return {test: run.statuses[test] for test in listed if test in run.statuses}


def _not_executed(lines: Mapping[str, Lines]) -> list[str]:
    missed = [
        one
        for path, known in sorted(lines.items())
        for one in line_ranges(path, known.executable - known.executed[TO_FIX])
    ]
    if not missed:
        return []
    places = ", ".join(map(str, missed[:5])) + ", ..." * (len(missed) > 5)
    return [
        f"no test that has to be fixed executes these lines of the reference solution: {places}"
    ]


def _plans(place: Opened, lines: Mapping[str, Lines], most: int) -> list[Planted]:
    """Return faults in lines that some listed test executes, spread over files and lines."""
    plans = [
        [_planted(place, path, one) for one in _mutants(place, path, known.executed[LISTED])]
        for path, known in sorted(lines.items())
    ]
    rounds = max(map(len, plans), default=0)
    spread = [one[turn] for turn in range(rounds) for one in plans if turn < len(one)]
    return _that_compile(place, spread[:MOST_TRIED])[:most]


def _mutants(place: Opened, path: str, lines: set[int]) -> list[Mutant]:
    return mutants(place.after[path].decode("utf-8", "surrogateescape"), lines, MOST_TRIED)


def _planted(place: Opened, path: str, mutant: Mutant) -> Planted:
    text = place.after[path].decode("utf-8", "surrogateescape")
    return Planted(path, mutant, planted(text, mutant).encode("utf-8", "surrogateescape"))


def _that_compile(place: Opened, plans: Sequence[Planted]) -> list[Planted]:
    texts = [one.content.decode("utf-8", "replace") for one in plans]
    done = place.sandbox.exec(
        [place.said("python").decode(), "-c", COMPILES],
        timeout_s=60,
        stdin=json.dumps(texts).encode(),
    )
    try:
        told = json.loads(done.stdout)
    except ValueError as e:
        raise NotDoneError("planted faults cannot be compiled") from e
    return [one for one, fits in zip(plans, told, strict=True) if fits is True]


def _survives(
    place: Opened, one: Planted, statuses: Mapping[str, TestStatus], limit_s: float
) -> bool:
    """Whether every listed test ends as with the reference solution."""
    instance = place.instance.model_copy(update={"timeout_s": limit_s})
    place.tree.write({one.path: one.content})
    try:
        run = run_tests(place.sandbox, place.tree, instance)
    finally:
        place.tree.write({one.path: place.after[one.path]})
    return all(run.statuses.get(test) == status for test, status in statuses.items())
