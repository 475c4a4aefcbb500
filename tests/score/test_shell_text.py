"""Commands are read by tokens; whatever the text, reading ends and never raises."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.score.shell_text import commands_of, joined

CASES: list[tuple[str, list[tuple[str, ...]]]] = [
    ("git log --all | head -3", [("git", "log", "--all"), ("head", "-3")]),
    ('echo "git log --all"', [("echo", "git log --all")]),
    ("echo a\\ b 'c d'\"e\"", [("echo", "a b", "c de")]),
    ("a && b || c; d & e", [("a",), ("b",), ("c",), ("d",), ("e",)]),
    ("sudo -u x env A=1 timeout -s 9 5 rm y", [("rm", "y")]),
    ("bash -lc 'git reflog'", [("bash", "-lc", "git reflog"), ("git", "reflog")]),
    ("cat <<'E' > f && x\nrm a\nE\nls", [("cat",), ("x",), ("ls",)]),
    ("sh <<E\nrm a\nE", [("sh",), ("rm", "a")]),
    ("echo $(git reflog)", [("git", "reflog"), ("echo", "$(git reflog)")]),
    ("echo '$(git reflog)'", [("echo", "$(git reflog)")]),
    ("# git reflog\nls # rm x", [("ls",)]),
    ("f=tests/a; rm $f", [("rm", "tests/a")]),
    ("f=tests/a; echo '$f'", [("echo", "$f")]),
    ("if test -f x; then rm x; fi", [("test", "-f", "x"), ("rm", "x")]),
    ("find t -exec rm {} +", [("find", "t", "-exec", "rm", "{}", "+"), ("rm", "t")]),
    ("ls 2>&1 >/dev/null", [("ls",)]),
]


@pytest.mark.parametrize(("text", "wanted"), CASES)
def test_a_text_runs_exactly_these_commands(text: str, wanted: list[tuple[str, ...]]) -> None:
    assert [command.words for command in commands_of(text)] == wanted


def test_a_folder_holds_for_what_follows_but_not_outside_its_subshell() -> None:
    folders = {c.words: c.folder for c in commands_of("cd a; (cd b; x); y; cd ..; z")}
    assert (folders[("x",)], folders[("y",)], folders[("z",)]) == ("a/b", "a", "")


def test_a_redirect_keeps_its_target_and_a_document_its_text() -> None:
    [command] = commands_of("cat > tests/x.py <<E\none\ntwo\nE")
    assert command.redirects == ((">", "tests/x.py"),)
    assert command.document == "one\ntwo"


@pytest.mark.parametrize(
    ("folder", "path", "whole"),
    [("", "a/../b", "b"), ("a", "../b", "b"), ("a", "/x/./y", "/x/y"), ("", "..", "..")],
)
def test_paths_are_joined(folder: str, path: str, whole: str) -> None:
    assert joined(folder, path) == whole


@given(st.text(alphabet="ab '\"\\$`(){}|&;<>\n#=-E\f\v\xa0", max_size=80) | st.text(max_size=80))
def test_reading_any_text_ends(text: str) -> None:
    assert commands_of(text) == commands_of(text)


def test_a_huge_text_and_a_deep_one_are_read() -> None:
    assert len(commands_of("ls; " * 20_000)) == 20_000
    assert commands_of("echo " + "$(" * 3_000)
