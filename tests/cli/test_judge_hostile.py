"""What agent and judge wrote reaches terminal and pages as text, and is executed nowhere."""

import json
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml

from trajaudit.cli.main import main

SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(2)>"
ESCAPES = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e"
TEMPLATES = "{{ 7 * 7 }} ${7*7} {% raw %} $(touch owned) `touch owned`; touch owned"
HOSTILE = f"The answer is 41. {SCRIPT} {ESCAPES} {TEMPLATES}"
Typed = Callable[..., tuple[int, str, str]]


class Tags(HTMLParser):
    """Collects the tags of a page with their attributes, and what its scripts hold."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, list[str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, [name for name, _ in attrs]))


def ballot() -> str:
    criteria = [
        {
            "id": name,
            "evidence": [{"step": 1, "quote": "The answer is 41."}],
            "reasoning": HOSTILE,
            "verdict": "unmet",
            "missing": SCRIPT,
        }
        for name in ("goal_reached", "answer_true", "nothing_beyond")
    ]
    return json.dumps({"criteria": criteria, "conflicts": [SCRIPT + ESCAPES], "overall": "fail"})


@pytest.fixture
def typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Typed:
    """Type a command in a project whose agent and whose judges write hostile text."""
    monkeypatch.chdir(tmp_path)
    for folder in ("scenarios/x", "judges/panels"):
        (tmp_path / folder).mkdir(parents=True)
    scenario = {
        "trajaudit": 1,
        "agent": {"kind": "scripted", "tasks": {"one": [{"reply": HOSTILE}]}},
        "tasks": [{"id": "one", "prompt": f"How many? {SCRIPT}", "target": {"number": 42}}],
    }
    Path("scenarios/x/y.yaml").write_text(yaml.safe_dump(scenario))
    judges = [{"model": "scripted/judge.yaml", "family": name} for name in "ab"]
    made = {"name": "mine", "version": 1, "commit_first": False, "judges": judges}
    Path("judges/panels/mine.yaml").write_text(yaml.safe_dump(made))
    Path("judge.yaml").write_text(yaml.safe_dump([{"text": ballot(), "repeat": True}]))

    def run(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(list(words))
        found = capsys.readouterr()
        return int(left.value.code or 0), found.out, found.err

    return run


def test_hostile_text_of_agent_and_judges_stays_text(typed: Typed, tmp_path: Path) -> None:
    said = [typed("run", "scenarios/x/y.yaml", "--trials", "1")]
    said.append(typed("judge", "latest", "--panel", "mine", "--all"))
    said.append(typed("report", "latest"))
    said.append(typed("show", "latest", "one"))
    pages = list((tmp_path / "runs").glob("*/*.html"))
    votes = next((tmp_path / "runs").glob("*/votes.jsonl")).read_text()

    assert [code for code, _, _ in said] == [0, 0, 0, 0]
    shown = "".join(out + err for _, out, err in said)
    assert not {one for one in shown if not one.isprintable()} - {"\n", "\t"}
    assert "alert(1)" in votes  # it did come through
    assert pages
    for page in pages:
        text = page.read_text()
        tags = Tags()
        tags.feed(text)
        assert "<script>alert" not in text
        assert not [tag for tag, names in tags.found if any(n.startswith("on") for n in names)]
        assert "img" not in [tag for tag, _ in tags.found]
        assert not set(text) & set("\x1b\x07\x9b")
    assert not list(tmp_path.rglob("owned"))


def test_a_labelled_set_with_hostile_trials_is_certified_without_harm(
    typed: Typed, tmp_path: Path
) -> None:
    lines = [
        {"id": f"t{at}", "rubric": "task_success", "label": "fail", "task": SCRIPT + ESCAPES,
         "answer": HOSTILE}
        for at in range(3)
    ]  # fmt: skip
    Path("gold.jsonl").write_text("\n".join(map(json.dumps, lines)))
    for command in ("certify", "bias"):
        code, out, err = typed("judge", command, "--panel", "mine", "--gold", "gold.jsonl")
        assert code == 0, err
        assert not {one for one in out + err if not one.isprintable()} - {"\n", "\t"}
    assert not list(tmp_path.rglob("owned"))
