"""A whole journal written at once is one that grew."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.record.foreign import foreign
from trajaudit.datamodel.event import EventBase, MessageEvent, Note, ObservationEvent, ToolCallEvent
from trajaudit.record.bulk_journal import write_journal
from trajaudit.record.importers.builder import TrialBuilder
from trajaudit.record.importers.losses import Losses
from trajaudit.record.journal import Journal, read_events, verify
from trajaudit.record.redaction import Redactor


def test_it_has_the_bytes_of_a_journal_that_grew(tmp_path: Path) -> None:
    events = foreign().events
    whole, grown = tmp_path / "whole", tmp_path / "grown"
    whole.mkdir()
    grown.mkdir()

    written = write_journal(whole, events, Redactor(()))
    with Journal(grown / "events.jsonl", clock=lambda: 0.0) as journal:
        for event in events:
            journal.append(event)

    assert (whole / "events.jsonl").read_bytes() == (grown / "events.jsonl").read_bytes()
    assert (written.events, written.head) == (journal.count, journal.head)


@given(st.lists(st.text(st.characters(), max_size=20), max_size=5), st.floats(0, 1e9))
def test_every_text_comes_back_in_a_whole_chain(texts: list[str], t: float) -> None:
    import tempfile

    events: list[EventBase] = [Note(content=text, t=t) for text in texts]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        written = write_journal(folder, events, Redactor(()))

        path = folder / "events.jsonl"
        assert verify(path, written.head, written.events) == []
        read = list(read_events(path))
        assert [event.seq for event in read] == list(range(1, len(texts) + 1))
        for event, text in zip(read, texts, strict=True):
            assert isinstance(event, Note)
            assert event.escaped or event.content == text
            assert event.t == round(t, 6)


def test_a_long_text_lies_beside_the_journal_and_is_read_back(tmp_path: Path) -> None:
    long = "x" * 200_000
    builder = TrialBuilder(Losses())
    builder.assistant(long, calls=[builder.request("look", f'"{long}"', "c1")])
    builder.answer("c1", long)

    write_journal(tmp_path, builder.events, Redactor(()))

    assert (tmp_path / "events.jsonl").stat().st_size < 20_000
    message, call, reply = read_events(tmp_path / "events.jsonl")
    assert isinstance(message, MessageEvent)
    assert message.content == long
    assert isinstance(call, ToolCallEvent)
    assert call.arguments == long
    assert isinstance(reply, ObservationEvent)
    assert reply.content == long


def test_secrets_of_the_environment_reach_no_file(tmp_path: Path) -> None:
    write_journal(tmp_path, [Note(content="key s3cr3t-value!")], Redactor(("s3cr3t-value!",)))

    assert b"s3cr3t" not in (tmp_path / "events.jsonl").read_bytes()
