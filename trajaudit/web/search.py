"""In which steps of a trial do some words stand? All texts are looked through, also folded ones.

White space and case do not count: JSON is indented on the page and was not when it was written.
"""

from dataclasses import dataclass

from trajaudit.report.text import visible
from trajaudit.review.blind import BlindTrial
from trajaudit.review.desk_records import Hand
from trajaudit.web.trial_page import step_texts

MOST_CHARS = 200
"""Of what is looked for."""


@dataclass(frozen=True)
class Hit:
    """A step that holds the words; 0: the task and all around the steps."""

    hand: Hand | None
    step: int
    count: int


def search(content: BlindTrial, wanted: str, hand: Hand | None = None) -> list[Hit]:
    """Return the steps that hold some words, in order."""
    words = _plain(wanted[:MOST_CHARS])
    if not words:
        return []
    changes: dict[int, list[str]] = {}
    for change in content.trajectory.world_changes:
        changes.setdefault(change.step, []).append(str(change.patch))
    counts = [(0, sum(_plain(text).count(words) for text in _around(content)))]
    for step in content.trajectory.steps:
        texts = [*step_texts(step), *changes.get(step.number, ())]
        counts.append((step.number, sum(_plain(text).count(words) for text in texts)))
    return [Hit(hand, number, count) for number, count in counts if count]


def _plain(text: str) -> str:
    return "".join(visible(text).split()).lower()


def _around(content: BlindTrial) -> list[str]:
    trajectory, task = content.trajectory, content.task
    texts = [task.prompt, content.policy, trajectory.final_reply or "", content.patch or ""]
    texts += [part for one in content.tools for part in (one.name, one.description)]
    texts += [one.content for one in trajectory.after]
    return texts
