"""What `trajaudit verify` says of findings beyond the listed tests."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from trajaudit.cli.output import out

if TYPE_CHECKING:
    from trajaudit.audit.verifying.instances import InstanceCheck
    from trajaudit.datamodel.patch import Verification
    from trajaudit.datamodel.patch_findings import BeyondCheck

BEYOND = (
    "Look further than the listed tests: suite, coverage, static, probe, history, with commas, "
    "or all, none; default none, for --check-instances coverage,history."
)


def chosen(text: str | None, *, of_instances: bool) -> "Sequence[BeyondCheck]":
    """Return the checks that were asked for."""
    from trajaudit.audit.verifying.beyond import chosen_checks
    from trajaudit.audit.verifying.beyond_instances import OF_INSTANCES, for_instances

    if not of_instances:
        return chosen_checks(text or "none")
    return OF_INSTANCES if text is None else for_instances(chosen_checks(text))


def print_findings(one: "Verification") -> None:
    """Print a line for each check that found something or could not be made."""
    for said in one.beyond:
        if said.finding is not None:
            out(f"    {said.finding.kind}: {said.reason}")
        elif said.status == "not_done":
            out(f"    {said.check} not done: {said.reason}")


def print_weakly_tested(verifications: "Sequence[Verification]") -> None:
    """Print how many resolved patches something speaks about, where that was looked at."""
    from trajaudit.audit.verifying.beyond import is_resolved, is_weakly_tested

    looked = [one for one in verifications if one.beyond and is_resolved(one)]
    weak = [one for one in looked if is_weakly_tested(one)]
    if not looked:
        return
    names = ", ".join(f"{one.instance_id} {one.model_name_or_path}".rstrip() for one in weak[:5])
    more = f": {names}" + ", ..." * (len(weak) > 5) if weak else ""
    out(f"resolved, but weakly tested: {len(weak)} of {len(looked)} looked at{more}")


def weakly_tested(verifications: "Sequence[Verification]") -> list[dict[str, str]]:
    """Return the same as JSON holds it."""
    from trajaudit.audit.verifying.beyond import is_weakly_tested

    return [
        {"instance_id": one.instance_id, "model_name_or_path": one.model_name_or_path}
        for one in verifications
        if is_weakly_tested(one)
    ]


def print_weaknesses(one: "InstanceCheck") -> None:
    """Print what the tests of an instance would not notice, and what its image gives away."""
    for kind, lines in (("weak", one.weak), ("leak", one.leaks), ("unknown", one.unknown)):
        for line in lines:
            out(f"    {kind}: {line}")


def print_weak_instances(checks: "Sequence[InstanceCheck]") -> None:
    """Print which instances are weakly tested, and which give later history away."""
    for text, names in (
        ("weakly tested", [one.instance_id for one in checks if one.weak]),
        ("later history in the image", [one.instance_id for one in checks if one.leaks]),
    ):
        if names:
            out(f"{text}: {', '.join(names)}")
