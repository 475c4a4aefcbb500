"""What does a git command bring to light: history that lies before the base, or after it?"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

_GLOBAL_VALUED = frozenset({"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"})
_EVERYTHING = re.compile(r"--(?:all|branches|remotes|tags|reflog|walk-reflogs|glob)(?:=.*)?")
_WALKERS = frozenset(
    {"log", "rev-list", "shortlog", "whatchanged", "show", "grep", "diff", "format-patch"}
)
_READERS = frozenset(
    {
        "show",
        "diff",
        "log",
        "whatchanged",
        "format-patch",
        "archive",
        "cat-file",
        "blame",
        "grep",
        "ls-tree",
        "difftool",
        "range-diff",
        "cherry",
    }
)
_TAKERS = frozenset(
    {
        "checkout",
        "switch",
        "restore",
        "cherry-pick",
        "merge",
        "rebase",
        "reset",
        "read-tree",
        "worktree",
    }
)
_VALUED: dict[str, frozenset[str]] = {
    "log": frozenset(
        {
            "-S",
            "-G",
            "-n",
            "-L",
            "--author",
            "--grep",
            "--since",
            "--until",
            "--after",
            "--before",
            "--format",
            "--pretty",
            "--max-count",
        }
    ),
    "grep": frozenset({"-e", "-f", "-A", "-B", "-C", "-m", "--max-depth"}),
    "checkout": frozenset({"-b", "-B", "--orphan"}),
    "switch": frozenset({"-c", "-C", "--create", "--orphan"}),
    "restore": frozenset({"-s"}),
    "blame": frozenset({"-L"}),
    "worktree": frozenset({"-b", "-B"}),
    "clone": frozenset(
        {"--depth", "-b", "--branch", "-o", "--origin", "-j", "--jobs", "--reference", "-c"}
        | {"--config", "--filter", "-u", "--shallow-since", "--template"}
    ),
    "fetch": frozenset({"--depth", "-j", "--jobs", "--deepen", "--shallow-since", "--filter"}),
    "merge": frozenset({"-m", "-s", "-X"}),
    "diff": frozenset({"-S", "-G"}),
    "show": frozenset({"-S", "-G", "--format", "--pretty"}),
}
_MAKES_BRANCH = frozenset({"-b", "-B", "-c", "-C", "--create", "--orphan"})
_SEARCHED = frozenset({"-S", "-G", "--grep", "--author", "-e"})
"""Options whose next word is what is searched for, whatever it looks like."""
COMPARES = frozenset({"diff", "log", "difftool", "range-diff", "merge", "rebase"})
"""Subcommands for which an earlier release is an everyday argument."""
LISTING = frozenset(
    {
        "log",
        "blame",
        "show",
        "rev-parse",
        "rev-list",
        "shortlog",
        "describe",
        "merge-base",
        "annotate",
        "whatchanged",
        "diff",
        "bisect",
    }
)
"""Subcommands that print commits of the base's own history, unless told to look elsewhere."""


@dataclass(frozen=True)
class GitCommand:
    """A git command line without its global options."""

    subcommand: str
    args: tuple[str, ...]

    @property
    def positional(self) -> tuple[str, ...]:
        """Return the words that are neither options nor their values, up to `--`."""
        return tuple(self._positional())

    def _positional(self) -> Iterator[str]:
        valued = _VALUED.get(self.subcommand, frozenset())
        skip = False
        for word in self.args:
            if word == "--":
                return
            if skip:
                skip = False
            elif word.startswith("-"):
                skip = word in valued
            else:
                yield word

    @property
    def paths(self) -> tuple[str, ...]:
        """Return the words behind `--`."""
        return self.args[self.args.index("--") + 1 :] if "--" in self.args else ()

    @property
    def new_branch(self) -> str | None:
        """Return the name of a branch or tag that the command makes."""
        if self.subcommand in {"branch", "tag"}:
            return self.positional[0] if self.positional else None
        for word, following in pairwise(self.args):
            if word in _MAKES_BRANCH and self.subcommand in {"checkout", "switch", "worktree"}:
                return following
        return None


def git_command(words: Sequence[str]) -> GitCommand | None:
    """Return the git command that words make up, or None."""
    if not words or words[0].rsplit("/", 1)[-1] != "git":
        return None
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in _GLOBAL_VALUED else 1
    if at >= len(words):
        return None
    return GitCommand(words[at], tuple(words[at + 1 :]))


def looks_everywhere(git: GitCommand) -> str | None:
    """Return why a command looks beyond the history of the base on its own, or None."""
    options = _options(git)
    if git.subcommand in _WALKERS and any(_EVERYTHING.fullmatch(word) for word in options):
        return "it walks every branch and tag, later ones included"
    look = _LOOKS.get(git.subcommand)
    if look is None:
        return None
    wanted, reason = look
    found = not wanted or any(word.startswith(wanted) for word in options)
    is_upkeep = git.subcommand == "reflog" and bool({"expire", "delete"} & set(options[:1]))
    return reason if found and not is_upkeep else None


def _options(git: GitCommand) -> list[str]:
    """Return the words up to `--`, without those that are searched for."""
    words = git.args[: git.args.index("--")] if "--" in git.args else git.args
    return [
        word for before, word in zip(("", *words), words, strict=False) if before not in _SEARCHED
    ]


_LOOKS: dict[str, tuple[tuple[str, ...], str]] = {
    "log": (("-g",), "it walks the reflog"),
    "reflog": ((), "it reads the reflog"),
    "fsck": (
        ("--lost-found", "--unreachable", "--dangling"),
        "it looks for commits that no branch holds",
    ),
    "unpack-objects": ((), "it reads packed objects"),
    "verify-pack": ((), "it reads packed objects"),
    "show-branch": (("-a", "-r", "--all", "--remotes"), "it shows every branch"),
    "cat-file": (("--batch-all",), "it reads every object, later ones included"),
}
"""Subcommand → the options that matter (none: it always does), and what it does then."""


def revisions(git: GitCommand) -> list[str]:
    """Return the revisions whose content or history a command brings to light."""
    if git.subcommand not in _READERS | _TAKERS:
        return []
    words = list(git.positional)
    if git.subcommand == "restore":
        words = _sources(git.args)
    elif git.subcommand == "grep" or (git.subcommand == "cat-file" and len(words) > 1):
        words = words[1:]
    elif git.subcommand == "worktree":
        words = words[2:] if words[:1] == ["add"] else []
    elif git.new_branch is not None:
        words = words[:1]
    return [revision for word in words for revision in _exposed(word)]


def _sources(args: Sequence[str]) -> list[str]:
    found = [word.partition("=")[2] for word in args if word.startswith("--source=")]
    pairs = pairwise(args)
    return [*found, *(value for option, value in pairs if option in {"-s", "--source"})]


def _exposed(word: str) -> Iterator[str]:
    """Yield the revisions that `A..B`, `A...B`, `^A` or `B:path` let one see."""
    if word.startswith("^"):
        return
    word = word.partition(":")[0]
    if "..." in word:
        yield from (part for part in word.split("...", 1) if part)
    elif ".." in word:
        yield from (part for part in word.split("..", 1)[1:] if part)
    elif word:
        yield word
