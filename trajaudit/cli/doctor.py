"""`trajaudit doctor`: what this machine has, and what is missing."""

import os
import platform
import shutil
from collections.abc import Callable
from pathlib import Path

import typer

from trajaudit.cli.output import emit, out
from trajaudit.errors import TrajauditError

LOW_DISK = 2 * 1024**3


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("doctor")(doctor)


def doctor(as_json: bool = typer.Option(False, "--json", help="Print it as JSON.")) -> None:
    """Say what works here: engine, image, embedded model, disk; and how to get what is missing.

    Example: trajaudit doctor
    """
    checks: dict[str, Callable[[], str]] = {
        "python": platform.python_version,
        "engine": _engine,
        "image agent-base": _image,
        "embedded model": _model,
        "disk": _disk,
        "key": _key,
    }
    found = {name: _look(check) for name, check in checks.items()}
    if as_json:
        emit({name: {"ok": ok, "text": text} for name, (ok, text) in found.items()})
        return
    for name, (ok, text) in found.items():
        first, *rest = text.splitlines() or [""]
        out(f"{'ok ' if ok else '-- '} {name:18} {first}")
        for line in rest:
            out(f"{'':22}{line}")


def _look(check: Callable[[], str]) -> tuple[bool, str]:
    try:
        return True, check()
    except TrajauditError as error:
        return False, str(error)


def _engine() -> str:
    from trajaudit.sandbox.engine import find_engine

    engine = find_engine()
    return f"{engine.version} at {engine.url}"


def _image() -> str:
    from trajaudit.record.project import sandbox_folders
    from trajaudit.sandbox.docker import Api
    from trajaudit.sandbox.engine import find_engine
    from trajaudit.sandbox.images import Images

    images = Images(Api(find_engine()), sandbox_folders(Path.cwd()))
    current = [one for one in images.ls() if one.name == "agent-base" and one.current]
    return current[0].reference if current else "is built at the first run (about two minutes)"


def _model() -> str:
    from trajaudit.llm import open_model

    model = open_model("local/smollm2")
    try:
        return model.model_id
    finally:
        model.close()


def _disk() -> str:
    free = shutil.disk_usage(Path.cwd()).free
    text = f"{free / 1024**3:.1f} GiB free"
    return text if free > LOW_DISK else f"{text}; an image and its runs want 2 GiB"


def _key() -> str:
    return (
        "OPENAI_API_KEY is set" if os.environ.get("OPENAI_API_KEY") else "OPENAI_API_KEY is not set"
    )
