"""A person's acceptance becomes a path of the scenario; what must not become one is refused."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from tests.conftest import RunText
from trajaudit.audit.promote import Acceptance, ByHandError, Promoted, promote
from trajaudit.errors import RunDirError, UsageError
from trajaudit.record.rundir import RunDir
from trajaudit.record.scenarios import load_scenario

SHOP = """\
trajaudit: 1
name: made/made
tools:
  - {name: look, effect: read, mock: {static: found}}
  - {name: refund, mock: {static: done}}
  - {name: escalate, mock: {static: noted}}
  - {name: erase, mock: {static: gone}}
agent:
  kind: scripted
  tasks:
    "*": [ACTIONS]
tasks:
  - id: a
    prompt: Refund it.      # short
    accept:
      forbid: [erase]
      paths:
        - name: refund
          calls: [refund]   # the usual way
    tags: [x]
"""
ESCALATE = "{call: {look: {}}}, {call: {escalate: {}}}, {reply: done}"
ACCEPTED = Acceptance(task_id="a", trial=1, name="through a person", by="Ana", reason="policy 4")
TODAY = date(2026, 11, 29)
Tried = Callable[..., tuple[RunDir, Path]]


@pytest.fixture
def tried(run_text: RunText, tmp_path: Path) -> Tried:
    """Run the shop with these actions; return the run and the scenario's file."""

    def run(actions: str, text: str = SHOP) -> tuple[RunDir, Path]:
        made = run_text(text.replace("ACTIONS", actions)).run
        return made, tmp_path / "scenarios" / "made" / "made.yaml"

    return run


def promoted(run: RunDir) -> Promoted:
    return promote(run, ACCEPTED, TODAY)


def test_the_path_is_added_with_where_it_came_from_and_accepts_the_next_trial(
    tried: Tried, run_text: RunText
) -> None:
    run, path = tried(ESCALATE)
    before = path.read_text()
    assert next(run.read_outcomes()).final is False

    found = promoted(run)

    assert path.read_text() == before
    added = [line[1:] for line in found.diff.splitlines()[3:] if line.startswith("+")]
    provenance = f"run {run.run_id}, trial a/1, accepted by Ana on 2026-11-29: policy 4"
    assert added == [
        "        - name: through a person",
        "          calls:",
        "            - escalate",
        f'          provenance: "{provenance}"',
    ]
    found.write()
    accept = load_scenario(path).scenario.tasks[0].accept
    assert accept is not None
    assert [(one.name, one.provenance) for one in accept.paths] == [
        ("refund", None),
        ("through a person", provenance),
    ]
    again = run_text(path.read_text()).run
    assert next(again.read_outcomes()).strict is True


def test_the_rest_of_the_file_and_its_mode_stay(tried: Tried) -> None:
    run, path = tried(ESCALATE)
    path.chmod(0o600)
    before = path.read_text().splitlines()

    promoted(run).write()

    after = path.read_text().splitlines()
    assert [line for line in after if line in before] == before
    assert path.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in path.parent.iterdir()] == ["made.yaml"]


@pytest.mark.parametrize(
    ("actions", "refusal"),
    [
        ("{call: {refund: {}}}", "accepted already"),
        ("{call: {look: {}}}, {call: {erase: {}}}", "forbidden_actions"),
        ("{reply: done}", "no call of the trial succeeded"),
    ],
)
def test_what_is_accepted_already_forbidden_or_empty_is_refused(
    tried: Tried, actions: str, refusal: str
) -> None:
    run, _ = tried(actions)

    with pytest.raises(UsageError, match=refusal):
        promoted(run)


def test_a_trial_that_was_edited_or_is_not_there_is_refused(tried: Tried) -> None:
    run, _ = tried(ESCALATE)
    journal = run.journal_path("a", 1)
    whole = journal.read_bytes()
    journal.write_bytes(whole.replace(b"escalate", b"elevator"))

    with pytest.raises(RunDirError, match=r"events\.jsonl:\d+: "):
        promoted(run)

    (run.trial_dir("a", 1) / "trial.json").unlink()
    with pytest.raises(UsageError, match="not whole"):
        promoted(run)


def test_a_scenario_that_changed_since_is_refused(tried: Tried) -> None:
    run, path = tried(ESCALATE)
    path.write_text(path.read_text() + "# more\n")

    with pytest.raises(RunDirError, match="changed since the run began"):
        promoted(run)


def test_a_scenario_that_changes_before_it_is_written_is_left_alone(tried: Tried) -> None:
    run, path = tried(ESCALATE)
    found = promoted(run)
    path.write_text("other\n")

    with pytest.raises(RunDirError, match="changed meanwhile"):
        found.write()
    assert path.read_text() == "other\n"


def test_a_name_that_is_taken_is_refused(tried: Tried) -> None:
    run, _ = tried(ESCALATE)
    taken = Acceptance(task_id="a", trial=1, name="refund", by="Ana")

    with pytest.raises(UsageError, match="is called 'refund' already"):
        promote(run, taken, TODAY)


def test_a_wrong_end_state_is_not_accepted_for_its_path(tried: Tried) -> None:
    state = "accept:\n      state: [{path: $.x, equals: 2}]\n"
    run, _ = tried(ESCALATE, "world: {x: 1}\n" + SHOP.replace("accept:\n", state))

    with pytest.raises(UsageError, match="end_state"):
        promoted(run)


def test_a_first_path_is_refused_since_it_would_shut_out_what_passes_now(tried: Tried) -> None:
    start = SHOP.index("      paths:")
    run, _ = tried(ESCALATE, SHOP[:start] + "    tags: [x]\n")

    with pytest.raises(UsageError, match="lists no path"):
        promoted(run)


def test_paths_in_brackets_are_left_to_a_person_with_the_lines_to_paste(tried: Tried) -> None:
    start, end = SHOP.index("      paths:"), SHOP.index("    tags:")
    flow = "      paths: [{name: refund, calls: [refund]}]\n"
    run, path = tried(ESCALATE, SHOP[:start] + flow + SHOP[end:])
    before = path.read_bytes()

    with pytest.raises(ByHandError, match="paste it by hand") as raised:
        promoted(run)
    assert raised.value.entry.startswith("- name: through a person\n  calls:\n    - escalate\n")
    assert path.read_bytes() == before
