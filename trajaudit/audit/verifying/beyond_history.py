"""What of later times lies in the repository of an image, where a model could have read it?"""

import hashlib
from collections.abc import Iterable

from trajaudit.audit.verifying.beyond_tree import NotDoneError, opened
from trajaudit.audit.verifying.container import Verifier
from trajaudit.audit.verifying.worktree import Worktree
from trajaudit.datamodel.patch import Instance
from trajaudit.datamodel.patch_findings import (
    BeyondCheck,
    CheckResult,
    PatchFinding,
    PatchFindingKind,
    clean,
    found,
)
from trajaudit.score.patch.changes import shown

HISTORY = BeyondCheck.HISTORY
MOST_SHOWN = 20


def check_history(verifier: Verifier, instance: Instance) -> CheckResult:
    """Look for commits, tags, branches, remotes and files that are later than the base.

    Raises:
        NotDoneError: git does not say.
        SandboxError: the infrastructure failed.
    """
    gold = _gold_files(verifier, instance)
    with opened(verifier, instance, None, tests=False) as place:
        traces = _traces(place.tree, instance, gold)
    if not traces:
        return clean(HISTORY, "the repository holds nothing but its base and what led to it")
    finding = PatchFinding(
        kind=PatchFindingKind.HISTORY_LEAK,
        reason=f"the image holds later history: {'; '.join(traces[:3])}"
        + "; ..." * (len(traces) > 3),
        count=len(traces),
        details=tuple(traces[:MOST_SHOWN]),
    )
    return found(HISTORY, finding)


def _gold_files(verifier: Verifier, instance: Instance) -> dict[str, bytes]:
    """Return the files of the reference solution that differ from those of the base."""
    if not instance.patch:
        return {}
    try:
        with opened(verifier, instance, instance.patch, tests=False) as place:
            return {k: v for k, v in place.after.items() if place.before.get(k) != v}
    except NotDoneError:
        return {}


def _traces(tree: Worktree, instance: Instance, gold: dict[str, bytes]) -> list[str]:
    own = set(_lines(tree, "rev-list", "HEAD"))
    traces = _after_base(tree, instance, own)
    refs = dict(_pairs(_lines(tree, "for-each-ref", "--format=%(refname) %(objectname)")))
    commits = {
        name: sha
        for name, sha in zip(refs, _commits(tree, refs.values()), strict=True)
        if sha and sha not in own
    }
    for name, sha in commits.items():
        traces.append(f"{_kind(name)} {_short(name)} leads to {_shown(tree, sha)}")
    listed = _lines(tree, "remote", "-v")
    traces += sorted({f"remote {' '.join(one.split()[:2])}" for one in listed})
    later = [sha for sha in _all_commits(tree) if sha not in own and sha not in commits.values()]
    if later:
        reached = set(_lines(tree, "rev-list", "--all"))
        loose = [sha for sha in later if sha not in reached]
        traces += _counted(tree, "later commits", [one for one in later if one in reached])
        traces += _counted(tree, "commits that no branch or tag leads to", loose)
    return [*traces, *_solved(tree, gold)]


def _after_base(tree: Worktree, instance: Instance, own: set[str]) -> list[str]:
    """Return what was committed after the base; a commit of the image's maker changes nothing."""
    base = instance.base_commit
    if not base or base not in own:
        return []
    changed = _lines(tree, "diff", "--name-only", base, "HEAD")
    count = len(_lines(tree, "rev-list", f"{base}..HEAD"))
    return [f"{count} commits after the base change {len(changed)} files"] if changed else []


def _solved(tree: Worktree, gold: dict[str, bytes]) -> list[str]:
    """Return which files of the reference solution lie there as git keeps them."""
    names = {
        path: hashlib.sha1(b"blob %d\0" % len(one) + one, usedforsecurity=False).hexdigest()
        for path, one in gold.items()
    }
    held = [path for path, sha in names.items() if tree.git("cat-file", "-e", sha).exit_code == 0]
    return [f"{shown(path)} as the reference solution leaves it" for path in sorted(held)]


def _all_commits(tree: Worktree) -> list[str]:
    listed = _lines(
        tree, "cat-file", "--batch-all-objects", "--batch-check=%(objecttype) %(objectname)"
    )
    return [name for kind, name in _pairs(listed) if kind == "commit"]


def _commits(tree: Worktree, names: Iterable[str]) -> list[str]:
    """Return the commits that objects stand for; an empty text for what stands for none."""
    asked = "".join(f"{name}^{{commit}}\n" for name in names).encode()
    done = tree.git("cat-file", "--batch-check=%(objectname)", stdin=asked)
    told = done.stdout.decode(errors="replace").splitlines()
    return ["" if " " in one else one for one in told]


def _counted(tree: Worktree, what: str, commits: list[str]) -> list[str]:
    if not commits:
        return []
    return [f"{len(commits)} {what}, such as {_shown(tree, commits[0])}"]


def _shown(tree: Worktree, sha: str) -> str:
    said = _lines(tree, "show", "-s", "--format=%h of %cs, %s", sha)
    return said[0][:120] if said else sha[:10]


def _lines(tree: Worktree, *argv: str) -> list[str]:
    done = tree.git(*argv)
    if done.exit_code != 0 or done.truncated:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise NotDoneError(f"git {argv[0]} does not say; got: {said[0] if said else ''}")
    return done.stdout.decode(errors="replace").splitlines()


def _pairs(lines: list[str]) -> list[tuple[str, str]]:
    return [(one.partition(" ")[0], one.partition(" ")[2]) for one in lines]


def _kind(ref: str) -> str:
    kinds = {"refs/tags/": "tag", "refs/remotes/": "remote branch", "refs/heads/": "branch"}
    return next((kind for start, kind in kinds.items() if ref.startswith(start)), "reference")


def _short(ref: str) -> str:
    return ref.split("/", 2)[-1]
