"""A whole journal written at once is one that grew."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.record.foreign import foreign
from trajaudit.datamodel.event import (
    EventBase,
    MessageEvent,
    ModelCall,
    Note,
    ObservationEvent,
    RequestedCall,
    ToolCallEvent,
    Usage,
)
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


_TIMES = st.sampled_from([0.0, -0.0, 1e-7, 0.1234567, 2.0, 1e16])
_EVENTS = st.one_of(
    st.builds(Note, content=st.text(max_size=5), t=_TIMES),
    st.builds(
        MessageEvent,
        role=st.just("assistant"),
        content=st.text(max_size=5),
        source=st.just("model"),
        tool_calls=st.lists(
            st.builds(
                RequestedCall,
                call_id=st.text(max_size=2),
                tool=st.text(max_size=2),
                arguments_text=st.just("{}"),
            ),
            max_size=2,
        ).map(tuple),
        t=_TIMES,
    ),
    st.builds(
        ModelCall, model_id=st.text(max_size=2), usage=st.none() | st.builds(Usage), t=_TIMES
    ),
)


@given(st.lists(_EVENTS, max_size=6))
def test_what_is_written_faster_is_written_the_same(events: list[EventBase]) -> None:
    import tempfile

    # A value without letters may stand in any line, and each is then written with care.
    fast, careful = Redactor(()), Redactor(("::::::::",))
    written: list[tuple[bytes, str]] = []
    for redactor in (fast, careful):
        with tempfile.TemporaryDirectory() as name:
            made = write_journal(name, events, redactor)
            assert made.is_plain == (redactor is fast)
            written.append((Path(name, "events.jsonl").read_bytes(), made.head))

    assert written[0] == written[1]


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
