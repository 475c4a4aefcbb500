"""A reply is read as a careful person reads it, and nothing is ever made up for it."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases.judges import judge_parse
from trajaudit.datamodel.judging import ReplyStatus
from trajaudit.judge.parse import Parsed, parse
from trajaudit.judge.protocol import Protocol

VERDICT = Protocol(kind="verdict", labels=("pass", "fail"))
SCORE = Protocol(kind="score", low=0, high=5)
GRADE = Protocol(kind="grade_line", marker="GRADE:", labels=("C", "I"))
LINES = Path(__file__).with_name("replies.jsonl").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("case", [json.loads(line) for line in LINES], ids=lambda case: case["id"])
def test_a_reply_is_read_as_a_careful_person_reads_it(case: dict[str, Any]) -> None:
    outcome = judge_parse(case["input"], case["expected"])

    assert outcome.accepted, (case["input"]["reply"], outcome)


def test_the_adapter_calls_a_wrong_value_false_credit() -> None:
    case = {"protocol": {"kind": "verdict", "labels": ["pass", "fail"]}, "reply": "pass"}

    assert judge_parse(case, {"accept": ["ok"], "value": "fail"}).false_credit


def test_a_reply_that_the_filter_held_back_is_refused() -> None:
    assert parse("pass", VERDICT, "content_filter").status is ReplyStatus.REFUSED


def test_a_reply_at_the_output_limit_counts_only_as_one_whole_object() -> None:
    assert parse('{"verdict": "pass"}', VERDICT, "length") == Parsed(ReplyStatus.OK, "pass")
    assert parse("Verdict: pass", VERDICT, "length").status is ReplyStatus.TRUNCATED


def test_no_reply_is_empty() -> None:
    assert parse(None, VERDICT).status is ReplyStatus.EMPTY


@given(st.text(max_size=300), st.sampled_from([VERDICT, SCORE, GRADE]))
def test_any_text_has_a_status_and_a_value_only_where_it_counts(
    text: str, protocol: Protocol
) -> None:
    parsed = parse(text, protocol)

    assert (parsed.value is not None) == parsed.counts


@given(st.text(alphabet='{}[]":,pasfil \n<think>/', max_size=120))
def test_broken_objects_never_raise(text: str) -> None:
    assert parse(text, VERDICT).value in (None, "pass", "fail")


@given(st.integers(min_value=-10_000, max_value=10_000))
def test_a_score_is_never_moved_onto_its_scale(score: int) -> None:
    parsed = parse(json.dumps({"score": score}), SCORE)

    assert parsed.value == (score if 0 <= score <= 5 else None)
