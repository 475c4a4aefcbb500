"""Sessions begin and end, and guessing tokens is slow."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from trajaudit.datamodel.review import Reviewer
from trajaudit.review.people import People
from trajaudit.web.sessions import LIFE, LONGEST_WAIT, WAIT_FROM, Sessions, Throttle, csrf_of

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


def _people(runs: Path) -> tuple[People, Reviewer]:
    people = People(runs)
    return people, people.add("Ann", now=NOW)[0]


def test_a_session_lasts_half_a_day_and_ends_at_logout(tmp_path: Path) -> None:
    people, ann = _people(tmp_path)
    clock = Clock()
    sessions = Sessions(clock)
    secret, other = sessions.start(ann), sessions.start(ann)

    assert sessions.who(secret, people) == ann
    assert sessions.who(secret + "x", people) is None
    sessions.end(secret)
    assert sessions.who(secret, people) is None
    assert sessions.who(other, people) == ann
    clock.now += LIFE
    assert sessions.who(other, people) is None


def test_a_session_ends_with_the_token_that_it_began_with(tmp_path: Path) -> None:
    people, ann = _people(tmp_path)
    sessions = Sessions(Clock())
    secret = sessions.start(ann)

    people.renew("Ann")
    assert sessions.who(secret, people) is None
    again = sessions.start(people.everybody()[0])
    people.remove("Ann")
    assert sessions.who(again, people) is None


def test_a_killed_server_knows_its_reviewers_again_and_the_file_holds_no_secret(
    tmp_path: Path,
) -> None:
    people, ann = _people(tmp_path)
    path = tmp_path / ".review" / "sessions.jsonl"
    secret = Sessions(Clock(), path).start(ann)
    with path.open("ab") as file:
        file.write(b'["half a li')

    again = Sessions(Clock(), path)
    assert again.who(secret, people) == ann
    assert secret.encode() not in path.read_bytes()
    assert path.stat().st_mode & 0o077 == 0
    again.end(secret)
    assert Sessions(Clock(), path).who(secret, people) is None


def test_a_form_token_follows_from_its_session_alone() -> None:
    assert csrf_of("one") == csrf_of("one")
    assert csrf_of("one") != csrf_of("two")
    assert "one" not in csrf_of("one")


def test_an_address_that_guesses_has_to_wait_longer_each_time() -> None:
    clock = Clock()
    throttle = Throttle(clock)
    waits = []
    for _ in range(WAIT_FROM + 4):
        throttle.failed("10.0.0.1")
        waits.append(throttle.wait_s("10.0.0.1"))

    assert waits == [0] * (WAIT_FROM - 1) + [1, 2, 4, 8, 16]
    assert throttle.wait_s("10.0.0.2") == 0
    clock.now += timedelta(seconds=16)
    assert throttle.wait_s("10.0.0.1") == 0
    for _ in range(40):
        throttle.failed("10.0.0.1")
    assert throttle.wait_s("10.0.0.1") == LONGEST_WAIT.total_seconds()
    clock.now -= timedelta(days=30)
    assert throttle.wait_s("10.0.0.1") == 0, "a clock that was set back keeps nobody out"
    throttle.failed("10.0.0.1")
    throttle.passed("10.0.0.1")
    assert throttle.wait_s("10.0.0.1") == 0
