"""Agents that are programs in a sandbox: the built-in graph, a user's graph, any command."""

import threading
from collections.abc import Mapping, Sequence

from trajaudit.datamodel.scenario import AgentSpec, CommandAgent, LangGraphAgent
from trajaudit.errors import SandboxError
from trajaudit.gateway.base import Session
from trajaudit.run.base import AgentContext, AgentExit
from trajaudit.sandbox.base import AgentProcess, Sandbox

STDERR_TAIL = 2000
KILLED = 137
# After the session's end the program may finish its last request and write its files.
GRACE_S = 2.0


class Program:
    """Starts a program in the sandbox and waits for it, or for the session, to end."""

    needs_sandbox = True
    needs_model = True

    def __init__(
        self, name: str, arguments: Sequence[str], env: Mapping[str, str], *, foreign: bool
    ) -> None:
        self.name = name
        self.arguments = tuple(arguments)
        self.env = dict(env)
        self.foreign = foreign
        """Code that trajaudit did not write: it runs in a container or not at all."""

    def spawn(self, sandbox: Sandbox, entry: Sequence[str]) -> AgentProcess:
        """Start the program; it waits for the trial's socket by itself."""
        return sandbox.spawn([*entry, *self.arguments], env=self.env)

    def run(self, context: AgentContext) -> AgentExit:
        if context.sandbox is None:
            raise RuntimeError("a program needs a sandbox")
        sandbox = context.sandbox
        process = context.process or self.spawn(sandbox, context.entry)
        exited = AgentExit()

        def watch() -> None:
            nonlocal exited
            try:
                exited = _wait(process)
            except SandboxError as error:
                exited = _gone(sandbox, context.session, error)
            context.session.agent_exited(exited.exit_code, exited.detail)

        watcher = threading.Thread(target=watch, name="agent-exit", daemon=True)
        watcher.start()
        try:
            context.session.wait_end(None)
            watcher.join(GRACE_S)
        finally:
            process.kill()
        watcher.join(GRACE_S)
        return exited


def _wait(process: AgentProcess) -> AgentExit:
    code = process.wait()
    _, stderr = process.output()
    tail = stderr.decode("utf-8", "backslashreplace")[-STDERR_TAIL:].strip()
    return AgentExit(exit_code=code if code is not None else -1, detail=tail)


def _gone(sandbox: Sandbox, session: Session, error: SandboxError) -> AgentExit:
    """Tell an agent that used up its memory from a sandbox that was lost."""
    reason = sandbox.died() or str(error)
    if "out of memory" not in reason:
        session.end("infra_error", f"sandbox_failed: {reason}")
    return AgentExit(exit_code=KILLED, detail=reason)


def langgraph_agent(spec: AgentSpec) -> Program:
    """Return the built-in ReAct graph, or the user's own compiled graph."""
    if not isinstance(spec, LangGraphAgent):
        raise TypeError(f"not a langgraph agent: {spec!r}")
    if spec.graph is None:
        return Program("langgraph", ["langgraph"], spec.env, foreign=False)
    arguments = ["langgraph", "--graph", spec.graph]
    return Program(f"langgraph:{spec.graph}", arguments, spec.env, foreign=True)


def command_agent(spec: AgentSpec) -> Program:
    """Return any program of the image."""
    if not isinstance(spec, CommandAgent):
        raise TypeError(f"not a command agent: {spec!r}")
    name = f"command:{spec.command[0].rsplit('/', 1)[-1]}"
    return Program(name, ["command", "--", *spec.command], spec.env, foreign=True)
