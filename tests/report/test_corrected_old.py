"""A run that nobody labelled, by what its judge got wrong elsewhere."""

import pytest

from tests.report.labelled import Group, pool
from trajaudit.datamodel.gold import Bounded, Certificate, Standing
from trajaudit.report.corrected import correction
from trajaudit.report.corrected_estimates import Asked
from trajaudit.report.corrected_old import (
    KnownErrors,
    Share,
    errors_of_certificate,
    errors_of_pool,
    judge_of,
)
from trajaudit.stats.misclassified import rogan_gladen

NEW = pool(
    [
        Group("panel/pass/ruled", "", 120, panel=True),
        Group("panel/fail/ruled", "", 70, panel=False),
        Group("resolve/split", "", 10),
    ],
    run_id="new",
)


def test_known_errors_are_taken_back_out() -> None:
    known = KnownErrors(Share(45, 50), Share(40, 50), "labels of r0")

    found = correction(NEW, Asked(gold=known))
    (one,) = found.estimates

    wanted = rogan_gladen((120, 190), (40, 50), (45, 50), of_pool=True)
    assert one.value == pytest.approx((120 / 190 + 0.8 - 1) / 0.7)
    assert one.interval == pytest.approx(wanted.interval)
    assert one.method == "Rogan-Gladen on the panel column, by labels of r0"
    assert one.banners[0].startswith("assumes that the panel column errs here as it did there")
    assert one.banners[1].startswith("10 trials without its verdict")
    assert found.labelled == 0


def test_a_judge_that_tells_nothing_is_refused() -> None:
    known = KnownErrors(Share(26, 50), Share(26, 50), "a coin")

    (one,) = correction(NEW, Asked(gold=known)).estimates

    assert one.value is None
    assert "near to guessing" in one.refused


def test_old_labels_that_leave_a_stratum_out_are_refused() -> None:
    old = pool([Group("rules/pass", "ppf"), Group("rules/fail/loop", "--", 8)], run_id="old")

    (one,) = correction(NEW, Asked(gold=errors_of_pool(old, "panel"))).estimates

    assert one.refused.startswith("old: nothing is known of rules/fail/loop (needs 1 label")


def test_a_run_without_a_verdict_of_the_judge_is_refused() -> None:
    bare = pool([Group("rules/pass", "", 12)], run_id="bare")
    known = KnownErrors(Share(45, 50), Share(40, 50), "a certificate")

    (one,) = correction(bare, Asked(gold=known)).estimates

    assert one.refused == "no trial has a verdict in the panel column: trajaudit judge bare"


def test_labels_of_another_run_count_by_the_inverse_of_their_chance() -> None:
    old = pool(
        [
            # 20 labels stand for 100 trials, 10 for 20.
            Group("panel/pass/ruled", "p" * 18 + "f" * 2, 80, panel=True),
            Group("panel/fail/ruled", "f" * 9 + "p", 10, panel=False),
        ],
        run_id="old",
    )

    known = errors_of_pool(old, "panel")

    # Passes: 18 of weight 5 that it passed, 1 of weight 2 that it failed.
    assert known.on_passes.hits / known.on_passes.of == pytest.approx(90 / 92)
    assert known.on_passes.of == pytest.approx(92**2 / (18 * 25 + 4))
    assert known.on_failures.hits / known.on_failures.of == pytest.approx(18 / 28)
    assert known.source == "labels of old"
    assert judge_of(old) == "panel"


def test_a_run_without_a_panel_goes_by_the_careful_reading() -> None:
    ruled = pool([Group("rules/pass", "pppf", 10), Group("rules/fail/loop", "ffff", 10)])

    assert judge_of(ruled) == "lenient"
    known = errors_of_pool(ruled, "lenient")
    assert known.on_passes.hits == pytest.approx(known.on_passes.of)


def test_a_certificate_has_the_shares_of_its_panel() -> None:
    standing = Standing(
        judge="panel",
        passes=Bounded(hits=45, of=50),
        fails=Bounded(hits=40, of=48),
        due=100,
        admitted=True,
    )
    found = Certificate(
        panel="default",
        rubric="task_success",
        identity="i",
        gold="shipped",
        gold_sha256="s",
        sha256={},
        version="0",
        made="2026-11-29",
        least=0.8,
        confidence=0.95,
        certified=True,
        panel_standing=standing,
        judges=(),
    )

    known = errors_of_certificate(found)

    assert (known.on_passes, known.on_failures) == ((45, 50), (40, 48))
    assert known.source == "the certificate of default on shipped"
