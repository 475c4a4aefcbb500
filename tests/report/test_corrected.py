"""People's labels correct the rate of a run, or say what is missing."""

import time

import pytest

from tests.report.labelled import Group, pool
from trajaudit.report.corrected import correction, correction_for_report
from trajaudit.report.corrected_estimates import Asked
from trajaudit.report.corrected_schema import Correction, Estimated, RateColumn
from trajaudit.stats.stratified import Stratum, guaranteed_rate, rate_of_these
from trajaudit.stats.watched import watched_rate

PASSES = Group("panel/pass/ruled", "p" * 18 + "f" * 2, 80, panel=True)
FAILS = Group("rules/fail/wrong_answer", "f" * 10, 40)
DOUBT = Group("resolve/differ", "ppf" * 5)
GROUPS = (PASSES, FAILS, DOUBT)
STRATA = [Stratum(15, 15, 10), Stratum(100, 20, 18), Stratum(50, 10, 0)]


def first(found: Correction) -> Estimated:
    return found.estimates[0]


def column(found: Correction, name: str) -> RateColumn:
    return next(one for one in found.columns if one.name == name)


def test_the_rate_of_these_trials_is_the_stratified_one() -> None:
    found = correction(pool(GROUPS), Asked())
    wanted = rate_of_these(STRATA)

    assert first(found).value == pytest.approx((10 + 90 + 0) / 165)
    assert first(found).value == pytest.approx(wanted.value)
    assert first(found).interval == pytest.approx(wanted.interval)
    assert [(one.name, one.size, one.labelled, one.passes) for one in found.strata] == [
        ("resolve/differ", 15, 15, 10),
        ("panel/pass/ruled", 100, 20, 18),
        ("rules/fail/wrong_answer", 50, 10, 0),
    ]
    assert (found.trials, found.tasks, found.labelled) == (165, 33, 45)
    assert first(found).labels_to_halve is not None


def test_each_estimate_is_named_and_is_its_own_formula() -> None:
    asked = {
        "guaranteed": Asked(guarantee=True),
        "confidence sequence": Asked(of="watched"),
        "clustered by task": Asked(of="new-tasks"),
    }
    found = {name: first(correction(pool(GROUPS), one)) for name, one in asked.items()}

    for name, one in found.items():
        assert name in one.method
        assert one.value == pytest.approx(100 / 165)
    assert found["guaranteed"].interval == pytest.approx(guaranteed_rate(STRATA).interval)
    assert found["confidence sequence"].interval == pytest.approx(watched_rate(STRATA).interval)
    assert found["clustered by task"].of == "new_tasks"


def test_every_column_stands_beside_it() -> None:
    found = correction(pool(GROUPS), Asked())

    assert [one.name for one in found.columns] == [
        "strict", "lenient", "panel", "human", "corrected",
    ]  # fmt: skip
    assert column(found, "strict").value == pytest.approx(115 / 165)
    panel = column(found, "panel")
    assert (panel.value, panel.decided) == (1, 100)
    human = column(found, "human")
    assert human.value == pytest.approx(28 / 45)
    assert human.decided == 45
    assert column(found, "corrected").interval == first(found).interval


def test_a_stratum_without_a_label_is_named_with_what_it_needs() -> None:
    groups = (PASSES, Group("rules/fail/loop", "---", 40), Group("resolve/ungraded", "-"))
    found = first(correction(pool(groups), Asked()))

    assert found.value is None
    assert found.interval is None
    assert "rules/fail/loop (needs 1 label, better 3, of 43 trials)" in found.refused
    assert "resolve/ungraded (needs 1 label, better 1, of 1 trials)" in found.refused


def test_no_label_at_all_is_refused_and_no_part_of_a_report() -> None:
    empty = pool([Group("rules/pass", "---", 10)])

    assert "no trial of the sample has a settled label" in first(correction(empty, Asked())).refused
    assert correction_for_report(empty) is None
    assert first(correction(pool([]), Asked())).refused.startswith("there is no trial")


def test_what_people_could_not_tell_gives_both_bounds() -> None:
    unsure = Group("resolve/differ", "ppf" * 4 + "cc" + "w")
    found = correction(pool((PASSES, FAILS, unsure)), Asked())
    one = first(found)
    assert one.value is not None
    assert one.if_fail is not None
    assert one.if_pass is not None

    assert (found.cannot_tell, found.pending) == (2, 1)
    assert one.if_fail.value == pytest.approx((8 + 90) / 165)
    assert one.if_pass.value == pytest.approx((11 + 90) / 165)
    assert one.if_fail.value < one.value < one.if_pass.value
    said = " ".join(found.banners)
    assert "could not tell on 2 trials" in said
    assert "1 labelled trials are not settled" in said


def test_broken_tasks_leave_every_rate_and_are_listed() -> None:
    # Trials 0 to 4 are t00: its first trial is called broken, the other four leave as well.
    broken = Group("resolve/differ", "bpppp" + "ppf" * 5)
    found = correction(pool((broken, PASSES, FAILS)), Asked())

    assert found.broken_tasks == ("t00",)
    assert found.trials == 165
    assert first(found).value == pytest.approx(100 / 165)
    assert column(found, "strict").value == pytest.approx(115 / 165)


def test_labels_of_trials_that_nobody_drew_correct_nothing() -> None:
    more = Group("rules/fail/wrong_answer", "f" * 10, 40, beside="ppppp")

    found, plain = (correction(pool((PASSES, one, DOUBT)), Asked()) for one in (more, FAILS))

    assert found.beside == 5
    assert first(found).interval == first(plain).interval


def test_soft_gold_is_said() -> None:
    soft, firm = (correction(pool(GROUPS, alpha=one), Asked()) for one in (0.41, 0.6))

    assert "gold is soft: people agree with α 0.41" in soft.banners[0]
    assert firm.banners == ()


def test_labels_are_worth_more_where_strata_tell_more() -> None:
    found = correction(pool(GROUPS), Asked())
    assert found.correlation is not None
    assert found.effective_labels is not None

    # Means 2/3, 0.9 and 0 around 100/165 = 0.606, in strata of 15, 100 and 50.
    mean = 100 / 165
    between = (15 * (2 / 3 - mean) ** 2 + 100 * (0.9 - mean) ** 2 + 50 * mean**2) / 165
    assert found.correlation**2 == pytest.approx(between / (mean * (1 - mean)))
    assert found.effective_labels == pytest.approx(45 / (1 - found.correlation**2))


def test_a_report_has_both_rates() -> None:
    found = correction_for_report(pool(GROUPS))

    assert found is not None
    assert [one.of for one in found.estimates] == ["these", "new_tasks"]


def test_a_difference_of_two_runs_is_over_the_trials_of_both() -> None:
    better = (Group("panel/pass/ruled", "p" * 20, 80), FAILS, DOUBT)
    found = correction(pool(better), Asked(against=pool(GROUPS, run_id="r0")))
    one = first(found)
    assert one.interval is not None

    assert found.against == "r0"
    assert one.of == "difference"
    # 100 of 100 against 90 of 100 in the first stratum, all else alike.
    assert one.value == pytest.approx(10 / 165)
    assert one.interval.low < 10 / 165 < one.interval.high
    # 2.8 standard errors; the interval reaches nearly 2 of them to either side.
    reach = (one.interval.high - one.interval.low) / 2
    assert one.detectable == pytest.approx(reach * 2.88 / 2.037, rel=0.01)
    assert column(found, "strict").value == 0
    assert "human" not in {each.name for each in found.columns}


def test_a_difference_says_which_run_is_without_a_label() -> None:
    other = pool([Group("rules/pass", "-" * 20, 145)], run_id="r0")

    found = first(correction(pool(GROUPS), Asked(against=other)))

    assert found.refused.startswith("r0: no trial of the sample")


def test_a_difference_has_bounds_where_either_side_is_open() -> None:
    unsure = (PASSES, FAILS, Group("resolve/differ", "ppf" * 4 + "ccc"))

    one = first(correction(pool(GROUPS), Asked(against=pool(unsure, run_id="r0"))))

    assert one.if_fail is not None
    assert one.if_pass is not None
    # Open ones of the run that is taken off pass, then fail: 11 of 15 and 8 of 15 against 10.
    assert one.if_fail.value == pytest.approx((10 - 11) / 165)
    assert one.if_pass.value == pytest.approx((10 - 8) / 165)


def test_a_soft_score_that_tells_something_shortens_the_interval() -> None:
    judged = Group("panel/split", "pf" * 40, 220)
    known = {}
    made = pool([judged], trials=3)
    for place, one in enumerate(made.framed):
        key = (one.task_id, one.trial)
        label = judged.labels[place] if place < 80 else "pf"[place % 2]
        known[key] = (0.75 if label == "p" else 0.25) + 0.2 * (place % 7) / 7
    scored = pool([judged], trials=3, scores=known)

    for of in ("these", "new-tasks"):
        soft, plain = (first(correction(scored, Asked(of=of, soft=one))) for one in (True, False))
        assert soft.slopes["panel/split"] > 0.9
        assert "score" in soft.method
        assert plain.slopes == {}
        assert soft.interval is not None
        assert plain.interval is not None
        width = soft.interval.high - soft.interval.low
        assert width < 0.7 * (plain.interval.high - plain.interval.low)


def test_few_tasks_are_said_of_the_rate_of_new_ones() -> None:
    small = pool([Group("rules/pass", "pf" * 6)], trials=4)

    assert "only 3 tasks" in first(correction(small, Asked(of="new-tasks"))).banners[0]
    assert first(correction(small, Asked())).banners == ()


def test_a_hundred_thousand_trials_are_estimated_in_two_seconds() -> None:
    large = pool(
        [
            Group("panel/pass/ruled", "p" * 2900 + "f" * 100, 57_000, panel=True),
            Group("rules/fail/wrong_answer", "f" * 1900 + "p" * 100, 30_000),
            *(Group(f"rules/fail/kind{n}", "f" * 19 + "p", 380) for n in range(20)),
        ]
    )
    for of in ("these", "new-tasks", "watched"):
        start = time.process_time()

        found = correction(large, Asked(of=of))

        assert found.trials == 100_000
        assert time.process_time() - start < 2
