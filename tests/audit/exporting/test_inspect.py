"""A run as an Inspect log: read back it is the same run, by our importer and by Inspect itself."""

import json
import subprocess
import zipfile
from pathlib import Path

from tests.conftest import RunText
from tests.inspect_env import require_inspect
from tests.record.importers import inspect_logs as logs
from trajaudit.audit.export import export_run
from trajaudit.audit.imports import import_logs
from trajaudit.audit.intake import ImportOptions
from trajaudit.audit.score import score_run, trajectories
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.record.rundir import RunDir

READ = """
import json, math, sys
from inspect_ai.log import read_eval_log, read_eval_log_sample_summaries
log = read_eval_log(sys.argv[1])
print(json.dumps({
    "status": log.status,
    "rate": log.results.scores[0].metrics["accuracy"].value,
    "summaries": len(read_eval_log_sample_summaries(sys.argv[1])),
    "samples": [[s.id, s.epoch, s.output.completion, str(s.scores["final"].value),
                 [len(e.input) for e in s.events if e.event == "model"],
                 len(s.metadata["trajaudit"]["findings"])] for s in log.samples],
}))
"""
SHOP = """
trajaudit: 1
agent:
  kind: scripted
  tasks:
    total:
      - {say: I look., call: {read_ledger: {page: 1}}}
      - {call: {read_ledger: '{"page": '}}
      - {submit: "12"}
    colour: [{reply: It is blue.}]
    broken: [{crash: "docker: gone"}]
    open: [{reply: Good day!}]
tools:
  - name: read_ledger
    description: Read a page.
    parameters: {type: object, properties: {page: {type: integer}}, required: [page]}
    mock: {static: twelve}
tasks:
  - {id: total, prompt: What is the total?, target: {number: 12, tolerance: 0.5}}
  - {id: colour, prompt: Which colour?, target: {choice: B, of: {A: red, B: blue}}}
  - {id: broken, prompt: What else?, target: nothing}
  - {id: open, prompt: Greet me., target: {rubric: It is a greeting.}}
"""


def _told(trajectory: Trajectory) -> object:
    """What must not change on the way: all but sequence numbers."""
    return (
        trajectory.final_reply,
        trajectory.submitted,
        trajectory.end_reason,
        [
            (
                [message.content for message in step.before],
                step.message.content,
                step.message.reasoning,
                step.finish_reason,
                [(call.call_id, call.tool, call.arguments_text) for call in step.tool_calls],
                [(seen.call_id, seen.content, seen.is_error) for seen in step.observations],
            )
            for step in trajectory.steps
        ],
    )


def _again(run: RunDir, folder: Path) -> RunDir:
    path, _ = export_run(run, "inspect", folder / "run.eval")
    imported = import_logs([path], ImportOptions(runs_dir=folder / "again"))
    assert imported.report.losses == ()
    score_run(imported.run)
    return imported.run


def test_a_run_comes_back_as_it_was(run_text: RunText, tmp_path: Path) -> None:
    run = run_text(SHOP).run

    again = _again(run, tmp_path)

    assert [_told(one) for _, one in trajectories(again)] == [
        _told(one) for _, one in trajectories(run)
    ]
    finals = [(one.strict, one.lenient, one.final, one.status) for one in again.read_outcomes()]
    assert finals == [(o.strict, o.lenient, o.final, o.status) for o in run.read_outcomes()]
    assert [one.raw for one in again.read_outcomes()] == [o.final for o in run.read_outcomes()]


def test_an_imported_log_comes_back_as_it_was(tmp_path: Path) -> None:
    second = logs.sample(id="s2", scores={"match": {"value": "I"}}, limit={"type": "message"})
    log = logs.write(tmp_path / "log.eval", logs.members(logs.sample(), second))
    run = import_logs([log], ImportOptions(runs_dir=tmp_path / "runs")).run
    score_run(run)

    again = _again(run, tmp_path)

    assert [_told(one) for _, one in trajectories(again)] == [
        _told(one) for _, one in trajectories(run)
    ]


def test_a_shortened_history_stays_shortened(tmp_path: Path) -> None:
    summary = {"id": "m5", "role": "user", "content": "So far: page 1 was read."}
    events = [
        logs.model_event([[0, 2]], logs.POOL[2], 1),
        logs.tool_event(span_id="agent"),
        logs.model_event([[0, 1], [4, 5]], logs.POOL[4], 5),
    ]
    pool = {"messages": [*logs.POOL[:4], summary], "calls": []}
    one = logs.sample(events=events, events_data=pool)
    log = logs.write(tmp_path / "log.eval", logs.members(one))
    run = import_logs([log], ImportOptions(runs_dir=tmp_path / "runs")).run
    score_run(run)

    ((_, trajectory),) = trajectories(_again(run, tmp_path))

    (told,) = trajectory.steps[1].before
    assert told.content == "So far: page 1 was read."
    assert told.rewrites == trajectory.steps[0].before[1].seq


def test_the_same_run_gives_the_same_file(run_text: RunText, tmp_path: Path) -> None:
    run = run_text(SHOP).run

    first, _ = export_run(run, "inspect", tmp_path / "a.eval")
    second, _ = export_run(run, "inspect", tmp_path / "b.eval")

    assert first.read_bytes() == second.read_bytes()
    with zipfile.ZipFile(first) as archive:
        assert "NaN" in archive.read("samples/open_epoch_1.json").decode()


def test_inspect_itself_reads_the_log(run_text: RunText, tmp_path: Path) -> None:
    python = require_inspect()
    path, _ = export_run(run_text(SHOP).run, "inspect", tmp_path / "run.eval")

    command = [str(python), "-c", READ, str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
    told = json.loads(done.stdout.splitlines()[-1])

    assert (told["status"], told["summaries"]) == ("success", 4)
    by_id = {one[0]: one[1:] for one in told["samples"]}
    assert by_id["total"][:4] == [1, "12", "C", [1, 3]]
    assert by_id["colour"][:3] == [1, "It is blue.", "C"]
    assert (by_id["broken"][2], by_id["open"][2]) == ("I", "nan")
