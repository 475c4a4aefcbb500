"""Any program as an agent: its environment, its arguments, its output, its end."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import entry
import pytest

from tests.agent_base.gateway_double import TRIAL, GatewayDouble, calls, says, serve
from tests.agent_base.programs import entry_argv, entry_environment, run_entry

COMMAND: dict[str, Any] = {"agent": {"kind": "command", "reply": "stdout"}}
ASKS_WITH_OPENAI = """
import asyncio, os, openai
from mcp import Client

async def main():
    async with Client(os.environ["TRAJAUDIT_MCP_URL"]) as client:
        result = await client.call_tool("price", {"item": "lamp"})
    answer = openai.OpenAI().chat.completions.create(
        model=os.environ["OPENAI_MODEL"],
        messages=[{"role": "user", "content": os.environ["TRAJAUDIT_PROMPT"]}],
    )
    print(answer.choices[0].message.content, result.content[0].text)

asyncio.run(main())
"""
OWN_GRAPH = """
import os, openai
from langgraph.graph import StateGraph, MessagesState, START

def build(tools):
    def node(state):
        client = openai.OpenAI(max_retries=0)
        client.chat.completions.create(
            model="m", messages=[{"role": "user", "content": state["messages"][-1].content}]
        )
        price = {tool.name: tool for tool in tools}["price"].invoke({"item": "lamp"})
        return {"messages": [("assistant", f"It costs {price}.")]}

    graph = StateGraph(MessagesState)
    graph.add_node("node", node)
    graph.add_edge(START, "node")
    return graph.compile()
"""


def _double(trial: dict[str, Any] | None = None, answers: list[Any] | None = None) -> GatewayDouble:
    return GatewayDouble(answers or [], [], COMMAND if trial is None else trial)


def _run_python(
    double: GatewayDouble, tmp_path: Path, code: str, *arguments: str
) -> "subprocess.CompletedProcess[str]":
    socket = tmp_path / "gateway.sock"
    with serve(double, socket):
        return run_entry(socket, "command", "--", sys.executable, "-c", code, *arguments)


def test_an_unmodified_program_reaches_model_and_tools_and_its_output_is_submitted(
    tmp_path: Path,
) -> None:
    double = _double(answers=[says("It costs")])

    done = _run_python(double, tmp_path, ASKS_WITH_OPENAI)

    assert (done.returncode, done.stdout) == (0, "It costs 24.5\n")
    assert double.submitted == ["It costs 24.5"]
    assert double.tool_calls == [("lamp", 1)]
    assert double.requests[0]["messages"][0]["content"] == "What does a lamp cost?"


def test_fills_in_the_arguments_but_never_marks_that_a_prompt_brings_along(tmp_path: Path) -> None:
    double = _double({**COMMAND, "prompt": "say {model} and $HOME"})

    code = "import json, sys; print(json.dumps(sys.argv[1:]))"
    done = _run_python(double, tmp_path, code, "--ask={prompt}", "{model}", "{mcp_url}", "{other}")

    ask, model, mcp_url, other = json.loads(done.stdout)
    assert (ask, model, other) == ("--ask=say {model} and $HOME", "m", "{other}")
    assert mcp_url.startswith("http://127.0.0.1:")
    assert mcp_url.endswith("/mcp")


@pytest.mark.parametrize("reply", ["submit", "last_message"])
def test_submits_nothing_where_the_reply_is_found_elsewhere(tmp_path: Path, reply: str) -> None:
    double = _double({"agent": {"kind": "command", "reply": reply}})

    done = _run_python(double, tmp_path, "print('noise')")

    assert (done.returncode, done.stdout, double.submitted) == (0, "noise\n", [])


@pytest.mark.parametrize(
    ("code", "exit_code"),
    [
        ("print('half'); raise SystemExit(7)", 7),
        ("import os; os.kill(os.getpid(), 9)", 137),
    ],
)
def test_passes_on_how_the_program_ended_and_submits_nothing(
    tmp_path: Path, code: str, exit_code: int
) -> None:
    double = _double()

    assert exit_code == _run_python(double, tmp_path, code).returncode
    assert double.submitted == []


def test_passes_signals_on(tmp_path: Path) -> None:
    code = (
        "import signal, sys, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(3))\n"
        "print('ready', flush=True)\n"
        "time.sleep(60)"
    )
    socket = tmp_path / "gateway.sock"
    with serve(_double(), socket):
        process = subprocess.Popen(
            entry_argv("command", "--", sys.executable, "-c", code),
            env=entry_environment(socket),
            stdout=subprocess.PIPE,
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 3
        process.stdout.close()


def test_a_prompt_that_fits_in_no_variable_is_left_to_be_fetched(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for prompt in ("x" * 200_000, "a\0b", "\ud800"):
        found = entry.environment({**TRIAL, "prompt": prompt}, "http://127.0.0.1:1")

        assert "TRAJAUDIT_PROMPT" not in found
        assert found["OPENAI_BASE_URL"] == "http://127.0.0.1:1/v1"
        assert "TRAJAUDIT_PROMPT does not fit" in capsys.readouterr().err


def test_says_what_is_wrong_without_a_gateway_program_or_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRAJAUDIT_PATIENCE_S", "0.2")
    nobody = run_entry(tmp_path / "none.sock", "langgraph")
    assert (nobody.returncode, "no socket at" in nobody.stderr) == (1, True)

    assert run_entry(tmp_path / "none.sock", "command").returncode == 2

    socket = tmp_path / "gateway.sock"
    with serve(_double(), socket):
        missing = run_entry(socket, "command", "--", "no-such-program")
    assert (missing.returncode, "no-such-program" in missing.stderr) == (1, True)


def test_runs_a_graph_of_the_user_with_the_tools(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(OWN_GRAPH)
    double = GatewayDouble([says("thinking"), says("thinking")], ["Sure?"], {})
    socket = tmp_path / "gateway.sock"
    with serve(double, socket):
        done = run_entry(socket, "langgraph", "--graph", "mine:build", cwd=tmp_path)

    assert (done.returncode, done.stderr) == (0, "")
    assert double.replies == [{"content": "It costs 24.5."}] * 2
    assert double.requests[1]["messages"][0]["content"] == "Sure?"


def test_a_limit_ends_a_graph_of_the_user_quietly_too(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(OWN_GRAPH)
    double = GatewayDouble([], [], {})
    socket = tmp_path / "gateway.sock"
    with serve(double, socket):
        done = run_entry(socket, "langgraph", "--graph", "mine:build", cwd=tmp_path)

    assert (done.returncode, double.replies) == (0, []), done.stderr


def test_a_place_without_a_graph_is_told(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("nothing = 1")
    socket = tmp_path / "gateway.sock"
    with serve(GatewayDouble([calls()], [], {}), socket):
        done = run_entry(socket, "langgraph", "--graph", "mine:nothing", cwd=tmp_path)

    assert done.returncode == 1
    assert done.stderr == "agent: mine:nothing is no compiled graph and returns none; got int\n"


def test_starts_a_program_without_heavy_imports() -> None:
    heavy = ("openai", "mcp", "langgraph", "asyncio")
    code = f"import sys, entry; print([name for name in {heavy} if name in sys.modules])"
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(entry.__file__).parent,
    )

    assert done.stdout == "[]\n"
    assert time.monotonic() - began < 5
