"""A scenario from a stranger does not get the user's key, nor files outside of its project."""

from pathlib import Path

import pytest

from tests.conftest import RunText
from trajaudit.audit.options import RunOptions
from trajaudit.audit.run import _model_options
from trajaudit.audit.trust import may_send_key
from trajaudit.errors import UsageError
from trajaudit.record.scenarios import LoadedScenario, load_scenario

PLAIN = """
trajaudit: 1
agent: {kind: scripted, tasks: {"*": [{reply: hello}]}}
tasks: [{id: a, prompt: Hello?, target: hello}]
"""
STRANGER = "http://stranger.invalid/v1"


def loaded(folder: Path, text: str) -> LoadedScenario:
    path = folder / "scenarios" / "made" / "made.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return load_scenario(path)


@pytest.mark.parametrize(
    ("base_url", "env", "sent"),
    [
        (None, {}, True),
        (STRANGER, {}, False),
        (STRANGER, {"OPENAI_BASE_URL": STRANGER}, True),
        ("http://mine.invalid/v1", {}, True),
    ],
)
def test_an_address_that_only_the_scenario_names_gets_no_key(
    tmp_path: Path, base_url: str | None, env: dict[str, str], sent: bool
) -> None:
    scenario = loaded(tmp_path, f"{PLAIN}base_url: {STRANGER}\n")

    assert may_send_key(scenario, base_url, env) is sent


def test_the_options_of_the_model_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    scenario = loaded(tmp_path, f"{PLAIN}base_url: {STRANGER}\n")

    assert _model_options(scenario, STRANGER, RunOptions()).send_key is False


@pytest.mark.parametrize(
    "line",
    [
        "model: scripted//etc/passwd",
        "model: recorded/../../../etc/passwd?fifo",
    ],
)
def test_a_scenario_opens_no_model_file_outside_of_its_project(
    run_text: RunText, line: str
) -> None:
    with pytest.raises(UsageError, match="leads out of the project"):
        run_text(f"{PLAIN}{line}\n")


def test_a_scenario_replays_no_folder_outside_of_its_project(run_text: RunText) -> None:
    replaying = PLAIN.replace(
        '{kind: scripted, tasks: {"*": [{reply: hello}]}}', "{kind: replay, run: /etc}"
    )

    with pytest.raises(UsageError, match="leads out of the project"):
        run_text(replaying)


def test_replaying_a_folder_that_is_no_run_is_refused(run_text: RunText, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no run"):
        run_text(PLAIN, agent=f"replay:{tmp_path}")


def test_trials_beyond_reason_are_refused(run_text: RunText) -> None:
    with pytest.raises(UsageError, match="--trials cannot be"):
        run_text(PLAIN, trials=1_000_000_000)
