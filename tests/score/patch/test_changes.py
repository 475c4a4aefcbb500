"""Changed lines are those of the new file, wherever others went."""

from hypothesis import given
from hypothesis import strategies as st

from trajaudit.datamodel.patch_findings import LineRange
from trajaudit.score.patch import changes
from trajaudit.score.patch.changes import changed_lines, line_ranges

LINES = st.lists(st.sampled_from([b"a", b"b", b"c", b""]), max_size=12).map(
    lambda lines: b"".join(line + b"\n" for line in lines)
)


def test_a_line_that_only_moved_down_did_not_change() -> None:
    assert changed_lines(b"a\nb\nc\n", b"new\na\nB\nc\n") == {1, 3}


def test_every_line_of_a_new_file_is_new() -> None:
    assert changed_lines(None, b"a\nb\n") == {1, 2}


def test_a_change_that_only_removes_has_no_lines() -> None:
    assert changed_lines(b"a\nb\nc\n", b"a\nc\n") == set()


def test_beyond_the_bound_everything_between_equal_ends_counts() -> None:
    many = [b"%d" % number for number in range(changes.MOST_COMPARED + 5)]
    before = b"\n".join([b"start", *many, b"end"])
    after = b"\n".join([b"start", *many[::-1], b"end"])

    assert changed_lines(before, after) == set(range(2, len(many) + 2))


@given(LINES, LINES)
def test_lines_that_did_not_change_stood_there_before_in_the_same_order(
    before: bytes, after: bytes
) -> None:
    changed = changed_lines(before, after)
    lines = after.splitlines()

    kept = iter(before.splitlines())
    unchanged = [line for number, line in enumerate(lines, start=1) if number not in changed]
    assert all(line in kept for line in unchanged)
    assert changed <= set(range(1, len(lines) + 1))


def test_lines_are_told_as_ranges() -> None:
    ranges = line_ranges("a.py", [5, 1, 2, 7, 6])

    assert ranges == [
        LineRange(path="a.py", first=1, last=2),
        LineRange(path="a.py", first=5, last=7),
    ]
    assert [str(one) for one in line_ranges("a.py", [3])] == ["a.py:3"]
