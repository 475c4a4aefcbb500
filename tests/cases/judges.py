"""Adapters of the operations about judges."""

from tests.cases.judging import Case
from tests.cases.outcome import Adapter, Outcome
from trajaudit.datamodel.judging import ReplyStatus
from trajaudit.judge.parse import parse
from trajaudit.judge.protocol import Protocol

_NAMES: dict[ReplyStatus, tuple[str, ...]] = {
    ReplyStatus.OK: ("ok",),
    ReplyStatus.REPAIRED: ("ok", "repaired"),
    ReplyStatus.UNPARSED: ("unparseable",),
    ReplyStatus.OUT_OF_SCALE: ("out_of_range",),
    # Case files tell less apart than the product does.
    ReplyStatus.REFUSED: ("refused", "refusal", "unparseable"),
}


def judge_parse(given: Case, expected: Case) -> Outcome:
    """Read one reply under the protocol of the case."""
    asked = given["protocol"]
    protocol = Protocol(
        kind=asked["kind"],
        labels=tuple(asked.get("labels", ())),
        marker=asked.get("marker", ""),
        low=asked.get("min", 0.0),
        high=asked.get("max", 1.0),
        threshold=asked.get("threshold", 0.5),
    )
    parsed = parse(given["reply"], protocol, given.get("finish_reason"))
    names = _NAMES.get(parsed.status, (str(parsed.status),))
    fits = bool(set(names) & set(expected["accept"]))
    right = not parsed.counts or parsed.value == expected["value"]
    return Outcome(
        names[0],
        accepted=fits and right,
        credited=parsed.counts,
        credit_allowed=fits and right,
        shown={"value": parsed.value, "note": parsed.note},
    )


ADAPTERS: dict[str, Adapter] = {"judge_parse": judge_parse}
