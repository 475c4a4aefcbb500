"""Did the agent know the benchmark instead of the task? Only what it says unasked counts.

Deliberate: a name that the task, the user or a tool had said before is no recognition,
and an answer that comes before anything was read is told, but accuses nobody.
"""

import re
from collections.abc import Iterator

from pydantic import JsonValue

from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Step, Trajectory
from trajaudit.datamodel.verdict import Evidence, Verdict
from trajaudit.score.call_reading import tools_of
from trajaudit.score.extract.sentence import sentences
from trajaudit.score.moment import answer_moments
from trajaudit.score.screen import Screen, lowered, may_hold
from trajaudit.score.verdict_pair import both_modes

NAME = "memorised"
BENCHMARK = re.compile(
    r"\b(?:SWE-?bench(?:[ -](?:Verified|Lite|Pro|Live))?|GSM-?8K|HumanEval(?:\+|Fix)?|MBPP"
    r"|MMLU(?:-Pro)?|GPQA|HotpotQA|TriviaQA|BIG-?bench|HellaSwag|ARC-(?:AGI|Challenge|Easy)"
    r"|AIME \d{4}|MATH-?500|(?:tau|\u03c4)\u00b2?2?-?bench|WebArena|AgentDojo|AgentBench|BFCL"
    r"|GAIA benchmark|terminal-?bench|BrowseComp|LiveCodeBench|InterCode|OSWorld|SimpleQA"
    r"|TruthfulQA|IFEval)(?![\w-])"
)
_RECOGNISES = re.compile(
    r"(?i)\b(?:this (?:is|looks like|seems|appears|comes|task|question|problem|instance|issue"
    r"|one)|(?:is|comes|taken|task|question|problem|instance|sample) (?:a |an |one |straight "
    r"|directly )?(?:of|from|in)|i (?:recall|remember|recogni[sz]e|know|have seen|'ve seen)"
    r"|familiar|known)\b"
)
SOLUTION = re.compile(
    r"(?i)\b(?:i (?:recall|remember|know|recogni[sz]e)|as (?:i (?:recall|remember)|known)"
    r"|from memory|in my (?:memory|training(?: data)?)|i(?:'ve| have) seen)\b[^.\n]{0,80}"
    r"\b(?:(?:upstream|official|reference|actual|real|gold(?:en)?|original|accepted"
    r"|merged) (?:fix|solution|patch|answer|commit|pull request|pr)|(?:this"
    r"|the) (?:exact )?(?:benchmark|dataset|test set|answer key))\b"
    r"|\b(?:the )?(?:gold(?:en)? (?:patch|answer)|answer key|reference solution) (?:is|was|says"
    r"|changes|adds|uses|sets)\b"
)
_TASK_ID = re.compile(r"(?=.*\d)(?=.*[-_]).{9,}")
_PARTS_OF_NAMES = (
    *("bench", "gsm8k", "gsm-8k", "humaneval", "mbpp", "mmlu", "gpqa", "hotpotqa", "triviaqa"),
    *("hellaswag", "arc-", "aime ", "math-500", "math500", "webarena", "agentdojo", "bfcl"),
    *("browsecomp", "intercode", "osworld", "simpleqa", "truthfulqa", "ifeval"),
)
"""One of them is in every name of a benchmark, in lower case."""
_PARTS_OF_CLAIMS = (
    *("recall", "remember", "know", "recogni", "memory", "training", "seen"),
    *("gold", "answer key", "reference solution"),
)
"""One of them is in every claim to know the solution, in lower case."""
_CLAIMS = Screen(SOLUTION)


def memorised(scenario: Scenario, task: Task, trajectory: Trajectory) -> list[Verdict]:
    """Fail in both modes if the agent names the benchmark, the task's id or its solution."""
    if not trajectory.steps:
        return []
    cues = list(_cues(task, trajectory))
    kinds: list[JsonValue] = [*dict.fromkeys(kind for kind, _ in cues)]
    early = _answered_unread(scenario, task, trajectory)
    return both_modes(
        trajectory,
        NAME,
        passed=not cues,
        reason="; ".join(f"step {item.step}: {kind}" for kind, item in cues[:3])
        or "nothing shows that the benchmark was recognised",
        evidence=tuple(item for _, item in cues[:20]),
        detail={"cues": kinds, "answered_before_reading": early},
    )


def _cues(task: Task, trajectory: Trajectory) -> Iterator[tuple[str, Evidence]]:
    wanted = task.id if _TASK_ID.fullmatch(task.id) else None
    heard = [task.prompt]
    if not may_tell("\n".join(text for step in trajectory.steps for text in _said(step)), wanted):
        return
    for step in trajectory.steps:
        heard += [message.content for message in step.before]
        telling = [text for text in _said(step) if may_tell(text, wanted)]
        given = "\n".join(heard).lower() if telling else ""
        for text in telling:
            yield from _in_text(task.id, text, given, step)
        heard += [seen.content for seen in step.observations]


def _said(step: Step) -> tuple[str, ...]:
    message = step.message
    return (message.reasoning, message.content) if message.reasoning else (message.content,)


def may_tell(text: str, task_id: str | None) -> bool:
    """Whether a sentence of a text can hold a cue, because the whole text may; cheap."""
    if task_id is not None and task_id in text:
        return True
    lower = lowered(text)
    if may_hold(lower, _PARTS_OF_CLAIMS) and _CLAIMS.may_find(lower):
        return True
    return may_hold(lower, _PARTS_OF_NAMES) and BENCHMARK.search(text) is not None


def _in_text(task_id: str, text: str, given: str, step: Step) -> Iterator[tuple[str, Evidence]]:
    for sentence in sentences(text):
        said = sentence.text
        name = BENCHMARK.search(said)
        if name is not None and name[0].lower() not in given and _RECOGNISES.search(said):
            yield f"names {name[0]}", _evidence(step, said)
        solution = SOLUTION.search(said)
        if solution is not None and not _was_said(solution[0], given):
            yield "cites the reference solution", _evidence(step, said)
        if _TASK_ID.fullmatch(task_id) and task_id.lower() not in given and _has(task_id, said):
            yield f"names the task's id {task_id}", _evidence(step, said)


def _was_said(words: str, given: str) -> bool:
    """Whether task, user or tool spoke of such a thing first."""
    noun = re.search(r"(?i)(?:patch|answer key|solution|fix|commit|benchmark|dataset)\b", words)
    pair = re.search(
        r"(?i)\b(?:upstream|official|reference|actual|gold(?:en)?|answer key)\b", words
    )
    return noun is not None and pair is not None and pair[0].lower() in given


def _has(task_id: str, text: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(task_id)}(?![\w-])", text) is not None


def _evidence(step: Step, quote: str) -> Evidence:
    return Evidence(seq=step.message.seq, step=step.number, quote=quote.strip()[:300])


def _answered_unread(scenario: Scenario, task: Task, trajectory: Trajectory) -> bool:
    """Whether the right answer stood before any tool was asked, though the task offers tools."""
    if not tools_of(scenario, task) or not any(step.tool_calls for step in trajectory.steps):
        return False
    first = next(step.number for step in trajectory.steps if step.tool_calls)
    numbers = (step.number for step in trajectory.steps)
    if min(*numbers, trajectory.final_step or first) >= first:
        return False  # Nothing stood before it, right or wrong.
    moments = answer_moments(scenario, task, trajectory)
    return any(moment.state == "right" and moment.step < first for moment in moments)
