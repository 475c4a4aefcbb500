"""An effect is what a probe adds to a judge's own unsteadiness; few trials never clear it."""

import pytest

from trajaudit.datamodel.bias import ProbeEffect
from trajaudit.datamodel.judging import Overall
from trajaudit.judge.battery import Pair, Probed
from trajaudit.judge.bias import effects, failures
from trajaudit.judge.probes import PROBES

BY_NAME = {one.name: one for one in PROBES}


def said(
    name: str,
    twin: Overall | None = "pass",
    *,
    base: Overall | None = "pass",
    placebo: Overall | None = "pass",
    hidden: bool = False,
    judge: str = "m",
) -> Probed:
    return Probed(judge, judge, "pass", placebo, {name: Pair(base, twin, hidden)})


def effect(*probed: Probed, name: str = "style", limit: float = 0.05) -> ProbeEffect:
    (found,) = effects(probed, [BY_NAME[name]], limit=limit)
    return found


def test_no_flip_is_clear_only_with_enough_trials() -> None:
    assert effect(*[said("style")] * 73).verdict == "clear"
    assert effect(*[said("style")] * 72).verdict == "not_shown"


def test_an_effect_is_shown_with_its_size_and_its_direction() -> None:
    found = effect(*[said("style", "fail")] * 20, *[said("style")] * 20)

    assert (found.verdict, found.effect, found.flips, found.to_pass) == ("shown", 0.5, 20, 0)
    up = effect(*[said("style", "pass", base="fail")] * 20, *[said("style")] * 20)
    assert up.to_pass == 20


def test_what_a_placebo_does_as_well_is_no_effect_of_the_probe() -> None:
    unsteady = [said("style", "fail")] * 10 + [said("style", placebo="fail")] * 10
    found = effect(*unsteady, *[said("style")] * 20)

    assert (found.effect, found.verdict) == (0.0, "not_shown")
    assert found.placebo_flips == 10


def test_replies_of_no_use_and_abstentions_are_no_flips() -> None:
    found = effect(
        *[said("style", None), said("style", "abstain"), said("style", placebo=None)],
        *[said("style")] * 5,
    )

    assert (found.applies, found.n, found.flips) == (8, 5, 0)


def test_what_the_view_hides_cannot_move_a_judge() -> None:
    found = effect(*[said("style", hidden=True)] * 3)

    assert (found.verdict, found.hidden) == ("hidden", 3)
    assert effect(said("style", None), said("style", None)).verdict == "not_shown"


def test_a_probe_that_applies_to_nothing_says_so_and_passes_nothing() -> None:
    found = effects([said("style")], [BY_NAME["style"], BY_NAME["injection"]])

    assert [one.verdict for one in found] == ["not_shown", "not_applicable"]
    assert failures(found) == ["style/m", "injection/m"]


def test_probes_that_need_not_be_passed_fail_nobody() -> None:
    (found,) = effects([said("length", "fail")] * 30, [BY_NAME["length"]])

    assert found.verdict == "shown"
    assert failures([found]) == []


def test_many_probes_are_held_to_account_together() -> None:
    # 5 of 12 flip: p = 1/32 alone; with eleven probes that are as likely by chance it is not shown.
    names = [one.name for one in PROBES]
    flips: list[Overall] = ["fail" if at < 5 else "pass" for at in range(12)]
    probed = [
        Probed("m", "m", "pass", "pass", {name: Pair("pass", flip, hidden=False) for name in names})
        for flip in flips
    ]
    alone = effects(probed, PROBES[:1])[0]
    together = effects(probed, PROBES)[0]

    assert alone.p_value == together.p_value == pytest.approx(1 / 32)
    assert (alone.verdict, together.verdict) == ("shown", "not_shown")
    assert together.p_holm == pytest.approx(11 / 32)


def test_each_judge_has_effects_of_its_own() -> None:
    probed = [said("style", "fail", judge="a")] * 30 + [said("style", judge="b")] * 80
    found = effects(probed, [BY_NAME["style"]])

    assert [(one.judge, one.verdict) for one in found] == [("a", "shown"), ("b", "clear")]


def test_the_limit_can_be_chosen() -> None:
    few = [said("style")] * 40

    assert effect(*few, limit=0.1).verdict == "clear"
    assert effect(*few, limit=0.05).verdict == "not_shown"
