"""A journal loses nothing, breaks on nothing, and shows every change."""

import hashlib
import os
import resource
import signal
import subprocess
import sys
import threading
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trajaudit.datamodel.event import (
    End,
    Event,
    MessageEvent,
    Note,
    ObservationEvent,
    RequestedCall,
    ToolCallEvent,
    Warning_,
)
from trajaudit.errors import RunDirError, StorageError
from trajaudit.record.journal import NOTHING, Journal, read_events, verify

WRITER = """
import sys
from pathlib import Path
from trajaudit.datamodel.event import Note
from trajaudit.record.journal import Journal
journal = Journal(Path(sys.argv[1]))
while True:
    print(journal.append(Note(content="x" * 500)), flush=True)
"""


def _written(path: Path, texts: list[str]) -> Journal:
    ticks = count()
    with Journal(path, clock=lambda: next(ticks)) as journal:
        for text in texts:
            journal.append(Note(content=text))
    return journal


def test_events_come_back_as_they_were_with_seq_time_and_chain(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"

    journal = _written(path, ["one", "two"])

    first, second = path.read_bytes().splitlines()
    assert list(read_events(path)) == [
        Note(seq=1, t=1, prev=NOTHING, content="one"),
        Note(seq=2, t=2, prev=hashlib.sha256(first).hexdigest(), content="two"),
    ]
    assert (journal.count, journal.head) == (2, hashlib.sha256(second).hexdigest())
    assert verify(path, journal.head, journal.count) == []


def test_integers_of_any_length_and_null_stay_exact(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    arguments = {"id": 2**53 + 1, "huge": 10**30, "none": None, "float": 0.1}
    call = ToolCallEvent(
        call_id="c", tool="t", arguments_text="{}", arguments=arguments, via="script"
    )

    with Journal(path) as journal:
        journal.append(call)

    (read,) = read_events(path)
    assert isinstance(read, ToolCallEvent)
    assert read.arguments == arguments


def test_text_that_is_no_unicode_is_escaped_and_marked(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    binary = b"\xff\xfe ok".decode(errors="surrogateescape")

    with Journal(path) as journal:
        journal.append(Note(content=binary + "\ud800"))
        journal.append(Note(content="x" * 70_000 + "\ud800"))

    small, large = read_events(path)
    assert isinstance(small, Note)
    assert (small.content, small.escaped) == ("\\xff\\xfe ok\\ud800", True)
    assert isinstance(large, Note)
    assert (large.content, large.escaped) == ("x" * 70_000 + "\\ud800", True)


def test_large_texts_lie_in_artifacts_and_come_back_whole(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    big = "é" * 40_000
    arguments = '{"text": "' + big + '"}'
    events: list[Event] = [
        ObservationEvent(call_id="c", call=1, tool="t", content=big),
        MessageEvent(
            role="assistant",
            content="",
            source="model",
            reasoning=big,
            tool_calls=(RequestedCall(call_id="c", tool="t", arguments_text=arguments),),
        ),
        ToolCallEvent(
            call_id="c",
            tool="t",
            arguments_text=arguments,
            arguments={"text": big},
            via="mcp",
        ),
    ]

    with Journal(path) as journal:
        for event in events:
            journal.append(event)

    observation, message, call = read_events(path)
    assert max(len(line) for line in path.read_bytes().splitlines()) < 10_000
    assert isinstance(observation, ObservationEvent)
    assert observation.content == big
    assert observation.artifact == hashlib.sha256(big.encode()).hexdigest()
    assert isinstance(message, MessageEvent)
    assert (message.reasoning, message.tool_calls[0].arguments_text) == (big, arguments)
    assert isinstance(call, ToolCallEvent)
    assert call.arguments == {"text": big}


def test_a_lost_or_changed_artifact_is_a_warning_and_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    with Journal(path) as journal:
        journal.append(Note(content="y" * 70_000))
    (artifact,) = (tmp_path / "artifacts").iterdir()
    artifact.write_text("something else")

    note, warning = read_events(path)

    assert isinstance(note, Note)
    assert note.content == "y" * 2000
    assert isinstance(warning, Warning_)
    assert warning.code == "missing_artifact"
    (fault,) = verify(path, journal.head, 1)
    assert fault.startswith(f"{path}:1: artifact ")


def test_a_hostile_artifact_name_reads_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    path = tmp_path / "events.jsonl"
    path.write_text('{"seq":1,"kind":"note","content":"head","artifact":"../secret"}\n')

    note, warning = read_events(path)

    assert isinstance(note, Note)
    assert note.content == "head"
    assert isinstance(warning, Warning_)


def test_threads_write_whole_lines_in_one_chain(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    with Journal(path) as journal:
        threads = [
            threading.Thread(
                target=lambda: [journal.append(Note(content="z" * 300)) for _ in range(100)]
            )
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert [event.seq for event in read_events(path)] == list(range(1, 801))
    assert verify(path, journal.head, 800) == []


def test_kill_loses_at_most_the_line_being_written(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    command = [sys.executable, "-c", WRITER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        acknowledged = [int(writer.stdout.readline()) for _ in range(200)][-1]
        writer.send_signal(signal.SIGKILL)
        acknowledged = max([acknowledged, *map(int, writer.stdout.read().split())])

    whole = len(list(read_events(path)))
    assert whole >= acknowledged
    assert all(fault.startswith(f"{path}:{whole + 1}: ") for fault in verify(path))


def test_a_full_disk_leaves_whole_lines_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    journal = Journal(path)
    journal.append(Note(content="fits"))
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 100, hard))
    try:
        with pytest.raises(StorageError, match="cannot be written"):
            journal.append(Note(content="n" * 1000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)
    journal.append(End(reason="infra_error"))
    journal.close()

    assert [event.kind for event in read_events(path)] == ["note", "end"]
    assert verify(path, journal.head, 2) == []


def test_a_journal_is_never_overwritten_and_never_written_after_its_end(tmp_path: Path) -> None:
    journal = _written(tmp_path / "events.jsonl", ["one"])

    journal.close()

    with pytest.raises(RunDirError, match="there already"):
        Journal(tmp_path / "events.jsonl")
    with pytest.raises(StorageError, match="closed"):
        journal.append(Note(content="two"))


def test_a_cut_last_line_is_left_out_and_reported(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    _written(path, ["one", "two"])
    os.truncate(path, path.stat().st_size - 5)
    faults: list[str] = []

    events = list(read_events(path, faults.append))

    assert [event.seq for event in events] == [1]
    assert faults == [f"{path}:2: the last line is cut; expected a line feed"]


def test_a_damaged_line_is_refused_or_reported(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(b'{"seq":1,"kind":"note","content":"a"}\n\xff\n{"kind":"note","wrong":1}\n')
    faults: list[str] = []

    assert len(list(read_events(path, faults.append))) == 1

    assert [fault.split(": ")[0] for fault in faults] == [f"{path}:2", f"{path}:3"]
    with pytest.raises(RunDirError, match=r"events\.jsonl:2: no event"):
        list(read_events(path))
    with pytest.raises(RunDirError, match="cannot be read"):
        list(read_events(tmp_path / "none.jsonl"))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    texts=st.lists(st.text(max_size=40), min_size=1, max_size=8),
    change=st.sampled_from(["flip", "drop", "double", "swap", "cut"]),
    data=st.data(),
)
def test_any_change_of_any_line_is_found(
    tmp_path: Path, texts: list[str], change: str, data: st.DataObject
) -> None:
    path = tmp_path / "events.jsonl"
    path.unlink(missing_ok=True)
    journal = _written(path, texts)
    assert verify(path, journal.head, journal.count) == []
    original = path.read_bytes()
    lines = original.splitlines(keepends=True)
    line = data.draw(st.integers(0, len(lines) - 1))

    changed = _changed(lines, line, change, data)

    path.write_bytes(changed)
    assert (verify(path, journal.head, journal.count) != []) == (changed != original)


def _changed(lines: list[bytes], line: int, change: str, data: st.DataObject) -> bytes:
    if change == "flip":
        at = data.draw(st.integers(0, len(lines[line]) - 1))
        flipped = bytearray(lines[line])
        flipped[at] ^= data.draw(st.integers(1, 255))
        lines[line] = bytes(flipped)
    elif change == "drop":
        del lines[line]
    elif change == "double":
        lines.insert(line, lines[line])
    elif change == "swap":
        other = data.draw(st.integers(0, len(lines) - 1))
        lines[line], lines[other] = lines[other], lines[line]
    else:
        lines[line] = lines[line][: data.draw(st.integers(0, len(lines[line]) - 1))]
    return b"".join(lines)
