"""Patches that must leave the tree as it was, each with the reason that a careful person gives."""

from tests.score.patch.variants import EXTRA, FIXED, GOLD, NEW, SOURCE, STUB, TREE, Variant

TWO = SOURCE + b"\n\n" + SOURCE
LINK = b"""diff --git a/l b/l
new file mode 120000
--- /dev/null
+++ b/l
@@ -0,0 +1 @@
+/etc
\\ No newline at end of file
"""


def refused(name: str, patch: bytes, status: str, **more: object) -> Variant:
    """Return a variant that must leave the tree as it was."""
    return Variant(name, patch, status, None, {}, **more)  # type: ignore[arg-type]  # a test's table


REFUSED = (
    refused(
        "one line of context differs, two places",
        GOLD.replace(b" def area(w, h):", b" def area(a, b):").replace(
            b"-4,7 +4,7", b"-90,7 +90,7"
        ),
        "conflict",
        tree={"pkg/shape.py": TWO},
    ),
    refused("empty", b"", "no_patch"),
    refused("blanks", b" \n\t\n", "no_patch"),
    refused("prose", b"There is nothing to fix.\n- see above\n", "no_patch"),
    refused("headers only", b"diff --git a/x b/x\n", "no_patch"),
    refused("names only", b"--- a/pkg/shape.py\n+++ b/pkg/shape.py\n", "no_patch"),
    refused("changes nothing", GOLD.replace(b"w * h", b"w + h"), "no_patch"),
    refused("only a binary stub", STUB, "no_patch"),
    refused("only protected", GOLD, "no_patch", protected=("pkg",)),
    refused("in the tree", GOLD, "already_applied", tree={"pkg/shape.py": FIXED}),
    refused(
        "in the tree, CRLF",
        GOLD.replace(b"\n", b"\r\n"),
        "already_applied",
        tree={"pkg/shape.py": FIXED},
    ),
    refused("new file in the tree", NEW, "already_applied", tree={"pkg/extra.py": EXTRA}),
    refused("removed line is not there", GOLD.replace(b"w + h", b"w - h"), "conflict"),
    refused("file is not there", GOLD, "conflict", tree={"README": b"x\n"}),
    refused("new file is there with other content", NEW, "conflict", tree={"pkg/extra.py": b"C\n"}),
    refused(
        "two places, bare header",
        GOLD.replace(b"@@ -4,7 +4,7 @@", b"@@"),
        "conflict",
        tree={"pkg/shape.py": TWO},
    ),
    refused(
        "two lines of context differ",
        GOLD.replace(b"w, h", b"a, b").replace(b"None", b"0"),
        "conflict",
    ),
    refused(
        "one hunk of two fits", GOLD + b"@@ -14,1 +14,1 @@\n-LIMIT = 11\n+LIMIT = 12\n", "conflict"
    ),
    refused("no context at all", b"--- a/README\n+++ b/README\n@@ -1,0 +2 @@\n+more\n", "conflict"),
    refused(
        "final newline differs",
        b"--- a/v\n+++ b/v\n@@ -1 +1 @@\n-1\n+2\n",
        "conflict",
        tree={"v": b"1"},
    ),
    refused(
        "deletes other content", b"--- a/README\n+++ /dev/null\n@@ -1 +0,0 @@\n-other\n", "conflict"
    ),
    refused(
        "deletes what is not there", b"--- a/NO\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n", "conflict"
    ),
    refused(
        "half in the tree",
        GOLD + b"--- a/README\n+++ b/README\n@@ -1 +1 @@\n-shapes\n+forms\n",
        "conflict",
        tree={**TREE, "pkg/shape.py": FIXED},
    ),
    refused("above the tree", NEW.replace(b"pkg/extra", b"../extra"), "rejected_unsafe"),
    refused(
        "above the tree, hidden", NEW.replace(b"pkg/extra", b"pkg/../../extra"), "rejected_unsafe"
    ),
    refused(
        "above the tree, backslash",
        NEW.replace(b"pkg/extra", b"pkg\\..\\..\\extra"),
        "rejected_unsafe",
    ),
    refused(
        "git hook", NEW.replace(b"pkg/extra.py", b".git/hooks/post-checkout"), "rejected_unsafe"
    ),
    refused("git hook below", NEW.replace(b"pkg/extra.py", b"sub/.GIT/config"), "rejected_unsafe"),
    refused("git short name", NEW.replace(b"pkg/extra.py", b"GIT~1/config"), "rejected_unsafe"),
    refused(
        "absolute new file", NEW.replace(b"b/pkg/extra.py", b"/etc/cron.d/x"), "rejected_unsafe"
    ),
    refused(
        "hook beside a fix",
        GOLD + NEW.replace(b"pkg/extra.py", b".git/hooks/pre-commit"),
        "rejected_unsafe",
    ),
    refused("link", LINK, "rejected_unsafe"),
    refused(
        "renames out",
        b"diff --git a/README b/../R\nrename from README\nrename to ../R\n",
        "rejected_unsafe",
    ),
)
