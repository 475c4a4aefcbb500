"""What a verification saw is decided without a container: baseline, logs, canary, limits."""

from collections.abc import Sequence

import pytest

from trajaudit.audit.verifying.deciding import decision_on, verification
from trajaudit.datamodel.patch import PatchVerdict as V
from trajaudit.datamodel.patch import TestStatus as S
from trajaudit.datamodel.patch_evidence import Baseline, Evidence, PatchFacts, TestRun

APPLIED = PatchFacts(strict=True, lenient=True)
FIXED = {"f": S.PASSED, "p": S.PASSED}


def run(statuses: dict[str, S], **more: object) -> TestRun:
    known = {"statuses": statuses, "finished": True, "canary_held": True, "exit_code": 1, **more}
    return TestRun.model_validate(known)


def evidence(*runs: TestRun, **more: object) -> Evidence:
    known = {
        "instance_id": "i", "fail_to_pass": ("f",), "pass_to_pass": ("p",), "patch_sha256": "",
        "patch": APPLIED, "runs": runs, **more,
    }  # fmt: skip
    return Evidence.model_validate(known)


def base(*runs: TestRun) -> Baseline:
    return Baseline(key="k", runs=runs)


def both(one: Evidence, baseline: Baseline | None = None) -> tuple[V, V]:
    decision = decision_on(one, baseline)
    return decision.strict, decision.lenient


def notes(one: Evidence, baseline: Baseline | None) -> str:
    return "; ".join(verification(one, baseline).notes)


BROKEN = run({"f": S.FAILED, "p": S.FAILED})
SOUND = run({"f": S.FAILED, "p": S.PASSED})


def test_what_was_broken_already_is_subtracted_leniently_and_noted() -> None:
    after = evidence(run({"f": S.PASSED, "p": S.FAILED}))

    assert both(after, base(SOUND)) == (V.P2P_REGRESSED, V.P2P_REGRESSED)
    assert both(after, base(BROKEN)) == (V.P2P_REGRESSED, V.RESOLVED)
    assert "did not pass before the patch either: p" in notes(after, base(BROKEN))


def test_what_passes_without_the_patch_shows_no_fix() -> None:
    two = {"fail_to_pass": ("f", "p"), "pass_to_pass": ()}

    assert both(evidence(run(FIXED)), base(run(FIXED))) == (V.INVALID_INSTANCE,) * 2
    assert both(evidence(run(FIXED), **two), base(SOUND)) == (V.RESOLVED,) * 2
    assert "passes without the patch: p" in notes(evidence(run(FIXED), **two), base(SOUND))


def test_a_test_that_does_not_report_either_time_cannot_decide() -> None:
    silent = evidence(run({"f": S.PASSED}))

    assert both(silent, base(run({"f": S.FAILED}))) == (V.P2P_REGRESSED, V.RESOLVED)
    assert "does not report without the patch either: p" in notes(
        silent, base(run({"f": S.FAILED}))
    )


@pytest.mark.parametrize("broke_off", [{"timed_out": True, "finished": False}, {"finished": False}])
def test_a_baseline_that_broke_off_says_nothing_of_what_it_did_not_run(
    broke_off: dict[str, bool],
) -> None:
    half = base(run({}, **broke_off))

    assert both(evidence(run({"f": S.PASSED})), half) == (V.P2P_REGRESSED,) * 2
    assert both(evidence(run(FIXED)), half) == (V.RESOLVED,) * 2


def test_flaky_tests_found_by_repeating_cannot_decide() -> None:
    flaky = base(SOUND, run({"f": S.FAILED, "p": S.FAILED}))
    worse = run({"f": S.PASSED, "p": S.FAILED})

    assert both(evidence(worse, worse), flaky) == (V.P2P_REGRESSED, V.RESOLVED)
    assert "flaky, cannot decide: p" in notes(evidence(worse, worse), flaky)
    # Steady without the patch, shaky with it: that is the patch's doing.
    assert both(evidence(run(FIXED), worse), base(SOUND, SOUND)) == (V.P2P_REGRESSED,) * 2


def test_a_run_without_the_patch_that_broke_off_makes_nothing_flaky() -> None:
    worse = evidence(run({"f": S.PASSED, "p": S.FAILED}))
    half = run({"f": S.FAILED}, finished=False, timed_out=True)

    assert both(worse, base(SOUND, half)) == (V.P2P_REGRESSED,) * 2
    assert both(worse, base(SOUND, run({"f": S.FAILED}))) == (V.P2P_REGRESSED, V.RESOLVED)


def test_of_repeated_runs_the_one_that_breaks_off_decides() -> None:
    died = run({}, finished=False)

    assert both(evidence(run(FIXED), died), base(SOUND)) == (V.RUNNER_DIED,) * 2
    assert "did not all come to their end" in notes(evidence(run(FIXED), died), base(SOUND))


def test_a_canary_that_fails_without_a_patch_is_the_fault_of_the_instance() -> None:
    out = run(FIXED, canary_held=False, canary_reported=False)

    assert both(evidence(out), base(run(FIXED, canary_held=False))) == (V.INVALID_INSTANCE,) * 2
    assert both(evidence(out), base(SOUND)) == (V.TAMPERING,) * 2
    assert both(evidence(out)) == (V.TAMPERING,) * 2
    assert "by name or mark" in notes(evidence(out), None)


def test_tests_that_do_not_fit_the_base_are_the_fault_of_the_instance() -> None:
    patch = PatchFacts(strict=True, lenient=True, test_patch_applied=False)

    assert both(evidence(patch=patch)) == (V.TEST_PATCH_FAILED,) * 2
    assert both(evidence(patch=patch), base(SOUND)) == (V.TEST_PATCH_FAILED,) * 2
    fault = Baseline(key="k", fault="no such file")
    assert both(evidence(patch=patch), fault) == (V.INVALID_INSTANCE,) * 2


def log(statuses: dict[str, S], **more: object) -> TestRun:
    return run(statuses, from_log=True, **more)


@pytest.mark.parametrize(
    ("parser", "before", "verdict"),
    [
        ("unittest", [log({"f": S.FAILED, "p": S.PASSED})], V.RESOLVED),
        ("unittest", [SOUND], V.RUNNER_DIED),
        ("pytest", [SOUND], V.RUNNER_DIED),  # somebody took the record away
        ("pytest", [], V.RUNNER_DIED),
        ("pytest", [log({"f": S.FAILED, "p": S.PASSED})], V.RESOLVED),  # nothing can be recorded
        (None, [log({})], V.RUNNER_DIED),
        ("nobody_knows", [log({})], V.INVALID_INSTANCE),
        ("nobody_knows", [SOUND], V.RUNNER_DIED),
    ],
)
def test_a_log_is_believed_only_where_nothing_could_be_recorded(
    parser: str | None, before: Sequence[TestRun], verdict: V
) -> None:
    after = evidence(log(FIXED), log_parser=parser)
    done = verification(after, base(*before) if before else None)

    assert (done.strict, done.lenient) == (verdict, verdict)
    assert bool(done.statuses) == (verdict is not V.RUNNER_DIED)


def test_silence_passes_leniently_where_a_runner_names_only_failures() -> None:
    kind = {"log_parser": "unittest", "eval_type": "fail_only"}
    quiet = log({}, exit_code=0)
    before = base(log({"f": S.FAILED}))

    assert both(evidence(quiet, **kind), before) == (V.F2P_FAILED, V.RESOLVED)
    assert "not strictly: 2" in notes(evidence(quiet, **kind), before)
    assert both(evidence(log({"p": S.FAILED}), **kind), before)[1] is V.P2P_REGRESSED
    assert both(evidence(log({"f": S.FAILED}), **kind), before)[1] is V.F2P_FAILED


def test_silence_is_no_success_where_the_run_is_not_known_to_have_ended() -> None:
    kind = {"log_parser": "unittest", "eval_type": "fail_only"}
    for after in (
        log({}, exit_code=1),
        log({}, exit_code=None),
        log({}, exit_code=0, finished=False),
        log({}, exit_code=0, timed_out=True),
    ):
        assert V.RESOLVED not in both(evidence(after, **kind))
    # Where each test is recorded, one that does not report did not run.
    recorded = evidence(run({"x": S.PASSED}, exit_code=0), eval_type="fail_only")
    assert both(recorded)[1] is V.COLLECTION_ERROR
    # Without the field, too.
    assert V.RESOLVED not in both(evidence(log({}, exit_code=0), log_parser="unittest"))


def test_silence_without_the_patch_shows_no_fix() -> None:
    kind = {"log_parser": "unittest", "eval_type": "fail_only"}
    quiet = log({}, exit_code=0)

    assert both(evidence(quiet, **kind), base(quiet)) == (V.INVALID_INSTANCE,) * 2
    unmarked = log({}, exit_code=0, finished=False)
    assert both(evidence(quiet, **kind), base(unmarked)) == (V.F2P_FAILED, V.RESOLVED)


def test_who_takes_all_memory_or_disk_fails_by_itself() -> None:
    done = verification(evidence(TestRun(overran="disk")), base(SOUND))

    assert (done.lenient, done.flags) == (V.RUNNER_DIED, ("disk_limit",))
    assert done.reason == "the tests overran the disk"
    assert "without any patch, too" in notes(
        evidence(TestRun(overran="disk")), base(TestRun(overran="disk"))
    )


def test_names_that_are_no_text_are_decided_about_and_stored() -> None:
    named = {"fail_to_pass": ("t\udc80",), "pass_to_pass": ()}
    after = evidence(run({"t\udc80": S.PASSED}, log="\udcff"), **named)
    done = verification(after, base(run({"t\udc80": S.FAILED})))

    assert (done.strict, done.statuses) == (V.RESOLVED, {"t\\udc80": S.PASSED})
    assert Evidence.model_validate_json(after.model_dump_json()) == after
    assert verification(evidence(patch=PatchFacts(reason="\udc80")), None).model_dump_json()
