"""The patch between two trees is one that git applies, and it makes the second of the first."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trajaudit.record.repository import SourceFile
from trajaudit.run.repository.difference import MOST_COMPARED, changed_paths, difference
from trajaudit.score.patch.applying import apply_leniently

Tree = dict[str, SourceFile]


def tree(files: Mapping[str, bytes | tuple[bytes, bool]]) -> Tree:
    return {
        path: SourceFile(*one) if isinstance(one, tuple) else SourceFile(one)
        for path, one in files.items()
    }


def applied(folder: Path, before: Tree, patch: bytes) -> Tree:
    """Let git apply a patch to a folder that holds a tree; return what is there then."""
    folder.mkdir(parents=True)
    for path, file in before.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(file.content)
        place.chmod(0o755 if file.executable else 0o644)
    if patch:
        command = ["git", "-C", str(folder), "apply", "--whitespace=nowarn", "-"]
        env = {"PATH": "/usr/bin:/bin", "GIT_CEILING_DIRECTORIES": str(folder.parent)}
        done = subprocess.run(command, input=patch, capture_output=True, check=False, env=env)
        assert done.returncode == 0, (done.stderr, patch)
    return {
        place.relative_to(folder).as_posix(): SourceFile(
            place.read_bytes(), bool(place.stat().st_mode & 0o100)
        )
        for place in folder.rglob("*")
        if place.is_file()
    }


LONG = b"".join(b"line %d\n" % number for number in range(200))
CHANGES: dict[str, tuple[Tree, Tree]] = {
    "nothing": (tree({"a": b"x\n"}), tree({"a": b"x\n"})),
    "a line": (tree({"a": LONG}), tree({"a": LONG.replace(b"line 77\n", b"line 7.7\n")})),
    "both ends": (tree({"a": LONG}), tree({"a": b"new\n" + LONG[7:-9] + b"end"})),
    "two hunks": (
        tree({"a": LONG}),
        tree({"a": LONG.replace(b"line 5\n", b"").replace(b"line 150\n", b"x\ny\n")}),
    ),
    "new and empty": (tree({}), tree({"a": b"", "b/c": b"text"})),
    "removed": (tree({"a": b"", "b/c": b"text"}), tree({})),
    "emptied": (tree({"a": b"text\n"}), tree({"a": b""})),
    "no final line feed": (tree({"a": b"x\ny"}), tree({"a": b"x\ny\n", "b": b"z"})),
    "line ends of Windows": (tree({"a": b"x\r\ny\r\n"}), tree({"a": b"x\r\nz\r\n"})),
    "to other line ends": (tree({"a": b"x\r\ny\r\n"}), tree({"a": b"x\ny\n"})),
    "lone carriage returns": (tree({"a": b"x\ry\n"}), tree({"a": b"x\rz\n\r"})),
    "binary": (tree({"a": b"\0\1\2" * 90}), tree({"a": b"\0\1\3" * 99, "b": bytes(range(256))})),
    "binary removed": (tree({"a": b"\0", "b": b"\xff\xfe"}), tree({})),
    "latin-1": (tree({"a": b"caf\xe9\n"}), tree({"a": b"caf\xe9s\n"})),
    "executable": (
        tree({"a": b"x\n", "b": (b"y\n", True)}),
        tree({"a": (b"x\n", True), "b": b"y\n"}),
    ),
    "executable and changed": (tree({"a": b"x\n"}), tree({"a": (b"z\n", True)})),
    "new executable": (tree({}), tree({"a": (b"#!/bin/sh\n", True)})),
    "odd names": (
        tree({"a b": b"x\n", "é": b"x\n", 'q"\\t': b"x\n", "t\tab": b"x\n", "n\nl": b"x\n"}),
        tree({"a b": b"y\n", "é": b"y\n", 'q"\\t': b"y\n", "t\tab": b"y\n", "new name": b"z\n"}),
    ),
    "no UTF-8 in a name": (tree({}), tree({"\udcff": b"x\n"})),
    "a file for a folder": (tree({"a/b": b"x\n"}), tree({"a": b"y\n"})),
    "a folder for a file": (tree({"a": b"x\n"}), tree({"a/b": b"y\n"})),
    "lines like a patch": (
        tree({"a": b"-- a\n++ b\n"}),
        tree({"a": b"-- a\n++ c\n@@ -1 +1 @@\ndiff --git a/x b/x\n"}),
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_git_makes_the_second_tree_of_the_first(name: str, tmp_path: Path) -> None:
    before, after = CHANGES[name]

    patch = difference(before, after)

    assert applied(tmp_path / "tree", before, patch) == after
    assert patch.decode().encode() == patch
    assert (patch == b"") == (before == after)


CONTENTS = st.one_of(
    st.lists(st.sampled_from([b"a\n", b"b\n", b"\n", b"c\r\n", b"d"]), max_size=14).map(b"".join),
    st.binary(max_size=30),
)
FILES = st.builds(SourceFile, CONTENTS, st.booleans())
TREES = st.dictionaries(st.sampled_from(["a", "b c", "d/e", "d/é", "f\n"]), FILES, max_size=4)


@given(before=TREES, after=TREES)
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_whatever_the_trees_are(
    before: Tree, after: Tree, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("any") / "tree"

    assert applied(folder, before, difference(before, after)) == after


def test_the_lenient_reader_reads_it_as_well() -> None:
    before, after = CHANGES["two hunks"]

    done = apply_leniently(
        difference(before, after), {path: file.content for path, file in before.items()}
    )

    assert done.files == {"a": after["a"].content}
    assert done.repairs == ()


def test_a_file_that_changes_everywhere_is_one_hunk(tmp_path: Path) -> None:
    size = int(MOST_COMPARED**0.5) + 10
    before = tree({"a": b"same\n" * 5 + b"x\ny\n" * size + b"end\n"})
    after = tree({"a": b"same\n" * 5 + b"y\nx\nz\n" * size + b"end\n"})

    patch = difference(before, after)

    assert patch.count(b"\n@@ ") == 1
    assert applied(tmp_path / "tree", before, patch) == after


def test_changed_files_are_named_in_order() -> None:
    before = tree({"a": b"1", "b": b"2", "c": b"3"})
    after = tree({"d": b"4", "b": b"2", "c": (b"3", True)})

    assert changed_paths(before, after) == ["a", "c", "d"]
