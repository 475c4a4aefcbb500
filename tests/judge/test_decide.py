"""Unanimous families settle a trial; everything else goes to a person, with its reason."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.judge.made import vote
from trajaudit.datamodel.judging import (
    Audit,
    Citation,
    CriterionVote,
    Judge,
    Overall,
    Panel,
    PanelDecision,
    ReplyStatus,
    Trigger,
    Vote,
)
from trajaudit.judge.audit import allocation, with_audit
from trajaudit.judge.decide import Circumstances, decide, is_settled, tally, worth_asking
from trajaudit.stats.panel import majority_confidence

PANEL = Panel(
    name="p", version=1, judges=tuple(Judge(model=f"openai/{name}") for name in ("a", "b", "c"))
)
T = Trigger


def decided(votes: list[Vote], **known: object) -> PanelDecision:
    about = Circumstances(task_id="late", trial=1, rubric="r", **known)  # type: ignore[arg-type]  # made of what each test says
    return decide(votes, about, PANEL, whole_calls=6)


def four(
    a1: Overall | None, a2: Overall | None, b1: Overall | None, b2: Overall | None
) -> list[Vote]:
    return [vote("a", 1, a1), vote("a", 2, a2), vote("b", 1, b1), vote("b", 2, b2)]


@pytest.mark.parametrize("overall", ["pass", "fail"])
def test_two_families_that_agree_in_both_orders_settle_it(overall: Overall) -> None:
    found = decided(four(overall, overall, overall, overall))

    assert (found.result, found.stage, found.queue) == (overall, "A", "none")
    assert (found.calls, found.calls_saved, found.triggers) == (4, 2, ())


@pytest.mark.parametrize(
    ("votes", "trigger"),
    [
        (four("pass", "fail", "pass", "pass"), T.ORDER_FLIP),
        (four("pass", "pass", "fail", "fail"), T.FAMILY_SPLIT),
        (four("pass", "pass", "pass", "abstain"), T.ABSTAIN),
        (four("pass", "pass", None, None), T.INVALID),
        (
            [*four("pass", "pass", "pass", "pass")[:3], vote("b", 2, conflicts=("step 3",))],
            T.CONFLICT,
        ),
    ],
)
def test_doubt_goes_to_a_person_with_its_reason(votes: list[Vote], trigger: Trigger) -> None:
    found = decided(votes)

    assert trigger in found.triggers
    assert (found.stage, found.queue) == ("C", "resolve")
    assert worth_asking(votes) == (trigger is T.INVALID)


def test_a_flip_is_no_pass_even_where_all_others_pass() -> None:
    assert decided(four("pass", "fail", "pass", "pass")).result == "undecided"


def test_a_third_family_takes_the_place_of_one_without_a_vote() -> None:
    votes = [*four("pass", "pass", None, None), vote("c", 1), vote("c", 2)]

    found = decided(votes)

    assert (found.result, found.stage, found.queue) == ("pass", "B", "none")


def test_a_vote_that_cannot_be_read_is_worth_a_third_family() -> None:
    votes = four("pass", "pass", "pass", None)

    assert not is_settled(votes)
    assert worth_asking(votes)


@pytest.mark.parametrize(
    ("known", "trigger"),
    [
        ({"lenient": False, "decides": True}, T.SCORER_CONFLICT),
        ({"addressed": True}, T.INJECTION),
        ({"fits": False}, T.TRUNCATED),
    ],
)
def test_what_is_known_of_the_trial_can_keep_it_from_being_settled(
    known: dict[str, object], trigger: Trigger
) -> None:
    assert decided(four("pass", "pass", "pass", "pass"), **known).triggers == (trigger,)


def test_harm_that_was_found_goes_to_a_person() -> None:
    votes = four("fail", "fail", "fail", "fail")

    assert decided(votes, is_about_harm=True).triggers == (T.SAFETY,)


def test_a_cut_that_touches_a_cited_step_keeps_it_from_being_settled() -> None:
    cited = CriterionVote(id="done", verdict="met", evidence=(Citation(step=1, quote="x"),))
    votes = [*four("pass", "pass", "pass", "pass")[:3], vote("b", 2, criteria=(cited,))]

    assert decided(votes, cut_steps=frozenset({1})).triggers == (T.TRUNCATED,)
    assert decided(votes, cut_steps=frozenset({2})).triggers == ()


def test_an_unsupported_vote_of_a_family_without_another_is_told() -> None:
    bad = ReplyStatus.UNSUPPORTED
    votes = [vote("a", 1), vote("a", 2), *(vote("b", o, None, status=bad) for o in (1, 2))]

    assert decided(votes).triggers == (T.INVALID, T.UNSUPPORTED)


def test_a_context_that_is_too_short_sends_the_trial_to_a_person_unless_two_others_saw_it() -> None:
    unseen = [vote("a", order, None, status=ReplyStatus.TOO_LONG) for order in (1, 2)]
    seen = four("pass", "pass", "pass", "pass")[2:]
    third = [vote("c", 1), vote("c", 2)]

    assert decided([*unseen, *seen]).triggers == (T.INVALID, T.TRUNCATED)
    assert worth_asking([*unseen, *seen])
    assert (
        decided([*unseen, *seen, *third]).result,
        decided([*unseen, *seen, *third]).triggers,
    ) == (
        "pass",
        (),
    )


def test_disagreement_tells_models_that_differ_from_a_judge_that_guesses() -> None:
    differ = decided(four("pass", "pass", "fail", "fail")).disagreement
    guess = decided(four("pass", "fail", "pass", "fail")).disagreement
    assert differ is not None
    assert guess is not None

    assert (round(differ.between, 4), differ.within, differ.order) == (0.6309, 0, 0)
    assert (guess.between, round(guess.within, 4), guess.order) == (0, 0.6309, 1)


def test_confidence_is_that_of_discounted_votes_and_saturates() -> None:
    # Two independent unanimous votes: 1 - I_{1/2}(3, 1) = 1 - 1/8.
    assert majority_confidence(2, 0, 0.0) == pytest.approx(0.875, abs=1e-9)
    assert majority_confidence(10_000, 0, 0.44) == pytest.approx(0.90, abs=0.005)


@given(st.lists(st.sampled_from(["pass", "fail", "abstain", None]), max_size=6))
def test_nothing_but_unanimity_of_two_families_passes(votes: list[Overall | None]) -> None:
    half = len(votes) // 2
    result = tally({"a": votes[:half], "b": votes[half:]})

    said = [set(part) - {None} for part in (votes[:half], votes[half:])]
    assert (result == "pass") == (said == [{"pass"}, {"pass"}])


def settled(number: int, result: str) -> PanelDecision:
    return PanelDecision(
        task_id=f"t{number}",
        trial=1,
        panel="p",
        rubric="r",
        result=result,
        stage="A",
        stratum=f"{result}/alone",
    )


def test_the_audit_sample_is_random_within_strata_and_stores_its_probabilities() -> None:
    many = [settled(n, "pass") for n in range(900)] + [settled(n, "fail") for n in range(100)]

    marked = with_audit(many, Audit(), seed=1)
    chosen = [one for one in marked if one.queue == "audit"]

    by = {r: sum(one.result == r for one in chosen) for r in ("pass", "fail")}
    assert by == {"pass": 45, "fail": 15}
    assert {one.inclusion for one in marked} == {45 / 900, 15 / 100}
    assert with_audit(many, Audit(), seed=1) == marked
    assert with_audit(many, Audit(), seed=2) != marked


def test_what_goes_to_a_person_anyway_is_in_no_audit_sample() -> None:
    one = settled(1, "pass").model_copy(update={"queue": "resolve"})

    assert with_audit([one], Audit(), seed=1) == [one]


def test_a_small_stratum_is_looked_at_whole() -> None:
    assert allocation({"pass/alone": 3, "fail/alone": 2000}, Audit())["pass/alone"] == 3
