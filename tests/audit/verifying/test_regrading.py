"""Results are decided again from what was saved, and what was changed since is refused."""

import json
from pathlib import Path

import pytest

from trajaudit.audit.verifying.deciding import verification
from trajaudit.audit.verifying.regrading import regrade
from trajaudit.datamodel.patch import Instance, PatchVerdict, TestStatus, Verification
from trajaudit.datamodel.patch_evidence import Baseline, Evidence, PatchFacts, TestRun
from trajaudit.errors import UsageError
from trajaudit.record.patch_results import Results, sha256_of

PASSED, FAILED = TestStatus.PASSED, TestStatus.FAILED
RESOLVED, REGRESSED = PatchVerdict.RESOLVED, PatchVerdict.P2P_REGRESSED
BASE = Baseline(
    key="b" * 64,
    runs=(TestRun(statuses={"f": FAILED, "p": PASSED}, finished=True, canary_held=True),),
)


def evidence(name: str, **statuses: TestStatus) -> Evidence:
    return Evidence(
        instance_id=name,
        model_name_or_path="m",
        fail_to_pass=("f",),
        pass_to_pass=("p",),
        patch_sha256="0",
        patch=PatchFacts(strict=True, lenient=True),
        runs=(TestRun(statuses=statuses, finished=True, canary_held=True),),
        baseline_key=BASE.key,
        baseline_sha256=sha256_of(BASE),
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Results in which an older line of the same prediction is no longer the one that counts."""
    with Results(tmp_path / "r.jsonl") as results:
        results.keep_baseline(BASE)
        for one in (
            evidence("good", f=PASSED, p=FAILED),
            evidence("good", f=PASSED, p=PASSED),
            evidence("bad", f=PASSED, p=FAILED),
        ):
            kept = {"evidence": results.keep(one), "key": "k"}
            results.append(verification(one, BASE).model_copy(update=kept))
        results.append(Verification(instance_id="spoiled", status="ungraded", reason="engine"))
    return results.path


def verdicts(path: Path) -> dict[str, PatchVerdict | None]:
    return {one.instance_id: one.lenient for one in Results(path).earlier()}


def test_the_same_rules_decide_the_same(path: Path, tmp_path: Path) -> None:
    done = regrade(path, {}, tmp_path / "again" / "r.jsonl")

    assert (done.flips, len(done.verifications)) == ([], 3)
    assert verdicts(tmp_path / "again" / "r.jsonl") == verdicts(path)
    assert regrade(tmp_path / "again" / "r.jsonl", {}, None).flips == []
    # Nothing that was decided from a file counts as verified by this version.
    assert {one.key for one in Results(tmp_path / "again" / "r.jsonl").earlier()} == {""}


def test_other_lists_flip_what_they_change(path: Path) -> None:
    shorter = Instance(instance_id="bad", fail_to_pass=("f",))

    done = regrade(path, {"bad": shorter}, None)

    assert [(one.instance_id, one.before, one.after) for one in done.flips] == [
        ("bad", (REGRESSED, REGRESSED), (RESOLVED, RESOLVED))
    ]


def test_logs_are_read_again(path: Path) -> None:
    log = "test_f (t.T.test_f) ... ok\n"
    name = "test_f (t.T.test_f)"
    run = TestRun(finished=True, canary_held=True, from_log=True, log=log)
    one = evidence("unit").model_copy(
        update={"runs": (run,), "log_parser": "unittest", "fail_to_pass": (name,),
                "pass_to_pass": (), "baseline_key": ""}
    )  # fmt: skip
    with Results(path) as results:
        results.append(verification(one, None).model_copy(update={"evidence": results.keep(one)}))

    [flip] = regrade(path, {}, None).flips

    assert (flip.instance_id, flip.after) == ("unit", (RESOLVED, RESOLVED))


def test_every_file_that_is_missing_or_was_changed_is_named(path: Path) -> None:
    results = Results(path)
    first, _, third = [one.evidence for one in results.earlier() if one.evidence]
    changed = results.folder / f"{third}.json"
    changed.write_text(changed.read_text().replace("FAILED", "PASSED"))
    (results.folder / f"{first}.json").unlink()  # of the older line, which does not count
    with pytest.raises(UsageError, match="was changed") as caught:
        regrade(path, {}, None)
    assert str(caught.value).count("\n") == 0

    (results.folder / f"baseline-{BASE.key}.json").unlink()
    with pytest.raises(UsageError, match="cannot be read") as caught:
        regrade(path, {}, None)
    assert str(caught.value).count("\n") == 1


def test_what_makes_no_sense_is_refused(path: Path, tmp_path: Path) -> None:
    (tmp_path / "old.jsonl").write_text(
        json.dumps({"instance_id": "a", "status": "graded", "strict": "resolved"})
    )
    (tmp_path / "empty").touch()
    for given, out, said in (
        (tmp_path / "none", None, "no results"),
        (tmp_path / "empty", None, "no verification"),
        (tmp_path / "old.jsonl", None, "no evidence was kept"),
        (path, path, "another file"),
    ):
        with pytest.raises(UsageError, match=said):
            regrade(given, {}, out)
