"""A warning is new by what it says, and stands where the change is."""

from trajaudit.score.patch.lint import Warned, new_warnings


def warned(line: int, message: str = "undefined name `x`", code: str = "F821") -> Warned:
    return Warned(path="a.py", line=line, code=code, message=message)


def test_a_warning_whose_line_moved_is_not_new() -> None:
    assert new_warnings([warned(3)], [warned(30)], {1, 2}) == []


def test_a_warning_that_comes_once_more_is_looked_for_on_changed_lines() -> None:
    assert new_warnings([warned(3)], [warned(3), warned(9)], {9}) == [warned(9)]
    assert new_warnings([warned(9)], [warned(3), warned(10)], {3}) == [warned(3)]


def test_a_warning_that_went_is_no_excuse_for_another() -> None:
    new = warned(4, "`os` imported but unused", "F401")

    assert new_warnings([warned(3)], [new], {4}) == [new]
    assert str(new) == "a.py:4 F401 `os` imported but unused"
