"""OpenHands: event lists and folders of its first generation, SDK conversations of its second.

| here | there (first generation) | there (SDK) |
|---|---|---|
| step | an action of the agent; actions of one reply together | ActionEvent, MessageEvent |
| raw arguments | `tool_call_metadata.model_response` | `tool_call.arguments` |
| reply of a tool | observation, joined by `cause` | ObservationEvent, AgentErrorEvent |
| prompt | first message of the user | the same |
| answer | `test_result.git_patch`, else the message of `finish` | the same |
| end | `error`, the last state of the agent | execution status |
| verdict | `test_result.report.resolved` | the same |

Sources: a JSON list of events, a folder of `N.json`, a folder with `base_state.json` and
`events/`, JSON lines of events, and `output.jsonl` of its benchmarks, an instance a line.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from trajaudit.datamodel.imported import Origin
from trajaudit.record.importers.base import ForeignTrial, Importer, Source, mapped
from trajaudit.record.importers.coding import instance_metadata
from trajaudit.record.importers.json_source import document, head_keys, is_json_file, lines, loads
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.openhands_events import EventReader
from trajaudit.record.importers.openhands_log import Told
from trajaudit.record.importers.openhands_sdk import SdkReader, branch
from trajaudit.record.importers.shapes import (
    as_dict,
    as_list,
    as_text,
    first,
    make_task,
    task_id,
)
from trajaudit.record.importers.sources import open_source

NAME = "openhands"
_NUMBERED = re.compile(r"(\d{1,9})\.json")
_SDK_FILE = re.compile(r"event-(\d{1,9})-[\w-]{1,80}\.json")
_SDK_KIND = re.compile(
    rb'"kind"\s*:\s*"(?:Action|Message|Observation|SystemPrompt|ConversationStateUpdate)Event"'
)
_EVENT_BYTES = 64 * 1024 * 1024
_KNOWN_RECORD = frozenset(
    {"instance_id", "history", "instruction", "instance", "metadata", "metrics", "error"}
    | {"test_result", "git_patch", "report", "resolved"}
)


def sniff(source: Source) -> bool:
    """A folder of events, a list of them, or an instance with a history a line."""
    if source.is_folder:
        return _is_folder_of_events(source)
    return _is_log(source)


def _is_log(source: Source) -> bool:
    if not is_json_file(source.path):
        return False
    keys = head_keys(source)
    if keys >= {"instance_id", "history"}:
        return bool(keys & {"test_result", "git_patch", "instruction"})
    if _SDK_KIND.search(source.head) is not None and "source" in keys:
        return True
    is_events = keys >= {"id", "source", "timestamp"} and bool(keys & {"args", "extras"})
    return is_events and bool(keys & {"action", "observation"})


def _is_folder_of_events(source: Source) -> bool:
    if {"base_state.json", "events"} <= set(source.entries):
        return True
    files = [name for name in source.entries if name.endswith(".json")]
    if not files or not all(_NUMBERED.fullmatch(name) for name in files):
        return False
    # Others number their files as well: one of them has to be an event.
    path = source.path / files[0]
    return path.is_file() and not path.is_symlink() and _is_event(open_source(path, source.path))


def _is_event(source: Source) -> bool:
    keys = head_keys(source)
    return "source" in keys and bool(keys & {"action", "observation", "kind"})


def read(source: Source, losses: Losses) -> Iterator[ForeignTrial]:
    """Yield one trial a conversation or instance."""

    def make(record: Any) -> ForeignTrial | None:
        return _trial(as_dict(record), source, losses)

    yield from mapped(_records(source, losses), make, losses, "conversation")


def _records(source: Source, losses: Losses) -> Iterator[tuple[str, Any]]:
    """Yield (place, record with `history`) for whatever the source is."""
    if source.is_folder:
        yield source.name, _folder(source, losses)
    elif source.path.suffix.lower() == ".json":
        found = document(source)
        events = as_list(found) or as_list(as_dict(found).get("trajectory"))
        yield source.name, {"history": events} if events else found
    elif head_keys(source) >= {"instance_id", "history"}:
        yield from lines(source, losses)
    else:
        yield source.name, {"history": [event for _, event in lines(source, losses)]}


def _folder(source: Source, losses: Losses) -> dict[str, Any]:
    state: Any = {}
    if "base_state.json" in source.entries:
        state = _file(source.path / "base_state.json", losses)
    folder = source.path / "events" if "events" in source.entries else source.path
    events = []
    for _, path in sorted(_event_files(folder)):
        event = _file(path, losses)
        if event is not None:
            events.append(event)
    return {"history": events, "base_state": as_dict(state)}


def _event_files(folder: Path) -> Iterator[tuple[tuple[int, str], Path]]:
    if folder.is_symlink() or not folder.is_dir():
        return
    for path in folder.iterdir():
        named = _NUMBERED.fullmatch(path.name) or _SDK_FILE.fullmatch(path.name)
        if named is not None and path.is_file() and not path.is_symlink():
            yield (int(named[1]), path.name), path


def _file(path: Path, losses: Losses) -> Any:
    try:
        if path.stat().st_size > _EVENT_BYTES:
            losses.malformed("event file", f"{path.name}: more than {_EVENT_BYTES} bytes")
            return None
        return loads(path.read_bytes())
    except (ValueError, OSError) as error:
        losses.malformed("event file", f"{path.name}: {error}")
        return None


def _trial(record: dict[str, Any], source: Source, losses: Losses) -> ForeignTrial | None:
    state = as_dict(record.get("base_state"))
    losses.unknown("", record, _KNOWN_RECORD | {"base_state"})
    told = _told(record, state, losses)
    if told is None:
        losses.malformed("conversation", "no step of an agent")
        return None
    result = as_dict(record.get("test_result"))
    _submit(told, as_text(first(result, "git_patch") or record.get("git_patch")))
    reason, detail = told.ending(as_text(record.get("error")))
    raw, raw_detail = _verdict(record, result)
    name = as_text(record.get("instance_id") or state.get("id")) or source.path.stem
    instance = as_dict(record.get("instance"))
    return ForeignTrial(
        task=make_task(
            task_id(name),
            told.prompt or as_text(record.get("instruction")),
            losses,
            metadata=instance_metadata(
                name, repo=instance.get("repo"), base_commit=instance.get("base_commit")
            ),
        ),
        events=told.builder.end(reason, detail),
        origin=Origin(
            source=losses.where or source.name,
            format=NAME,
            source_id=name,
            agent="openhands",
            model_id=told.model or _model(record, state),
            raw=raw,
            raw_detail=raw_detail,
        ),
        tools=told.tools,
        started=told.started,
        duration_s=told.clock.seconds,
        totals=told.totals(),
    )


def _submit(told: Told, patch: str) -> None:
    answer = patch if patch.strip() else told.answer
    if answer:
        told.builder.submit(answer)


def _told(record: dict[str, Any], state: dict[str, Any], losses: Losses) -> Told | None:
    events = list(_flat(as_list(record.get("history"))))
    told = Told(losses)
    if any("kind" in event for event in events):
        leaf = as_text(state.get("leaf_event_id"))
        SdkReader(told, losses).read(branch(events, leaf, losses))
        told.status = told.status or as_text(state.get("execution_status"))
        told.sums |= as_dict(as_dict(state.get("stats")).get("usage_to_metrics"))
    else:
        EventReader(told, losses).read(events)
    return told if told.steps else None


def _flat(history: list[Any]) -> Iterator[dict[str, Any]]:
    """Yield events; older logs hold pairs of action and observation."""
    for entry in history:
        for event in entry if isinstance(entry, list) else [entry]:
            if isinstance(event, dict):
                yield event


def _verdict(record: dict[str, Any], result: dict[str, Any]) -> tuple[bool | None, str]:
    report = as_dict(first(result, "report") or record.get("report"))
    resolved = report.get("resolved", record.get("resolved"))
    failed = [key for key in ("error_eval", "test_timeout") if report.get(key) is True]
    if failed and resolved is not True:
        return None, f"the evaluation failed: {', '.join(failed)}"
    if not isinstance(resolved, bool):
        return None, ""
    return resolved, f"resolved={resolved}"


def _model(record: dict[str, Any], state: dict[str, Any]) -> str:
    config = as_dict(as_dict(record.get("metadata")).get("llm_config"))
    llm = as_dict(as_dict(state.get("agent")).get("llm"))
    return as_text(config.get("model") or llm.get("model"))


IMPORTER = Importer(
    name=NAME,
    sniff=sniff,
    read=read,
    describes="OpenHands events (V0), SDK conversations (V1), and output.jsonl of its benchmarks",
)
