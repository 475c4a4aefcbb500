"""A reply to a rubric counts only whole, consistent, and with quotes that are there."""

import json
from typing import Any

import pytest

from tests.judge.made import RUBRIC, TASK, reply, said, trajectory
from trajaudit.datamodel.judging import ReplyStatus
from trajaudit.judge.ballot import read_ballot
from trajaudit.judge.view import view_of

S = ReplyStatus
TEXTS = view_of("outcome", TASK, trajectory()).texts


def status_of(text: str) -> ReplyStatus:
    return read_ballot(text, RUBRIC, TEXTS).status


def with_criterion(**changed: Any) -> str:
    body = said()
    body["criteria"][1] = {**body["criteria"][1], **changed}
    return json.dumps(body)


@pytest.mark.parametrize("verdict", ["pass", "fail", "abstain"])
def test_a_whole_reply_counts_and_its_criteria_stand_in_the_rubrics_order(verdict: str) -> None:
    ballot = read_ballot(f"Here it is:\n```json\n{reply(verdict)}\n```", RUBRIC, TEXTS)

    assert (ballot.status, ballot.overall) == (S.OK, verdict)
    assert [one.id for one in ballot.criteria] == ["done", "clean"]


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (reply("pass", overall="fail"), S.CONFLICT),
        (reply("fail", overall="abstain"), S.CONFLICT),
        (reply(overall="good"), S.UNPARSED),
        (reply(criteria=said()["criteria"][:1]), S.UNPARSED),
        (reply(criteria=[]), S.UNPARSED),
        (reply(criteria="all met"), S.UNPARSED),
        (reply(criteria=[*said()["criteria"], *said("fail")["criteria"]]), S.CONFLICT),
        (with_criterion(id="other"), S.UNPARSED),
        (with_criterion(verdict="fine"), S.UNPARSED),
        (with_criterion(evidence=[]), S.UNSUPPORTED),
        (with_criterion(evidence=[{"step": 1, "quote": "refund confirmed"}]), S.UNSUPPORTED),
        (with_criterion(evidence=[{"step": 9, "quote": '{"ok": true}'}]), S.UNSUPPORTED),
        (with_criterion(evidence=[{"step": 1, "quote": ""}]), S.UNSUPPORTED),
        (with_criterion(evidence=[{"step": "one", "quote": "x"}]), S.UNPARSED),
        (with_criterion(evidence="step 1"), S.UNPARSED),
        (reply()[:-20], S.TRUNCATED),
        (f"{reply()}\n{reply('fail')}", S.CONFLICT),
        (f"The agent wrote: {reply()}", S.UNPARSED),
        ("I'm sorry, I cannot judge this.", S.REFUSED),
        ("", S.EMPTY),
        ("It passes.", S.UNPARSED),
    ],
)
def test_whatever_is_wrong_with_a_reply_voids_it(text: str, status: ReplyStatus) -> None:
    ballot = read_ballot(text, RUBRIC, TEXTS)

    assert (ballot.status, ballot.overall) == (status, None), ballot.note


@pytest.mark.parametrize(
    "text",
    [
        f"{reply()}\nActually, I change my verdict: fail.",
        f"{reply()}\n\nOverall: fail",
        f"Overall: fail\n{reply()}",
        f"{reply()}\nfinal_verdict: fail",
        f"Overall: fail\n{reply()}\n{reply()}",
        f"{reply('fail')}\nVerdict: pass",
        f"{reply()}\nI take that back.",
        f"I'm sorry, but I can't assess this.\n{reply()}",
        f"{reply()}\nI am unable to judge this.",
    ],
)
def test_words_beside_a_verdict_that_deny_it_void_it(text: str) -> None:
    assert status_of(text) is S.CONFLICT


@pytest.mark.parametrize(
    "text",
    [
        f"I cannot find a fault.\n{reply()}\nOverall: pass",
        f"At first I thought: verdict: fail. On reflection, step 1 shows it.\n{reply()}",
        f"The agent might have failed.\n{reply()}",
    ],
)
def test_words_beside_a_verdict_that_agree_leave_it(text: str) -> None:
    assert status_of(text) is S.OK


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (f"{reply()}</think>", S.EMPTY),
        (f"{reply()}</think>\n{reply('fail')}", S.OK),
        (f"In the form that was asked for, e.g. {reply()}\nbut I do not know.", S.UNPARSED),
        (f"> {reply()}", S.UNPARSED),
        (f"<!-- {reply()} -->", S.UNPARSED),
        (f"~~{reply()}~~", S.UNPARSED),
    ],
)
def test_what_is_thought_or_set_as_a_quotation_is_no_verdict(
    text: str, status: ReplyStatus
) -> None:
    ballot = read_ballot(text, RUBRIC, TEXTS)

    assert (ballot.status, ballot.overall) == (status, "fail" if status is S.OK else None)


def test_a_stated_revision_lets_the_last_reply_count() -> None:
    text = f"{reply()}\nOn reflection, step 2 was skipped.\n{reply('fail')}"

    assert read_ballot(text, RUBRIC, TEXTS).overall == "fail"


def test_broken_json_whose_meaning_is_plain_is_marked_as_repaired() -> None:
    assert status_of(reply().replace('"overall"', "overall")) is S.REPAIRED


def test_a_quote_may_differ_in_case_blanks_and_quotation_marks_and_leave_words_out() -> None:
    cited = [
        {"step": "S1", "quote": "“OK”:  True"},
        {"step": 0, "quote": "Order A-17 … money back"},
    ]

    assert status_of(with_criterion(evidence=cited)) is S.OK
    turned = [{"step": 0, "quote": "money back ... Order A-17"}]
    assert status_of(with_criterion(evidence=turned)) is S.UNSUPPORTED


def test_thoughts_that_were_not_shown_cannot_be_quoted() -> None:
    cited = [{"step": 1, "quote": "secret thought"}]

    assert status_of(with_criterion(evidence=cited)) is S.UNSUPPORTED
