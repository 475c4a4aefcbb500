"""The simulated judges err as they are said to, and panels are counted right."""

import random

import pytest

from bench.panel import Counts, by_task, main, majority, ratio, staged, unanimity
from bench.panel_votes import FAMILIES, Judges, Trial, trials
from trajaudit.stats.paired_rates import phi

STEADY = Judges(turns=0.0, useless=0.0)


def drawn(tasks: int = 1, judges: Judges = STEADY) -> list[Trial]:
    return list(trials(tasks, judges, seed=3))


def errs(trial: Trial, family: str) -> bool:
    vote = next(one for one in trial.votes if one.family == family)
    return (vote.overall == "pass") is not trial.truth


def test_errors_are_as_frequent_and_as_common_to_all_as_stated() -> None:
    found = drawn(1200)
    failures = [one for one in found if not one.truth]
    rate = sum(errs(one, "a") for one in failures) / len(failures)
    value = phi([(errs(one, "a"), errs(one, "b")) for one in found])

    assert rate == pytest.approx(0.12, abs=0.02)
    assert value == pytest.approx(0.44, abs=0.08)
    assert {len(one.votes) for one in found} == {2 * len(FAMILIES)}


def test_the_same_seed_gives_the_same_votes() -> None:
    assert drawn(5) == drawn(5)


def test_panels_of_judges_that_never_err_settle_everything() -> None:
    perfect = Judges(false_pass=0, false_fail=0, turns=0, useless=0)
    for trial in drawn(10, perfect):
        assert (staged(trial).calls, majority(trial).calls) == (4, 6)
        for rule in (staged, majority, unanimity):
            assert (rule(trial).settled, rule(trial).wrong) == (True, False)


def test_judges_that_all_err_are_believed_by_every_panel() -> None:
    fooled = Judges(correlation=1, false_pass=1, false_fail=1, turns=0, useless=0)
    for trial in drawn(3, fooled):
        assert all(rule(trial).wrong for rule in (staged, majority, unanimity))


def test_where_each_judge_turns_nobody_is_settled() -> None:
    turning = Judges(false_pass=0, false_fail=0, turns=1, useless=0)
    for trial in drawn(5, turning):
        assert not any(rule(trial).settled for rule in (staged, majority, unanimity))


def test_a_ratio_is_of_sums_and_its_interval_holds_it() -> None:
    first = [Counts(5, 20, 4, 1), Counts(5, 20, 5, 0)] * 10
    second = [Counts(5, 30, 5, 1), Counts(5, 30, 4, 1)] * 10

    def calls(counts: Counts) -> float:
        return counts.calls / counts.settled

    value, low, high = ratio(first, second, calls, random.Random(0))

    assert value == pytest.approx(2 / 3)
    assert low <= value <= high


def test_trials_are_summed_by_task() -> None:
    found = by_task([majority(one) for one in drawn(4)])

    assert [one.trials for one in found] == [5] * 4


def test_it_prints_ratios(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["40"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("staged / fixed by") for line in lines) == 6
