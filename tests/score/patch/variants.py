"""Patches in the forms in which they reach a verifier, each with what a careful person says."""

from collections.abc import Mapping
from dataclasses import dataclass, field

SOURCE = b"""import os


def area(w, h):
    if w < 0:
        return None
    return w + h


def name(path):
    return os.path.basename(path)


LIMIT = 10
"""
FIXED = SOURCE.replace(b"w + h", b"w * h")
TREE = {"pkg/shape.py": SOURCE, "README": b"shapes\n"}
GOLD = b"""--- a/pkg/shape.py
+++ b/pkg/shape.py
@@ -4,7 +4,7 @@
 def area(w, h):
     if w < 0:
         return None
-    return w + h
+    return w * h
~
~
 def name(path):
""".replace(b"~", b" ")
GIT = b"diff --git a/pkg/shape.py b/pkg/shape.py\nindex 1111111..2222222 100644\n" + GOLD
TAIL = b"""--- a/pkg/shape.py
+++ b/pkg/shape.py
@@ -4,6 +4,6 @@
 def area(w, h):
     if w < 0:
         return None
-    return w + h
+    return w * h
~
~
""".replace(b"~", b" ")
NEW = b"""diff --git a/pkg/extra.py b/pkg/extra.py
new file mode 100644
--- /dev/null
+++ b/pkg/extra.py
@@ -0,0 +1,2 @@
+A = 1
+B = 2
"""
STUB = b"""diff --git a/i.png b/i.png
index 1111111..2222222 100644
Binary files a/i.png and b/i.png differ
"""
EXTRA = b"A = 1\nB = 2\n"
CRLF_TREE = {"pkg/shape.py": SOURCE.replace(b"\n", b"\r\n")}
CRLF_FIXED = {"pkg/shape.py": FIXED.replace(b"\n", b"\r\n")}
GIVEN = {"pkg/shape.py": FIXED}


def renamed(path: bytes, other: bytes | None = None) -> bytes:
    """Return the gold patch under other names."""
    text = GOLD.replace(b"a/pkg/shape.py", path)
    return text.replace(b"b/pkg/shape.py", path if other is None else other)


@dataclass(frozen=True)
class Variant:
    """`status` and the changed files that a careful person would say."""

    name: str
    patch: bytes
    status: str = "applied"
    repairs: tuple[str, ...] | None = None
    """None: which ones is not fixed."""
    changes: Mapping[str, bytes | None] = field(default_factory=lambda: dict(GIVEN))
    tree: Mapping[str, bytes] = field(default_factory=lambda: dict(TREE))
    protected: tuple[str, ...] = ()


WELL_FORMED = (
    Variant("plain", GOLD, repairs=()),
    Variant("with git header", GIT, repairs=()),
    Variant("slashes in a row", renamed(b"a/pkg//shape.py", b"b/pkg///shape.py"), repairs=()),
    Variant("lines moved", GOLD.replace(b"-4,7 +4,7", b"-41,7 +41,7"), repairs=()),
    Variant("blank context without its blank", GOLD.replace(b"\n \n", b"\n\n"), repairs=()),
    Variant("new file", NEW, repairs=(), changes={"pkg/extra.py": EXTRA}),
    Variant("both", GOLD + NEW, repairs=(), changes={**GIVEN, "pkg/extra.py": EXTRA}),
    Variant(
        "empty new file",
        b"diff --git a/pkg/__init__.py b/pkg/__init__.py\nnew file mode 100644\nindex 000..e69\n",
        repairs=(),
        changes={"pkg/__init__.py": b""},
    ),
    Variant(
        "rename",
        b"diff --git a/README b/NOTES\nsimilarity index 100%\n"
        b"rename from README\nrename to NOTES\n",
        repairs=(),
        changes={"README": None, "NOTES": b"shapes\n"},
    ),
    Variant(
        "quoted name",
        b'--- "a/caf\\303\\251 x.txt"\n+++ "b/caf\\303\\251 x.txt"\n@@ -1 +1 @@\n-a\n+b\n',
        repairs=(),
        tree={"café x.txt": b"a\n"},
        changes={"café x.txt": b"b\n"},
    ),
    Variant(
        "bytes that are no text",
        b"--- a/l.txt\n+++ b/l.txt\n@@ -1,2 +1,2 @@\n \xff\xfe\n-\xe9t\xe9\n+\xe8t\xe8\n",
        repairs=(),
        tree={"l.txt": b"\xff\xfe\n\xe9t\xe9\n"},
        changes={"l.txt": b"\xff\xfe\n\xe8t\xe8\n"},
    ),
    Variant(
        "a line that looks like a header",
        b"--- a/n.txt\n+++ b/n.txt\n@@ -1,2 +1,2 @@\n x\n--- old\n+++ new\n",
        repairs=(),
        tree={"n.txt": b"x\n-- old\n"},
        changes={"n.txt": b"x\n++ new\n"},
    ),
    Variant(
        "carriage return inside a line",
        b"--- a/n.txt\n+++ b/n.txt\n@@ -1 +1 @@\n-a\rb\n+a\rc\n",
        repairs=(),
        tree={"n.txt": b"a\rb\n"},
        changes={"n.txt": b"a\rc\n"},
    ),
)
REPAIRED = (
    Variant("CRLF patch, LF file", GOLD.replace(b"\n", b"\r\n"), repairs=("eol",)),
    Variant("LF patch, CRLF file", GOLD, repairs=("eol",), tree=CRLF_TREE, changes=CRLF_FIXED),
    Variant(
        "CRLF patch, CRLF file",
        GOLD.replace(b"\n", b"\r\n"),
        repairs=("eol",),
        tree=CRLF_TREE,
        changes=CRLF_FIXED,
    ),
    Variant("no final newline", GOLD[:-1], repairs=("final_newline",)),
    Variant(
        "stripped tail",
        TAIL.strip(),
        repairs=("final_newline", "stripped_tail"),
    ),
    Variant("stripped tail with newline", TAIL.strip() + b"\n", repairs=("stripped_tail",)),
    Variant("CRLF and fenced", b"```diff\r\n" + GOLD.replace(b"\n", b"\r\n") + b"```\r\n"),
    Variant("fenced, no newline", b"Here:\n```diff\n" + GOLD + b"```"),
    Variant("prose around", b"I fixed it.\n\n" + GOLD + b"\nHope it helps - bye.\n"),
    Variant("indented", b"".join(b"    " + x for x in GOLD.splitlines(True)), repairs=("indent",)),
    Variant("no prefix", renamed(b"pkg/shape.py"), repairs=("path_prefix",)),
    Variant("dot prefix", renamed(b"./pkg/shape.py"), repairs=()),
    Variant("absolute", renamed(b"/testbed/pkg/shape.py"), repairs=("absolute_path",)),
    Variant(
        "absolute below a/",
        renamed(b"a/testbed/pkg/shape.py", b"b/testbed/pkg/shape.py"),
        repairs=("absolute_path",),
    ),
    Variant("absolute elsewhere", renamed(b"/home/me/x/pkg/shape.py"), repairs=("absolute_path",)),
    Variant("count too large", GOLD.replace(b"4,7 +4,7", b"4,9 +4,8"), repairs=("hunk_counts",)),
    Variant("count too small", GOLD.replace(b"4,7 +4,7", b"4,5 +4,4"), repairs=("hunk_counts",)),
    Variant("bare header", GOLD.replace(b"@@ -4,7 +4,7 @@", b"@@"), repairs=("hunk_header",)),
    Variant("named header", GOLD.replace(b"@@ -4,7 +4,7 @@", b"@@ def area @@")),
    Variant(
        "one line of context differs",
        GOLD.replace(b" def area(w, h):", b" def area(a, b):"),
        repairs=("fuzz",),
    ),
    Variant("trailing blanks", GOLD.replace(b"None\n", b"None  \n"), repairs=("whitespace",)),
    Variant(
        "tabs in context",
        GOLD.replace(b" " + b" " * 8 + b"return None", b" \treturn None"),
        repairs=("whitespace",),
    ),
    Variant(
        "tabs for four blanks",
        GOLD.replace(b" " + b" " * 4 + b"if", b" \tif").replace(
            b" " + b" " * 8 + b"return None", b" \t\treturn None"
        ),
        repairs=("whitespace",),
    ),
    Variant(
        "same new file is there",
        GOLD + NEW,
        repairs=("skip_identical_new_file",),
        tree={**TREE, "pkg/extra.py": EXTRA},
    ),
    Variant(
        "binary stub beside a change",
        STUB + GIT,
        repairs=("drop_binary",),
    ),
    Variant(
        "new file, header forgot",
        b"--- a/pkg/n.py\n+++ b/pkg/n.py\n@@ -0,0 +1 @@\n+N = 1\n",
        repairs=("new_file_header",),
        changes={"pkg/n.py": b"N = 1\n"},
    ),
    Variant(
        "CRLF new file",
        NEW.replace(b"\n", b"\r\n"),
        repairs=("eol",),
        changes={"pkg/extra.py": EXTRA},
    ),
    Variant(
        "protected file left alone", GOLD + NEW, changes=dict(GIVEN), protected=("pkg/extra.py",)
    ),
    Variant(
        "protected folder left alone",
        GOLD + NEW.replace(b"pkg/extra", b"tests/extra"),
        protected=("tests/",),
    ),
    Variant(
        "protected pattern",
        GOLD + NEW.replace(b"pkg/extra", b"x/test_extra"),
        protected=("*/test_*.py",),
    ),
)
