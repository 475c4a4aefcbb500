"""One trial in the terminal: every step in a few lines, verdicts and findings below."""

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console
from rich.text import Text

from trajaudit.datamodel.finding import Finding
from trajaudit.datamodel.patch_trial import TakenPatch
from trajaudit.datamodel.trajectory import Message, Step, Trajectory
from trajaudit.datamodel.verdict import Verdict
from trajaudit.report.text import one_line

_LONG = 400
_PASSED = {True: "pass", False: "fail", None: "-"}


def print_trial(
    trajectory: Trajectory,
    verdicts: Sequence[Verdict],
    findings: Sequence[Finding],
    *,
    console: Console | None = None,
) -> None:
    """Print the trial; texts from logs are cut with a mark and cannot steer the terminal."""
    console = console or Console(highlight=False, markup=False, emoji=False)
    for style, line in lines(trajectory, verdicts, findings):
        console.print(Text(line, style=style), soft_wrap=True)


def lines(
    trajectory: Trajectory, verdicts: Sequence[Verdict], findings: Sequence[Finding]
) -> Iterator[tuple[str, str]]:
    """Yield (style, line) of the page."""
    who = (f"{trajectory.task_id}/{trajectory.trial}", trajectory.agent, trajectory.model_id)
    yield "bold", "   ".join(map(_short, who))
    for step in trajectory.steps:
        yield from _step(step)
    yield from _messages(trajectory.after)
    end = f"{trajectory.end_reason} {trajectory.end_detail}".strip()
    yield "bold", f"ended: {_short(end)}"
    if trajectory.final_reply is not None:
        how = "submitted" if trajectory.submitted else "final reply"
        yield "", f"{how}: {_short(trajectory.final_reply)}"
    if trajectory.patch is not None:
        yield "", f"patch: {_short(_left(trajectory.patch))}"
    yield from (("yellow", f"warning: {_short(text)}") for text in trajectory.warnings)
    yield from _decisions(verdicts, findings)


def _left(patch: TakenPatch) -> str:
    """Say what was left in the repository."""
    if patch.problem is not None:
        return f"none ({patch.problem}): {patch.detail}"
    if not patch.size:
        return "empty"
    return f"{patch.size} bytes in artifacts/{patch.artifact}: {', '.join(patch.files)}"


def _step(step: Step) -> Iterator[tuple[str, str]]:
    yield from _messages(step.before)
    yield "bold cyan", f"step {step.number}"
    if step.message.content:
        yield "", f"  assistant: {_short(step.message.content)}"
    replies = {one.call_id: one for one in step.observations}
    for call in step.tool_calls:
        state = "" if call.executed else "   (not carried out)"
        yield "cyan", f"  → {_short(f'{call.tool} {call.arguments_text}')}{state}"
        reply = replies.get(call.call_id)
        if reply is not None:
            mark = f" [{reply.fault}]" if reply.fault else ""
            style = "red" if reply.is_error else "dim"
            yield style, f"  ← {'error: ' if reply.is_error else ''}{_short(reply.content)}{mark}"
    for note in step.notes:
        yield "dim", f"  note: {_short(note)}"
    if step.finish_reason not in (None, "stop", "tool_calls"):
        yield "yellow", f"  ended by: {one_line(step.finish_reason)}"


def _messages(messages: Iterable[Message]) -> Iterator[tuple[str, str]]:
    for message in messages:
        yield "green", f"  {message.role} ({message.source}): {_short(message.content)}"


def _decisions(
    verdicts: Sequence[Verdict], findings: Sequence[Finding]
) -> Iterator[tuple[str, str]]:
    for one in verdicts:
        reading = f" · read as {one.reading}" if one.reading else ""
        used = f" · {', '.join(one.tolerances)}" if one.tolerances else ""
        head = f"{one.scorer} {one.mode}: {_PASSED[one.passed]}"
        style = {True: "green", False: "red", None: "yellow"}[one.passed]
        yield style, _short(f"{head} · {one.reason}{reading}{used}")
    for finding in findings:
        steps = f" (step {', '.join(map(str, finding.steps))})" if finding.steps else ""
        mark = "★ " if finding.decided else "  "
        yield (
            "",
            f"{mark}{finding.kind.value} · {finding.fault.value} · {_short(finding.reason)}{steps}",
        )


def _short(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= _LONG else f"{line[:_LONG]}… ({len(line)} characters)"
