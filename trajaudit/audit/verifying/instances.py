"""Checks an instance by itself: its tests fail without the fix, and pass with it, every time."""

from dataclasses import dataclass
from typing import Literal

from trajaudit.audit.verifying.container import Verifier
from trajaudit.audit.verifying.deciding import decision_on
from trajaudit.datamodel.patch import Instance, PatchVerdict, Prediction
from trajaudit.errors import SandboxError

DECIDED_BY_TESTS = (
    PatchVerdict.RESOLVED,
    PatchVerdict.F2P_FAILED,
    PatchVerdict.P2P_REGRESSED,
    PatchVerdict.COLLECTION_ERROR,
    PatchVerdict.INVALID_INSTANCE,
)


@dataclass(frozen=True)
class InstanceCheck:
    """What an instance is worth."""

    instance_id: str
    result: Literal["sound", "doubtful", "broken", "ungraded"]
    """`doubtful`: it decides, but some of its tests do not; the notes name them."""
    notes: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    """What its tests would not notice."""
    leaks: tuple[str, ...] = ()
    """What of later times a model could read in its image."""
    unknown: tuple[str, ...] = ()
    """What was asked for and could not be looked at."""


def check_instance(verifier: Verifier, instance: Instance, repeats: int) -> InstanceCheck:
    """Run the tests without and with the reference solution, each `repeats` times."""
    name = instance.instance_id
    gold = Prediction(instance_id=name, model_name_or_path="gold", model_patch=instance.patch)
    try:
        before = verifier.baseline(instance, repeats=repeats)
        if before.fault:
            said = f"the tests of the instance do not apply; got: {before.fault}"
            return InstanceCheck(name, "broken", (said,))
        evidence = verifier.examine(instance, gold, repeats=repeats)
    except (SandboxError, OSError) as e:
        return InstanceCheck(name, "ungraded", (str(e),))
    decision = decision_on(evidence, before)
    if decision.lenient not in DECIDED_BY_TESTS:
        notes = (f"the reference solution ends as {decision.lenient}", *decision.notes)
        return InstanceCheck(name, "broken", notes)
    if decision.lenient is not PatchVerdict.RESOLVED:
        ends = f"the reference solution ends as {decision.lenient}"
        return InstanceCheck(name, "broken", (*decision.notes, ends))
    repaired = evidence.patch.repairs
    notes = decision.notes + ((f"patch applies leniently: {', '.join(repaired)}",) * bool(repaired))
    strictly = decision.strict is PatchVerdict.RESOLVED and not notes
    return InstanceCheck(name, "sound" if strictly else "doubtful", notes)
