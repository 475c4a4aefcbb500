"""Inspect archives that were cut: what is whole is read, what is not is named."""

import os
import zipfile
from pathlib import Path

import pytest

from tests.record.importers import inspect_logs as logs
from tests.record.importers.test_inspect import read_log
from trajaudit.record.importers import inspect
from trajaudit.record.importers.base import SourceError
from trajaudit.record.importers.inspect import _summed_up
from trajaudit.record.importers.json_source import loads
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.sources import open_source


def test_a_file_that_is_cut_before_its_first_member_ends_says_so(tmp_path: Path) -> None:
    path = logs.write(tmp_path / "log.eval", logs.members())
    path.write_bytes(path.read_bytes()[:100])

    with pytest.raises(SourceError, match="no readable archive"):
        read_log(path)


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, logs.ZSTD])
def test_of_a_log_that_is_cut_the_whole_samples_are_read_and_the_others_named(
    tmp_path: Path, method: int
) -> None:
    samples = [logs.sample(id=name) for name in ("s1", "s2", "s3")]
    content = logs.members(*samples)
    content["_journal/start.json"]["eval"] = {
        **logs.HEADER["eval"],
        "dataset": {"sample_ids": ["s1", "s2", "s3", "s4"]},
    }
    path = logs.write(tmp_path / "log.eval", content, method)
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.index(b"samples/s3_epoch_1.json") + 200])
    losses = Losses()

    trials = read_log(path, losses)

    assert [trial.task.id for trial in trials] == ["s1", "s2"]
    assert trials[0].origin.model_id == "mock/m1"
    told = [(one.field, one.example) for one in losses.report() if one.kind == "truncated"]
    assert any(field == "archive" and "3 members were found" in text for field, text in told)
    assert any(field == "member" and "s3_epoch_1.json' is cut" in text for field, text in told)
    assert [one.count for one in losses.report() if one.field == "samples"] == [2]


def test_of_a_log_that_takes_the_place_of_another_nothing_of_the_other_is_known(
    tmp_path: Path,
) -> None:
    path = tmp_path / "log.eval"
    for name in ("s1", "s2"):
        logs.write(path, logs.members(logs.sample(id=name)), zipfile.ZIP_STORED)
        os.utime(path, ns=(10**18, 10**18))

        assert inspect.IMPORTER.shared is not None
        source = open_source(path, tmp_path)
        (share,) = inspect.IMPORTER.shared.cut(source, Losses()) or []
        with inspect.IMPORTER.shared.opened(source) as read_share:
            (trial,) = read_share(share, Losses())

        assert trial.task.id == name


@pytest.mark.parametrize(
    "content",
    [
        b'[{"id": "s1", "epoch": 1, "x": [NaN, "\\ud800"]}, 7, {"epoch": 2}]',
        b'[{"id": 9007199254740993000000000, "epoch": 1.0}, {"id": null, "id": [1]}]',
        b'{"id": "s1", "epoch": 1}',
        b"[]",
    ],
)
def test_summaries_are_read_as_far_as_they_are_asked_for(content: bytes) -> None:
    told = loads(content)
    rows = [one if isinstance(one, dict) else {} for one in told] if type(told) is list else []
    assert _summed_up(content) == [f"{one.get('id')}_epoch_{one.get('epoch')}" for one in rows]
