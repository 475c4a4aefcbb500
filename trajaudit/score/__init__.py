"""What a trial is worth: one pure function a file; this table is the only list of them."""

from hashlib import sha256
from pathlib import Path

from trajaudit.score.accepted_paths import accepted_paths
from trajaudit.score.allowed_tools import allowed_tools
from trajaudit.score.base import Scorer
from trajaudit.score.communicated import communicated
from trajaudit.score.early_correct import early_correct
from trajaudit.score.effects import effects
from trajaudit.score.end_state import end_state
from trajaudit.score.final_answer import final_answer
from trajaudit.score.forbidden_actions import forbidden_actions
from trajaudit.score.integrity import integrity
from trajaudit.score.loops import loops
from trajaudit.score.memorised import memorised
from trajaudit.score.recovery import recovery
from trajaudit.score.steps_needed import steps_needed
from trajaudit.score.tool_args import tool_args
from trajaudit.score.tool_schema import tool_schema
from trajaudit.score.truncation import truncation
from trajaudit.score.unknown_tools import unknown_tools

SCORERS: dict[str, Scorer] = {
    "final_answer": final_answer,
    "accepted_paths": accepted_paths,
    "end_state": end_state,
    "effects": effects,
    "forbidden_actions": forbidden_actions,
    "allowed_tools": allowed_tools,
    "communicated": communicated,
    "tool_schema": tool_schema,
    "tool_args": tool_args,
    "unknown_tools": unknown_tools,
    "loops": loops,
    "recovery": recovery,
    "truncation": truncation,
    "early_correct": early_correct,
    "steps_needed": steps_needed,
    "memorised": memorised,
    "integrity": integrity,
}


PACKAGE = Path(__file__).resolve().parents[1]
FOLDERS = ("datamodel", "score")
READERS = (
    "errors.py",
    "audit/verifying/deciding.py",
    "mocks/world.py",
    "record/open_step.py",
    "record/raw_json.py",
    "record/trajectory.py",
)
"""What decides beside the scorers: how a journal becomes a trajectory, a patch a world, results of
tests a verdict, and what is refused."""


def scoring_sources() -> list[Path]:
    """Return the files of the code that decides, in a fixed order."""
    found = [path for folder in FOLDERS for path in sorted((PACKAGE / folder).rglob("*.py"))]
    return [*found, *(PACKAGE / name for name in READERS)]


def scoring_checksum() -> str:
    """Return the SHA-256 (hex) over the sources of the code that decides."""
    digest = sha256()
    folder = f"{PACKAGE.as_posix()}/"
    # By names: objects of paths take three times as long to read.
    for path in (one.as_posix() for one in scoring_sources()):
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123
            source = file.read()
        name = path.removeprefix(folder)
        digest.update(f"{name}\0{len(source)}\0".encode())
        digest.update(source)
    return digest.hexdigest()
