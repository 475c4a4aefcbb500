"""Brings a repository into the state in which tests decide: the patch, and nothing beside it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from trajaudit.audit.verifying.worktree import Worktree
from trajaudit.datamodel.patch import Instance
from trajaudit.score.patch.applying import apply_leniently, touched_paths
from trajaudit.score.patch.infrastructure import is_shadow, restored, steers_tests
from trajaudit.score.patch.testfiles import belongs_to_tests

TEST_FILE = re.compile(r"(?:^|/)(?:tests?/(?!conftest\.py)|test_[^/]*$|[^/]*_test\.\w+$)")
PLACEMENT = "placement"
"""Nothing was wrong but where a hunk stands."""


@dataclass
class Patched:
    """What became of a patch in a repository."""

    strict: bool = False
    lenient: bool = False
    empty: bool = False
    reason: str = ""
    repairs: tuple[str, ...] = ()
    flags: list[str] = field(default_factory=list)


def apply_patch(tree: Worktree, patch: bytes, instance: Instance) -> Patched:
    """Apply a patch, then undo what it does to tests and to what steers them."""
    touched = {*touched_paths(patch, tree, [tree.root]), *_as_git_reads(tree, patch)}
    tests = _tests(touched, tree, instance)
    before = tree.read({*touched, *tests})
    done = _applied(tree, patch)
    if not done.lenient:
        return done
    after = tree.read(touched)
    links = tree.links(touched)
    changed = [path for path in sorted(touched) if before.get(path) != after.get(path)]
    changed += sorted(links - {*changed})
    if not changed:
        done.empty, done.lenient, done.strict = True, False, False
        done.reason = "the patch changes nothing"
        return done
    undo = _undone(changed, tests, before, after)
    # A link has no content of its own to compare, and leads pytest to any file of the patch.
    undo |= {path: before.get(path) for path in links if _link_counts(path, tests)}
    if undo:
        tree.write(undo)
    if any(path in tests or TEST_FILE.search(path) for path in changed):
        done.flags.append("touches_tests")
    if any(steers_tests(path) or _link_steers(path) or is_shadow(path) for path in undo):
        done.flags.append("touches_test_infrastructure")
    return done


def _tests(touched: set[str], tree: Worktree, instance: Instance) -> set[str]:
    """Return the files of the tests that decide, and those of a patch that belong to them.

    What the reference solution changes is part of the problem, wherever it lies.
    """
    graded = set(touched_paths(_bytes(instance.test_patch), tree))
    listed = {test.partition("::")[0] for test in (*instance.fail_to_pass, *instance.pass_to_pass)}
    solved = set(touched_paths(_bytes(instance.patch), tree))
    plain = [path for path in touched if not steers_tests(path)]
    beside = {path for path in plain if belongs_to_tests(path, graded | listed)}
    return graded | (beside - solved)


def _link_steers(path: str) -> bool:
    """Whether a link stands for a file or a folder that says how tests are run."""
    return steers_tests(path) or steers_tests(f"{path}/x")


def _link_counts(path: str, tests: set[str]) -> bool:
    """Whether a link is a test, steers tests, or stands where a folder of tests was."""
    holds_tests = any(one.startswith(f"{path}/") for one in tests)
    return path in tests or holds_tests or _link_steers(path)


def _as_git_reads(tree: Worktree, patch: bytes) -> list[str]:
    """Return the files that git would write, so that none escapes that is read otherwise here."""
    told = tree.git("apply", "--whitespace=nowarn", "--numstat", "-z", "-", stdin=patch)
    lines = told.stdout.decode("utf-8", "surrogateescape").split("\0")
    return [line.split("\t", 2)[2] for line in lines if line.count("\t") >= 2]


def _undone(
    changed: list[str],
    tests: set[str],
    before: Mapping[str, bytes],
    after: Mapping[str, bytes],
) -> dict[str, bytes | None]:
    wanted = {
        path: before.get(path)
        if path in tests
        else restored(path, before.get(path), after.get(path))
        for path in changed
    }
    return {path: content for path, content in wanted.items() if content != after.get(path)}


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _applied(tree: Worktree, patch: bytes) -> Patched:
    strict = tree.git("apply", "--whitespace=nowarn", "-", stdin=patch)
    if strict.exit_code == 0:
        return Patched(strict=True, lenient=True)
    lenient = apply_leniently(patch, tree, roots=[tree.root])
    if lenient.status != "applied":
        done = Patched(empty=lenient.status == "no_patch", reason=lenient.reason)
        if lenient.status in {"already_applied", "rejected_unsafe"}:
            done.flags.append(lenient.status)
        return done
    folders = {str(folder) for path in lenient.files for folder in PurePosixPath(path).parents}
    beyond = sorted(tree.links(folders))
    if beyond:
        reason = f"a patch may not write beyond a symbolic link; got {beyond[0]!r}"
        return Patched(reason=reason, flags=["rejected_unsafe"])
    tree.write(lenient.files, lenient.modes)
    return Patched(lenient=True, repairs=lenient.repairs or (PLACEMENT,))
