"""The forms in which one and the same good patch, as git writes it, reaches a verifier."""

import re
from collections.abc import Callable

from tests.audit.verifying.candidates import Candidate
from trajaudit.datamodel.patch import PatchVerdict as V

_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@.*$", re.MULTILINE)
MAIL = """From 1234567890123456789012345678901234567890 Mon Sep 17 00:00:00 2001
From: Somebody <somebody@example.invalid>
Date: Mon, 1 Jan 2024 00:00:00 +0000
Subject: [PATCH] Mend it

- once and for all

---
 one file | 2 +-
 1 file changed, 1 insertion(+), 1 deletion(-)

"""
HOOK = """diff --git a/.git/hooks/post-checkout b/.git/hooks/post-checkout
new file mode 100755
--- /dev/null
+++ b/.git/hooks/post-checkout
@@ -0,0 +1,2 @@
+#!/bin/sh
+true
"""


def forms(gold: str, root: str) -> dict[str, Candidate]:
    """Return every form of a patch to files in the folder `root`, and what it deserves."""
    as_is = {
        "as git writes it": gold,
        "wrong line numbers": _numbered(gold, lambda n: (n[0] + 41, n[1], n[2] + 41, n[3])),
        "blank context without its blank": re.sub(r"^ $", "", gold, flags=re.MULTILINE),
        "fenced": f"```diff\n{gold}```\n",
        "in prose": f"The fix is this one:\n\n{gold}\nAll tests pass now.\n",
        "as a mail": f"{MAIL}{gold}-- \n2.39.5\n\n",
        "without git's header": gold[gold.index("--- ") :],
    }
    mended = {
        "other line ends": _ended(gold, "\n" if "\r" in gold else "\r\n"),
        "no final newline": gold.removesuffix("\n"),
        "stripped": gold.strip(),
        "counts too large": _numbered(gold, lambda n: (n[0], n[1] + 2, n[2], n[3] + 1)),
        "counts too small": _numbered(gold, lambda n: (n[0], n[1] - 1, n[2], n[3] - 2)),
        "one line of context differs": _context(gold, lambda line: f"{line} # so", most=1),
        "tabs in context": _context(gold, lambda line: line.replace("    ", "\t"), indented=True),
        "blanks after context": _context(gold, lambda line: f"{line}  "),
        "no prefix": _renamed(gold, lambda path: path),
        "bare @@": _HUNK.sub("@@", gold),
        "path in the container": _renamed(gold, lambda path: f"{root}/{path}"),
        "path in the container below a/": _renamed(gold, lambda path: f"{root}/{path}", keep=True),
        "usual path below a/": _renamed(gold, lambda path: f"testbed/{path}", keep=True),
        "CRLF, fenced, no prefix": "```diff\r\n"
        + _ended(_renamed(gold, lambda path: path), "\r\n")
        + "```\r\n",
    }
    found = {name: Candidate(text, V.RESOLVED, V.RESOLVED) for name, text in as_is.items()}
    found |= {
        name: Candidate(text, V.PATCH_APPLY_FAILED, V.RESOLVED) for name, text in mended.items()
    }
    return found | _refused(gold)


def _refused(gold: str) -> dict[str, Candidate]:
    failed, unsafe = V.PATCH_APPLY_FAILED, ("rejected_unsafe",)
    evil = HOOK.replace(".git/hooks/post-checkout", "../../tmp/evil")
    headers = gold[: gold.index("@@")]
    removed = re.sub(r"^-(?!-- )(.*)$", r"-\1 # not there", gold, flags=re.MULTILINE)
    return {
        "writes a git hook": Candidate(HOOK, failed, failed, unsafe),
        "a git hook beside the fix": Candidate(gold + HOOK, failed, failed, unsafe),
        "leaves the tree": Candidate(evil, failed, failed, unsafe),
        "leaves the tree beside the fix": Candidate(gold + evil, failed, failed, unsafe),
        "removes a line that is not there": Candidate(removed, failed, failed),
        "headers only": Candidate(headers, V.EMPTY_PATCH, V.EMPTY_PATCH),
        "empty": Candidate("", V.EMPTY_PATCH, V.EMPTY_PATCH),
        "blanks": Candidate(" \n\t\n", V.EMPTY_PATCH, V.EMPTY_PATCH),
        "prose alone": Candidate("There is\n- nothing to mend.\n", V.EMPTY_PATCH, V.EMPTY_PATCH),
    }


def _ended(text: str, end: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", end)


Numbers = tuple[int, int, int, int]


def _numbered(gold: str, change: Callable[[Numbers], Numbers]) -> str:
    def header(found: re.Match[str]) -> str:
        first, old, second, new = (int(part or 1) for part in found.groups())
        numbers = change((first, old, second, new))
        return "@@ -{},{} +{},{} @@".format(*numbers)

    return _HUNK.sub(header, gold)


def _renamed(gold: str, name: Callable[[str], str], *, keep: bool = False) -> str:
    """Change the paths of all headers; without `keep` the prefixes go too."""
    lines = gold.split("\n")
    for number, line in enumerate(lines):
        if found := re.match(r"(--- |\+\+\+ )([ab])/(.+)$", line):
            lines[number] = found[1] + (f"{found[2]}/" if keep else "") + name(found[3])
        elif found := re.match(r"diff --git a/(\S+) b/(\S+)$", line):
            old, new = (name(path) for path in found.groups())
            lines[number] = f"diff --git a/{old} b/{new}" if keep else f"diff --git {old} {new}"
    return "\n".join(lines)


def _context(
    gold: str, change: Callable[[str], str], *, most: int = 99, indented: bool = False
) -> str:
    """Change lines of context that hold something, and at most so many of them."""
    lines = gold.split("\n")
    inside = False
    for number, line in enumerate(lines):
        inside = line.startswith("@@") or (inside and not line.startswith("diff "))
        wanted = re.match(r"     +\S" if indented else r" .*\S", line)
        if inside and wanted and most and not line.startswith("@@"):
            text, end = (line[:-1], "\r") if line.endswith("\r") else (line, "")
            lines[number] = f" {change(text[1:])}{end}"
            most -= 1
    assert "\n".join(lines) != gold
    return "\n".join(lines)
