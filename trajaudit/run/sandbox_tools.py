"""Tools that are executed in the agent's own container: bash, read, write, edit."""

from collections.abc import Callable

from pydantic import JsonValue

from trajaudit.errors import SandboxError
from trajaudit.mocks.base import ToolReply
from trajaudit.sandbox.base import ExecResult, Sandbox

DEFAULT_TIMEOUT_S = 60.0
LONGEST_TIMEOUT_S = 600.0
MAX_OUTPUT = 100_000
"""Bytes of each stream; more is cut in the middle, with a mark."""

SandboxTool = Callable[[str, dict[str, JsonValue]], ToolReply]


def sandbox_tool(sandbox: Sandbox) -> SandboxTool:
    """Return what carries out a call of kind `bash`, `read`, `write` or `edit`."""

    def call(kind: str, arguments: dict[str, JsonValue]) -> ToolReply:
        try:
            return _KINDS[kind](sandbox, arguments)
        except (OSError, ValueError) as error:
            # What a program in the sandbox would be told; a SandboxError goes up.
            return ToolReply(content=f"{type(error).__name__}: {error}", is_error=True)

    return call


def no_sandbox(error: SandboxError) -> SandboxTool:
    """Return what stands for the tools of a sandbox that did not come up."""

    def call(kind: str, arguments: dict[str, JsonValue]) -> ToolReply:  # noqa: ARG001 (the type's)
        raise error

    return call


def _bash(sandbox: Sandbox, arguments: dict[str, JsonValue]) -> ToolReply:
    asked = arguments.get("timeout_s")
    seconds = float(asked) if isinstance(asked, (int, float)) else DEFAULT_TIMEOUT_S
    done = sandbox.exec(
        ["bash", "-c", str(arguments["command"])],
        timeout_s=min(seconds, LONGEST_TIMEOUT_S),
        max_output=MAX_OUTPUT,
    )
    return ToolReply(content=_told(done), is_error=done.exit_code != 0)


def _told(done: ExecResult) -> str:
    parts = [_text(done.stdout)]
    if done.stderr:
        parts.append(f"[stderr]\n{_text(done.stderr)}")
    if done.timed_out:
        parts.append(f"[timed out after {done.duration_s:.0f} s]")
    elif done.exit_code != 0:
        parts.append(f"[exit code {done.exit_code}]")
    return "\n".join(part for part in parts if part)


def _text(output: bytes) -> str:
    return output.decode("utf-8", "backslashreplace")


def _read(sandbox: Sandbox, arguments: dict[str, JsonValue]) -> ToolReply:
    return ToolReply(content=_text(sandbox.read_file(str(arguments["path"]))))


def _write(sandbox: Sandbox, arguments: dict[str, JsonValue]) -> ToolReply:
    content = str(arguments["content"]).encode("utf-8", "surrogatepass")
    sandbox.write_file(str(arguments["path"]), content)
    return ToolReply(content=f"wrote {len(content)} bytes")


def _edit(sandbox: Sandbox, arguments: dict[str, JsonValue]) -> ToolReply:
    """Replace one piece, byte for byte: line ends and what is not UTF-8 stay as they are."""
    path = str(arguments["path"])
    old, new = (str(arguments[name]).encode("utf-8", "surrogatepass") for name in ("old", "new"))
    content = sandbox.read_file(path)
    found = content.count(old)
    if found != 1:
        raise ValueError(f"the piece is there {found} times; it must be there exactly once")
    sandbox.write_file(path, content.replace(old, new))
    return ToolReply(content=f"replaced {len(old)} bytes by {len(new)}")


_KINDS: dict[str, Callable[[Sandbox, dict[str, JsonValue]], ToolReply]] = {
    "bash": _bash,
    "read": _read,
    "write": _write,
    "edit": _edit,
}
