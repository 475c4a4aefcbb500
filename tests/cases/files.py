"""Adapters from cases about the files of a run: what is kept, named, read back and left out."""

import random
import re
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any

from tests.cases.judging import Case, adapted
from tests.cases.made import run_config
from tests.cases.outcome import Adapter, Outcome
from trajaudit.datamodel.run import TrialRecord
from trajaudit.llm.cache import cache_key, is_worth_keeping
from trajaudit.record.importers.base import Source
from trajaudit.record.importers.json_source import lines
from trajaudit.record.importers.losses import Losses
from trajaudit.record.redaction import Redactor
from trajaudit.record.rundir import RunDir, new_run_id
from trajaudit.record.runs import reopen_infra_failures
from trajaudit.run.sandbox_tools import sandbox_tool
from trajaudit.sandbox.base import ExecResult
from trajaudit.sandbox.container import container_name
from trajaudit.sandbox.output import Clip
from trajaudit.sandbox.scripted import ScriptedSandbox


def resume_plan(case: Case) -> Case:
    """Lay the records down as runs, one a configuration, and ask what the present one lacks."""
    configs = dict.fromkeys([case["config"], *(one["config"] for one in case["records"])])
    with tempfile.TemporaryDirectory() as folder:
        runs = {
            name: RunDir.create(
                Path(folder),
                run_config(tuple(case["samples"]), trials=case["epochs"], run_id=f"run-{number}"),
            )
            for number, name in enumerate(configs)
        }
        for record in case["records"]:
            _lay_down(runs[record["config"]], record)
        run = runs[case["config"]]
        reopen_infra_failures(run)
        missing = run.missing()
    wanted = [(one, epoch) for one in case["samples"] for epoch in range(1, case["epochs"] + 1)]
    return {
        "run": [[*pair] for pair in wanted if pair in missing],
        "keep": [[*pair] for pair in wanted if pair not in missing],
    }


def _lay_down(run: RunDir, record: dict[str, Any]) -> None:
    folder = run.trial_dir(record["sample"], record["epoch"])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "events.jsonl").touch()
    if record["status"] in {"started", "running", "cancelled", "partial"}:
        return
    run.write_trial(
        TrialRecord(
            run_id=run.run_id,
            task_id=record["sample"],
            trial=record["epoch"],
            end_reason="replied" if record["status"] == "done" else "infra_error",
        )
    )


class _Told(Losses):
    """Remembers in which lines something was wrong."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[int] = []

    def malformed(self, field: str, example: object = "", count: int = 1) -> None:
        self.lines.append(int(self.where.rpartition(":")[2]))
        super().malformed(field, example, count)


def read_jsonl(case: Case) -> Case:
    """Read a foreign file line by line."""
    losses = _Told()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.jsonl"
        path.write_bytes(case["text"].encode("utf-8", "surrogatepass"))
        found = [value for _, value in lines(Source(path, path.name), losses)]
    ids = [value["id"] for value in found if isinstance(value, dict) and "id" in value]
    return {"ids": ids, "bad_lines": losses.lines}


def decode_output(case: Case) -> Case:
    """Let a program print the chunks, and read what the tool then says."""
    clip = Clip(100_000)
    for chunk in case["chunks_hex"]:
        clip.add(bytes.fromhex(chunk))
    printed = ExecResult(exit_code=0, stdout=clip.value(), stderr=b"")
    tool = sandbox_tool(ScriptedSandbox({}, lambda _argv, _stdin: printed))
    return {"text": tool("bash", {"command": "print"}).content}


def same_key(case: Case) -> Case:
    """Compare the keys under which the answers to two requests would be kept."""
    keys = []
    for request in (case["a"], case["b"]):
        body = {name: value for name, value in request.items() if name not in {"model", "epoch"}}
        keys.append(cache_key(request["model"], "chat", body, request.get("epoch", 1)))
    return {"same": keys[0] == keys[1]}


def cache_write(case: Case) -> Case:
    """Ask whether the answer to a call is worth keeping."""
    result = case["result"]
    choice = {"message": {"content": result.get("text"), "tool_calls": result.get("tool_calls")}}
    return {"store": is_worth_keeping({"choices": [choice], "error": result.get("error")})}


def container_names(given: Case, expected: Case) -> Outcome:
    """Name the containers of trials as the engine gets them."""
    found = [container_name(one["run"], f"{one['sample']}/{one['epoch']}") for one in given["runs"]]
    distinct = len(set(found)) == len(found)
    fits = all(re.fullmatch(expected["pattern"], f"{name}-{'0' * 6}") for name in found)
    return Outcome(
        "distinct" if distinct else "clash",
        accepted=fits and distinct is expected["distinct"],
        shown={"names": found},
    )


def log_names(case: Case) -> Case:
    """Start runs at given times, with the worst of luck: the same random numbers each time."""
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for start in case["starts"]:
            now = datetime.fromisoformat(start["time"])
            name = new_run_id(now, random.Random(1), Path(folder))
            names.append(RunDir.create(Path(folder), run_config((), run_id=name)).run_id)
    return {"distinct": len(set(names)) == len(names)}


def redact(given: Case, expected: Case) -> Outcome:
    """Write a text as a journal would, where the environment holds secrets."""
    text = Redactor.of_environment(given["secret_env"]).text(given["text"])
    kept = [one for one in expected.get("must_not_contain", []) if one in text]
    lost = [one for one in expected.get("must_contain", []) if one not in text]
    fits = text == expected.get("text", text)
    return Outcome("redacted", accepted=fits and not kept and not lost, shown={"text": text})


ADAPTERS: dict[str, Adapter] = {
    "resume_plan": adapted(resume_plan),
    "read_jsonl": adapted(read_jsonl),
    "decode_output": adapted(decode_output),
    "cache_key": adapted(same_key),
    "cache_write": adapted(cache_write),
    "container_names": container_names,
    "log_names": adapted(log_names),
    "redact": redact,
}
