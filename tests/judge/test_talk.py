"""One re-ask and no more; what a provider holds back is refused, and not asked for again."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from trajaudit.datamodel.judging import ReplyStatus as R
from trajaudit.errors import ProviderError
from trajaudit.judge.talk import MOST_CHARS, Talk, asked, is_held_back, plain_text
from trajaudit.llm.base import ModelRequest, ModelResponse, ProviderReply
from trajaudit.llm.scripted import Reply, ScriptedModel
from trajaudit.llm.shape import CONTEXT_OVERFLOW

MESSAGES = ({"role": "user", "content": "judge this"},)


@dataclass(frozen=True)
class Read:
    status: R
    note: str = ""


class Answering(ScriptedModel):
    """Gives bodies, or raises errors, in turn."""

    def __init__(self, *answers: Any) -> None:
        super().__init__([Reply(text="x")])
        self.answers = list(answers)
        self.requests: list[ModelRequest] = []

    def send(self, request: ModelRequest) -> ModelResponse:
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return ModelResponse(body=answer)


def body(content: Any = "fine", finish: str = "stop", **message: Any) -> dict[str, Any]:
    return {"choices": [{"message": {"content": content, **message}, "finish_reason": finish}]}


def read(text: str, why: str | None) -> Read:
    if why == "content_filter":
        return Read(R.REFUSED)
    return Read(R.OK if text == "fine" else R.UNPARSED, f"got {text!r}")


def talked(model: Answering, failures: list[bool] | None = None, **options: Any) -> Read:
    noted = [] if failures is None else failures
    talk = Talk(model, "m", dict(options), noted.append, timeout_s=7.0)
    return asked(talk, MESSAGES, read, Read)


def roles(requests: Sequence[ModelRequest]) -> list[list[str]]:
    return [[one["role"] for one in request.body["messages"]] for request in requests]


def test_what_is_of_use_is_asked_for_once() -> None:
    model = Answering(body())

    assert talked(model).status is R.OK
    assert (model.requests[0].timeout_s, model.requests[0].stream) == (7.0, False)


def test_what_is_of_no_use_is_asked_for_once_more_with_its_fault() -> None:
    model = Answering(body("hm"), body())

    assert talked(model).status is R.OK
    assert roles(model.requests) == [["user"], ["user", "assistant", "user"]]
    assert "got 'hm'" in model.requests[1].body["messages"][-1]["content"]


def test_there_is_no_third_time() -> None:
    model = Answering(body("hm"), body("hm"), body())

    assert (talked(model).status, len(model.requests)) == (R.UNPARSED, 2)


def test_an_empty_reply_is_not_put_into_the_judges_mouth() -> None:
    model = Answering(body(""), body())
    talked(model)

    assert roles(model.requests)[1] == ["user", "user"]


def test_a_refusal_in_a_field_of_its_own_is_one_whatever_its_words() -> None:
    assert talked(Answering(body(None, refusal="Rather not."))).status is R.REFUSED


def test_a_refusal_beside_a_verdict_is_a_refusal() -> None:
    assert talked(Answering(body("fine", refusal="Rather not."))).status is R.REFUSED


def test_a_reply_without_end_is_kept_in_part_and_not_sent_back_whole() -> None:
    model = Answering(body("fine" + "x" * 5_000_000), body("y" * 5_000_000))
    failures: list[bool] = []
    talk = Talk(model, "m", {}, failures.append)
    seen: list[str | None] = []

    def noted(text: str, why: str | None) -> Read:
        seen.append(why)
        return read(text, why)

    assert not asked(talk, MESSAGES, noted, Read).status.counts
    assert seen == ["length", "length"]
    assert max(len(one) for one in talk.raw) < MOST_CHARS + 100
    assert "characters cut" in talk.raw[0]
    assert len(model.requests[1].body["messages"][1]["content"]) < MOST_CHARS + 100


def test_thoughts_among_the_parts_are_no_text() -> None:
    thought = {"type": "reasoning", "text": "fine"}

    assert plain_text([thought]) == ""
    assert plain_text([thought, {"type": "output_text", "text": "hm"}]) == "hm"


def test_a_text_in_parts_is_put_together() -> None:
    assert talked(Answering(body([{"type": "text", "text": "fi"}, {"text": "ne"}]))).status is R.OK
    assert plain_text([{"image": 1}, "x", None]) == ""
    assert plain_text(7) == ""


@pytest.mark.parametrize(
    "error",
    [
        {"error": {"code": "content_filter", "message": "held"}},
        {"error": {"code": "400", "message": "litellm.ContentPolicyViolationError: held"}},
        {"error": {"innererror": {"code": "ResponsibleAIPolicyViolation"}}},
        {"error": {"message": "triggering Azure OpenAI's content management policy"}},
    ],
)
def test_a_prompt_that_a_filter_holds_back_is_refused_and_the_provider_lives(error: Any) -> None:
    failures: list[bool] = []
    model = Answering(ProviderReply(400, error))

    # A schema is not to blame: it is not asked again without one.
    found = talked(model, failures, response_format={"type": "json_schema"})

    assert (found.status, len(model.requests), failures) == (R.REFUSED, 1, [])


def test_another_error_of_the_request_is_no_reply() -> None:
    error = ProviderReply(400, {"error": {"message": "max_tokens is too large"}})

    assert talked(Answering(error)).status is R.PROVIDER_FAILED
    assert not is_held_back(error)


LONG = ProviderReply(
    400, {"error": {"message": "exceeds the available context size"}}, CONTEXT_OVERFLOW
)


def test_a_prompt_that_does_not_fit_is_too_long_and_the_provider_lives() -> None:
    failures: list[bool] = []
    model = Answering(LONG)

    # A schema is not to blame: it is not asked again without one.
    found = talked(model, failures, response_format={"type": "json_schema"})

    assert (found.status, len(model.requests), failures) == (R.TOO_LONG, 1, [])
    assert "context size" in found.note


def test_where_only_the_re_ask_does_not_fit_the_first_reply_stands() -> None:
    found = talked(Answering(body("hm"), LONG))

    assert found == Read(R.UNPARSED, "got 'hm'")


def test_a_provider_that_knows_no_schemas_is_asked_without_one_from_then_on() -> None:
    unknown = ProviderReply(400, {"error": {"message": "response_format is not supported"}})
    model = Answering(unknown, body("hm"), body())

    assert talked(model, response_format={"type": "json_schema"}).status is R.OK
    assert ["response_format" in one.body for one in model.requests] == [True, False, False]


def test_a_provider_that_fails_is_noted_also_where_it_fails_on_the_re_ask() -> None:
    failures: list[bool] = []

    found = talked(Answering(body("hm"), ProviderError("down")), failures)

    assert (found, failures) == (Read(R.PROVIDER_FAILED, "down"), [False, True])
