"""What did the calls of a trial change, where no world was recorded that would show it?

The effects of a trial are its successful calls of tools that change something, with their arguments
in canonical form: a multiset, since the order in which independent things are done leaves no trace.
A later call that overwrites what an earlier one of the same tool had set takes its place.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from pydantic import JsonValue

from trajaudit.datamodel.accept import Accept, AcceptedPath
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Verdict
from trajaudit.score.accepted_paths import accept_of
from trajaudit.score.argument_repair import canonical
from trajaudit.score.call_reading import CallReading, read_calls, tools_of
from trajaudit.score.tool_registry import registry_of
from trajaudit.score.verdict_pair import both_modes

NAME = "effects"
_SETS = re.compile(
    r"(?i)(?:^|[_.\-])(?:set|update|modify|change|edit|replace|assign|put)(?=[_.\-]|$)"
)
_NAMES_OBJECT = re.compile(r"(?i)(?:^|_)(?:id|ids|name|key|number|path|email|user|username)$|Id$")
_MOVES = re.compile(r"(?i)pay|amount|price|charge|cost|quantity|refund|balance|delta|by$")
"""Arguments whose effect adds up: money that was moved twice was not moved once."""
_SHOWN = 3


@dataclass(frozen=True)
class Effect:
    """One thing that was changed, and by which call."""

    tool: str
    arguments: dict[str, JsonValue]
    step: int = 0
    seq: int | None = None

    @property
    def plain(self) -> str:
        """Equal exactly if tool and arguments are: 1 is 1.0, and null is left out."""
        return f"{self.tool} {canonical(_whole(self.arguments))}"


def effects_of(readings: Sequence[CallReading], tools: Sequence[ToolSpec]) -> list[Effect]:
    """Return what the calls changed: those that were carried out, did not fail, and write."""
    effect = registry_of(tools).effect
    return [
        Effect(reading.tool, _arguments(reading), reading.step, reading.call.seq)
        for reading in readings
        if reading.happened and effect(reading.named.name) != "read"
    ]


def effects_of_path(path: AcceptedPath, tools: Sequence[ToolSpec]) -> list[Effect] | None:
    """Return what an accepted path changes; None where it does not tell, or demands more than that.

    It tells where each argument of each changing call is one exact value; it demands more where the
    order matters, or where it only reads.
    """
    effect = registry_of(tools).effect
    writes = [call for call in path.calls if effect(call.tool) != "read"]
    if path.before or path.order == "listed":
        return None
    if not writes and not all(call.optional for call in path.calls):
        return None
    if any(call.optional or call.repeat or call.extra_arguments for call in writes):
        return None
    found = []
    for call in writes:
        values = {
            name: m.exact for name, m in call.arguments.items() if "exact" in m.model_fields_set
        }
        if len(values) < len(call.arguments):
            return None
        found.append(Effect(call.tool, values))
    return found


def net_effects(effects: Sequence[Effect]) -> Counter[str]:
    """Return what is left in the end: overwritten effects cancelled, their order forgotten."""
    left: dict[object, str] = {}
    for number, one in enumerate(effects):
        left[_place(one) or number] = one.plain
    return Counter(left.values())


def digest_of_effects(effects: Sequence[Effect]) -> str:
    """Return the SHA-256 (hex) of what is left in the end."""
    lines = sorted(net_effects(effects).elements())
    return sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def wanted_effects(scenario: Scenario, task: Task, trajectory: Trajectory) -> list[Counter[str]]:
    """Return the net effects that the task accepts; none where a world tells more, or none do."""
    accept = accept_of(scenario, task)
    if accept is None or not _are_asked(scenario, accept, trajectory):
        return []
    tools = tools_of(scenario, task)
    paths = [effects_of_path(path, tools) for path in accept.paths]
    return [net_effects(path) for path in paths if path is not None]


def effects(scenario: Scenario, task: Task, trajectory: Trajectory) -> list[Verdict]:
    """Pass in both modes if the calls changed exactly what an accepted path changes."""
    wanted = wanted_effects(scenario, task, trajectory)
    if not wanted:
        return []
    tools = tools_of(scenario, task)
    readings = read_calls(trajectory, tools, frozenset(scenario.tolerances.off))
    done = effects_of(readings, tools)
    got = net_effects(done)
    passed = got in wanted
    accept = accept_of(scenario, task)
    if not passed and accept is not None and len(wanted) < len(accept.paths):
        return []
    nearest = min(wanted, key=lambda one: ((one - got) + (got - one)).total())
    missing, extra = list((nearest - got).elements()), list((got - nearest).elements())
    reason = "; ".join(filter(None, [_told("not done", missing), _told("done beside it", extra)]))
    return both_modes(
        trajectory,
        NAME,
        passed=passed,
        reason=reason or "what was changed is what an accepted path changes",
        detail={
            "digest": digest_of_effects(done),
            "missing": [*missing[:20]],
            "extra": [*extra[:20]],
            "changes": got.total(),
        },
    )


def _are_asked(scenario: Scenario, accept: Accept, trajectory: Trajectory) -> bool:
    """Whether effects decide: no world does, and nothing beside them is demanded of a path."""
    has_world = trajectory.world_start is not None or trajectory.world_end is not None
    if has_world or accept.state or accept.golden_state:
        return False
    free = accept.extra_calls == "read_only"
    return free and "read_only_left_out" not in scenario.tolerances.off


def _told(what: str, plain: Sequence[str]) -> str:
    shown = ", ".join(text[:120] for text in plain[:_SHOWN])
    return f"{what}: {shown}" if plain else ""


def _arguments(reading: CallReading) -> dict[str, JsonValue]:
    form = reading.form
    return dict(form.raw) if form is not None else {"": reading.call.arguments_text}


def _place(effect: Effect) -> tuple[str, ...] | None:
    """Return what an effect overwrites: equal for two calls of which the later one counts."""
    names = [name for name in effect.arguments if _NAMES_OBJECT.search(name)]
    if not _SETS.search(effect.tool) or not names or len(names) == len(effect.arguments):
        return None
    if any(_MOVES.search(name) for name in effect.arguments):
        return None
    objects = canonical(_whole({name: effect.arguments[name] for name in names}))
    return (effect.tool, objects, *sorted(effect.arguments))


def _whole(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {key: _whole(one) for key, one in value.items() if one is not None}
    if isinstance(value, list):
        return [_whole(one) for one in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
