"""ATIF 1.6: a folder with a trajectory for each trial, and our verdicts in a file beside it.

The format has no place for verdicts; `verdict.json` is ours. Replies of tools stand inside of the
agent's step, as the format wants it.
"""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from trajaudit.audit.exporting.base import AuditedTrial, Exporter, audited_trials
from trajaudit.datamodel.trajectory import Message, Step
from trajaudit.errors import UsageError
from trajaudit.record.importers.shapes import json_text
from trajaudit.record.rundir import RunDir, folder_name
from trajaudit.record.stored import storing

VERSION = "ATIF-v1.6"
_SOURCES = {"system": "system", "developer": "system", "user": "user", "tool": "system"}


def write(run: RunDir, path: Path) -> int:
    """Write the folder, all of it or nothing; return the number of trials.

    Raises:
        UsageError: there is something at the path already.
    """
    if path.exists():
        raise UsageError(f"{path}: is there already; choose another folder")
    count = 0
    with storing(path):
        draft = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}."))
        try:
            for one in audited_trials(run):
                folder = draft / folder_name(one.record.task_id) / str(one.record.trial)
                folder.mkdir(parents=True)
                _dump(folder / "trajectory.json", _trajectory(one, run.run_id))
                _dump(folder / "verdict.json", _verdict(one))
                count += 1
            draft.chmod(0o755)
            draft.rename(path)
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise
    return count


def _dump(path: Path, value: Any) -> None:
    path.write_bytes(json_text(value).encode("utf-8", "backslashreplace") + b"\n")


def _trajectory(one: AuditedTrial, run_id: str) -> dict[str, Any]:
    found, record = one.trajectory, one.record
    steps = [{"step_id": number, **step} for number, step in enumerate(_steps(one), start=1)]
    return {
        "schema_version": VERSION,
        "session_id": f"{run_id}/{record.task_id}/{record.trial}",
        "agent": {
            "name": found.agent or "unknown",
            "version": "unknown",
            **({"model_name": found.model_id} if found.model_id else {}),
            "tool_definitions": [
                {
                    "type": "function",
                    "function": tool.model_dump(
                        mode="json", include={"name", "description", "parameters"}
                    ),
                }
                for tool in one.scenario.tools
            ],
        },
        "steps": steps,
        "final_metrics": {
            "total_prompt_tokens": record.prompt_tokens,
            "total_completion_tokens": record.completion_tokens,
            **({"total_cost_usd": record.cost_usd} if record.cost_usd is not None else {}),
            "total_steps": len(steps),
        },
        "extra": {"end_reason": record.end_reason, "final_reply": found.final_reply},
    }


def _steps(one: AuditedTrial) -> Iterator[dict[str, Any]]:
    for step in one.trajectory.steps:
        yield from map(_said, step.before)
        yield _acted(step)
    yield from map(_said, one.trajectory.after)


def _said(message: Message) -> dict[str, Any]:
    return {"source": _SOURCES.get(message.role, "user"), "message": message.content}


def _acted(step: Step) -> dict[str, Any]:
    made: dict[str, Any] = {"source": "agent", "message": step.message.content}
    if step.message.reasoning:
        made["reasoning_content"] = step.message.reasoning
    if step.tool_calls:
        made["tool_calls"] = [
            {
                "tool_call_id": call.call_id,
                "function_name": call.tool,
                "arguments": call.arguments if isinstance(call.arguments, dict) else {},
                # The format holds only parsed arguments.
                "extra": {"arguments_text": call.arguments_text, "executed": call.executed},
            }
            for call in step.tool_calls
        ]
    if step.observations:
        made["observation"] = {
            "results": [
                {
                    "source_call_id": one.call_id,
                    "content": one.content,
                    **({"extra": {"is_error": True}} if one.is_error else {}),
                }
                for one in step.observations
            ]
        }
    if step.usage is not None:
        made["metrics"] = {
            "prompt_tokens": step.usage.prompt_tokens,
            "completion_tokens": step.usage.completion_tokens,
        }
    return made


def _verdict(one: AuditedTrial) -> dict[str, Any]:
    return {
        "outcome": one.outcome.model_dump(mode="json"),
        "verdicts": [verdict.model_dump(mode="json") for verdict in one.verdicts],
        "findings": [finding.model_dump(mode="json") for finding in one.findings],
    }


EXPORTER = Exporter(
    name="atif",
    suffix=".atif",
    write=write,
    describes="ATIF 1.6: a folder with a trajectory and our verdict for each trial",
)
