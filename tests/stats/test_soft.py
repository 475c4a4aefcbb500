"""A soft score moves guesses inside a stratum only where labels show that it tells something."""

import os
import random
import sys
import warnings
from importlib import import_module
from pathlib import Path
from statistics import mean

import pytest

from trajaudit.stats.soft import score_slope, soft_part
from trajaudit.stats.stratified import Stratum, jeffreys_parts

ORACLES = Path(sys.prefix) / "oracles"


def told(n: int, seed: int = 4) -> tuple[list[float], list[float]]:
    """Labels that follow scores with a slope of 0.8."""
    rng = random.Random(seed)
    scores = [rng.random() for _ in range(n)]
    return [float(rng.random() < 0.1 + 0.8 * score) for score in scores], scores


def test_a_soft_score_that_tells_something_is_followed() -> None:
    labels, scores = told(200)

    assert score_slope(labels, scores) == pytest.approx(0.8, abs=0.2)


def test_a_score_that_tells_nothing_is_not() -> None:
    labels, scores = told(200)

    assert score_slope(labels[:29], scores[:29]) == 0
    assert score_slope(labels, [0.5] * 200) == 0
    assert score_slope(random.Random(4).sample(labels, 200), scores) == 0
    assert score_slope([1 - one for one in labels], scores) == 0
    # Four that fail are too few to tell how failing goes with the score.
    assert score_slope([0.0] * 4 + [1.0] * 96, [0.0] * 4 + [1.0] * 96) == 0
    assert score_slope([0.0] * 5 + [1.0] * 95, [0.0] * 5 + [1.0] * 95) == 1
    with pytest.raises(ValueError, match="as many labels as scores"):
        score_slope([1.0], [])


def test_the_estimate_is_that_of_ppi(monkeypatch: pytest.MonkeyPatch) -> None:
    if not ORACLES.is_dir() and "CI" not in os.environ:
        pytest.skip(f"{ORACLES} is not there; make ready")
    # Behind everything else: it brings a package of the name `tests`.
    monkeypatch.setattr(sys, "path", [*sys.path, str(ORACLES)])
    with warnings.catch_warnings():
        # It silences all warnings when it is imported.
        ppi = import_module("ppi_py")
    numpy = import_module("numpy")
    (labels, scores), (_, pool) = told(120), told(40_000, seed=5)
    y, f, rest = (numpy.array(one) for one in (labels, scores, pool))
    slope = score_slope(labels, scores)

    part = soft_part(labels, scores, pool, slope)
    point = ppi.ppi_mean_pointestimate(y, f, rest, lam=slope)
    low, high = ppi.ppi_mean_ci(y, f, rest, alpha=0.05, lam=slope)

    assert part.total / len(pool) == pytest.approx(float(point[0]))
    # Its interval is that of the normal distribution, ours of Student's t.
    assert (part.high - part.low) / len(pool) == pytest.approx(float(high[0] - low[0]), rel=0.03)


def test_it_is_shorter_than_without_the_score() -> None:
    labels, scores = told(100)
    pool = scores + told(900, seed=9)[1]

    part = soft_part(labels, scores, pool, score_slope(labels, scores))
    (plain,) = jeffreys_parts([Stratum(1000, 100, int(sum(labels)))])

    assert part.high - part.low < 0.97 * (plain.high - plain.low)
    moved = 1000 * score_slope(labels, scores) * (mean(pool) - mean(scores))
    assert part.total == pytest.approx(1000 * mean(labels) + moved)


def test_limits_end_where_labels_do() -> None:
    labels, scores = [0.0] * 6 + [1.0] * 30, [0.0] * 6 + [1.0] * 30

    part = soft_part(labels, scores, [*scores, 1.0, 1.0], 1.0)

    assert (part.low, part.total, part.high) == (32, 32, 32)
