"""Checks an instance by itself: its tests fail without the fix, and pass with it, every time."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from trajaudit.audit.verifying.container import Verifier
from trajaudit.datamodel.patch import Instance, PatchVerdict, Prediction, TestStatus
from trajaudit.errors import SandboxError
from trajaudit.score.patch.verdict import Facts, Lists, decide

DECIDED_BY_TESTS = (
    PatchVerdict.RESOLVED,
    PatchVerdict.F2P_FAILED,
    PatchVerdict.P2P_REGRESSED,
    PatchVerdict.COLLECTION_ERROR,
)


@dataclass(frozen=True)
class InstanceCheck:
    """What an instance is worth."""

    instance_id: str
    result: Literal["sound", "doubtful", "broken", "ungraded"]
    """`doubtful`: it decides, but some of its tests do not; the notes name them."""
    notes: tuple[str, ...] = ()


def check_instance(verifier: Verifier, instance: Instance, repeats: int) -> InstanceCheck:
    """Run the tests without and with the reference solution, each `repeats` times."""
    name = instance.instance_id
    try:
        before = [verifier.without_patch(instance) for _ in range(repeats)]
        gold = Prediction(instance_id=name, model_name_or_path="gold", model_patch=instance.patch)
        done = [verifier.verify(instance, gold) for _ in range(repeats)]
    except (SandboxError, OSError) as e:
        return InstanceCheck(name, "ungraded", (str(e),))
    early = [one.lenient for one in done if one.lenient not in DECIDED_BY_TESTS]
    if early:
        return InstanceCheck(name, "broken", (f"the reference solution ends as {early[0]}",))
    lists = Lists(
        fail_to_pass=instance.fail_to_pass,
        pass_to_pass=instance.pass_to_pass,
        before=_together(before),
    )
    after = _together([one.statuses for one in done])
    decision = decide(lists, Facts(after=after, is_gold=True))
    if decision.lenient is not PatchVerdict.RESOLVED:
        return InstanceCheck(name, "broken", decision.notes)
    strictly = decision.strict is PatchVerdict.RESOLVED and not decision.notes
    return InstanceCheck(name, "sound" if strictly else "doubtful", decision.notes)


def _together(runs: Sequence[dict[str, TestStatus]]) -> dict[str, tuple[TestStatus, ...]]:
    """Return each test's statuses over all runs; a run in which it did not report is an error."""
    tests = {test for run in runs for test in run}
    return {test: tuple(run.get(test, TestStatus.ERROR) for run in runs) for test in tests}
