"""A patch is applied as a careful person would, and nowhere else."""

import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases.patches import git_apply
from tests.score.patch.refusals import REFUSED
from tests.score.patch.variants import (
    GIVEN,
    GOLD,
    REPAIRED,
    TREE,
    WELL_FORMED,
    Variant,
)
from trajaudit.score.patch.applying import apply_leniently, touched_paths
from trajaudit.score.patch.paths import is_unsafe


def _named(variant: Variant) -> str:
    return variant.name.replace(" ", "-")


@pytest.mark.parametrize("variant", [*WELL_FORMED, *REPAIRED, *REFUSED], ids=_named)
def test_each_form_of_a_patch_does_what_a_careful_person_expects(variant: Variant) -> None:
    done = apply_leniently(variant.patch, variant.tree, protected=variant.protected)

    assert (done.status, done.files) == (variant.status, variant.changes), done.reason
    if variant.repairs is not None:
        assert done.repairs == variant.repairs


@pytest.mark.parametrize("variant", WELL_FORMED, ids=_named)
def test_git_does_the_same_to_a_well_formed_patch(variant: Variant) -> None:
    after = git_apply(variant.patch, variant.tree)

    expected = {**variant.tree, **variant.changes}
    assert after == {path: text for path, text in expected.items() if text is not None}


@pytest.mark.parametrize(
    "variant", [one for one in REFUSED if one.status != "no_patch"], ids=_named
)
def test_git_refuses_what_is_refused(variant: Variant) -> None:
    # Inside the tree for git: links, backslashes in a name, absolute but for one slash.
    allowed = {"link", "above the tree, backslash", "absolute new file"}

    assert variant.name in allowed or git_apply(variant.patch, variant.tree) is None


def test_protected_files_are_named() -> None:
    done = apply_leniently(GOLD, TREE, protected=("pkg/",))

    assert done.undone == ("pkg/shape.py",)


def test_a_new_file_below_a_known_root_lands_in_the_tree() -> None:
    patch = b"--- /dev/null\n+++ b/srv/project/pkg/n.py\n@@ -0,0 +1 @@\n+N\n"

    done = apply_leniently(patch, TREE, roots=("srv/project",))

    assert done.files == {"pkg/n.py": b"N\n"}


def test_touched_paths_are_those_of_every_reading_inside_the_tree() -> None:
    patch = b"--- pkg/shape.py\n+++ pkg/shape.py\n@@ -1 +1 @@\n-a\n+b\n"

    assert set(touched_paths(patch, TREE)) == {"shape.py", "pkg/shape.py"}
    twice = b"diff --git a//pkg//shape.py b//pkg//shape.py\nnew mode 100755\n"
    assert touched_paths(twice + GOLD.replace(b"/pkg", b"//pkg"), TREE) == ["pkg/shape.py"]
    assert touched_paths(b"--- a/../x\n+++ b/.git/x\n@@ -1 +1 @@\n-a\n+b\n", TREE) == []


def test_binary_content_is_written_as_git_writes_it(tmp_path: Path) -> None:
    content = bytes(range(256)) * 3
    run = ["git", "-C", str(tmp_path)]
    subprocess.run([*run, "init", "-q"], check=True)
    (tmp_path / "data.bin").write_bytes(content)
    subprocess.run([*run, "add", "-A"], check=True)
    patch = subprocess.run(
        [*run, "diff", "--cached", "--binary"], check=True, capture_output=True
    ).stdout

    assert apply_leniently(patch, {}).files == {"data.bin": content}
    damaged = patch.replace(b"literal 768", b"literal 767")
    assert apply_leniently(damaged, {}).status == "conflict"


lines = st.lists(st.sampled_from(["a", "b", "", "  c", "d\r", "x = 1"]), min_size=4, max_size=25)


@settings(max_examples=40, deadline=None)
@given(lines, lines, st.booleans())
def test_what_git_writes_as_a_difference_is_applied_to_the_same_bytes(
    old: list[str], new: list[str], ends: bool
) -> None:
    before, after = ("\n".join(one).encode() + b"\n" * ends for one in (old, new))
    patch = difference(before, after)
    done = apply_leniently(patch, {"f": before})

    if before == after:
        assert done.status == "no_patch"
    else:
        # Two equal places and no way to tell are the only reason not to do it.
        assert done.files == {"f": after} or done.status in {"conflict", "already_applied"}
        assert git_apply(patch, {"f": before}) == {"f": after}


def difference(before: bytes, after: bytes) -> bytes:
    """Return git's difference of two contents."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "old").write_bytes(before)
        Path(folder, "new").write_bytes(after)
        run = subprocess.run(
            ["git", "diff", "--no-index", "old", "new"],
            cwd=folder, capture_output=True, check=False,
        )  # fmt: skip
    return run.stdout.replace(b"a/old", b"a/f").replace(b"b/new", b"b/f")


def test_a_folder_that_stands_for_itself_is_no_part_of_a_path() -> None:
    for name in ("./tests/conftest.py", "a/./tests/conftest.py", "b/tests/././conftest.py"):
        patch = f"--- /dev/null\n+++ {name}\n@@ -0,0 +1 @@\n+x\n".encode()

        assert apply_leniently(patch, {}).files == {"tests/conftest.py": b"x\n"}
        assert "tests/conftest.py" in touched_paths(patch, {})
    end = b"--- /dev/null\n+++ b/tests/conftest.py/.\n@@ -0,0 +1 @@\n+x\n"
    assert apply_leniently(end, {}).status == "rejected_unsafe"


TRANSPORTS: dict[str, Callable[[bytes], bytes]] = {
    "crlf": lambda text: text.replace(b"\n", b"\r\n"),
    "byte-order mark": lambda text: b"\xef\xbb\xbf" + text,
    "stripped": lambda text: text.strip(),
    "fenced": lambda text: b"Fix:\n```diff\n" + text.strip() + b"\n```\nDone.\n",
    "indented": lambda text: b"".join(b"  " + line for line in text.splitlines(keepends=True)),
}


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_transport_does_not_change_what_a_patch_does(transport: str) -> None:
    done = apply_leniently(TRANSPORTS[transport](GOLD), TREE)

    assert (done.status, done.files) == ("applied", GIVEN)


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("ab./\\~1 gitGIT:é\0"), max_size=14))
def test_no_path_leads_out_of_the_tree_or_into_git(path: str) -> None:
    patch = b"--- /dev/null\n+++ b/" + path.encode() + b"\n@@ -0,0 +1 @@\n+x\n"

    for written in apply_leniently(patch, {}).files:
        assert not is_unsafe(written)
        assert not written.startswith("/")
        assert Path("/t", written).resolve().is_relative_to("/t")
