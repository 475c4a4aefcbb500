"""What executed tests decide about a patch, and what cannot decide."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.datamodel.patch import PatchVerdict as V
from trajaudit.datamodel.patch import TestStatus as S
from trajaudit.score.patch.verdict import Decision, Facts, Lists, decide

LETTERS = {
    "P": S.PASSED, "F": S.FAILED, "E": S.ERROR, "S": S.SKIPPED, "X": S.XFAIL, "Y": S.XPASS,
}  # fmt: skip


def decided(before: str, after: str, **facts: Any) -> Decision:
    """Decide about tests written as `f:F p:P q:PF`; f and g have to be fixed, the others kept."""
    runs = [
        {
            one.partition(":")[0]: tuple(LETTERS[letter] for letter in one.partition(":")[2])
            for one in text.split()
        }
        for text in (before, after)
    ]
    listed = facts.pop("listed", "f p q")
    lists = Lists(
        fail_to_pass=[one for one in listed.split() if one[0] in "fg"],
        pass_to_pass=[one for one in listed.split() if one[0] not in "fg"],
        before=runs[0],
    )
    return decide(lists, Facts(after=runs[1], **facts))


TABLE = [
    ("all good", "f:F p:P q:P", "f:P p:P q:P", V.RESOLVED, V.RESOLVED),
    ("without knowledge of before", "", "f:P p:P q:P", V.RESOLVED, V.RESOLVED),
    ("target absent before", "p:P q:P", "f:P p:P q:P", V.RESOLVED, V.RESOLVED),
    ("target errs before", "f:E p:P q:P", "f:P p:P q:P", V.RESOLVED, V.RESOLVED),
    ("target fails", "f:F p:P q:P", "f:F p:P q:P", V.F2P_FAILED, V.F2P_FAILED),
    ("target gone", "f:F p:P q:P", "p:P q:P", V.F2P_FAILED, V.F2P_FAILED),
    ("target skipped", "f:F p:P q:P", "f:S p:P q:P", V.F2P_FAILED, V.F2P_FAILED),
    ("target expected to fail", "f:F p:P q:P", "f:X p:P q:P", V.F2P_FAILED, V.F2P_FAILED),
    ("target sometimes passes", "f:F p:P q:P", "f:PF p:P q:P", V.F2P_FAILED, V.F2P_FAILED),
    ("guard fails", "f:F p:P q:P", "f:P p:F q:P", V.P2P_REGRESSED, V.P2P_REGRESSED),
    ("guard gone", "f:F p:P q:P", "f:P q:P", V.P2P_REGRESSED, V.P2P_REGRESSED),
    ("guard skipped", "f:F p:P q:P", "f:P p:S q:P", V.P2P_REGRESSED, V.P2P_REGRESSED),
    ("guard stays expected to fail", "f:F p:X q:P", "f:P p:X q:P", V.RESOLVED, V.RESOLVED),
    ("both wrong", "f:F p:P q:P", "f:F p:F q:P", V.F2P_FAILED, V.F2P_FAILED),
    ("guard broken before", "f:F p:F q:P", "f:P p:F q:P", V.P2P_REGRESSED, V.RESOLVED),
    ("guard skipped before", "f:F p:S q:P", "f:P p:S q:P", V.P2P_REGRESSED, V.RESOLVED),
    ("guard flaky before", "f:F p:PF q:P", "f:P p:F q:P", V.P2P_REGRESSED, V.RESOLVED),
    ("guard flaky after", "f:F p:P q:P", "f:P p:PF q:P", V.P2P_REGRESSED, V.RESOLVED),
    ("guard made flaky", "f:F p:PPP q:P", "f:P p:PFP q:P", V.P2P_REGRESSED, V.P2P_REGRESSED),
    ("flaky guard hides nothing", "f:F p:PF q:P", "f:P p:F q:F", V.P2P_REGRESSED, V.P2P_REGRESSED),
    ("target passes before", "f:P p:P q:P", "f:P p:P q:P", V.INVALID_INSTANCE, V.INVALID_INSTANCE),
    ("target flaky before", "f:PF p:P q:P", "f:P p:P q:P", V.INVALID_INSTANCE, V.INVALID_INSTANCE),
    ("nothing ran", "f:F p:P q:P", "", V.COLLECTION_ERROR, V.COLLECTION_ERROR),
    ("only others ran", "f:F p:P q:P", "z:P", V.COLLECTION_ERROR, V.COLLECTION_ERROR),
]


@pytest.mark.parametrize(
    ("before", "after", "strict", "lenient"),
    [row[1:] for row in TABLE],
    ids=[row[0].replace(" ", "-") for row in TABLE],
)
def test_statuses_decide(before: str, after: str, strict: V, lenient: V) -> None:
    decision = decided(before, after)

    assert (decision.strict, decision.lenient) == (strict, lenient)
    if strict is not lenient:
        assert decision.notes


def test_of_two_targets_the_one_that_passes_before_still_has_to_pass() -> None:
    both = "f g p"

    assert decided("f:F g:P p:P", "f:P g:P p:P", listed=both).lenient is V.RESOLVED
    assert decided("f:F g:P p:P", "f:P g:F p:P", listed=both).lenient is V.P2P_REGRESSED
    assert decided("f:F g:F p:P", "f:P g:F p:P", listed=both).lenient is V.F2P_FAILED


def test_an_instance_without_a_target_decides_nothing() -> None:
    assert decided("p:P", "p:P", listed="p").strict is V.INVALID_INSTANCE


def test_a_reference_solution_that_fails_speaks_against_the_instance() -> None:
    decision = decided("f:F p:P q:P", "f:F p:P q:P", is_gold=True)

    assert decision.lenient is V.INVALID_INSTANCE
    assert "f2p_failed" in decision.notes[-1]


EARLY: list[tuple[dict[str, Any], V]] = [
    ({"patch_is_empty": True, "applied_leniently": False}, V.EMPTY_PATCH),
    ({"applied_leniently": False}, V.PATCH_APPLY_FAILED),
    ({"test_patch_applied": False}, V.TEST_PATCH_FAILED),
    ({"timed_out": True, "session_finished": False}, V.TIMEOUT),
    ({"session_finished": False}, V.RUNNER_DIED),
    ({"canary_held": False}, V.TAMPERING),
]


@pytest.mark.parametrize(("facts", "verdict"), EARLY)
def test_what_happened_before_tests_counts_first(facts: dict[str, Any], verdict: V) -> None:
    decision = decided("f:F p:P q:P", "f:P p:P q:P", **facts)

    assert decision == Decision(verdict, verdict)


def test_a_patch_that_git_refuses_fails_strictly_and_is_judged_leniently() -> None:
    decision = decided("f:F p:P q:P", "f:P p:P q:P", applied_strictly=False)

    assert (decision.strict, decision.lenient) == (V.PATCH_APPLY_FAILED, V.RESOLVED)


def test_a_file_that_cannot_be_collected_is_told_from_a_test_that_fails() -> None:
    assert decided("", "p:P q:P", collection_failed=True).lenient is V.COLLECTION_ERROR
    assert decided("", "f:F p:P", collection_failed=True).lenient is V.F2P_FAILED


def test_an_id_that_was_cut_at_a_blank_is_found_leniently_if_all_candidates_agree() -> None:
    lists = Lists(fail_to_pass=["t[a"], pass_to_pass=[])

    def after(*statuses: S) -> Decision:
        runs = {f"t[a {number}]": (status,) for number, status in enumerate(statuses)}
        return decide(lists, Facts(after=runs))

    assert after(S.PASSED, S.PASSED) == Decision(V.F2P_FAILED, V.RESOLVED)
    assert after(S.PASSED, S.FAILED).lenient is not V.RESOLVED


def test_an_id_whose_blanks_or_control_characters_were_lost_is_found_leniently() -> None:
    lists = Lists(fail_to_pass=["t[a b]", "t[0m]"], pass_to_pass=[])
    true_ids = {"t[a  b]": (S.PASSED,), "t[\x1b0m]": (S.PASSED,)}

    assert decide(lists, Facts(after=true_ids)) == Decision(V.F2P_FAILED, V.RESOLVED)
    other = {**true_ids, "t[a   b]": (S.FAILED,)}
    assert decide(lists, Facts(after=other)).lenient is V.F2P_FAILED


letters = st.text(st.sampled_from("PFESXY"), max_size=2)


@given(st.lists(letters, min_size=6, max_size=6))
def test_resolved_strictly_is_resolved_leniently_or_the_instance_is_invalid(
    runs: list[str],
) -> None:
    before = " ".join(f"{name}:{run}" for name, run in zip("fpq", runs[:3], strict=True))
    after = " ".join(f"{name}:{run}" for name, run in zip("fpq", runs[3:], strict=True))

    decision = decided(before, after)

    if decision.strict is V.RESOLVED:
        assert decision.lenient is V.RESOLVED
    if decision.lenient is V.RESOLVED:
        assert runs[3]
        assert set(runs[3]) <= {"P", "Y"}
