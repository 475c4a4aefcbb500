"""What of a trial does a judge see? Made from the trajectory alone, the same every time.

The outcome view holds the task, the reference, every call with what it gave back, what was said to
the user and the final answer, without the agent's thoughts. The process view holds the steps with
what was said beside the calls, without reference, end state and final answer. Neither names the
agent, a model, or another verdict. Every cut is written down where it was made.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from trajaudit.datamodel.scenario import Task
from trajaudit.datamodel.trajectory import Step, Trajectory
from trajaudit.judge.names import names_of, without_names
from trajaudit.judge.reply import visible

LIMITS = (6000, 2000, 600, 200)
"""Characters of one text; the widest with which the whole view fits is used."""
MOST_CHARS = 60_000
Part = tuple[int, str]
"""Step and a text of it."""
_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff"
    r"\U000e0000-\U000e01ef]"
)
"""What is no text, turns its direction round, or can be read by a model and by nobody else."""
_TO_JUDGE = re.compile(
    r"<<\s*(?:BEGIN|END)\s+UNTRUSTED|\bignore (?:all |any |the )*(?:previous|prior|above|earlier)"
    r" (?:instructions|text|rules)|\b(?:dear|note to|attention,?|to the) (?:judge|grader|evaluator)"
    r"\b"
    r"|\b(?:as the|you are (?:the|a)) (?:judge|grader|evaluator)\b"
    r"|\"(?:overall|verdict)\"\s*:\s*\"pass\"|\b(?:verdict|grade)\s*:\s*(?:pass|c)\b"
    r"|\byou must (?:answer|reply|vote|grade)\b[^.\n]{0,40}\bpass\b"
    # The mark of a step where none begins.
    r"|(?!\A)\[S\d+\]\s*(?:call|result of|error of|state changed|final answer|\w+ said)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class View:
    """What is shown of one trial."""

    trusted: str
    """The task as its author wrote it."""
    untrusted: str
    """What agent and tools wrote; goes between the fences."""
    texts: dict[int, str]
    """Step → everything that is shown of it, uncut; 0 is the task."""
    cut_steps: frozenset[int]
    fits: bool = True
    """False: even at the narrowest the view is too long; nobody can judge by it."""
    addressed: bool = False
    """Words of the prompt, the agent or a tool look as if they were meant for a judge."""

    @property
    def sha256(self) -> str:
        """Of everything that is shown."""
        return hashlib.sha256(f"{self.trusted}\0{self.untrusted}".encode()).hexdigest()


def view_of(kind: Literal["outcome", "process"], task: Task, trajectory: Trajectory) -> View:
    """Return the view of a trial; the same trial always gives the same view."""
    parts = [(number, cleaned(text, trajectory)) for number, text in _parts(kind, trajectory)]
    trusted = _trusted(kind, task)
    texts: dict[int, str] = {0: trusted}
    for number, text in parts:
        texts[number] = f"{texts[number]}\n{text}" if number in texts else text
    shown = next((each for each in _widths(parts) if _size(each) <= MOST_CHARS), None)
    fits = shown is not None
    shown = [(n, shortened(text, LIMITS[-1])) for n, text in parts] if shown is None else shown
    written = [f"\n{task.prompt}", *(text for _, text in parts)]
    return View(
        trusted=trusted,
        untrusted="\n".join(text for _, text in shown),
        texts=texts,
        cut_steps=frozenset(n for (n, a), (_, b) in zip(parts, shown, strict=True) if a != b),
        fits=fits,
        addressed=any(_TO_JUDGE.search(visible(text)) for text in written),
    )


def _widths(parts: Sequence[Part]) -> Iterator[list[Part]]:
    for limit in LIMITS:
        yield [(number, shortened(text, limit)) for number, text in parts]


def _size(parts: Sequence[Part]) -> int:
    return sum(len(text) + 1 for _, text in parts)


def cleaned(text: str, trajectory: Trajectory) -> str:
    """Return a text as it is shown: control characters written out, the agent's name hidden."""
    return without_names(_printed(text), names_of(trajectory))


def system_text(trajectory: Trajectory) -> str:
    """Return the rules that the agent was given, as its log shows them; empty where it had none."""
    before = trajectory.steps[0].before if trajectory.steps else ()
    said = [one.content for one in before if one.role in {"system", "developer"}]
    return "\n\n".join(said)


def _printed(text: str) -> str:
    """Return a text without control characters, its further lines indented.

    Only what begins at the margin is ours: no text can begin a step that was never taken.
    """
    return _CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", text).replace("\n", "\n    ")


def shortened(text: str, limit: int) -> str:
    """Return a text of at most `limit` characters and a mark that says what was cut."""
    if len(text) <= limit:
        return text
    head, tail = text[: limit * 2 // 3], text[-(limit // 3) :]
    gone = text[len(head) : len(text) - len(tail)]
    digest = hashlib.sha256(gone.encode()).hexdigest()[:12]
    return f"{head}[… {len(gone):,} characters cut, sha256 {digest} …]{tail}"


def _trusted(kind: str, task: Task) -> str:
    parts = [f"Task [S0]:\n{_printed(task.prompt)}"]
    if kind == "outcome" and task.target is not None:
        target = task.target.model_dump(mode="json", exclude_defaults=True)
        parts.append(f"Reference:\n{_written(target)}")
    if kind == "outcome" and task.accept is not None and task.accept.state:
        state = [one.model_dump(mode="json", exclude_defaults=True) for one in task.accept.state]
        parts.append(f"End state that is wanted:\n{_written(state)}")
    return "\n\n".join(parts)


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)


def _parts(kind: str, trajectory: Trajectory) -> Iterator[tuple[int, str]]:
    for step in trajectory.steps:
        yield from _step(kind, step, trajectory)
    if kind == "process":
        return
    for change in trajectory.world_changes:
        yield change.step, f"[S{change.step}] state changed: {_written(change.patch)}"
    last = trajectory.final_step or len(trajectory.steps)
    answer = trajectory.final_reply
    yield last, f"[S{last}] final answer: {'(none)' if answer is None else answer}"
    yield last, f"The trial ended: {trajectory.end_reason}"


def _step(kind: str, step: Step, trajectory: Trajectory) -> Iterator[tuple[int, str]]:
    mark = f"[S{step.number}]"
    for message in step.before:
        # The prompt stands above; a system message holds the rules that the agent was given.
        if message.source != "task" or message.role in {"system", "developer"}:
            yield step.number, f"{mark} {message.role} said: {message.content}"
    if _shows_words(kind, step, trajectory):
        yield step.number, f"{mark} agent said: {step.message.content}"
    for call in step.tool_calls:
        not_run = "" if call.executed else " (not carried out)"
        yield step.number, f"{mark} call {call.tool}({call.arguments_text}){not_run}"
    for seen in step.observations:
        what = "error" if seen.is_error else "result"
        yield step.number, f"{mark} {what} of {seen.tool}: {seen.content}"


def _shows_words(kind: str, step: Step, trajectory: Trajectory) -> bool:
    if not step.message.content or step.message.content == trajectory.final_reply:
        return False
    # Words beside calls are the agent's thoughts; words alone were said to the user.
    return kind == "process" or not step.tool_calls
