"""A scenario: tasks with targets, tools, sandbox, agent and limits, all frozen."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, JsonValue

from trajaudit.datamodel._base import Record
from trajaudit.datamodel.accept import Accept
from trajaudit.datamodel.target import Target
from trajaudit.datamodel.tool import FaultSpec, ToolSpec, UserSpec


class Limits(Record):
    """When a trial is stopped. None: no limit of that kind."""

    steps: int | None = Field(default=30, ge=1)
    """Model calls of the agent."""
    tool_calls: int | None = Field(default=200, ge=1)
    time_s: float = Field(default=300, gt=0)
    tokens: int | None = Field(default=None, ge=1)
    """Prompt plus completion tokens of the agent."""
    cost_usd: float | None = Field(default=None, gt=0)


class Generation(Record):
    """Sampling parameters that the gateway sets on every model call of the agent.

    None: what the agent asked for stands.
    """

    temperature: float | None = Field(default=None, ge=0)
    top_p: float | None = Field(default=None, gt=0, le=1)
    max_tokens: int | None = Field(default=None, ge=1)
    seed: int | None = None
    stop: tuple[str, ...] | None = None


class SandboxSpec(Record):
    """Where the agent runs. In YAML a bare name is `{image: name}`."""

    kind: str = "docker"
    image: str = "agent-base"
    """A folder under `sandboxes/`, or a reference that the engine knows."""
    memory_mb: int = Field(default=1024, ge=16)
    cpus: float = Field(default=1.0, gt=0)
    pids: int = Field(default=256, ge=8)
    disk_mb: int = Field(default=256, ge=1)
    """Size of the work directory, and of /tmp."""
    user: str = "1000:1000"
    workdir: str = "/work"
    files: dict[str, str] = Field(default_factory=dict)
    """Path in the work directory → file beside the scenario, copied in before the trial."""


def _sandbox(value: Any) -> Any:
    return {"image": value} if isinstance(value, str) else value


class LangGraphAgent(Record):
    """The built-in ReAct graph, or a compiled graph of the image by module path."""

    kind: Literal["langgraph"] = "langgraph"
    system: str | None = None
    graph: str | None = None
    """`package.module:attribute` inside the image: a compiled graph, or a function of the tools."""
    env: dict[str, str] = Field(default_factory=dict)


class CommandAgent(Record):
    """Any program in the image; finds the task in $TRAJAUDIT_PROMPT and /v1 of the gateway."""

    kind: Literal["command"]
    command: tuple[str, ...] = Field(min_length=1)
    """`{prompt}` and `{model}` stand for the task's prompt and the model's name."""
    system: str | None = None
    env: dict[str, str] = Field(default_factory=dict)
    reply: Literal["stdout", "submit", "last_message"] = "last_message"
    """Where the final reply is found when nothing was submitted."""


class AgentAction(Record):
    """One thing that a scripted agent does; exactly one of say, call, calls, reply, note, submit,
    crash, wait_s is set.
    """

    say: str | None = None
    """Intermediate message, on its own or beside calls."""
    call: dict[str, JsonValue] | None = None
    """`{tool: {arguments}}`; a string instead of the arguments is sent as raw text."""
    calls: tuple[dict[str, JsonValue], ...] | None = None
    """Parallel calls of one step."""
    reply: str | None = None
    """What the agent says to the user; ends the trial unless a simulated user answers."""
    note: str | None = None
    submit: str | None = None
    crash: str | None = None
    wait_s: float | None = None
    finish_reason: str | None = None
    """Recorded with `say` and `reply`; `length` marks a reply that was cut."""


class ScriptedAgent(Record):
    """Fixed actions per task, run on the host through the same recorder; calls no model."""

    kind: Literal["scripted"]
    tasks: dict[str, tuple[AgentAction, ...]] = Field(default_factory=dict)
    """Task id → actions; `"*"` for the rest."""
    name: str = "scripted"


class ReplayAgent(Record):
    """Re-emits the actions of recorded trials."""

    kind: Literal["replay"]
    run: str
    """Run directory."""


AgentSpec = Annotated[
    LangGraphAgent | CommandAgent | ScriptedAgent | ReplayAgent, Field(discriminator="kind")
]


class PanelUse(Record):
    """Which judge panel is asked, and when."""

    use: str
    when: Literal["differ", "always", "never"] = "differ"


def _panel(value: Any) -> Any:
    return {"use": value} if isinstance(value, str) else value


class Tolerances(Record):
    """What a careful reader lets pass; each can be switched off. All are listed in docs."""

    off: tuple[str, ...] = ()
    """Names of tolerances that do not apply in this scenario."""


def _tolerances(value: Any) -> Any:
    return {} if value == "default" else value


class Task(Record):
    """One prompt with its target and its accepted paths."""

    id: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$")
    prompt: str = Field(min_length=1)
    target: Target | None = None
    accept: Accept | None = None
    user: UserSpec | None = None
    """Overrides the scenario's."""
    world: JsonValue | None = None
    """Overrides the scenario's world."""
    faults: tuple[FaultSpec, ...] | None = None
    """Overrides the scenario's."""
    control: bool | None = None
    """Overrides the scenario's."""
    limits: Limits | None = None
    tools: tuple[str, ...] | None = None
    """Names of the scenario's tools that this task offers; None: all."""
    golden: tuple[AgentAction, ...] | None = None
    """A known-good trajectory (in YAML: a JSONL file, one action a line)."""
    tags: tuple[str, ...] = ()
    files: dict[str, str] = Field(default_factory=dict)
    metadata: dict[str, JsonValue] = Field(default_factory=dict)


class Scenario(Record):
    """One YAML file, all includes resolved."""

    trajaudit: Literal[1]
    name: str = ""
    """Suite and scenario, `suite/scenario`; by default from the path."""
    description: str = ""
    tags: tuple[str, ...] = ()
    sandbox: Annotated[SandboxSpec, BeforeValidator(_sandbox)] = SandboxSpec()
    agent: AgentSpec = LangGraphAgent()
    model: str = "local/smollm2"
    base_url: str | None = None
    generation: Generation = Generation()
    limits: Limits = Limits()
    trials: int = Field(default=1, ge=1)
    seed: int = 0
    world: JsonValue | None = None
    tools: tuple[ToolSpec, ...] = ()
    faults: tuple[FaultSpec, ...] = ()
    control: bool = False
    """Each task that declares faults is run once more without them, to compare."""
    user: UserSpec | None = None
    tolerances: Annotated[Tolerances, BeforeValidator(_tolerances)] = Tolerances()
    panel: Annotated[PanelUse, BeforeValidator(_panel)] | None = None
    accept: Accept | None = None
    """Default of the tasks that declare none."""
    answer_format: str | None = None
    """Default of the targets that declare none."""
    tasks: tuple[Task, ...] = Field(json_schema_extra={"minItems": 1})
    """At least one in a file; none in an imported run, whose tasks lie in `tasks.jsonl`."""
