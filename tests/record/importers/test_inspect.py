"""Inspect logs: every layout gives the same trial, and what was not the agent's is left out."""

import gc
import json
import weakref
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.record.importers import inspect_logs as logs
from tests.record.importers.fuzzing import as_bytes, assert_survives, fuzzed, mangled, mutated
from trajaudit.datamodel.event import End, Start
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.record.importers import IMPORTERS, inspect
from trajaudit.record.importers.base import ForeignTrial
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.sources import open_source, recognise
from trajaudit.record.trajectory import read_trajectory

LEDGER = "A long reply of the ledger. " * 20


def read_log(path: Path, losses: Losses | None = None) -> list[ForeignTrial]:
    source = open_source(path, path.parent)
    assert recognise(source, IMPORTERS) is inspect.IMPORTER
    return list(inspect.read(source, losses or Losses()))


def imported(folder: Path, losses: Losses | None = None, **more: Any) -> ForeignTrial:
    path = logs.write(folder / "log.eval", logs.members(logs.sample(**more)))
    (trial,) = read_log(path, losses)
    return trial


def trajectory_of(trial: ForeignTrial) -> Trajectory:
    start = Start(run_id="r", task_id="t", trial=1, agent="", model_id="", prompt="")
    events: Any = [
        event.model_copy(update={"seq": seq})
        for seq, event in enumerate([start, *trial.events], start=1)
    ]
    return read_trajectory(events)


def _layouts(folder: Path) -> dict[str, Path]:
    whole = logs.sample()
    old = {key: value for key, value in whole.items() if key != "events_data"}
    old |= {"message_pool": logs.POOL[:4], "call_pool": []}
    inline = json.loads(json.dumps({key: v for key, v in whole.items() if key != "events_data"}))
    for event in inline["events"]:
        for start, end in event.pop("input_refs", []):
            event["input"] = logs.POOL[start:end]
    legacy = {key: value for key, value in inline.items() if key not in ("events", "attachments")}
    legacy |= {"transcript": {"events": inline["events"], "content": inline["attachments"]}}
    version3 = {**logs.HEADER, "version": 3}
    chunks = {"header.json": logs.HEADER, **logs.chunked(whole)}
    crashed = {n: v for n, v in logs.members(whole).items() if n != "header.json"}
    found = {
        "deflate": logs.write(folder / "deflate.eval", logs.members(whole)),
        "zstd": logs.write(folder / "zstd.eval", logs.members(whole), logs.ZSTD),
        "stored": logs.write(folder / "stored.eval", logs.members(whole), zipfile.ZIP_STORED),
        "version 3": logs.write(folder / "3.eval", logs.members(old, header=version3)),
        "inline": logs.write(folder / "inline.eval", logs.members(inline)),
        "chunked": logs.write(folder / "chunked.eval", chunks),
        "chunked zstd": logs.write(folder / "chunked_zstd.eval", chunks, logs.ZSTD),
        "crashed": logs.write(folder / "crashed.eval", crashed),
    }
    for name, one in {"json": whole, "legacy json": legacy}.items():
        found[name] = folder / f"{name}.json"
        found[name].write_text(json.dumps({**logs.HEADER, "samples": [one]}))
    return found


def test_every_layout_tells_the_same_trial(tmp_path: Path) -> None:
    for name, path in _layouts(tmp_path).items():
        (trial,) = read_log(path)
        trajectory = trajectory_of(trial)

        first, last = trajectory.steps
        assert [m.content for m in first.before] == ["Be exact.", "What is the total?"], name
        assert [call.arguments for call in first.tool_calls] == [{"page": 1}], name
        assert [seen.content for seen in first.observations] == [LEDGER], name
        assert last.before == (), name
        assert trajectory.final_reply == "The total is 12.", name
        assert trajectory.end_reason == "replied", name
        assert (trial.origin.raw, trial.origin.raw_detail) == (True, "match=C"), name
        assert trial.task.target is not None, name
        assert [tool.name for tool in trial.tools] == ["read_ledger"], name


def test_model_calls_keep_tokens_time_and_parameters(tmp_path: Path) -> None:
    trajectory = trajectory_of(imported(tmp_path))

    usage = trajectory.steps[0].usage
    assert usage is not None
    assert (usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens) == (15, 5, 3)
    assert trajectory.steps[0].observations[0].duration_s == 0.25


def test_a_run_that_crashed_is_read_and_called_incomplete(tmp_path: Path) -> None:
    content = {n: v for n, v in logs.members().items() if n != "header.json"}
    content["_journal/summaries/1.json"] = [{"id": "s1", "epoch": 1}, {"id": "s2", "epoch": 1}]
    losses = Losses()

    (trial,) = read_log(logs.write(tmp_path / "log.eval", content), losses)

    assert trial.origin.model_id == "mock/m1"
    lost = {(one.kind, one.field) for one in losses.report()}
    assert {("truncated", "log"), ("truncated", "samples")} <= lost


def test_a_broken_sample_is_named_and_the_others_areread_log(tmp_path: Path) -> None:
    content = logs.members(logs.sample(), logs.sample(id="s2"), logs.sample(id="s3"))
    content["samples/s2_epoch_1.json"] = b'{"id": "s2", "events": ['
    losses = Losses()

    trials = read_log(logs.write(tmp_path / "log.eval", content), losses)

    assert [trial.task.id for trial in trials] == ["s1", "s3"]
    (loss,) = [one for one in losses.report() if one.kind == "malformed"]
    assert "s2_epoch_1.json" in loss.example


def test_a_history_that_was_compacted_tells_from_where_it_is_gone(tmp_path: Path) -> None:
    summary = {"id": "m5", "role": "user", "content": "So far: page 1 was read."}
    events = [
        logs.model_event([[0, 2]], logs.POOL[2], 1),
        logs.tool_event(span_id="agent"),
        {"event": "compaction", "type": "summary", "tokens_before": 900, "tokens_after": 90},
        logs.model_event([[0, 1], [4, 5]], logs.POOL[4], 5),
    ]
    pool = {"messages": [*logs.POOL[:4], summary], "calls": []}

    trajectory = trajectory_of(imported(tmp_path, events=events, events_data=pool))

    (told,) = trajectory.steps[1].before
    assert told.content == "So far: page 1 was read."
    assert told.rewrites == trajectory.steps[0].before[1].seq
    assert trajectory.warnings == ("compaction: summary, 900 to 90 tokens",)


def test_what_a_branch_only_repeated_is_told_once(tmp_path: Path) -> None:
    again = logs.model_event([[0, 2]], logs.POOL[2], 6) | {"span_id": "second"}
    other = {"id": "m9", "role": "assistant", "content": "The total is 13."}
    events = [
        *logs.sample()["events"][:6],
        logs.span("agent", "second"),
        again,
        {"event": "branch", "span_id": "second", "from_anchor": "m2"},
        logs.model_event([[0, 4]], other, 8) | {"span_id": "second"},
    ]

    said = [step.message.content for step in trajectory_of(imported(tmp_path, events=events)).steps]

    assert said == ["I look.", "The total is 12.", "The total is 13."]


def test_the_submitted_answer_is_what_the_tool_gave_back(tmp_path: Path) -> None:
    ask = {**logs.call("c9", 0), "function": "submit", "arguments": {"answer": "12"}}
    reply = {"id": "m2", "role": "assistant", "content": "Done.", "tool_calls": [ask]}
    done = logs.tool_event(id="c9", function="submit", result="12", span_id="agent")
    events = [logs.model_event([[0, 2]], reply, 1), done]

    trajectory = trajectory_of(
        imported(tmp_path, events=events, output={"completion": "Done.\n\n12"})
    )

    assert (trajectory.final_reply, trajectory.submitted) == ("12", True)


def test_raw_arguments_come_from_the_providers_reply(tmp_path: Path) -> None:
    raw = {"id": "c1", "function": {"name": "read_ledger", "arguments": '{ "page":1 }'}}
    event = logs.model_event([[0, 2]], logs.POOL[2], 1)
    event["call"] = {"response": {"choices": [{"message": {"tool_calls": [raw]}}]}}
    losses = Losses()

    trajectory = trajectory_of(imported(tmp_path, losses, events=[event]))

    assert trajectory.steps[0].tool_calls[0].arguments_text == '{ "page":1 }'
    assert not [one for one in losses.report() if one.field == "tool_call.arguments_text"]


def test_arguments_that_could_not_be_parsed_keep_their_text(tmp_path: Path) -> None:
    error = 'Error parsing the following tool call arguments:\n\n{"page": \n\nError details: cut'
    bad = {**logs.call("c1", 1), "arguments": {}, "parse_error": error}
    reply = {"id": "m2", "role": "assistant", "content": "", "tool_calls": [bad]}

    event = logs.model_event([[0, 2]], reply, 1)
    call = trajectory_of(imported(tmp_path, events=[event])).steps[0].tool_calls[0]

    assert (call.arguments_text, call.arguments) == ('{"page": ', None)


def test_a_failed_tool_and_a_shortened_output_are_told(tmp_path: Path) -> None:
    error = {"type": "timeout", "message": "took too long"}
    failed = logs.tool_event(error=error, truncated=[9000, 1000], span_id="agent")
    events = [logs.model_event([[0, 2]], logs.POOL[2], 1), failed]

    trajectory = trajectory_of(imported(tmp_path, events=events))

    (seen,) = trajectory.steps[0].observations
    assert (seen.content, seen.is_error) == ("took too long", True)
    assert trajectory.warnings == ("output_cut: read_ledger: 1000 of 9000 bytes were shown",)


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"limit": {"type": "message", "limit": 10}}, "step_limit"),
        ({"limit": {"type": "working", "limit": 10}}, "time_limit"),
        ({"limit": {"type": "token", "limit": 10}}, "token_limit"),
        ({"error": {"message": "docker: cannot start"}}, "infra_error"),
        ({"error": {"message": "agent exited with code 3"}}, "agent_error"),
        ({"error": {"message": "maximum context length is 8192"}}, "context_overflow"),
        ({}, "replied"),
    ],
)
def test_limits_and_errors_end_a_trial(tmp_path: Path, more: dict[str, Any], reason: str) -> None:
    end = imported(tmp_path, **more).events[-1]

    assert isinstance(end, End)
    assert end.reason == reason


def test_a_scorer_that_raised_leaves_the_trial_done_and_ungraded(tmp_path: Path) -> None:
    raised = {"event": "error", "span_id": "judging", "error": {"message": "no such file"}}
    events = [*logs.sample()["events"], raised]

    trial = imported(tmp_path, events=events, error={"message": "no such file"}, scores={})

    assert trajectory_of(trial).end_reason == "replied"
    assert (trial.origin.raw, trial.origin.raw_detail) == (None, "grading failed: no such file")


def test_a_sample_without_target_or_act_is_told_apart(tmp_path: Path) -> None:
    assert imported(tmp_path, target="").task.target is None
    losses = Losses()
    empty = logs.sample(events=[], messages=[], output={})

    assert read_log(logs.write(tmp_path / "log.eval", logs.members(empty)), losses) == []
    assert [one.field for one in losses.report() if one.kind == "malformed"] == ["sample"]


def test_nan_in_a_json_log_isread_log(tmp_path: Path) -> None:
    text = json.dumps({**logs.HEADER, "samples": [logs.sample(total_time=float("nan"))]})
    path = tmp_path / "log.json"
    path.write_text(text)

    assert [trial.task.id for trial in read_log(path)] == ["s1"]


def test_epochs_come_in_their_order(tmp_path: Path) -> None:
    second, first = logs.sample(epoch=2, uuid="u2"), logs.sample(epoch=1)
    path = logs.write(tmp_path / "log.eval", logs.members(second, first))

    assert [trial.origin.source_id for trial in read_log(path)] == ["u1", "u2"]


@fuzzed
@given(st.data())
def test_broken_samples_survive(data: st.DataObject) -> None:
    broken = data.draw(mutated(logs.sample()))
    log = {**logs.HEADER, "samples": [broken, logs.sample(id="whole")]}

    assert_survives(inspect.IMPORTER, {"log.json": as_bytes(log)})


@fuzzed
@given(st.data())
def test_broken_archives_survive(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("log") / "log.eval"
    method = data.draw(st.sampled_from([logs.ZSTD, zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED]))
    content = data.draw(st.sampled_from([logs.members(), logs.chunked(logs.sample())]))
    raw = logs.write(path, content, method).read_bytes()

    assert_survives(inspect.IMPORTER, {"log.eval": data.draw(mangled(raw))})


def test_nothing_of_a_sample_is_kept_when_its_trial_is_let_go(tmp_path: Path) -> None:
    gc.disable()
    try:
        trial = imported(tmp_path)
        alive = weakref.ref(trial.events[0])
        del trial
        assert alive() is None
    finally:
        gc.enable()
