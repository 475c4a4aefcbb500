"""One event is one line, whatever it holds."""

from pathlib import Path

from trajaudit.datamodel.event import ToolCallEvent
from trajaudit.record.journal import Journal, read_events, verify


def test_an_integer_that_no_float_can_hold_is_no_fault_of_a_journal(tmp_path: Path) -> None:
    call = ToolCallEvent(
        call_id="c1", tool="t", arguments_text="", arguments={"n": 10**400}, via="agent"
    )
    with Journal(tmp_path / "events.jsonl") as journal:
        journal.append(call)

    (event,) = read_events(tmp_path / "events.jsonl")

    assert verify(tmp_path / "events.jsonl", journal.head, 1) == []
    assert isinstance(event, ToolCallEvent)
    assert event.arguments == {"n": 10**400}
