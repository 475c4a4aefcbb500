"""Decides about a patch from what its verification saw; needs no container."""

from collections.abc import Mapping, Sequence

from trajaudit.datamodel.patch import PatchVerdict, TestStatus, Verification
from trajaudit.datamodel.patch_evidence import Baseline, Evidence, TestRun
from trajaudit.errors import UsageError
from trajaudit.score.patch.testlog import parse_log
from trajaudit.score.patch.verdict import Decision, Facts, Lists, decide

FAIL_ONLY = "fail_only"
BAD = frozenset({TestStatus.FAILED, TestStatus.ERROR})
FROM_LOG = "statuses were read from the log, which the code under test can write"
NO_CANARY = (
    "no test of the canary was run; a command that chooses tests by name or mark leaves it out"
)
CANARY_FAILS_ALONE = (
    "the canary does not report what it does without any patch either: the test command leaves it "
    "out, or changes how tests end"
)
TESTS_DO_NOT_FIT = "the tests of the instance do not apply without any patch either"


def verification(evidence: Evidence, baseline: Baseline | None) -> Verification:
    """Return what became of a prediction."""
    decision = decision_on(evidence, baseline)
    listed = (*evidence.fail_to_pass, *evidence.pass_to_pass)
    after = together(_believed(evidence, baseline))
    return Verification(
        instance_id=evidence.instance_id,
        model_name_or_path=evidence.model_name_or_path,
        status="graded",
        strict=decision.strict,
        lenient=decision.lenient,
        reason=_reason(evidence),
        repairs=evidence.patch.repairs,
        flags=(*evidence.patch.flags, *(f"{one}_limit" for one in _overran(evidence.runs))),
        notes=(*decision.notes, *_notes(evidence, baseline)),
        statuses={test: _worst(after[test]) for test in listed if test in after},
        patch_sha256=evidence.patch_sha256,
        image=evidence.image,
        duration_s=evidence.duration_s,
    )


def decision_on(evidence: Evidence, baseline: Baseline | None) -> Decision:
    """Decide both readings."""
    fault = _fault_of_instance(evidence, baseline)
    if fault:
        return Decision(PatchVerdict.INVALID_INSTANCE, PatchVerdict.INVALID_INSTANCE, (fault,))
    patch, runs = evidence.patch, _believed(evidence, baseline)
    facts = Facts(
        patch_is_empty=patch.empty,
        applied_strictly=patch.strict,
        applied_leniently=patch.lenient,
        test_patch_applied=patch.test_patch_applied,
        timed_out=any(run.timed_out for run in runs),
        session_finished=all(_finished(run, evidence.eval_type) for run in runs),
        canary_held=all(run.canary_held for run in runs),
        collection_failed=any(run.collection_failed for run in runs),
        after=together(runs),
        silence_passes=bool(runs) and all(_is_silent(run, evidence.eval_type) for run in runs),
    )
    return decide(_lists(evidence, baseline), facts)


def together(runs: Sequence[TestRun]) -> dict[str, tuple[TestStatus, ...]]:
    """Return each test's statuses over all runs; a run in which it did not report is an error."""
    tests = {test for run in runs for test in run.statuses}
    return {test: tuple(run.statuses.get(test, TestStatus.ERROR) for run in runs) for test in tests}


def _lists(evidence: Evidence, baseline: Baseline | None) -> Lists:
    runs = baseline.runs if baseline is not None else ()
    before = _before(runs, evidence)
    return Lists(
        fail_to_pass=evidence.fail_to_pass,
        pass_to_pass=evidence.pass_to_pass,
        before=before,
        before_is_whole=bool(runs) and all(_finished(run, evidence.eval_type) for run in runs),
    )


def _before(runs: Sequence[TestRun], evidence: Evidence) -> Mapping[str, tuple[TestStatus, ...]]:
    """Return statuses without a patch; of what a run that broke off did not run, none."""
    whole = all(_finished(run, evidence.eval_type) for run in runs)
    tests = {test for run in runs for test in run.statuses}
    absent = TestStatus.ERROR if whole else None
    each = {test: [run.statuses.get(test, absent) for run in runs] for test in tests}
    found = {test: tuple(one for one in some if one is not None) for test, some in each.items()}
    if runs and all(_is_silent(run, evidence.eval_type) for run in runs):
        listed = (*evidence.fail_to_pass, *evidence.pass_to_pass)
        quiet = [test for test in listed if test not in found]
        found |= dict.fromkeys(quiet, (TestStatus.PASSED,) * len(runs))
    return found


def _fault_of_instance(evidence: Evidence, baseline: Baseline | None) -> str:
    """Return why no patch can be decided about, whatever it does."""
    if baseline is not None and baseline.fault and not evidence.patch.test_patch_applied:
        return f"{TESTS_DO_NOT_FIT}; got: {baseline.fault}"
    if not evidence.runs:
        return ""
    before = baseline.runs if baseline is not None else ()
    if any(run.finished and not run.canary_held for run in before):
        return CANARY_FAILS_ALONE
    from_log = all(run.from_log for run in (*evidence.runs, *before))
    return _unknown_parser(evidence.log_parser) if from_log else ""


def _unknown_parser(parser: str | None) -> str:
    try:
        parse_log(parser or "pytest", "")
    except UsageError as e:
        return str(e)
    return ""


def _believed(evidence: Evidence, baseline: Baseline | None) -> Sequence[TestRun]:
    """Take a log for nothing where somebody took the record away.

    That is so where the tests are recorded without a patch; and where pytest runs them, unless
    they are known not to be recorded without a patch either.
    """
    before = baseline.runs if baseline is not None else ()
    parser = evidence.log_parser
    recorded = any(not run.from_log and not run.overran for run in before)
    never_recorded = bool(before) and all(run.from_log for run in before)
    stolen = parser is None or recorded or ("pytest" in parser and not never_recorded)
    empty = {"statuses": {}, "finished": False}
    return [
        run.model_copy(update=empty) if run.from_log and stolen else run for run in evidence.runs
    ]


def _finished(run: TestRun, eval_type: str | None) -> bool:
    return run.finished and (not run.from_log or bool(run.statuses) or _is_silent(run, eval_type))


def _is_silent(run: TestRun, eval_type: str | None) -> bool:
    """Whether what a log does not name has passed: it names failures, or there were none."""
    names_failures = any(status in BAD for status in run.statuses.values())
    shown_to_end = run.finished and (run.exit_code == 0 or names_failures)
    return eval_type == FAIL_ONLY and run.from_log and shown_to_end


def _notes(evidence: Evidence, baseline: Baseline | None) -> list[str]:
    notes = [FROM_LOG] if any(run.from_log for run in evidence.runs) else []
    if any(run.finished and not run.canary_reported for run in evidence.runs):
        notes.append(NO_CANARY)
    if len({_ending(run, evidence.eval_type) for run in evidence.runs}) > 1:
        notes.append("repeated runs did not all come to their end")
    before = baseline.runs if baseline is not None else ()
    if any(run.timed_out for run in before):
        notes.append("the tests do not end in time without any patch either")
    notes += [f"the tests overrun the {one} without any patch, too" for one in _overran(before)]
    return notes


def _ending(run: TestRun, eval_type: str | None) -> tuple[bool, bool, bool]:
    return run.timed_out, _finished(run, eval_type), run.canary_held


def _overran(runs: Sequence[TestRun]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(run.overran for run in runs if run.overran))


def _reason(evidence: Evidence) -> str:
    overran = " and the ".join(_overran(evidence.runs))
    return evidence.patch.reason or (f"the tests overran the {overran}" if overran else "")


def _worst(runs: Sequence[TestStatus]) -> TestStatus:
    """Return the status that speaks most against a test."""
    return min(runs, key=_ORDER.index)


_ORDER = (
    TestStatus.ERROR,
    TestStatus.FAILED,
    TestStatus.SKIPPED,
    TestStatus.XFAIL,
    TestStatus.XPASS,
    TestStatus.PASSED,
)
