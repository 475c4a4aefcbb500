"""Berkeley Function-Calling Leaderboard: a folder with gold files and the results of models.

| here | there |
|---|---|
| task, tools | `BFCL_v*_<category>.json`: `id`, `question`, `function` |
| accepted path | `possible_answer/…`: for each call the accepted values of each argument |
| trial | a line of `…<category>_result.json`: `id`, `result` |
| model | the folder of the result file |
| raw verdict | a line with that id in `…<category>_score.json` is a failure; the rest passed |

A result is a list of calls, or text in Python's form of calls, which is read as such. Conversations
of several turns are judged by states that the files do not hold: they come without a path.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trajaudit.datamodel.imported import Origin
from trajaudit.datamodel.scenario import Task
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.record.importers.base import ForeignTrial, Importer, Source, mapped
from trajaudit.record.importers.bfcl_gold import NO_CALL, accepted, no_call, tools_of
from trajaudit.record.importers.builder import TrialBuilder
from trajaudit.record.importers.json_source import lines
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.python_call import read_calls
from trajaudit.record.importers.shapes import as_dict, as_list, as_text, make_task, task_id

NAME = "bfcl"
_FOLDERS = frozenset({"result", "gold", "possible_answer", "data", "score"})
_FILE = re.compile(r"BFCL_(?:v\d+_)?(?P<category>\w+?)(?P<kind>_result|_score)?\.jsonl?")
_KNOWN = frozenset(
    {"id", "result", "input_token_count", "output_token_count", "latency", "inference_log"}
    | {"reasoning_content"}
)
_GROUPS = frozenset(
    {"live", "non_live", "multi_turn", "agentic", "format_sensitivity", "memory", "web_search"}
)
"""Folders between a model's and its files, in newer versions."""


@dataclass
class _Files:
    """What lies in the folder, by category."""

    questions: dict[str, Path] = field(default_factory=dict)
    answers: dict[str, Path] = field(default_factory=dict)
    results: list[tuple[str, str, Path]] = field(default_factory=list)
    """Model, category and file."""
    scores: dict[tuple[str, str], Path] = field(default_factory=dict)


def sniff(source: Source) -> bool:
    """A folder that holds results, and the questions or answers that they belong to."""
    names = set(source.entries)
    if not source.is_folder or "result" not in names:
        return False
    return bool({"gold", "possible_answer", "data"} & names)


def read(source: Source, losses: Losses) -> Iterator[ForeignTrial]:
    """Yield one trial a line of a result file, model by model."""
    files = _files(source.path)
    _count_others(source.path, losses)
    for model, category, path in files.results:
        if category not in files.questions:
            losses.dropped("result", f"{path.name}: no questions of category {category!r}")
            continue
        yield from _of_file(source, files, (model, category, path), losses)


def _of_file(
    source: Source, files: _Files, result: tuple[str, str, Path], losses: Losses
) -> Iterator[ForeignTrial]:
    model, category, path = result
    questions = _by_id(files.questions[category], source, losses)
    answers = _by_id(files.answers.get(category), source, losses)
    failed = None
    if (model, category) in files.scores:
        failed = set(_by_id(files.scores[model, category], source, losses))

    def make(record: Any) -> ForeignTrial | None:
        fields = as_dict(record)
        name = as_text(fields.get("id"))
        if name not in questions:
            losses.malformed("result.id", f"no question {name!r}")
            return None
        losses.unknown("result", fields, _KNOWN)
        tools = tools_of(questions[name].get("function"), losses)
        builder = TrialBuilder(losses)
        answer = as_dict(answers.get(name))
        if "irrelevance" in category:
            answer = {"ground_truth": NO_CALL}
        task = _task(name, questions[name], answer, builder, losses)
        is_read = _replies(fields.get("result"), tools, builder)
        return ForeignTrial(
            task=task,
            events=builder.end("replied", "" if is_read else "the result is no list of calls"),
            origin=Origin(
                source=losses.where,
                format=NAME,
                source_id=name,
                model_id=model,
                raw=None if failed is None else name not in failed,
                raw_detail="" if failed is None else "by the score file",
            ),
            tools=tools,
        )

    yield from mapped(_lines(path, source, losses), make, losses, "result")


def _task(
    name: str,
    question: dict[str, Any],
    answer: dict[str, Any],
    builder: TrialBuilder,
    losses: Losses,
) -> Task:
    turns = as_list(question.get("question"))
    said = [as_dict(one) for turn in turns for one in (as_list(turn) or [turn])]
    prompt = ""
    for message in said[: len(as_list(turns[0])) if turns else 0]:
        role, text = message.get("role"), as_text(message.get("content"))
        is_user = role == "user"
        prompt = text if is_user else prompt
        if role in {"user", "system", "developer"}:
            builder.prompt(role, text, first=is_user)
    gold = answer.get("ground_truth")
    accept = accepted(as_list(gold)) if gold != NO_CALL else no_call()
    if gold and accept is None:
        losses.dropped("possible_answer", f"{name}: judged by states, not by calls")
    return make_task(task_id(name), prompt, losses, accept=accept)


def _replies(result: Any, tools: tuple[ToolSpec, ...], builder: TrialBuilder) -> bool:
    """Write each turn of a result as a step; return whether all of them are calls."""
    turns = as_list(result) if _is_turns(result) else [result]
    known = True
    for turn in turns:
        text = turn if isinstance(turn, str) else ""
        found = read_calls(text) if text else _listed(turn)
        calls = [
            builder.request(_declared(name, tools), arguments, f"call-{builder.seq}-{number}")
            for number, (name, arguments) in enumerate(found or ())
        ]
        known = known and found is not None
        builder.assistant("" if found else text, calls=calls)
        for call in calls:
            builder.answer(call.call_id, "")
    return known


def _declared(name: str, tools: tuple[ToolSpec, ...]) -> str:
    """Return the declared spelling of a name whose dots a provider did not allow."""
    names = {tool.name.replace(".", "_"): tool.name for tool in tools}
    return name if any(tool.name == name for tool in tools) else names.get(name, name)


def _is_turns(result: Any) -> bool:
    return isinstance(result, list) and any(isinstance(one, (str, list)) for one in result)


def _listed(turn: Any) -> list[tuple[str, Any]] | None:
    if not isinstance(turn, list):
        return None
    pairs = [pair for one in turn for pair in as_dict(one).items()]
    return [(as_text(name), arguments) for name, arguments in pairs] if pairs or not turn else None


def _files(folder: Path) -> _Files:
    files = _Files()
    for path in sorted(folder.rglob("BFCL_*.json*")):
        found = _FILE.fullmatch(path.name)
        if found is None or path.is_symlink() or not path.is_file():
            continue
        category, kind = found["category"], found["kind"]
        model = _model_of(path.relative_to(folder).parts[:-1])
        if kind == "_result":
            files.results.append((model, category, path))
        elif kind == "_score":
            files.scores[model, category] = path
        elif "possible_answer" in path.parts:
            files.answers[category] = path
        else:
            files.questions[category] = path
    return files


def _count_others(folder: Path, losses: Losses) -> None:
    """Count results that are named otherwise: early versions, whose lines have no ids."""
    for path in sorted((folder / "result").rglob("*_result_*.json*")):
        if path.is_file() and _FILE.fullmatch(path.name) is None:
            losses.dropped("result file", f"{path.name}: not of a name that says its category")


def _model_of(folders: tuple[str, ...]) -> str:
    """Return the innermost folder that is no group of categories."""
    return next((name for name in reversed(folders) if name not in _GROUPS), "")


def _by_id(path: Path | None, source: Source, losses: Losses) -> dict[str, dict[str, Any]]:
    if path is None:
        return {}
    found = (as_dict(value) for _, value in _lines(path, source, losses))
    return {as_text(one["id"]): one for one in found if "id" in one}


def _lines(path: Path, source: Source, losses: Losses) -> Iterator[tuple[str, Any]]:
    part = Source(path, f"{source.name}/{path.relative_to(source.path)}")
    return lines(part, losses)


IMPORTER = Importer(
    name=NAME,
    sniff=sniff,
    read=read,
    describes="BFCL: a folder with questions, possible answers and result files",
)
