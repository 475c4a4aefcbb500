"""What a verification saw, kept so that it can be decided again without a container."""

from typing import Literal

from pydantic import Field

from trajaudit.datamodel._base import Record, StoredRecord
from trajaudit.datamodel.patch import TestStatus, Text


class TestRun(Record):
    """What one run of the tests left behind."""

    __test__ = False  # the name is no request to pytest

    statuses: dict[Text, TestStatus] = Field(default_factory=dict)
    """Of every test that reported, listed or not."""
    timed_out: bool = False
    finished: bool = False
    """The runner came to its end: its record says so, or its log holds results."""
    canary_held: bool = False
    canary_reported: bool = True
    """False: no test of the canary was run at all, as when names or marks are chosen."""
    collection_failed: bool = False
    from_log: bool = False
    exit_code: int | None = None
    """Of the tests where the log tells it, else of the command; None: it was ended."""
    overran: Literal["", "memory", "disk"] = ""
    """The limit that the run was ended at."""
    log: Text = ""
    """Everything printed where the log is the evidence, else its end."""


class Baseline(StoredRecord):
    """How the tests of an instance end without any patch."""

    key: str
    """Hash of everything that decided: instance, image, the code that ran it."""
    runs: tuple[TestRun, ...] = ()
    fault: Text = ""
    """What git says against the tests of the instance; then there are no runs."""


class PatchFacts(Record):
    """What became of a patch, before any test."""

    empty: bool = False
    strict: bool = False
    lenient: bool = False
    reason: Text = ""
    repairs: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    test_patch_applied: bool = True


class Evidence(StoredRecord):
    """Everything that one verification is decided from."""

    instance_id: Text
    model_name_or_path: Text = ""
    fail_to_pass: tuple[Text, ...]
    pass_to_pass: tuple[Text, ...] = ()
    eval_type: str | None = None
    log_parser: str | None = None
    patch_sha256: str
    patch: PatchFacts
    runs: tuple[TestRun, ...] = ()
    baseline_key: str = ""
    """Empty: there was none, on request or because no test was run."""
    baseline_sha256: str = ""
    image: str = ""
    duration_s: float = 0.0
