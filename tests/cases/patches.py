"""Adapters of the operations about patches: `patch_apply`, `swe_verdict`, `test_log_parse`."""

import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.cases.outcome import Adapter, Outcome
from trajaudit.datamodel.patch import PatchVerdict, TestStatus
from trajaudit.score.patch.applying import Application, apply_leniently
from trajaudit.score.patch.paths import is_protected
from trajaudit.score.patch.testlog import parse_log
from trajaudit.score.patch.verdict import Facts, Lists, decide

APPLIED = ("applied", "applied_after_repair")


def git_apply(patch: bytes, files: Mapping[str, bytes]) -> dict[str, bytes] | None:
    """Return the tree after plain `git apply`, or None when git refuses."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "tree")
        root.mkdir()
        subprocess.run(["git", "init", "-q"], cwd=root, check=True)
        for path, content in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(content)
        run = subprocess.run(
            ["git", "apply", "-"], cwd=root, input=patch, capture_output=True, check=False
        )
        if run.returncode != 0:
            return None
        return {
            path.relative_to(root).as_posix(): path.read_bytes()
            for path in root.rglob("*")
            if path.is_file() and ".git" not in path.relative_to(root).parts
        }


def patch_apply(given: dict[str, Any], expected: dict[str, Any]) -> Outcome:
    """Git on the raw bytes has the first word, the lenient reading the second."""
    tree = {path: text.encode() for path, text in given["files"].items()}
    protected = given.get("protected_paths") or ()
    patch = given["patch"].encode()
    lenient = apply_leniently(patch, tree, protected=protected)
    strict = git_apply(patch, tree)
    said, after = _settled(tree, strict, lenient, protected)
    wanted = {path: text.encode() for path, text in expected["files_after"].items()}
    same_strict = (strict is not None) == expected.get("strict_git_apply", strict is not None)
    label = "test_tampering" if lenient.undone else None
    fits = after == wanted and same_strict and label in {None, expected.get("label")}
    return Outcome(
        said,
        accepted=said in expected["accept"] and fits,
        credited=said in APPLIED,
        credit_allowed=any(one in APPLIED for one in expected["accept"]) and after == wanted,
        shown={"repairs": lenient.repairs, "reason": lenient.reason, "after": after},
    )


def _settled(
    tree: dict[str, bytes],
    strict: dict[str, bytes] | None,
    lenient: Application,
    protected: tuple[str, ...],
) -> tuple[str, dict[str, bytes]]:
    if strict is not None and lenient.status != "rejected_unsafe":
        kept = {path: text for path, text in strict.items() if not is_protected(path, protected)}
        kept |= {path: text for path, text in tree.items() if is_protected(path, protected)}
        return ("applied" if kept != tree else "no_patch"), kept
    if lenient.status != "applied":
        return lenient.status, tree
    changed = {**tree, **lenient.files}
    return "applied_after_repair", {k: v for k, v in changed.items() if v is not None}


def swe_verdict(given: dict[str, Any], expected: dict[str, Any]) -> Outcome:
    """The lenient verdict, in the words of the case."""
    lists = Lists(
        fail_to_pass=given["fail_to_pass"],
        pass_to_pass=given["pass_to_pass"],
        before=_runs(given["before"]),
    )
    patch = given.get("patch", "nonempty")
    facts = Facts(
        patch_is_empty=not patch.strip() or patch == "empty",
        after=_runs(given["after"]),
        is_gold=patch == "gold",
    )
    decision = decide(lists, facts)
    said = _WORDS.get(decision.lenient, "unresolved")
    return Outcome(
        said,
        accepted=said in expected["accept"] or decision.lenient in expected["accept"],
        credited=said == "resolved",
        credit_allowed="resolved" in expected["accept"],
        shown={"verdict": decision.lenient, "notes": decision.notes},
    )


_WORDS = {
    PatchVerdict.RESOLVED: "resolved",
    PatchVerdict.INVALID_INSTANCE: "invalid_instance",
    PatchVerdict.COLLECTION_ERROR: "error",
    PatchVerdict.RUNNER_DIED: "error",
    PatchVerdict.TIMEOUT: "error",
}


def _runs(statuses: dict[str, Any]) -> dict[str, tuple[TestStatus, ...]]:
    return {
        test: tuple(TestStatus(one) for one in (said if isinstance(said, list) else [said]) if one)
        for test, said in statuses.items()
    }


def test_log_parse(given: dict[str, Any], expected: dict[str, Any]) -> Outcome:
    """Every test has to end as it did, and no other one may be named."""
    said = {test: str(status) for test, status in parse_log(given["style"], given["log"]).items()}
    wanted = expected["statuses"]
    return Outcome(
        str(said),
        accepted=said == wanted,
        credited=any(one == "PASSED" != wanted.get(test) for test, one in said.items()),
        credit_allowed=False,
        shown={},
    )


test_log_parse.__test__ = False  # type: ignore[attr-defined]  # the name is the operation's

ADAPTERS: dict[str, Adapter] = {
    "patch_apply": patch_apply,
    "swe_verdict": swe_verdict,
    "test_log_parse": test_log_parse,
}
