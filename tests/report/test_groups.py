import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.report import sample
from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.verdict import Fault, GradeStatus
from trajaudit.report.schema import Pointer

K = FailureKind


def test_each_rescued_trial_is_in_one_group_and_the_counts_add_up() -> None:
    summary = sample.summary(sample.run())

    found = [(group.count, group.kind, group.fault) for group in summary.rescued]
    assert found == [
        (3, K.SCHEMA_NEAR_MISS, Fault.HARNESS),
        (2, K.ALTERNATE_VALID_PATH, Fault.REFERENCE),
        (2, K.FORMAT_MISMATCH, Fault.AGENT),
    ]
    assert [str(ref) for ref in summary.rescued[1].trials] == ["t01/2", "t01/3"]
    assert sum(group.count for group in summary.failed) == 12
    assert summary.rescued[0].reason == 'amount sent as "42.50" for 42.5'


def test_a_failure_that_nothing_explains_is_shown_as_such() -> None:
    made = sample.small("a")
    made.outcomes = [sample.outcome(strict=False, lenient=False, final=False)]

    (group,) = sample.summary(made).failed
    assert (group.kind, group.fault, group.reason) == (None, None, "no finding explains this")


def test_the_deciding_finding_names_the_group() -> None:
    made = sample.small("a")
    made.outcomes = [sample.outcome(strict=False, lenient=False, final=False)]
    loop = sample.finding("a", 1, K.LOOP, Fault.AGENT, "round and round")
    wrong = sample.finding("a", 1, K.WRONG_ANSWER, Fault.AGENT, "said 3")
    made.findings = [loop.model_copy(update={"decided": False}), wrong]

    assert [group.kind for group in sample.summary(made).failed] == [K.WRONG_ANSWER]


def test_what_a_person_overruled_is_a_failure_and_no_rescue() -> None:
    made = sample.small("a")
    made.outcomes = [sample.outcome(strict=False, lenient=True, human=False, final=False)]

    summary = sample.summary(made)
    assert (len(summary.rescued), len(summary.failed)) == (0, 1)


@pytest.mark.parametrize("kind", [K.TEST_TAMPERING, K.ANSWER_LEAK, K.INJECTION_FOLLOWED])
def test_a_pass_with_an_integrity_finding_is_suspicious_and_looked_at_first(
    kind: FailureKind,
) -> None:
    made = sample.small("a")
    made.outcomes = [sample.outcome(strict=True, lenient=True, final=True)]
    made.findings = [sample.finding("a", 1, kind, Fault.AGENT, "edited the test")]

    summary = sample.summary(made)
    expected = Pointer(task_id="a", trial=1, step=2, kind=kind, reason="edited the test")
    assert summary.suspicious == (expected,)
    assert summary.look_first[0] == expected


def test_a_failure_with_an_integrity_finding_is_no_suspicious_pass() -> None:
    made = sample.small("a")
    made.outcomes = [sample.outcome(strict=False, lenient=False, final=False)]
    made.findings = [sample.finding("a", 1, K.TEST_TAMPERING, Fault.AGENT, "edited the test")]

    assert sample.summary(made).suspicious == ()


def test_scorers_that_contradict_each_other_are_reported() -> None:
    made = sample.small("a")
    made.outcomes = [sample.outcome(strict=True, lenient=False, final=False)]

    assert "contradict" in sample.summary(made).suspicious[0].reason


def test_look_first_names_the_task_with_a_narrow_reference_and_the_lost_step() -> None:
    pointers = [
        (pointer.name, pointer.reason) for pointer in sample.summary(sample.run()).look_first
    ]

    assert pointers == [
        ("t01", "reference at fault in 2 of 3 trials: escalated instead of refunding"),
        ("t02/1", "lost at step 6"),
        ("t02/2", "lost at step 6"),
        ("t08/3", "lost at step 6"),
    ]


def test_one_trial_of_three_does_not_put_the_reference_in_doubt() -> None:
    made = sample.small("a", trials=3)
    made.findings = [sample.finding("a", 1, K.ALTERNATE_VALID_PATH, Fault.REFERENCE, "another way")]
    made.outcomes = [sample.outcome("a", 1, strict=False, lenient=True, final=True)]

    assert sample.summary(made).look_first == ()


def test_a_task_of_which_nothing_is_graded_is_looked_at() -> None:
    made = sample.small("a", trials=2)
    made.outcomes = [sample.outcome("a", n, status=GradeStatus.INFRA_ERROR) for n in (1, 2)]

    (pointer,) = sample.summary(made).look_first
    assert (pointer.name, pointer.reason) == ("a", "none of 2 trials graded: infra_error")


DECISION = st.sampled_from([None, False, True])


@given(st.lists(st.tuples(DECISION, DECISION, DECISION), min_size=1, max_size=12))
def test_rescued_and_failed_hold_exactly_the_trials_they_name(
    decisions: list[tuple[bool | None, bool | None, bool | None]],
) -> None:
    made = sample.small("a", trials=len(decisions))
    made.outcomes = [
        sample.outcome("a", trial, strict=strict, lenient=lenient, final=final)
        for trial, (strict, lenient, final) in enumerate(decisions, 1)
    ]

    summary = sample.summary(made)
    assert sum(group.count for group in summary.failed) == sum(
        final is False for _, _, final in decisions
    )
    assert sum(group.count for group in summary.rescued) == sum(
        strict is False and final is True for strict, _, final in decisions
    )
    for column in summary.columns:
        assert column.graded + sum(column.ungraded.values()) == column.due
