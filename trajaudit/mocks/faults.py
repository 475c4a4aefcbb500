"""Which declared failure hits a call, and what the agent sees of it.

A pure function of the trial's seed, the tool and the number of the call: the same trial always
meets the same failures. `error`, `timeout`, `network` and `rate_limit` stand in front of the tool:
nothing is done behind them, unless the fault says `effect: done` (the request got through, its
answer did not come back). `latency`, `malformed`, `empty` and `partial` come after the tool has
done its work and spoil only the answer.
"""

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from pydantic import JsonValue

from trajaudit.datamodel.tool import FaultKind, FaultSpec
from trajaudit.mocks.base import ToolReply
from trajaudit.mocks.match import specificity
from trajaudit.mocks.reply import as_text, failed

TIMEOUT_S = 0.1
LATENCY_S = 0.5

_MESSAGES: dict[FaultKind, str] = {
    "error": "error 500: internal server error",
    "network": "connection reset by peer",
    "rate_limit": "error 429: too many requests; try again in a moment",
}


class FaultPlan:
    """The declared faults of one trial, and how often each has fired."""

    def __init__(self, faults: Sequence[FaultSpec], seed: int) -> None:
        self._faults = tuple(faults)
        self._seed = seed
        self._fired = [0] * len(self._faults)

    def pick(
        self, tool: str, call_number: int, arguments: dict[str, JsonValue]
    ) -> tuple[int, FaultSpec] | None:
        """Return the first declared fault that is due at this call, and count it as fired."""
        for index, fault in enumerate(self._faults):
            if fault.tool == tool and self._due(index, fault, call_number, arguments):
                self._fired[index] += 1
                return index, fault
        return None

    def not_hit(self) -> list[int]:
        """Return the positions of the faults that have not fired so far."""
        return [index for index, fired in enumerate(self._fired) if not fired]

    def _due(
        self, index: int, fault: FaultSpec, call_number: int, arguments: dict[str, JsonValue]
    ) -> bool:
        if self._fired[index] >= _limit(fault):
            return False
        if fault.call is not None and call_number < fault.call:
            return False
        if fault.args is not None and specificity(fault.args, arguments) is None:
            return False
        if fault.rate is None:
            return True
        key = f"{self._seed}/{fault.tool}/{call_number}/{index}"
        return random.Random(key).random() < fault.rate


def _limit(fault: FaultSpec) -> float:
    if fault.times is not None:
        return fault.times
    return float("inf") if fault.call is None and (fault.args or fault.rate) else 1


def inject(
    index: int,
    fault: FaultSpec,
    run: Callable[[], ToolReply],
    sleep: Callable[[float], None],
) -> ToolReply:
    """Return what the agent gets instead of the tool's own reply.

    `run` carries out the tool; it is not called when the fault stands in front of it.
    """
    after = fault.effect == "done" or fault.fail in _SPOIL
    true = run() if after else ToolReply(content="")
    sleep(_wait_s(fault))
    spoil = _SPOIL.get(fault.fail)
    if spoil is None:
        reply = replace(true, content=_message(fault), is_error=True)
    else:
        reply = replace(true, content=spoil(true.content))
    return replace(reply, fault=fault.fail, fault_index=index)


def _wait_s(fault: FaultSpec) -> float:
    if fault.seconds is not None:
        return fault.seconds
    return {"timeout": TIMEOUT_S, "latency": LATENCY_S}.get(fault.fail, 0.0)


def _message(fault: FaultSpec) -> str:
    if fault.message is not None:
        return failed(fault.message).content
    if fault.fail == "timeout":
        after = "" if fault.seconds is None else f" after {fault.seconds:g} s"
        return f"request timed out{after}"
    return _MESSAGES[fault.fail]


def malformed(content: str) -> str:
    """Break a reply so that it is no JSON: its end is cut off and something foreign follows."""
    return content[: max(1, len(content) * 2 // 3)] + '\\u00"}<'


def partial(content: str) -> str:
    """Keep the first half of a reply: of a list's entries, an object's fields, or the text.

    JSON stays JSON; an object with one field keeps it, and its value is halved.
    """
    try:
        value = json.loads(content)
    except ValueError:
        return content[: len(content) // 2]
    return as_text(_half(value))


def _half(value: JsonValue) -> JsonValue:
    if isinstance(value, dict) and len(value) == 1:
        return {key: _half(inner) for key, inner in value.items()}
    if isinstance(value, dict):
        return dict(list(value.items())[: len(value) // 2])
    if isinstance(value, list | str):
        return value[: len(value) // 2]
    return ""


def _empty(content: str) -> str:
    del content
    return ""


def _unspoiled(content: str) -> str:
    return content


_SPOIL: dict[FaultKind, Callable[[str], str]] = {
    "latency": _unspoiled,
    "malformed": malformed,
    "partial": partial,
    "empty": _empty,
}
