"""Whose time was it that ran out: the agent's, or that of a model that owed an answer?"""

from pathlib import Path
from typing import Any, NoReturn

import pytest

from tests.gateway.parts import SYSTEM, TASK, says, trial
from trajaudit.datamodel.event import EndReason
from trajaudit.datamodel.scenario import Limits
from trajaudit.gateway.base import SessionEnd, SessionEnded
from trajaudit.llm.base import ModelRequest

ASK: dict[str, Any] = {"messages": [SYSTEM, TASK]}


@pytest.mark.parametrize(
    ("answered", "since", "reason"),
    [
        (0, 0.0, "infra_error"),
        (0, 9.9, "infra_error"),
        (1, 4.9, "infra_error"),
        (1, 6.1, "time_limit"),
    ],
)
def test_a_model_that_lets_most_of_the_time_pass_is_not_the_agents_failure(
    tmp_path: Path, answered: int, since: float, reason: EndReason
) -> None:
    now = [0.0]
    answers = [says("Wait.")] * answered
    with trial(tmp_path, *answers, limits=Limits(time_s=10), clock=lambda: now[0]) as one:
        for _ in answers:
            one.session.model_call("chat", ASK)

        def hang(_: ModelRequest) -> NoReturn:
            now[0] = 11
            raise SessionEnded(one.session.wait_end(None) or SessionEnd(reason="replied"))

        one.model.send = hang  # type: ignore[assignment]  # (a model that never answers)
        now[0] = since
        with pytest.raises(SessionEnded) as ended:
            one.session.model_call("chat", ASK)

    assert ended.value.end.reason == reason
    assert ended.value.end.detail.startswith("provider_failed: ") == (reason == "infra_error")
