"""Votes that lie there come to what a panel that asked for them would have decided."""

import random
from collections.abc import Sequence
from typing import Any, Literal

from tests.judge.made import RUBRIC, TASK, trajectory, vote
from trajaudit.datamodel.judging import Judge, Overall, Panel, ReplyStatus, Vote
from trajaudit.judge.decide import Circumstances
from trajaudit.judge.panel import Bench
from trajaudit.judge.seat import Item, Seat
from trajaudit.judge.staged import decided_in_stages, heard_in_stages
from trajaudit.judge.view import view_of
from trajaudit.llm.scripted import Reply, ScriptedModel

PANEL = Panel(name="p", version=1, judges=(Judge(model="x/a"), Judge(model="x/b")))
KNOWN = Circumstances(task_id="late", trial=1, rubric="task_success")


def family(name: str, *overalls: Overall | None) -> list[Vote]:
    first, second = overalls
    return [vote(name, 1, first), vote(name, 2, second)]


def heard(votes: Sequence[Vote]) -> list[str]:
    return [one.family for one in heard_in_stages(votes, PANEL)]


def test_a_third_family_is_not_heard_where_two_agree() -> None:
    votes = [*family("a", "pass", "pass"), *family("b", "pass", "pass")]

    assert heard([*votes, *family("c", "fail", "fail")]) == ["a", "a", "b", "b"]


def test_a_third_family_is_heard_where_it_can_still_settle() -> None:
    votes = [*family("a", "pass", None), *family("b", "pass", "pass"), *family("c", "pass", "pass")]
    decision = decided_in_stages(votes, KNOWN, PANEL)

    assert heard(votes)[-1] == "c"
    assert decision is not None
    assert (decision.result, decision.stage) == ("pass", "B")


def test_a_turn_with_the_order_is_not_outvoted() -> None:
    votes = [
        *family("a", "pass", "fail"),
        *family("b", "pass", "pass"),
        *family("c", "pass", "pass"),
    ]
    decision = decided_in_stages(votes, KNOWN, PANEL)

    assert heard(votes) == ["a", "a", "b", "b"]
    assert decision is not None
    assert (decision.result, decision.queue) == ("undecided", "resolve")


def test_a_dead_provider_leaves_its_place_and_alone_it_leaves_no_decision() -> None:
    gone = [vote("a", order, None, status=ReplyStatus.PROVIDER_FAILED) for order in (1, 2)]
    others = [*family("b", "pass", "pass"), *family("c", "pass", "pass")]
    decision = decided_in_stages([*gone, *others], KNOWN, PANEL)

    assert decision is not None
    assert decision.result == "pass"
    assert decided_in_stages([*gone, *family("b", "pass", "pass")], KNOWN, PANEL) is None


class Prepared(Seat):
    """A judge whose votes lie there."""

    votes: dict[int, Vote]

    def ask(self, *args: Any, order: Literal[1, 2], **more: Any) -> Vote:
        return self.votes[order]


def test_a_panel_at_work_decides_the_same() -> None:
    rng = random.Random(5)
    kinds: list[tuple[Overall | None, ReplyStatus]] = [
        ("pass", ReplyStatus.OK),
        ("pass", ReplyStatus.OK),
        ("fail", ReplyStatus.REPAIRED),
        ("abstain", ReplyStatus.OK),
        (None, ReplyStatus.UNPARSED),
        (None, ReplyStatus.UNSUPPORTED),
        (None, ReplyStatus.PROVIDER_FAILED),
    ]
    item = Item("late", 1, view_of("outcome", TASK, trajectory()))
    results: set[str] = set()
    for _ in range(400):
        seats: list[Prepared] = []
        for name in "abc":
            seat = Prepared(Judge(model=f"x/{name}"), ScriptedModel([Reply(text="x")]), name)
            said = {order: rng.choice(kinds) for order in (1, 2)}
            if rng.random() < 0.6:
                said[2] = said[1]
            seat.votes = {
                1: vote(name, 1, said[1][0], status=said[1][1]),
                2: vote(name, 2, said[2][0], status=said[2][1]),
            }
            seats.append(seat)
        votes = [seat.votes[order] for seat in seats for order in (1, 2)]

        worked = Bench(PANEL, RUBRIC, "", tuple(seats)).judge(item).decision
        lying = decided_in_stages(votes, KNOWN, PANEL)

        shown = [
            None if one is None else (one.result, one.triggers, one.queue)
            for one in (worked, lying)
        ]
        assert shown[0] == shown[1]
        results.add("none" if worked is None else worked.result)
    assert results == {"pass", "fail", "undecided", "none"}
