"""What a lead sets is kept, and what is damaged is refused."""

import stat
from pathlib import Path

import pytest

from tests.review.made import run_dir
from trajaudit.datamodel.review import ReviewPolicy, Round, SamplePlan
from trajaudit.errors import RunDirError, StorageError
from trajaudit.record.rundir import RunDir
from trajaudit.review.policy import (
    load_plan,
    load_policy,
    review_dir,
    store_plan,
    store_policy,
)


def test_the_default_holds_until_another_policy_is_stored(tmp_path: Path) -> None:
    assert load_policy(tmp_path) == ReviewPolicy()
    assert not review_dir(tmp_path).exists()
    chosen = ReviewPolicy(round=Round.CERTIFICATION, double=0.5, seed=7)

    store_policy(tmp_path, chosen)

    assert load_policy(tmp_path) == chosen


def test_the_folder_beside_the_runs_is_open_to_nobody_else(tmp_path: Path) -> None:
    review_dir(tmp_path).mkdir(mode=0o755)

    store_policy(tmp_path, ReviewPolicy())

    assert stat.S_IMODE(review_dir(tmp_path).stat().st_mode) == 0o700


def test_a_damaged_policy_is_refused_and_not_replaced_by_the_default(tmp_path: Path) -> None:
    store_policy(tmp_path, ReviewPolicy())
    path = review_dir(tmp_path) / "policy.json"
    path.write_text('{"double": 3}')

    with pytest.raises(RunDirError, match=r"policy\.json:1: damaged; double"):
        load_policy(tmp_path)


def test_a_plan_belongs_to_its_run(tmp_path: Path) -> None:
    run = run_dir(tmp_path)
    assert load_plan(run) is None

    store_plan(run, SamplePlan(failures=0.5))

    assert load_plan(run) == SamplePlan(failures=0.5)
    with pytest.raises(StorageError, match="there is no such run"):
        store_plan(RunDir(tmp_path / "other"), SamplePlan())
