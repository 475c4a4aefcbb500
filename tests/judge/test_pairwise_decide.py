"""Both orders of a family are one voice; a turn is inconsistent, and only unanimity settles."""

import pytest

from tests.judge.paired import vote
from trajaudit.datamodel.judging import Judge, Panel, ReplyStatus, Trigger
from trajaudit.datamodel.pairwise import Choice, PairDecision, PairResult, PairVote
from trajaudit.judge.pairwise_decide import (
    PairFacts,
    decide_pair,
    of_families,
    result_of,
    worth_asking,
)

PANEL = Panel(name="p", version=1, judges=(Judge(model="openai/s"), Judge(model="openai/t")))
FACTS = PairFacts(task_id="late", trial=1, runs=("one", "two"), rubric="pair")


def both(family: str, first: Choice | None = "a", second: Choice | None = "a") -> list[PairVote]:
    return [vote(family, 1, first), vote(family, 2, second)]


def decided(votes: list[PairVote], facts: PairFacts = FACTS) -> PairDecision:
    return decide_pair(votes, facts, PANEL)


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("a", "a", "a"),
        ("b", "b", "b"),
        ("tie", "tie", "tie"),
        ("a", "b", "inconsistent"),
        ("a", "tie", "inconsistent"),
        ("tie", "b", "inconsistent"),
        ("a", None, "incomplete"),
        ("cannot_tell", "a", "incomplete"),
        ("cannot_tell", "cannot_tell", "incomplete"),
    ],
)
def test_two_orders_say_one_thing_or_none(
    first: Choice | None, second: Choice | None, said: str
) -> None:
    assert of_families(both("s", first, second)) == {"s": said}


def test_one_order_alone_says_nothing() -> None:
    assert of_families([vote("s", 1, "a")]) == {"s": "incomplete"}


def test_draws_have_to_agree_and_a_turn_weighs_more_than_a_reply_of_no_use() -> None:
    steady = both("s") + [one.model_copy(update={"replicate": 2}) for one in both("s")]
    turning = both("s") + [one.model_copy(update={"replicate": 2}) for one in both("s", "b", "b")]
    useless = [one.model_copy(update={"replicate": 2}) for one in both("s", "a", None)]

    assert of_families(steady) == {"s": "a"}
    assert of_families(turning) == {"s": "inconsistent"}
    assert of_families(both("s") + useless) == {"s": "incomplete"}
    assert of_families(both("s", "a", "b") + useless) == {"s": "inconsistent"}


@pytest.mark.parametrize(
    ("families", "result"),
    [
        ({"s": "a", "t": "a"}, "a"),
        ({"s": "tie", "t": "tie"}, "tie"),
        ({"s": "a", "t": "b"}, "undecided"),
        ({"s": "a", "t": "tie"}, "undecided"),
        ({"s": "a"}, "undecided"),
        ({}, "undecided"),
        ({"s": "a", "t": "incomplete"}, "undecided"),
        ({"s": "a", "t": "incomplete", "u": "a"}, "a"),
        ({"s": "a", "t": "a", "u": "b"}, "undecided"),
        ({"s": "a", "t": "a", "u": "inconsistent"}, "inconsistent"),
    ],
)
def test_all_families_that_were_heard_have_to_agree(families: dict[str, str], result: str) -> None:
    assert result_of(families) == result


@pytest.mark.parametrize(
    ("votes", "worth"),
    [
        (both("s") + both("t"), False),
        (both("s", None, None) + both("t"), True),
        (both("s", "a", None) + both("t"), True),
        (both("s", "a", "b") + both("t"), False),
        (both("s") + both("t", "b", "b"), False),
        (both("s", "cannot_tell", "a") + both("t"), False),
        (both("s"), True),
    ],
)
def test_a_further_family_is_asked_only_where_it_could_settle(
    votes: list[PairVote], worth: bool
) -> None:
    assert worth_asking(votes) is worth


@pytest.mark.parametrize(
    ("votes", "trigger"),
    [
        (both("s", None, None) + both("t"), Trigger.INVALID),
        (both("s", "cannot_tell", "a") + both("t"), Trigger.ABSTAIN),
        (both("s", "a", "b") + both("t"), Trigger.ORDER_FLIP),
        (both("s") + both("t", "tie", "tie"), Trigger.FAMILY_SPLIT),
        (both("s") + both("t")[:1] + [vote("t", 2, conflicts=("but step 3",))], Trigger.CONFLICT),
        ([*both("s"), vote("t", 1, None, status=ReplyStatus.UNSUPPORTED)], Trigger.UNSUPPORTED),
    ],
)
def test_each_doubt_in_the_votes_has_its_code_and_goes_to_people(
    votes: list[PairVote], trigger: Trigger
) -> None:
    found = decided(votes)

    assert trigger in found.triggers
    assert (found.stage, found.queue) == ("C", "resolve")


@pytest.mark.parametrize(
    ("changed", "trigger"),
    [
        ({"ruled": (False, True)}, Trigger.SCORER_CONFLICT),
        ({"fits": False}, Trigger.TRUNCATED),
        ({"addressed": True}, Trigger.INJECTION),
    ],
)
def test_each_doubt_in_the_pair_has_its_code_and_goes_to_people(
    changed: dict[str, object], trigger: Trigger
) -> None:
    facts = PairFacts(**{**vars(FACTS), **changed})
    found = decided(both("s") + both("t"), facts)

    assert (found.triggers, found.queue, found.result) == ((trigger,), "resolve", PairResult.A)


def test_what_was_cut_counts_only_for_the_trial_that_is_cited() -> None:
    criteria = [
        {
            "id": "done",
            "verdict": "a",
            "evidence": [{"side": "a", "step": 3, "quote": "x"}],
        }
    ]
    votes = [*both("s"), vote("t", 1, criteria=criteria), vote("t", 2)]

    def triggers(cut: tuple[str, int]) -> tuple[Trigger, ...]:
        return decided(votes, PairFacts(**{**vars(FACTS), "cut_steps": frozenset({cut})})).triggers

    assert triggers(("a", 3)) == (Trigger.TRUNCATED,)
    assert triggers(("b", 3)) == ()


def test_rules_that_agree_or_cannot_tell_deny_nothing() -> None:
    for ruled in ((True, False), (True, True), (None, True), (False, False)):
        facts = PairFacts(**{**vars(FACTS), "ruled": ruled})
        assert decided(both("s") + both("t"), facts).triggers == ()


def test_of_the_way_the_rules_say_nothing() -> None:
    facts = PairFacts(**{**vars(FACTS), "ruled": (False, True), "about_outcome": False})

    assert decided(both("s") + both("t"), facts).triggers == ()


def test_a_context_that_is_too_short_sends_the_pair_to_a_person_unless_two_others_saw_it() -> None:
    unseen = [vote("s", order, None, status=ReplyStatus.TOO_LONG) for order in (1, 2)]
    alone, two = [*unseen, *both("t")], [*unseen, *both("t"), *both("u")]

    assert decided(alone).triggers == (Trigger.INVALID, Trigger.TRUNCATED)
    assert (decided(two).result, decided(two).triggers) == (PairResult.A, ())
