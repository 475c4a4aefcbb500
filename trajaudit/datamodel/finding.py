"""The taxonomy: kinds of failure and what a finding says."""

from enum import StrEnum

from trajaudit.datamodel._base import StoredRecord
from trajaudit.datamodel.verdict import Evidence, Fault


class FailureKind(StrEnum):
    """Why a verdict is not what it should be; values are the YAML and docs spelling."""

    EXTRACTION_FAILED = "extraction_failed"
    FORMAT_MISMATCH = "format_mismatch"
    TRUNCATED = "truncated"
    EARLY_CORRECT_LATE_FAIL = "early_correct_late_fail"
    RETRACTED = "retracted"
    NO_ANSWER = "no_answer"
    WRONG_ANSWER = "wrong_answer"
    REFUSED = "refused"
    SCHEMA_NEAR_MISS = "schema_near_miss"
    INVALID_ARGUMENTS = "invalid_arguments"
    UNKNOWN_TOOL = "unknown_tool"
    WRONG_TOOL = "wrong_tool"
    MISSING_CALL = "missing_call"
    UNNEEDED_CALLS = "unneeded_calls"
    LOOP = "loop"
    UNRECOVERED_ERROR = "unrecovered_error"
    ALTERNATE_VALID_PATH = "alternate_valid_path"
    ORDER_VIOLATION = "order_violation"
    FORBIDDEN_ACTION = "forbidden_action"
    DISALLOWED_TOOL = "disallowed_tool"
    RIGHT_PROCESS_WRONG_CRITERION = "right_process_wrong_criterion"
    REFERENCE_SUSPECT = "reference_suspect"
    TASK_BROKEN = "task_broken"
    TEST_TAMPERING = "test_tampering"
    HISTORY_MINING = "history_mining"
    EXTERNAL_FETCH = "external_fetch"
    ANSWER_LEAK = "answer_leak"
    BENCHMARK_RECOGNISED = "benchmark_recognised"
    INJECTION_FOLLOWED = "injection_followed"
    SCORER_ERROR = "scorer_error"
    JUDGE_UNPARSED = "judge_unparsed"
    JUDGE_UNSTABLE = "judge_unstable"
    VERIFIER_TIMEOUT = "verifier_timeout"
    SANDBOX_FAILED = "sandbox_failed"
    PROVIDER_FAILED = "provider_failed"
    FAULT_NOT_HIT = "fault_not_hit"


UNDESERVED = frozenset(
    {
        FailureKind.TEST_TAMPERING,
        FailureKind.HISTORY_MINING,
        FailureKind.EXTERNAL_FETCH,
        FailureKind.ANSWER_LEAK,
        FailureKind.BENCHMARK_RECOGNISED,
        FailureKind.INJECTION_FOLLOWED,
        FailureKind.FORBIDDEN_ACTION,
        FailureKind.DISALLOWED_TOOL,
    }
)
"""What makes a pass suspicious."""


class Finding(StoredRecord):
    """`kind` at `steps` of a trial, because `reason`; whose fault it is, and where to look."""

    task_id: str
    trial: int
    kind: FailureKind
    fault: Fault
    steps: tuple[int, ...] = ()
    reason: str
    evidence: tuple[Evidence, ...] = ()
    decided: bool = False
    """This one decided the trial's outcome."""
    scorer: str | None = None
