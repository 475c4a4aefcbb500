"""A real LiteLLM proxy on a loopback port, in an environment of its own that is made once.

`python -m tests.judge.litellm_proxy` makes the environment. Versions 1.82.7, 1.82.8 and 1.107.0
were malicious; the one that is pinned is none of them.
"""

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

VERSION = "1.106.12"
KEY = f"sk-{secrets.token_hex(16)}"
START_S = 120.0
INSTALL_S = 450.0
HANDLER = Path(__file__).with_name("litellm_replies.py")


class NoProxyError(Exception):
    """The proxy is not to be had on this machine; the text says why."""


def environment() -> Path:
    """Return the folder of an environment with the proxy, made where there is none yet.

    Raises:
        NoProxyError: it cannot be installed.
    """
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    home = cache / "trajaudit" / f"litellm-{VERSION}"
    if not (home / "ready").exists():
        shutil.rmtree(home, ignore_errors=True)
        wanted = f"litellm[proxy]=={VERSION}"
        python = str(home / "bin" / "python")
        try:
            _done([sys.executable, "-m", "venv", str(home)])
            _done([python, "-m", "pip", "install", "--quiet", wanted])
        except (OSError, subprocess.SubprocessError) as error:
            detail = getattr(error, "stderr", "") or str(error)
            raise NoProxyError(f"{wanted} cannot be installed: {detail[-300:]}") from error
        (home / "ready").touch()
    return home


def _done(command: list[str]) -> None:
    subprocess.run(command, check=True, capture_output=True, text=True, timeout=INSTALL_S)


def config(models: Sequence[str]) -> dict[str, Any]:
    """Return the proxy's configuration; each model has two deployments, which LiteLLM cools down.

    JSON is YAML. A deployment that answers 429 is left alone for a second; with both left alone
    the router itself answers 429 with a `Retry-After`.
    """
    deployments = [
        {
            "model_name": model,
            "litellm_params": {"model": f"replies/{model}", "cooldown_time": 1},
            "model_info": {"id": f"{model}-{number}"},
        }
        for model in models
        for number in (1, 2)
    ]
    provider = {"provider": "replies", "custom_handler": "litellm_replies.handler"}
    return {
        "model_list": deployments,
        "litellm_settings": {
            "custom_provider_map": [provider],
            "num_retries": 0,
            "telemetry": False,
        },
        "router_settings": {"num_retries": 0, "allowed_fails": 0, "cooldown_time": 1},
        "general_settings": {"master_key": KEY},
    }


@contextmanager
def proxy(folder: Path, replies: Mapping[str, Sequence[Mapping[str, Any]]]) -> Iterator[str]:
    """Run the proxy with models that give these replies; yields its base URL.

    Raises:
        NoProxyError: it cannot be installed, or does not start.
    """
    home = environment()
    shutil.copy(HANDLER, folder / HANDLER.name)
    (folder / "replies.json").write_text(json.dumps(replies))
    (folder / "config.yaml").write_text(json.dumps(config(list(replies))))
    port = _free_port()
    command = [str(home / "bin" / "litellm"), "--config", "config.yaml"]
    command += ["--host", "127.0.0.1", "--port", str(port)]
    # Its list of prices is read from the package, and it reports to nobody.
    quiet = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_TELEMETRY": "False"}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **quiet},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            _wait(process, port, folder / "log")
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        try:
            if httpx.get(f"http://127.0.0.1:{port}/health/liveliness", timeout=2).is_success:
                return
        except httpx.HTTPError:
            time.sleep(0.2)
    tail = log.read_bytes()[-600:].decode(errors="replace")
    raise NoProxyError(f"the LiteLLM proxy did not start; its log ends with: {tail}")


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


if __name__ == "__main__":
    print(environment())  # noqa: T201 (a command)
