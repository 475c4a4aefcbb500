"""What was seen of a patch lies beside the journal of its trial, and belongs to no other."""

import shutil

import pytest

from trajaudit.datamodel.patch_evidence import Evidence, PatchFacts
from trajaudit.datamodel.patch_trial import PatchTrial
from trajaudit.errors import RunDirError
from trajaudit.record.artifact import store_artifact
from trajaudit.record.patch_trials import FILE, read_patch, read_patch_trial, write_patch_trial
from trajaudit.record.rundir import RunDir

SEEN = PatchTrial(
    task_id="a",
    trial=1,
    key="k",
    evidence=Evidence(
        instance_id="a", fail_to_pass=("t::x[é]",), patch_sha256="ab", patch=PatchFacts(strict=True)
    ),
)


@pytest.fixture
def made(run: RunDir) -> RunDir:
    run.trial_dir("a", 1).mkdir(parents=True, exist_ok=True)
    return run


def test_it_is_read_as_it_was_written(made: RunDir) -> None:
    assert read_patch_trial(made, "a", 1) is None

    write_patch_trial(made, SEEN)

    assert read_patch_trial(made, "a", 1) == SEEN


def test_that_of_another_trial_is_refused(made: RunDir) -> None:
    write_patch_trial(made, SEEN)
    made.trial_dir("a", 2).mkdir()
    shutil.copy(made.trial_dir("a", 1) / FILE, made.trial_dir("a", 2) / FILE)

    with pytest.raises(RunDirError, match="belongs to another trial; got 'a'/1; 'a'/2 is wanted"):
        read_patch_trial(made, "a", 2)


def test_a_damaged_one_is_refused(made: RunDir) -> None:
    (made.trial_dir("a", 1) / FILE).write_text("{")

    with pytest.raises(RunDirError):
        read_patch_trial(made, "a", 1)


def test_a_patch_is_had_by_its_hash_or_not_at_all(made: RunDir) -> None:
    sha256 = store_artifact(made.trial_dir("a", 1), b"--- a\r\n\xff")

    assert read_patch(made, "a", 1, sha256) == b"--- a\r\n\xff"
    assert read_patch(made, "a", 1, "0" * 64) is None
