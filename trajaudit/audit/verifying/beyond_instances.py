"""What else is to be said of an instance: how weak its tests are, what its image gives away."""

from collections.abc import Sequence
from dataclasses import replace

from trajaudit.audit.verifying.beyond_history import check_history
from trajaudit.audit.verifying.beyond_tree import NotDoneError
from trajaudit.audit.verifying.beyond_weak import weaknesses
from trajaudit.audit.verifying.container import Verifier
from trajaudit.audit.verifying.instances import InstanceCheck
from trajaudit.datamodel.patch import Instance
from trajaudit.datamodel.patch_findings import BeyondCheck
from trajaudit.errors import NoEngineError, SandboxError, UsageError

OF_INSTANCES = (BeyondCheck.COVERAGE, BeyondCheck.HISTORY)
"""What is looked at unless something else is asked for."""


def for_instances(checks: Sequence[BeyondCheck]) -> Sequence[BeyondCheck]:
    """Return checks as they are.

    Raises:
        UsageError: one of them needs a patch to look at.
    """
    other = [str(check) for check in checks if check not in OF_INSTANCES]
    known = ", ".join(OF_INSTANCES)
    if other and len(checks) < len(BeyondCheck):
        raise UsageError(
            f"instances are not looked at by {', '.join(other)}; only by {known}, all, none"
        )
    return checks


def looked_into(
    verifier: Verifier, instance: Instance, check: InstanceCheck, checks: Sequence[BeyondCheck]
) -> InstanceCheck:
    """Return a check with what further ones say; what cannot be known is said as well."""
    if check.result == "ungraded":
        return check
    weak: tuple[str, ...] = ()
    leaks: tuple[str, ...] = ()
    unknown: list[str] = []
    if BeyondCheck.COVERAGE in checks and check.result != "broken":
        try:
            weak = weaknesses(verifier, instance)
        except NoEngineError:
            raise
        except (NotDoneError, SandboxError, OSError) as e:
            unknown.append(f"whether its tests are weak is not known: {e}")
    if BeyondCheck.HISTORY in checks:
        try:
            finding = check_history(verifier, instance).finding
            leaks = finding.details if finding is not None else ()
        except NoEngineError:
            raise
        except (NotDoneError, SandboxError, OSError) as e:
            unknown.append(f"what its image gives away is not known: {e}")
    return replace(check, weak=weak, leaks=leaks, unknown=tuple(unknown))
