"""A project with a scored run, and people who label it by files, for tests of `review`."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from trajaudit.cli.main import main

Typed = Callable[..., tuple[int, str, str]]
REPLIES = {
    **{f"plain{at}": "Paris" for at in range(3)},
    **{f"prose{at}": "The capital of France is Paris, of course." for at in range(6)},
    **{f"wrong{at}": "Lyon" for at in range(3)},
}
PANEL = {
    "name": "mine",
    "version": 1,
    "commit_first": False,
    "judges": [
        {"model": "scripted/judge.yaml", "family": "a"},
        {"model": "scripted/judge.yaml", "family": "b"},
    ],
    "audit": {"least": 3, "share": 0.0, "floor": 3},
    "costs": {"error": 10, "review": 1},
}


def scenario(replies: Mapping[str, str] = REPLIES) -> str:
    tasks = [
        {"id": name, "prompt": f"Question {name}: capital of France? Name only.", "target": "Paris"}
        for name in replies
    ]
    script = {name: [{"reply": text}] for name, text in replies.items()}
    made = {"trajaudit": 1, "agent": {"kind": "scripted", "tasks": script}, "tasks": tasks}
    return yaml.safe_dump(made, sort_keys=False)


def vote(verdict: str = "met", quote: str = "Paris") -> str:
    ids = ("goal_reached", "answer_true", "nothing_beyond")
    criteria = [
        {"id": name, "evidence": [{"step": 1, "quote": quote}], "reasoning": "", "verdict": verdict}
        for name in ids
    ]
    overall = "pass" if verdict == "met" else "fail"
    return json.dumps({"criteria": criteria, "conflicts": [], "overall": overall})


def make_project(folder: Path, text: str) -> None:
    (folder / "scenarios" / "x").mkdir(parents=True)
    (folder / "judges" / "panels").mkdir(parents=True)
    (folder / "scenarios" / "x" / "y.yaml").write_text(text)
    (folder / "judges" / "panels" / "mine.yaml").write_text(yaml.safe_dump(PANEL))
    replies = [{"when": "Lyon", "text": vote("unmet", "Lyon")}, {"when": "Paris", "text": vote()}]
    script = {"replies": replies, "count": "calls"}
    (folder / "judge.yaml").write_text(yaml.safe_dump(script))


def typed_in(capsys: pytest.CaptureFixture[str]) -> Typed:
    """Type a command; returns its exit code and what it wrote."""

    def typed(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(words)
        assert isinstance(left.value.code, int)
        return left.value.code, *capsys.readouterr()

    return typed


def exported(typed: Typed, name: str = "items.jsonl") -> list[dict[str, Any]]:
    code, _, told = typed("review", "latest", "--export", name)
    assert code == 0, told
    return [json.loads(line) for line in Path(name).read_text().splitlines()]


def label(
    typed: Typed, verdicts: Mapping[str, str], reviewer: str = "Ana", reason: str = ""
) -> tuple[int, str, str]:
    """Label the items of the tasks of these names, and import the labels."""
    rows = []
    for row in exported(typed):
        name = row["prompt"].split(":")[0].removeprefix("Question ")
        if name in verdicts:
            rows.append({**row, "verdict": verdicts[name], "reason": reason})
    assert len(rows) == len(verdicts)
    Path("labels.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return typed("review", "latest", "--import", "labels.jsonl", "--reviewer", reviewer)


def records(folder: Path, name: str) -> list[dict[str, Any]]:
    (path,) = folder.glob(f"runs/*/{name}.jsonl")
    return [json.loads(line) for line in path.read_text().splitlines()]


def one_label_settles(folder: Path) -> None:
    """Have each item labelled by one person only."""
    place = folder / "runs" / ".review"
    place.mkdir(parents=True, exist_ok=True)
    (place / "policy.json").write_text('{"double": 0.0}')


def run_typed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Typed:
    """Make a project, run its scenario, and return what types commands in it."""
    monkeypatch.chdir(folder)
    make_project(folder, scenario())
    one_label_settles(folder)
    found = typed_in(capsys)
    assert found("run", "x/y")[0] == 0
    return found
