"""Writes logs of many kinds with Inspect itself; run by a Python that has `inspect-ai`.

`python -m tests.record.importers.inspect_writer FOLDER` writes one log a kind of task. What a
version does not have is left out.
"""

import asyncio
import inspect
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import inspect_ai.model as models
from inspect_ai import Task, eval  # noqa: A004 (its name there)
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageUser
from inspect_ai.scorer import Score, accuracy, choice, includes, model_graded_qa, scorer
from inspect_ai.solver import (
    basic_agent,
    chain,
    generate,
    multiple_choice,
    solver,
    system_message,
    use_tools,
)
from inspect_ai.tool import ToolError, tool

from tests.record.importers.inspect_scripts import LONG

MODULE = "tests.record.importers.inspect_writer"


def read_ledger() -> Any:
    async def execute(page: int) -> str:
        """Read a page of the ledger.

        Args:
            page: its number.
        """
        if page == 7:
            await asyncio.sleep(float(os.environ.get("LEDGER_SLEEP_S", "0.3")))
        if page == 13:
            raise ToolError("there is no page 13")
        if page == 66:
            raise ValueError("the ledger fell apart")
        return LONG * (page % 100 + 1)

    return execute


def talks() -> Any:
    async def solve(state: Any, generate: Any) -> Any:
        for _ in range(3):
            state = await generate(state)
            state.messages.append(ChatMessageUser(content="Go on."))
        return await generate(state)

    return solve


def parts_scorer() -> Any:
    async def score(state: Any, target: Any) -> Any:
        return Score(value={"form": 1, "content": 0.5}, answer="12", explanation=LONG * 4)

    return score


def breaks() -> Any:
    async def score(state: Any, target: Any) -> Any:
        raise RuntimeError("no such file")

    return score


def unsure() -> Any:
    async def score(state: Any, target: Any) -> Any:
        return Score(value="N" if state.sample_id == "plain" else float("nan"))

    return score


LEDGER = tool(read_ledger)
TALKS = solver(talks)
PARTS = scorer(metrics={"form": [accuracy()], "content": [accuracy()]})(parts_scorer)
BREAKS = scorer(metrics=[accuracy()])(breaks)
UNSURE = scorer(metrics=[accuracy()])(unsure)


def samples(*names: str) -> list[Any]:
    return [
        Sample(id=name, input=f"[{name}] What is the total?", target="12", metadata={"kind": name})
        for name in names
    ]


Job = tuple[str, Task, dict[str, Any]]
"""Name of the log, its task, how it is evaluated."""
LOOPED = ["plain", "tools", "failing", "same_ids", "model_breaks", "tool_breaks", "cut", "parts"]


def asked(solve: Any, *names: str, scored: Any = None) -> Task:
    return Task(dataset=samples(*names), solver=solve, scorer=scored or includes())


def _tasks() -> Iterator[Job]:
    loop = chain(system_message(LONG * 6), use_tools(LEDGER()), generate())
    scorers = [includes(), model_graded_qa(model="scripted/judge"), PARTS()]
    every = [*LOOPED, "unicode", "reasons"]
    yield "loop", asked(loop, *every, scored=scorers), {"epochs": 2, "log_model_api": True}
    yield "json", asked(loop, *every), {"log_format": "json"}
    yield "talk", asked(TALKS(), "repeats", "ends_early"), {}
    yield "unsure", asked(loop, "plain", "tools", scored=UNSURE()), {}
    yield "scorer_breaks", asked(loop, "plain", "tools", scored=BREAKS()), {}
    options = ["red", "blue", "green"]
    picked = Sample(id="choices", input="[choices] Which?", choices=options, target="B")
    yield "choice", Task(dataset=[picked], solver=multiple_choice(), scorer=choice()), {}
    yield "message_limit", asked(loop, "endless"), {"message_limit": 9}
    yield "token_limit", asked(loop, "endless"), {"token_limit": 500}
    yield "time_limit", asked(loop, "sleeps"), {"time_limit": 2}
    basic = basic_agent(tools=[LEDGER()], message_limit=12)
    yield "basic_agent", asked(basic, "submits", "submits_late"), {}
    yield from _agents()


def _agents() -> Iterator[Job]:
    """What only versions with agents have."""
    try:
        from inspect_ai.agent import agent, as_tool, handoff, react
    except ImportError:
        return
    clerk = agent(_clerk, name="clerk", description="A clerk.")
    yield "react", asked(react(tools=[LEDGER()]), "submits", "submits_late"), {}
    yield "handoff", asked(react(tools=[LEDGER(), handoff(clerk())]), "hands_over"), {}
    yield "as_tool", asked(chain(use_tools(as_tool(clerk())), generate()), "asks_agent"), {}
    try:
        from inspect_ai.model import CompactionTrim

        small = react(tools=[LEDGER()], compaction=CompactionTrim(threshold=2000, preserve=0.3))
    except (ImportError, TypeError):
        return
    yield "compaction", asked(small, "compacts"), {}


def _clerk() -> Any:
    async def execute(state: Any) -> Any:
        """Look after the ledger."""
        state.output = await models.get_model("scripted/agent").generate(state.messages)
        state.messages.append(state.output.message)
        return state

    return execute


def _evaluated(name: str, task: Task, more: dict[str, Any], folder: Path) -> Path:
    """Evaluate one task; return its log, under a name of ours."""
    place = folder / f"of-{name}"
    _eval(task, str(place), {"fail_on_error": False, **more})
    (log,) = [path for path in place.iterdir() if path.suffix in {".eval", ".json"}]
    return _named(log, folder / name)


def _eval(task: Any, folder: str, more: dict[str, Any]) -> None:
    known = inspect.signature(eval).parameters
    given = {"display": "none", "log_format": "eval", **more}
    given = {key: value for key, value in given.items() if key in known}
    eval(task, model="scripted/agent", log_dir=folder, **given)


def _named(path: Path, name: Path) -> Path:
    there = name.with_name(name.name + path.suffix)
    path.rename(there)
    path.parent.rmdir()
    return there


def _stopped(name: str, sign: signal.Signals, folder: Path) -> None:
    """Stop an evaluation while its last sample hangs."""
    place = folder / f"of-{name}"
    command = [sys.executable, "-m", MODULE, "hang", str(place)]
    with subprocess.Popen(command, env={**os.environ, "LEDGER_SLEEP_S": "600"}) as child:
        try:
            for _ in range(900):
                time.sleep(0.1)
                if any(_whole_samples(path) >= 2 for path in place.glob("*.eval")):
                    break
            time.sleep(0.5)
            child.send_signal(sign)
            child.wait(timeout=60)
        except subprocess.TimeoutExpired:
            sys.stderr.write(f"{name}: did not stop\n")
        finally:
            child.kill()
    (log,) = place.glob("*.eval")
    _named(log, folder / name)


def _whole_samples(path: Path) -> int:
    try:
        with zipfile.ZipFile(path) as archive:
            return sum(name.startswith("samples/") for name in archive.namelist())
    except (zipfile.BadZipFile, OSError):
        return 0


def hang(folder: str) -> None:
    loop = chain(use_tools(LEDGER()), generate())
    task = Task(dataset=samples("plain", "tools", "hangs"), solver=loop, scorer=includes())
    _eval(task, folder, {"log_buffer": 1, "max_samples": 1})


def _edited(path: Path, folder: Path) -> None:
    """A score that a person changed, where the version can."""
    try:
        from inspect_ai.log import ProvenanceData, edit_score, read_eval_log, write_eval_log
        from inspect_ai.scorer import ScoreEdit
    except ImportError:
        return
    log = read_eval_log(str(path))
    by = ProvenanceData(author="a person", reason="read it")
    edit_score(log, "repeats", "includes", ScoreEdit(value="I", provenance=by))
    write_eval_log(log, str(folder / "edited.eval"))


def _chunked(path: Path, folder: Path) -> None:
    """The layout of large samples, where the version can write it."""
    try:
        from inspect_ai.log._recorders.chunked import convert_eval_logs_to_chunked
    except ImportError:
        return
    place = folder / "of-chunked"
    convert_eval_logs_to_chunked(str(path), str(place), chunk_size=3, attachments_chunk_bytes=3000)
    _named(place / path.name, folder / "chunked")


def _made(folder: Path) -> Iterator[Path]:
    for name, task, more in _tasks():
        try:
            yield _evaluated(name, task, more, folder)
        except ValueError as error:
            # Old versions cannot write what they hold, for example a score that is no number.
            sys.stderr.write(f"{name}: {error}\n")
            shutil.rmtree(folder / f"of-{name}")


def write(folder: Path) -> None:
    """Write all logs."""
    by_name = {path.stem: path for path in _made(folder)}
    _edited(by_name["talk"], folder)
    _chunked(by_name["loop"], folder)
    _stopped("killed", signal.SIGKILL, folder)
    _stopped("cancelled", signal.SIGINT, folder)


if __name__ == "__main__":
    if sys.argv[1] == "hang":
        hang(sys.argv[2])
    else:
        write(Path(sys.argv[1]))
