"""One trial as a page shows it: every step in order, with what was found at each."""

import json
from collections.abc import Iterable, Sequence

from pydantic import JsonValue

from trajaudit.datamodel.accept import Accept
from trajaudit.datamodel.finding import Finding
from trajaudit.datamodel.run import RunConfig
from trajaudit.datamodel.scenario import Task
from trajaudit.datamodel.trajectory import (
    Message,
    Observation,
    Step,
    ToolCall,
    Trajectory,
    WorldChange,
)
from trajaudit.datamodel.verdict import Evidence, Verdict
from trajaudit.report.block import Block, block
from trajaudit.report.views import (
    Argument,
    CallView,
    Change,
    FindingView,
    MessageView,
    ObservationView,
    StepView,
    TrialView,
    VerdictView,
    Where,
)


def trial_view(
    anchor: str,
    trajectory: Trajectory,
    config: RunConfig,
    findings: Sequence[Finding],
    verdicts: Sequence[Verdict],
    task: Task | None = None,
) -> TrialView:
    """Lay out one trial; every id on the page starts with `anchor`. `task`: None where the run
    does not know it.
    """
    page = _Page(anchor, trajectory, findings, verdicts)
    quotes = page.quotes(trajectory.final_step, trajectory.final_seq)
    return TrialView(
        anchor=anchor,
        trajectory=trajectory,
        prompt=block(task.prompt) if task else None,
        target=_target(task),
        accept=_accept(config, task),
        reply=None if trajectory.final_reply is None else block(trajectory.final_reply, quotes),
        findings=tuple(
            FindingView(finding, page.where(finding.evidence, finding.steps))
            for finding in findings
        ),
        verdicts=tuple(VerdictView(verdict, page.where(verdict.evidence)) for verdict in verdicts),
        steps=tuple(page.step(step) for step in trajectory.steps),
        after=tuple(page.message(message, None) for message in trajectory.after),
        notes=tuple(block(note) for note in trajectory.notes),
        faults=tuple(_faults(config, task, trajectory)),
        changes=page.stray_changes(),
        world_start=_json_block(trajectory.world_start),
        world_end=_json_block(trajectory.world_end),
    )


def bare_view(
    anchor: str, trajectory: Trajectory, task: Task, shown: Iterable[Step] = ()
) -> TrialView:
    """Lay out a trial without what was found and decided; of its steps only `shown`."""
    page = _Page(anchor, trajectory, (), ())
    accept = task.accept
    return TrialView(
        anchor=anchor,
        trajectory=trajectory,
        prompt=block(task.prompt),
        target=_target(task),
        accept=None if accept is None else _json_block(_declared(accept)),
        reply=None if trajectory.final_reply is None else block(trajectory.final_reply),
        findings=(),
        verdicts=(),
        steps=tuple(page.step(step) for step in shown),
        after=tuple(page.message(message, None) for message in trajectory.after),
        notes=tuple(block(note) for note in trajectory.notes),
        faults=(),
        changes=page.stray_changes(),
        world_start=_json_block(trajectory.world_start),
        world_end=_json_block(trajectory.world_end),
    )


def step_views(anchor: str, trajectory: Trajectory, shown: Iterable[Step]) -> tuple[StepView, ...]:
    """Lay out steps alone, without what was found in them."""
    page = _Page(anchor, trajectory, (), ())
    return tuple(page.step(step) for step in shown)


def _target(task: Task | None) -> Block | None:
    if task is None or task.target is None:
        return None
    fields = task.target.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    lines = (
        f"{name}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for name, value in fields.items()
    )
    return block("\n".join(lines))


def _accept(config: RunConfig, task: Task | None) -> Block | None:
    accept = task.accept if task and task.accept else config.scenario.accept
    if accept is None:
        return None
    return _json_block(_declared(accept))


def _declared(accept: Accept) -> JsonValue:
    return accept.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def _faults(config: RunConfig, task: Task | None, trajectory: Trajectory) -> Iterable[str]:
    declared = config.scenario.faults if task is None or task.faults is None else task.faults
    for index in trajectory.faults_hit:
        known = declared[index] if 0 <= index < len(declared) else None
        yield f"{known.fail} in {known.tool}" if known else f"fault {index}"


class _Page:
    """The ids of one trial, and the quotes that belong at each."""

    def __init__(
        self,
        anchor: str,
        trajectory: Trajectory,
        findings: Sequence[Finding],
        verdicts: Sequence[Verdict],
    ) -> None:
        self._anchor = anchor
        self._findings = findings
        self._changes = trajectory.world_changes
        self._steps = {step.number for step in trajectory.steps}
        self._seqs = set(_seqs(trajectory))
        self._evidence = [evidence for found in findings for evidence in found.evidence]
        self._evidence += [evidence for verdict in verdicts for evidence in verdict.evidence]

    def id_of(self, seq: int | None) -> str:
        return "" if seq is None else f"{self._anchor}-e{seq}"

    def quotes(self, step: int | None, seq: int | None) -> list[str]:
        return [
            evidence.quote
            for evidence in self._evidence
            if (evidence.seq is not None and evidence.seq == seq)
            or (evidence.step is not None and evidence.step == step)
        ]

    def where(self, evidence: Iterable[Evidence], steps: Iterable[int] = ()) -> tuple[Where, ...]:
        found = [self._place(item) for item in evidence]
        named = {item.step for item in evidence}
        found += [self._place(Evidence(step=step)) for step in steps if step not in named]
        return tuple(found)

    def _place(self, evidence: Evidence) -> Where:
        label = f"step {evidence.step}" if evidence.step is not None else "reply"
        if evidence.step is None and evidence.seq is not None:
            label = f"event {evidence.seq}"
        anchor = None
        if evidence.seq in self._seqs:
            anchor = self.id_of(evidence.seq)
        elif evidence.step in self._steps:
            anchor = f"{self._anchor}-s{evidence.step}"
        elif evidence.step is None and evidence.seq is None:
            anchor = f"{self._anchor}-reply"
        return Where(label, evidence.quote, anchor)

    def step(self, step: Step) -> StepView:
        answered = {call.call_id for call in step.tool_calls}
        number = step.number
        return StepView(
            anchor=f"{self._anchor}-s{number}",
            number=number,
            before=tuple(self.message(message, None) for message in step.before),
            message=self.message(step.message, number),
            calls=tuple(self._call(call, step) for call in step.tool_calls),
            stray=tuple(
                self._observation(seen, number)
                for seen in step.observations
                if seen.call_id not in answered
            ),
            changes=tuple(_operations(c for c in self._changes if c.step == number)),
            notes=tuple(block(note) for note in step.notes),
            finish_reason=step.finish_reason,
            tokens=step.usage.completion_tokens if step.usage else None,
            findings=tuple(found for found in self._findings if number in found.steps),
        )

    def stray_changes(self) -> tuple[Change, ...]:
        return tuple(_operations(c for c in self._changes if c.step not in self._steps))

    def message(self, message: Message, step: int | None) -> MessageView:
        quotes = self.quotes(step, message.seq)
        return MessageView(
            anchor=self.id_of(message.seq),
            role=message.role,
            source=message.source,
            content=block(message.content, quotes),
            reasoning=None if message.reasoning is None else block(message.reasoning, quotes),
            rewrites=message.rewrites,
        )

    def _call(self, call: ToolCall, step: Step) -> CallView:
        quotes = self.quotes(step.number, call.seq)
        arguments = call.arguments if isinstance(call.arguments, dict) else {}
        return CallView(
            anchor=self.id_of(call.seq),
            tool=call.tool,
            arguments=tuple(
                Argument(name, _type(value), _value_block(value, quotes))
                for name, value in arguments.items()
            ),
            written=block(call.arguments_text, quotes, verbatim=True),
            open_written=call.parse_error is not None or not isinstance(call.arguments, dict),
            parse_error=call.parse_error,
            executed=call.executed,
            requested=None
            if call.requested_text is None
            else block(call.requested_text, verbatim=True),
            differs=call.differs,
            observations=tuple(
                self._observation(seen, step.number)
                for seen in step.observations
                if seen.call_id == call.call_id
            ),
        )

    def _observation(self, seen: Observation, step: int) -> ObservationView:
        content = block(seen.content, self.quotes(step, seen.seq))
        return ObservationView(
            self.id_of(seen.seq), content, seen.is_error, seen.fault, seen.duration_s
        )


def _seqs(trajectory: Trajectory) -> Iterable[int]:
    messages = [*trajectory.after]
    for step in trajectory.steps:
        messages += [*step.before, step.message]
        yield from (call.seq for call in step.tool_calls if call.seq is not None)
        yield from (seen.seq for seen in step.observations if seen.seq is not None)
    yield from (message.seq for message in messages if message.seq is not None)
    if trajectory.patch is not None and trajectory.patch.seq is not None:
        yield trajectory.patch.seq


def _operations(changes: Iterable[WorldChange]) -> Iterable[Change]:
    for change in changes:
        for operation in change.patch:
            source = operation.get("value", operation.get("from"))
            value = (
                "" if operation.get("op") == "remove" else json.dumps(source, ensure_ascii=False)
            )
            yield Change(str(operation.get("op", "")), str(operation.get("path", "")), value)


def _type(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "boolean"
    names = {str: "string", int: "number", float: "number", dict: "object", list: "array"}
    return names.get(type(value), "null")


def _value_block(value: JsonValue, quotes: Iterable[str]) -> Block:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return block(text, quotes)


def _json_block(value: JsonValue | None) -> Block | None:
    return None if value is None else block(json.dumps(value, ensure_ascii=False))
