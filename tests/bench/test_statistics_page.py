"""What docs/statistics.md shows of its example is what its commands print."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bench.coverage.example import truths, write
from trajaudit.cli.main import app

PAGE = Path(__file__).resolve().parents[2] / "docs" / "statistics.md"
SHOWN = re.findall(r"```text\n\$ trajaudit (.+)\n((?:.*\n)*?)```", PAGE.read_text("utf-8"))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    write(folder / "runs")
    return folder


def test_the_page_shows_a_command_for_every_estimate() -> None:
    typed = " ".join(line for line, _ in SHOWN)

    for word in ("--guarantee", "--of new-tasks", "--soft", "--against", "--of watched", "--gold"):
        assert word in typed
    assert "review agreement" in typed


@pytest.mark.parametrize(("line", "said"), SHOWN, ids=[line for line, _ in SHOWN])
def test_a_command_prints_what_is_shown(
    line: str, said: str, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    command, _, pattern = line.partition(" | grep -E ")

    done = CliRunner().invoke(app, shlex.split(command))

    assert done.exit_code == 0, done.output
    lines = [one.rstrip() for one in done.stdout.rstrip("\n").split("\n")]
    if pattern:
        lines = [one for one in lines if re.search(shlex.split(pattern)[0], one)]
    assert lines == said.rstrip("\n").split("\n")


def test_the_truth_that_the_page_tells_is_that_of_the_example() -> None:
    text = PAGE.read_text("utf-8")

    for name, share in truths().items():
        assert f"{share:.3f} of `{name}`" in text


def test_shares_in_the_text_are_those_of_the_table() -> None:
    text = PAGE.read_text("utf-8")
    table = dict(re.findall(r"^\| (.+? \| .+?) \| ([\d.]+) ±", text, re.MULTILINE))
    large = "1,500 trials of 300 tasks, 150 labels"
    kinds = "600 of 120, failures of 20 kinds, 5 labels each"
    looks = "1,500 trials, looked at from 20 labels to 300"

    for row in (
        f"disagreements fixed, Wilson | {large}",
        f"judges' majority, Wilson | {large}",
        f"stratified, posteriors summed | {kinds}",
        f"these trials | {kinds}",
        f"new tasks: all labelled, Wilson | {large}",
        f"these trials, at every look | {looks}",
        f"watched, at every look | {looks}",
    ):
        share = 100 * float(table[row])
        assert f"{share:.0f} %" in text or f"{share:.1f} %" in text, row
