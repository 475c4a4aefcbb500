"""Results grow line by line, whole; evidence lies beside them under its hash."""

import hashlib
from pathlib import Path

import pytest

from trajaudit.datamodel.patch import TestStatus, Verification
from trajaudit.datamodel.patch_evidence import Baseline, Evidence, PatchFacts, TestRun
from trajaudit.errors import StorageError, UsageError
from trajaudit.record.patch_results import Results, sha256_of

ONE = Verification(instance_id="a", status="graded")
EVIDENCE = Evidence(instance_id="a", fail_to_pass=("t",), patch_sha256="", patch=PatchFacts())
BASE = Baseline(key="k", runs=(TestRun(statuses={"t": TestStatus.FAILED}),))


def test_lines_that_were_cut_count_for_nothing_and_spoil_no_other(tmp_path: Path) -> None:
    path = tmp_path / "new" / "r.jsonl"
    with Results(path) as results:
        results.append(ONE)
    with path.open("ab") as stream:
        stream.write(b'{"instance_id": "b", "sta')
    with Results(path) as results:
        results.append(ONE.model_copy(update={"instance_id": "c"}))

    assert [one.instance_id for one in Results(path).earlier()] == ["a", "c"]
    assert list(Results(tmp_path / "none").earlier()) == []


def test_evidence_is_found_by_its_hash_and_a_baseline_by_its_key(tmp_path: Path) -> None:
    known = {"baseline_key": BASE.key, "baseline_sha256": sha256_of(BASE)}
    with_base = EVIDENCE.model_copy(update=known)
    with Results(tmp_path / "r.jsonl") as results:
        results.keep_baseline(BASE)
        names = [results.keep(one) for one in (EVIDENCE, with_base)]

    found = [results.evidence(ONE.model_copy(update={"evidence": one})) for one in names]
    assert found == [(EVIDENCE, None), (with_base, BASE)]
    assert results.baseline("k") == BASE
    assert results.baseline("other") is None
    for name in names:
        content = (tmp_path / "r.jsonl.evidence" / f"{name}.json").read_bytes()
        assert hashlib.sha256(content).hexdigest() == name
    assert not list(results.folder.glob("*.half"))


def test_a_baseline_that_was_cut_is_made_again(tmp_path: Path) -> None:
    with Results(tmp_path / "r.jsonl") as results:
        results.keep_baseline(BASE)
    (results.folder / "baseline-k.json").write_text('{"key": "k", "runs": [')

    assert results.baseline("k") is None


def test_a_name_that_leads_elsewhere_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{}")
    line = ONE.model_copy(update={"evidence": "../x"})

    with pytest.raises(UsageError, match="cannot be read"):
        Results(tmp_path / "r.jsonl").evidence(line)


def test_where_nothing_can_be_written_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(StorageError, match="cannot be written"), Results(tmp_path / "file" / "r"):
        pass
