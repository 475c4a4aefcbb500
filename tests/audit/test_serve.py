"""Where the review pages are served, and who has to log in there."""

import socket
from pathlib import Path

import pytest

from tests.review.desked import START, a_run
from trajaudit.audit.serve import ALONE, Reading, alone, serve
from trajaudit.datamodel.review import Reviewer, Role
from trajaudit.errors import UsageError
from trajaudit.review.people import People


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_on_this_machine_one_person_needs_no_token(tmp_path: Path, host: str) -> None:
    assert alone(People(tmp_path), host) == Reviewer(name=ALONE, role=Role.LEAD)


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "10.0.0.7"])
def test_where_there_are_reviewers_they_log_in(tmp_path: Path, host: str) -> None:
    People(tmp_path).add("ann", now=START)

    assert alone(People(tmp_path), host) is None


@pytest.mark.parametrize(
    ("host", "url"),
    [("0.0.0.0", ""), ("::", ""), ("10.0.0.7", ""), ("127.0.0.1", "https://review.example")],
)
def test_anywhere_else_nobody_gets_in_without_a_token(tmp_path: Path, host: str, url: str) -> None:
    with pytest.raises(UsageError, match="trajaudit review add NAME"):
        alone(People(tmp_path), host, url)


def test_a_port_that_is_taken_is_told_before_anything_is_read(tmp_path: Path) -> None:
    run = a_run(tmp_path, tasks=1)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(UsageError, match=rf"127\.0\.0\.1:{port} cannot be listened on"):
            serve([run], host="127.0.0.1", port=port, say=print)


@pytest.mark.parametrize("host", ["no.such.host.invalid", "300.1.1.1"])
def test_an_address_that_is_not_this_machine_s_is_told(tmp_path: Path, host: str) -> None:
    run = a_run(tmp_path, tasks=1)
    People(tmp_path).add("ann", now=START)

    with pytest.raises(UsageError, match="cannot be listened on"):
        serve([run], host=host, port=0, say=print)


def test_reading_many_trials_is_told_now_and_then() -> None:
    said: list[str] = []
    seconds = iter([0.0, 4.0, 6.0, 7.0, 12.0])
    reading = Reading(said.append, lambda: next(seconds))

    for done in (100, 200, 300, 400):
        reading("r1", done, 400)

    assert said == ["r1: 200 of 400 trials read"]
