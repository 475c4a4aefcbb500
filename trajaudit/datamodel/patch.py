"""Patches and what decides about them: instances, predictions, statuses of tests, verdicts."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from trajaudit.datamodel._base import Record, StoredRecord
from trajaudit.datamodel.patch_findings import CheckResult


def writable(text: str) -> str:
    """Return text that can be stored: bytes that are no UTF-8 are shown as an escape."""
    return text.encode("utf-8", "backslashreplace").decode()


Text = Annotated[str, AfterValidator(writable)]
"""What comes out of patches and containers, where names may be any bytes."""


class TestStatus(StrEnum):
    """How one test ended."""

    __test__ = False  # the name is no request to pytest

    PASSED = "PASSED"
    FAILED = "FAILED"
    ERROR = "ERROR"
    SKIPPED = "SKIPPED"
    XFAIL = "XFAIL"
    XPASS = "XPASS"


class PatchVerdict(StrEnum):
    """What a patch came to. Only `resolved` is a pass; `invalid_instance` is no verdict on it."""

    EMPTY_PATCH = "empty_patch"
    PATCH_APPLY_FAILED = "patch_apply_failed"
    TEST_PATCH_FAILED = "test_patch_failed"
    COLLECTION_ERROR = "collection_error"
    RUNNER_DIED = "runner_died"
    TIMEOUT = "timeout"
    TAMPERING = "tampering"
    F2P_FAILED = "f2p_failed"
    P2P_REGRESSED = "p2p_regressed"
    RESOLVED = "resolved"
    INVALID_INSTANCE = "invalid_instance"


class Instance(Record):
    """One problem: a repository in an image, the tests that a fix must pass."""

    instance_id: Text
    image: str | None = None
    """Image with the repository; needed to verify."""
    repo: str = ""
    base_commit: str = ""
    patch: str = ""
    """The reference solution."""
    test_patch: str = ""
    fail_to_pass: tuple[Text, ...]
    pass_to_pass: tuple[Text, ...] = ()
    test_command: str | None = None
    """Shell command that runs the tests; None: pytest on the files of the test patch."""
    eval_script: str | None = None
    log_parser: str | None = None
    eval_type: str | None = None
    """`fail_only`: the runner's log names only what fails; see docs/patches.md."""
    workdir: str = "/testbed"
    timeout_s: float = Field(default=1800, gt=0)


class Prediction(Record):
    """A patch that somebody proposes for an instance."""

    instance_id: Text
    model_name_or_path: Text = ""
    model_patch: str = ""


class Verification(StoredRecord):
    """What became of one prediction."""

    instance_id: Text
    model_name_or_path: Text = ""
    status: Literal["graded", "ungraded"]
    strict: PatchVerdict | None = None
    lenient: PatchVerdict | None = None
    reason: Text = ""
    """For an ungraded one: what failed in the infrastructure."""
    repairs: tuple[str, ...] = ()
    """Tolerances under which the patch was applied."""
    flags: tuple[str, ...] = ()
    notes: tuple[Text, ...] = ()
    statuses: dict[Text, TestStatus] = Field(default_factory=dict)
    """Of the listed tests that reported."""
    patch_sha256: str = ""
    key: str = ""
    """Hash of everything that decided: instance, image, patch, and the code that verified."""
    image: str = ""
    """Id of the image that the tests ran in."""
    duration_s: float = 0.0
    evidence: str = ""
    """SHA-256 of what it was decided from, and name of its file beside the results."""
    beyond: tuple[CheckResult, ...] = ()
    """What speaks about the patch beside its listed tests, where that was asked for."""
