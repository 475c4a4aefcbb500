"""Only who holds a token is somebody, and nobody can read a token from the file."""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from trajaudit.datamodel.review import Role
from trajaudit.errors import RunDirError, UsageError
from trajaudit.review.people import People

NOW = datetime(2026, 11, 29, 10, tzinfo=UTC)


def test_a_token_is_told_once_and_logs_in_its_person_alone(tmp_path: Path) -> None:
    people = People(tmp_path)
    ada, token = people.add("Ada", now=NOW)
    _, other = people.add("Bo", Role.LEAD, now=NOW)

    assert people.authenticate(token) == ada
    assert people.authenticate(other) == people.find("Bo")
    assert len(token) >= 43
    assert token not in (tmp_path / ".review" / "reviewers.jsonl").read_text()
    assert ada.added == "2026-11-29T10:00:00+00:00"


@pytest.mark.parametrize("token", ["", "x", "Ada", "\ud800"])
def test_nothing_else_logs_anybody_in(tmp_path: Path, token: str) -> None:
    people = People(tmp_path)
    assert people.authenticate(token) is None
    ada, _ = people.add("Ada", now=NOW, token="t" * 43)
    people.add("Bo", now=NOW, token="b" * 43)
    people.remove("Bo")

    assert people.authenticate(token) is None
    assert people.authenticate(ada.token_sha256) is None


def test_who_was_removed_cannot_log_in_and_leaves_the_name_behind(tmp_path: Path) -> None:
    people = People(tmp_path)
    _, token = people.add("Ada", now=NOW)

    people.remove("Ada")

    assert people.authenticate(token) is None
    assert people.find("Ada") is None
    assert [one.name for one in people.everybody(removed=True)] == ["Ada"]
    with pytest.raises(UsageError, match="the name was that of somebody who was removed"):
        people.add("ada", now=NOW)


def test_a_lost_token_is_replaced(tmp_path: Path) -> None:
    people = People(tmp_path)
    _, old = people.add("Ada", now=NOW)

    person, new = people.renew("Ada")

    assert people.authenticate(old) is None
    assert people.authenticate(new) == person


def test_a_pause_is_kept_until_it_is_ended(tmp_path: Path) -> None:
    people = People(tmp_path)
    people.add("Ada", now=NOW)

    assert people.pause("Ada", paused=True).paused
    assert not people.pause("Ada", paused=False).paused


@pytest.mark.parametrize("name", ["", " Ada", "a/b", "x" * 61, "a\nb", "<b>"])
def test_a_name_that_cannot_be_used_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="a name has 1 to 60"):
        People(tmp_path).add(name, now=NOW)


def test_a_name_is_taken_once_and_an_unknown_one_is_told(tmp_path: Path) -> None:
    people = People(tmp_path)
    people.add("Ada", now=NOW)

    with pytest.raises(UsageError, match="the name is taken; got 'ADA'"):
        people.add("ADA", now=NOW)
    with pytest.raises(UsageError, match="no reviewer of that name; got 'Bo'; known: Ada"):
        people.remove("Bo")


def test_a_damaged_file_logs_nobody_in(tmp_path: Path) -> None:
    people = People(tmp_path)
    _, token = people.add("Ada", now=NOW)
    with (tmp_path / ".review" / "reviewers.jsonl").open("a") as stream:
        stream.write("{}\n")

    with pytest.raises(RunDirError, match=r"reviewers\.jsonl:2: damaged"):
        people.authenticate(token)


ADDER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from trajaudit.review.people import People

for number in range(20):
    People(Path(sys.argv[1])).add(f"{sys.argv[2]}{number}", now=datetime.now(UTC))
"""


def test_two_processes_that_add_people_at_once_lose_nobody(tmp_path: Path) -> None:
    adding = [
        subprocess.Popen([sys.executable, "-c", ADDER, str(tmp_path), who]) for who in ("a", "b")
    ]
    assert [one.wait(60) for one in adding] == [0, 0]

    names = [one.name for one in People(tmp_path).everybody()]
    assert sorted(names) == sorted(f"{who}{number}" for who in "ab" for number in range(20))
