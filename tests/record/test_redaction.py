"""Secrets are not written, and what is no secret stays as it was."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.datamodel.event import MessageEvent, RequestedCall
from trajaudit.record.journal import Journal, read_events, verify
from trajaudit.record.redaction import MARK, Redactor

SECRET = "zebra-quartz-9981"


def test_the_value_of_a_secret_variable_is_replaced() -> None:
    redactor = Redactor.of_environment({"SHOP_KEY": SECRET, "HOME": "/somewhere/else"})

    assert redactor.text(f"key {SECRET} at /somewhere/else") == f"key {MARK} at /somewhere/else"


@pytest.mark.parametrize(
    "written",
    [
        'p"w/ü+ 12345',
        '"p\\"w/ü+ 12345"',
        r"p\"w/\u00fc+ 12345",
        "x=p%22w%2F%C3%BC%2B%2012345",
        "cCJ3L8O8KyAxMjM0NQ==",
    ],
)
def test_a_known_value_is_replaced_however_it_is_written(written: str) -> None:
    text = Redactor(['p"w/ü+ 12345']).text(f"see {written} end")
    assert MARK in text
    assert not re.search("1234|cCJ3", text)


@pytest.mark.parametrize(
    "secret",
    [
        "sk-" + "a1B2" * 8,
        "AKIA" + "ABCD" * 4,
        "ghp_" + "a" * 36,
        "xoxb-1234567890-abc",
        "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\ncut off",
    ],
)
def test_what_has_the_form_of_a_credential_is_replaced(secret: str) -> None:
    assert Redactor().text(f"it is {secret}") == f"it is {MARK}"


@pytest.mark.parametrize(
    "text", ["sk-8 mask-wearing task-force", "The key is under the mat.", "AKIA", "5 tokens", "hf_"]
)
def test_ordinary_text_stays(text: str) -> None:
    assert Redactor(["", "key", "5"]).text(text) == text


def test_a_longer_secret_wins_over_one_that_it_contains() -> None:
    redactor = Redactor([SECRET, SECRET + "-and-more"])

    assert redactor.text(SECRET + "-and-more") == MARK


def test_no_part_of_an_event_keeps_it_and_the_chain_holds(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    with Journal(path, redactor=Redactor([SECRET])) as journal:
        call = RequestedCall(call_id="1", tool="bash", arguments_text=f'{{"a": "{SECRET}"}}')
        journal.append(
            MessageEvent(
                role="assistant",
                content=SECRET * 10_000,
                source="model",
                reasoning=SECRET,
                tool_calls=(call,),
            )
        )

    assert verify(path, journal.head, journal.count) == []
    written = b"".join(one.read_bytes() for one in tmp_path.rglob("*") if one.is_file())
    assert SECRET.encode() not in written
    event = next(read_events(path))
    assert isinstance(event, MessageEvent)
    assert event.tool_calls[0].arguments_text == f'{{"a": "{MARK}"}}'


@given(st.text(), st.text())
def test_a_secret_never_survives(before: str, after: str) -> None:
    assert SECRET not in Redactor([SECRET]).text(before + SECRET + after)


_VALUES = [
    SECRET,
    'p"w/ü+ 12345',
    "x" * 70 + "y" * 70,
    *(f"value-{one}-of-many" for one in range(60)),
]
_MANY = Redactor(_VALUES)
_PARTS = [
    *_VALUES,
    "sk-" + "a1B2" * 8,
    "AKIA" + "ABCD" * 4,
    "ASIA" + "0123" * 4,
    "ghp_" + "a" * 36,
    "github_pat_" + "a_1" * 20,
    "glpat-" + "a-_" * 7,
    "xoxb-1234567890-abc",
    "AIza" + "a-_b1" * 7,
    "hf_" + "a1" * 15,
    "-----BEGIN RSA PRIVATE KEY-----",
]


_BESIDE = ["\n", "\t", '"', "ü", " ", "a", "\\"]
_BEGINNINGS = [part[:-1] for part in _PARTS]


@given(
    st.lists(st.sampled_from([*_PARTS, *_BEGINNINGS, *_BESIDE]) | st.text(max_size=3), max_size=6)
)
def test_no_text_that_is_changed_is_passed_over(parts: list[str]) -> None:
    text = "".join(parts)

    assert _MANY.may_hold(json.dumps(text).encode()) or _MANY.text(text) == text


@pytest.mark.parametrize("part", _PARTS)
def test_every_secret_is_seen_in_a_line(part: str) -> None:
    assert _MANY.may_hold(json.dumps(f"it is\n{part}").encode())


def test_ordinary_lines_are_passed_over() -> None:
    line = b'{"text":"sk-8 hf_hub_download ghp_ AKIA xox github_pat_ \xc3\xbc"}'

    assert not _MANY.may_hold(line)


def test_a_line_of_beginnings_takes_time_in_its_length_only() -> None:
    assert not Redactor().may_hold(b"xoxb-12 sk-12 github_pat_12 " * 100_000)


@pytest.mark.parametrize(
    ("name", "is_secret"),
    [
        ("SHOP_KEY", True),
        ("DB_PW", True),
        ("db_pwd", True),
        ("SIGNING_PASSPHRASE", True),
        ("HTTP_AUTHORIZATION", True),
        ("BASIC_AUTH", True),
        ("SENTRY_DSN", True),
        ("PWD", False),
        ("OLDPWD", False),
        ("GIT_AUTHOR_NAME", False),
        ("SSH_AUTH_SOCK", False),
        ("HOME", False),
    ],
)
def test_the_name_of_a_variable_tells_a_secret(name: str, is_secret: bool) -> None:
    text = Redactor.of_environment({name: SECRET}).text(SECRET)
    assert text == (MARK if is_secret else SECRET)
