import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.report import sample
from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.run import Outcome, RunConfig, TrialRecord
from trajaudit.datamodel.verdict import Fault, GradeStatus, Verdict
from trajaudit.report.schema import Column, Pointer, RepeatedRate, Summary
from trajaudit.report.summary import summarise

K = FailureKind


def _of(made: sample.Run) -> Summary:
    return summarise(made.config, made.trials, made.outcomes, made.findings, made.verdicts)


def _column(summary: Summary, name: str) -> Column:
    return next(column for column in summary.columns if column.name == name)


def _small(*tasks: str, trials: int = 1, isolation: str = "container") -> sample.Run:
    return sample.Run(sample.config(tasks=tasks, trials=trials, isolation=isolation))


def _outcome(task: str = "a", trial: int = 1, **columns: object) -> Outcome:
    return Outcome.model_validate({"task_id": task, "trial": trial, **columns})


def test_strict_lenient_and_final_stand_side_by_side() -> None:
    summary = _of(sample.run())

    strict, lenient, final = summary.columns
    assert [column.name for column in summary.columns] == ["strict", "lenient", "final"]
    assert (strict.passes, lenient.passes, final.passes) == (10, 17, 17)
    assert (strict.graded, strict.due) == (29, 30)
    # Task means: t10 has one pass of two graded trials, the others have three graded.
    assert strict.pass_at_1 == pytest.approx((9 / 3 + 1 / 2) / 10)
    assert strict.if_wrong == pytest.approx(10 / 30)
    assert strict.if_right == pytest.approx(11 / 30)
    assert strict.ungraded == {"sandbox_failed": 1}


def test_pass_hat_k_leaves_out_tasks_that_have_too_few_graded_trials() -> None:
    strict = _column(_of(sample.run()), "strict")

    assert strict.pass_hat_k == RepeatedRate(k=3, value=2 / 9, tasks=9, of=10)
    assert strict.pass_at_k == RepeatedRate(k=3, value=5 / 9, tasks=9, of=10)


def test_each_rescued_trial_is_in_one_group_and_the_counts_add_up() -> None:
    summary = _of(sample.run())

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
    made = _small("a")
    made.outcomes = [_outcome(strict=False, lenient=False, final=False)]

    (group,) = _of(made).failed
    assert (group.kind, group.fault, group.reason) == (None, None, "no finding explains this")


def test_the_deciding_finding_names_the_group() -> None:
    made = _small("a")
    made.outcomes = [_outcome(strict=False, lenient=False, final=False)]
    loop = sample.finding("a", 1, K.LOOP, Fault.AGENT, "round and round")
    wrong = sample.finding("a", 1, K.WRONG_ANSWER, Fault.AGENT, "said 3")
    made.findings = [loop.model_copy(update={"decided": False}), wrong]

    assert [group.kind for group in _of(made).failed] == [K.WRONG_ANSWER]


def test_trials_that_never_ran_are_counted_and_never_failures() -> None:
    made = _small("a", "b", trials=2)
    made.trials = [TrialRecord(run_id="r", task_id="a", trial=1, end_reason="replied")]
    made.outcomes = [_outcome(strict=True, lenient=True, final=True)]

    summary = _of(made)
    final = _column(summary, "final")
    assert (final.pass_at_1, final.if_wrong, final.if_right) == (1.0, 0.25, 1.0)
    assert final.ungraded == {"not_run": 3}
    assert any("3 of 4 trials did not run" in banner for banner in summary.banners)


def test_a_trial_that_ran_and_was_not_scored_says_so() -> None:
    made = _small("a")
    made.trials = [TrialRecord(run_id="r", task_id="a", trial=1, end_reason="replied")]

    assert _column(_of(made), "final").ungraded == {"not_scored": 1}


def test_a_panel_that_saw_some_trials_gets_a_count_and_no_rate() -> None:
    made = _small("a", "b")
    made.outcomes = [
        _outcome("a", strict=True, lenient=True, final=True),
        _outcome("b", strict=False, lenient=True, panel=False, final=False, source="panel"),
    ]

    panel = _column(_of(made), "panel")
    assert (panel.passes, panel.graded, panel.pass_at_1, panel.interval) == (0, 1, None, None)
    assert panel.ungraded == {"not_asked": 1}


def test_a_panel_that_saw_every_trial_gets_a_rate() -> None:
    made = _small("a")
    made.outcomes = [_outcome(strict=False, lenient=True, panel=True, final=True)]

    assert _column(_of(made), "panel").pass_at_1 == 1.0


def test_what_a_person_overruled_is_a_failure_and_no_rescue() -> None:
    made = _small("a")
    made.outcomes = [_outcome(strict=False, lenient=True, human=False, final=False)]

    summary = _of(made)
    assert (len(summary.rescued), len(summary.failed)) == (0, 1)


def test_why_strict_did_not_grade_comes_from_its_verdicts() -> None:
    made = _small("a")
    made.outcomes = [_outcome(human=True, final=True, source="human")]
    made.verdicts = [
        Verdict(
            task_id="a",
            trial=1,
            scorer="final_answer",
            mode="strict",
            passed=None,
            status=GradeStatus.NEEDS_JUDGE,
            reason="a rubric",
        )
    ]

    summary = _of(made)
    assert _column(summary, "strict").ungraded == {"needs_judge": 1}
    assert _column(summary, "lenient").ungraded == {"not_applicable": 1}


@pytest.mark.parametrize("kind", [K.TEST_TAMPERING, K.ANSWER_LEAK, K.INJECTION_FOLLOWED])
def test_a_pass_with_an_integrity_finding_is_suspicious_and_looked_at_first(
    kind: FailureKind,
) -> None:
    made = _small("a")
    made.outcomes = [_outcome(strict=True, lenient=True, final=True)]
    made.findings = [sample.finding("a", 1, kind, Fault.AGENT, "edited the test")]

    summary = _of(made)
    expected = Pointer(task_id="a", trial=1, step=2, kind=kind, reason="edited the test")
    assert summary.suspicious == (expected,)
    assert summary.look_first[0] == expected


def test_a_failure_with_an_integrity_finding_is_no_suspicious_pass() -> None:
    made = _small("a")
    made.outcomes = [_outcome(strict=False, lenient=False, final=False)]
    made.findings = [sample.finding("a", 1, K.TEST_TAMPERING, Fault.AGENT, "edited the test")]

    assert _of(made).suspicious == ()


def test_scorers_that_contradict_each_other_are_reported() -> None:
    made = _small("a")
    made.outcomes = [_outcome(strict=True, lenient=False, final=False)]

    assert "contradict" in _of(made).suspicious[0].reason


def test_look_first_names_the_task_with_a_narrow_reference_and_the_lost_step() -> None:
    pointers = [(pointer.name, pointer.reason) for pointer in _of(sample.run()).look_first]

    assert pointers == [
        ("t01", "reference at fault in 2 of 3 trials: escalated instead of refunding"),
        ("t02/1", "lost at step 6"),
        ("t02/2", "lost at step 6"),
        ("t08/3", "lost at step 6"),
    ]


def test_a_plain_process_is_said_in_text_and_banner() -> None:
    summary = _of(_small("a", isolation="process"))

    assert summary.isolation_text == "as a plain process on the host, without a sandbox"
    assert "plain process" in summary.banners[0]


def test_an_import_plans_nothing_so_nothing_is_missing() -> None:
    made = _small()
    made.config = made.config.model_copy(update={"trials": 5, "isolation": "none"})
    made.outcomes = [_outcome("x", 1, raw=True, strict=True, lenient=True, final=True)]

    summary = _of(made)
    raw = _column(summary, "raw")
    assert (raw.graded, raw.due, summary.trials) == (1, 1, 1)
    assert summary.isolation_text == "nothing of an agent was executed"


def test_a_run_of_nothing_has_no_rate() -> None:
    summary = _of(_small())

    assert [column.pass_at_1 for column in summary.columns] == [None, None, None]
    assert "no trial was graded: there is no rate" in summary.banners


def test_effort_counts_what_is_known_and_says_what_is_not() -> None:
    made = sample.run()
    unpriced = made.trials[0].model_copy(update={"cost_usd": None})
    made.trials = [unpriced, *made.trials[1:]]

    effort = _of(made).effort
    assert (effort.trials, effort.model_calls, effort.tool_calls) == (30, 174, 87)
    assert effort.cost_usd == pytest.approx(28 * 0.0012)
    assert effort.unpriced_trials == 1
    assert (effort.median_s, effort.longest_s) == (6.0, 30.0)


def test_a_summary_survives_json() -> None:
    summary = _of(sample.run())

    assert Summary.model_validate_json(summary.model_dump_json()) == summary


DECISION = st.sampled_from([None, False, True])


@given(st.lists(st.tuples(DECISION, DECISION, DECISION), min_size=1, max_size=12))
def test_rescued_and_failed_hold_exactly_the_trials_they_name(
    decisions: list[tuple[bool | None, bool | None, bool | None]],
) -> None:
    made = _small("a", trials=len(decisions))
    made.outcomes = [
        _outcome("a", trial, strict=strict, lenient=lenient, final=final)
        for trial, (strict, lenient, final) in enumerate(decisions, 1)
    ]

    summary = _of(made)
    assert sum(group.count for group in summary.failed) == sum(
        final is False for _, _, final in decisions
    )
    assert sum(group.count for group in summary.rescued) == sum(
        strict is False and final is True for strict, _, final in decisions
    )
    for column in summary.columns:
        assert column.graded + sum(column.ungraded.values()) == column.due


def test_config_of_the_sample_is_whole() -> None:
    assert RunConfig.model_validate_json(sample.config().model_dump_json()) == sample.config()
