"""README and docs name everything that is there, and their commands run."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer
import typer.main
from pydantic import BaseModel

from tests.audit.verifying.projects import PROJECTS, write
from trajaudit import errors
from trajaudit.audit.exporting import EXPORTERS
from trajaudit.cli.main import app
from trajaudit.cli.signals import EXIT_INTERRUPTED
from trajaudit.datamodel import event
from trajaudit.datamodel.finding import FailureKind
from trajaudit.record.importers import IMPORTERS

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
DOCS = sorted((ROOT / "docs").glob("*.md"))
PAGES = [README, *DOCS]
ALL_TEXT = "\n".join(page.read_text() for page in PAGES)
NOT_OURS = {"TRAJAUDIT_EXEC", "TRAJAUDIT_PROCESS"}
"""Marks that a sandbox sets to find its own processes again."""
EVENTS = [
    one
    for one in vars(event).values()
    if isinstance(one, type)
    and issubclass(one, BaseModel)
    and one.__module__ == event.__name__
    and one is not event.EventBase
]


def _commands() -> list[str]:
    group = typer.main.get_group(app)
    found = []
    for name, command in group.commands.items():
        inner = getattr(command, "commands", None)
        found += [f"{name} {each}" for each in inner] if inner else [name]
    return found


def _typed(page: Path) -> list[str]:
    blocks = re.findall(
        r"^```(?:console|bash)\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL
    )
    lines = [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]
    return [line for line in lines if line.startswith("trajaudit ")]


@pytest.mark.parametrize("command", _commands())
def test_a_command_is_documented(command: str) -> None:
    assert f"trajaudit {command}" in ALL_TEXT


def test_the_readme_lists_exactly_the_exit_codes() -> None:
    listed = set(re.findall(r"^\| (\d+) \|", README.read_text(), re.MULTILINE))

    raised = {
        one.exit_code
        for one in vars(errors).values()
        if isinstance(one, type) and issubclass(one, errors.TrajauditError)
    }
    assert {int(code) for code in listed} == {0, EXIT_INTERRUPTED, *raised}


@pytest.mark.parametrize("kind", FailureKind)
def test_a_kind_of_failure_is_documented(kind: FailureKind) -> None:
    assert re.search(rf"`{kind.value}`", ALL_TEXT)


def test_environment_variables_are_documented() -> None:
    sources = [*(ROOT / "trajaudit").rglob("*.py"), *(ROOT / "sandboxes").rglob("*.py")]
    read = {
        name
        for path in sources
        for name in re.findall(r"\"((?:TRAJAUDIT|OPENAI)_[A-Z_]+)\"", path.read_text())
    }

    assert {name for name in read - NOT_OURS if f"`{name}`" not in ALL_TEXT} == set()


@pytest.mark.parametrize("name", IMPORTERS)
def test_an_import_format_has_its_row(name: str) -> None:
    rows = re.findall(
        r"^\| `([a-z0-9_]+)` \|", (ROOT / "docs" / "imports.md").read_text(), re.MULTILINE
    )

    assert rows.count(name) == 1


@pytest.mark.parametrize("name", EXPORTERS)
def test_an_export_format_has_its_row(name: str) -> None:
    rows = re.findall(
        r"^\| `([a-z0-9_]+)` \|", (ROOT / "docs" / "exports.md").read_text(), re.MULTILINE
    )

    assert rows.count(name) == 1


@pytest.mark.parametrize("record", EVENTS, ids=lambda record: record.__name__)
def test_an_event_is_documented_with_its_fields(record: type[BaseModel]) -> None:
    text = (ROOT / "docs" / "journal.md").read_text()
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    common = set(event.EventBase.model_fields)

    if "kind" not in record.model_fields:
        where = text
    else:
        kind = record.model_fields["kind"].default
        where = next(body for title, body in sections.items() if kind in title.split(", "))
    unnamed = {
        name for name in record.model_fields.keys() - common - {"kind"} if f"`{name}`" not in where
    }

    assert unnamed == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_relative_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text())
    relative = [link for link in links if "://" not in link]

    assert [link for link in relative if not (page.parent / link).exists()] == []


def test_the_readme_leads_to_every_page() -> None:
    linked = {(page.parent / link).resolve() for page in PAGES for link in _linked(page)}

    assert [page.name for page in DOCS if page not in linked] == []


def _linked(page: Path) -> list[str]:
    return re.findall(r"\]\(([^):#]+\.md)", page.read_text())


def test_no_page_names_a_place_of_one_machine() -> None:
    assert re.findall(r"/root/|/work/main|/work/shared|/home/\w+", ALL_TEXT) == []


@pytest.mark.docker
@pytest.mark.local_model
@pytest.mark.slow
def test_the_commands_of_readme_and_docs_run(tmp_path: Path) -> None:
    project = _project(tmp_path)
    typed = [(page.name, line) for page in PAGES for line in _typed(page)]

    assert len(typed) > 10
    failed = [(page, line, said) for page, line in typed if (said := _fault(line, project))]
    assert failed == []


def test_the_commands_about_reviewing_run_and_print_what_the_page_shows(tmp_path: Path) -> None:
    project, page = _project(tmp_path), ROOT / "docs" / "review.md"

    said = [_done(line, project) for line in _typed(page)]

    assert [one.stderr for one in said if one.returncode] == []
    shown = re.findall(r"^```text\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
    printed = "\n".join(_without_ids(one.stdout) for one in said)
    assert [block for block in shown if _without_ids(block) not in printed] == []


def _without_ids(text: str) -> str:
    """Return what was printed without run ids, days and blanks at the ends of lines."""
    plain = re.sub(r"\d{8}-\d{6}-[0-9a-f]{4}", "RUN", text)
    plain = re.sub(r"on \d{4}-\d\d-\d\d", "on DAY", plain)
    return "\n".join(line.rstrip() for line in plain.splitlines())


def _project(folder: Path) -> Path:
    """Return a copy with what the pages tell a reader to write."""
    project = folder / "a project"
    for name in ("scenarios", "sandboxes"):
        shutil.copytree(ROOT / name, project / name)
    example = re.search(r"```yaml\n# (scenarios/\S+)\n(.*?)```", README.read_text(), re.DOTALL)
    assert example is not None
    (project / example[1]).write_text(example[2])
    logs = re.search(r"```jsonl\n(.*?)```", (ROOT / "docs" / "imports.md").read_text(), re.DOTALL)
    assert logs is not None
    (project / "logs").mkdir()
    (project / "logs" / "dialogues.jsonl").write_text(logs[1])
    patches = (ROOT / "docs" / "patches.md").read_text()
    prediction = re.search(r"```json\n(.*?)```", patches, re.DOTALL)
    assert prediction is not None
    (project / "preds.json").write_text(prediction[1])
    review = (ROOT / "docs" / "review.md").read_text()
    orders = re.search(r"```yaml\n# (scenarios/\S+)\n(.*?)```", review, re.DOTALL)
    labels = re.search(r"```jsonl\n(.*?)```", review, re.DOTALL)
    assert orders is not None
    assert labels is not None
    (project / orders[1]).parent.mkdir()
    (project / orders[1]).write_text(orders[2])
    (project / "labels.jsonl").write_text(labels[1])
    _repository(project / "shop")
    return project


def _repository(folder: Path) -> None:
    """Make the repository that the page on patches begins with: its last commit fixes something."""
    git = ["git", "-C", str(folder), "-c", "user.name=n", "-c", "user.email=e"]
    wallet = PROJECTS[0]
    for files in (wallet.files, {**wallet.fix, **wallet.tests}):
        write(folder, files)
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "c"]):
            subprocess.run([*git, *words], check=True)


def _done(line: str, project: Path) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "trajaudit", *shlex.split(line)[1:]]
    return subprocess.run(argv, cwd=project, capture_output=True, text=True, check=False)


def _fault(line: str, project: Path) -> str:
    done = _done(line, project)
    return f"exit {done.returncode}: {done.stderr[-500:]}" if done.returncode else ""
