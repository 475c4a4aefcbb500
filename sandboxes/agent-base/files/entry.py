"""What a sandbox starts: the relay, and behind it the built-in agent or any program.

    python entry.py langgraph [--graph module:attribute]
    python entry.py command -- program argument...

A program finds its task and its model in the environment, and `{prompt}`, `{model}`, `{mcp_url}`
and `{base_url}` in its arguments are replaced. It ends with the exit code of the program.
"""

import importlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import relay
from reach import Gateway, GatewayError, TrialOverError

USAGE = "usage: entry.py langgraph [--graph module:attribute] | command -- program argument..."
LONGEST_VARIABLE = 120_000
"""Bytes; Linux refuses to start a program with a longer variable or argument (128 KiB)."""
FORWARDED = ("SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2")


def main(argv: list[str]) -> int:
    """Run what the arguments say; returns the exit code."""
    match argv:
        case ["command", "--", program, *arguments]:
            return _guarded(lambda gateway, trial: _command(gateway, trial, [program, *arguments]))
        case ["langgraph"]:
            # Imported before the trial begins: a sandbox may be started ahead of its trial.
            importlib.import_module("react")
            return _guarded(_react)
        case ["langgraph", "--graph", place]:
            return _guarded(lambda gateway, trial: _own_graph(gateway, trial, place))
        case _:
            print(USAGE, file=sys.stderr)
            return 2


def _guarded(act: Callable[[Gateway, dict[str, Any]], int]) -> int:
    gateway = Gateway(relay.socket_path())
    try:
        relay.wait_for(relay.socket_path())
        trial = gateway.trial()
        port = relay.start(
            relay.socket_path(), int(os.environ.get("TRAJAUDIT_PORT") or relay.DEFAULT_PORT)
        )
        os.environ.update(environment(trial, f"http://127.0.0.1:{port}"))
        code = act(gateway, trial)
    except TrialOverError:
        return 0
    except (GatewayError, OSError, ValueError) as error:
        print(f"agent: {error}", file=sys.stderr)
        return 1
    return code


def environment(trial: dict[str, Any], url: str) -> dict[str, str]:
    """Return the variables in which a program finds its task, its model and its tools."""
    wanted = {
        "OPENAI_BASE_URL": f"{url}/v1",
        "OPENAI_API_KEY": "trajaudit",
        "OPENAI_MODEL": trial["model"],
        "TRAJAUDIT_MODEL": trial["model"],
        "TRAJAUDIT_URL": url,
        "TRAJAUDIT_MCP_URL": f"{url}/mcp",
        "TRAJAUDIT_PROMPT": trial["prompt"],
        "TRAJAUDIT_SYSTEM": trial.get("system") or "",
    }
    fitting = {name: value for name, value in wanted.items() if _fits(value)}
    for name in wanted.keys() - fitting.keys():
        print(f"agent: {name} does not fit into a variable; read GET {url}/trial", file=sys.stderr)
    return fitting


def _fits(value: str) -> bool:
    try:
        return len(os.fsencode(value)) < LONGEST_VARIABLE and "\0" not in value
    except UnicodeEncodeError:
        return False


def _react(gateway: Gateway, trial: dict[str, Any]) -> int:
    importlib.import_module("react").run(gateway, trial)
    return 0


def _own_graph(gateway: Gateway, trial: dict[str, Any], place: str) -> int:
    sys.path.append(str(Path.cwd()))
    importlib.import_module("own_graph").run(gateway, trial, place)
    return 0


def _command(gateway: Gateway, trial: dict[str, Any], argv: list[str]) -> int:
    submits = trial["agent"].get("reply") == "stdout"
    code, output = run_program(_filled(argv, trial), capture=submits)
    if code == 0 and submits:
        gateway.submit(output.decode(errors="backslashreplace").strip())
    return code


def _filled(argv: list[str], trial: dict[str, Any]) -> list[str]:
    values = {
        "{prompt}": trial["prompt"],
        "{model}": trial["model"],
        "{mcp_url}": os.environ["TRAJAUDIT_MCP_URL"],
        "{base_url}": os.environ["OPENAI_BASE_URL"],
    }
    return [_replaced(argument, values) for argument in argv]


def _replaced(argument: str, values: dict[str, str]) -> str:
    """Replace the marks of the argument as it was written, never marks inside a value."""
    for mark, value in values.items():
        before, found, after = argument.partition(mark)
        if found:
            return _replaced(before, values) + value + _replaced(after, values)
    return argument


def run_program(argv: list[str], *, capture: bool) -> tuple[int, bytes]:
    """Run a program to its end, passing signals on; returns its exit code and its output.

    Its output goes to ours as it comes and is returned where `capture` asks for it. A program
    that a signal ended has the exit code 128 + signal, as in a shell.
    """
    stdout = subprocess.PIPE if capture else None
    process = subprocess.Popen(argv, stdout=stdout)  # noqa: S603 (to run it is what we are for)
    for name in FORWARDED:
        signal.signal(getattr(signal, name), lambda number, _: process.send_signal(number))
    received = bytearray()
    if process.stdout is not None:
        while piece := os.read(process.stdout.fileno(), relay.PIECE):
            received += piece
            sys.stdout.buffer.write(piece)
            sys.stdout.buffer.flush()
    code = process.wait()
    return (code if code >= 0 else 128 - code), bytes(received)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
