"""Which step set the course of a trial whose answer is wrong? Where to look first, never a verdict.

The first step that acted, by a call or by code that it wrote, is where a plan became a result that
the rest builds on; in a trial that only talked it is the first that states the wrong value.
"""

import re

from trajaudit.datamodel.trajectory import Step, Trajectory
from trajaudit.datamodel.verdict import Evidence

_CODE = re.compile(r"```[\w+-]*[ \t]*\n")
_LONGEST = 200


def decisive_step(trajectory: Trajectory, wrong: str | None) -> Evidence | None:
    """Suggest the step to look at first; None where there is only one, or nothing to go by.

    Args:
        trajectory: a trial whose answer is wrong.
        wrong: the value that it came to, in plain form.
    """
    if len(trajectory.steps) < 2:
        return None
    acted = next((step for step in trajectory.steps if _acts(step)), None)
    found = acted or next((step for step in trajectory.steps if _states(step, wrong)), None)
    if found is None:
        return None
    what = "the first step that acts" if acted else "the first step that states this value"
    said = " ".join(found.message.content.split())[:_LONGEST]
    return Evidence(seq=found.message.seq, step=found.number, quote=f"{what}: {said}")


def _acts(step: Step) -> bool:
    return bool(step.tool_calls) or _CODE.search(step.message.content) is not None


def _states(step: Step, wrong: str | None) -> bool:
    if not wrong:
        return False
    plain = re.escape(wrong.strip())
    return (
        re.search(rf"(?<![\w.]){plain}(?![\w.]\w)", step.message.content, re.IGNORECASE) is not None
    )
