"""Verdicts are found again by trial, wherever in the file they are."""

from pathlib import Path

import pytest

from tests.report import sample
from trajaudit.datamodel.verdict import Verdict
from trajaudit.errors import RunDirError
from trajaudit.record.rundir import RunDir
from trajaudit.record.stored import dumped
from trajaudit.record.verdict_places import VerdictPlaces


def _written(folder: Path, verdicts: list[Verdict]) -> VerdictPlaces:
    lines = b"".join(dumped(one) + b"\n" for one in verdicts)
    (folder / "verdicts.jsonl").write_bytes(lines)
    return VerdictPlaces(RunDir(folder))


def test_the_verdicts_on_a_trial_are_those_of_the_file_in_any_order(tmp_path: Path) -> None:
    made = sample.run().verdicts
    mixed = [*made[::2], *reversed(made[1::2])]
    odd = mixed[0].model_copy(update={"reason": "a\u2028b\r\x85c"})
    mixed.append(odd)
    places = _written(tmp_path, mixed)

    assert list(places.read()) == mixed
    for key in {(one.task_id, one.trial) for one in mixed}:
        assert places.of(key) == [one for one in mixed if (one.task_id, one.trial) == key]
    assert places.of(("nobody's", 1)) == []


def test_a_damaged_verdict_is_named_by_its_line(tmp_path: Path) -> None:
    places = _written(tmp_path, sample.run().verdicts)
    with (tmp_path / "verdicts.jsonl").open("ab") as stream:
        stream.write(b"{}\n")

    with pytest.raises(RunDirError, match=r"verdicts\.jsonl:\d+: damaged"):
        list(places.read())


def test_a_run_that_was_not_scored_has_none(tmp_path: Path) -> None:
    assert list(VerdictPlaces(RunDir(tmp_path)).read()) == []
