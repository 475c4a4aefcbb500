"""Items of several runs go out once, and their labels come back to every run that holds them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import RunText
from trajaudit.audit.review import changed_runs, draw_where_nobody_did, label_marks, waiting
from trajaudit.audit.review_exchange import export_items, import_labels
from trajaudit.datamodel.review import SamplePlan
from trajaudit.errors import ScenarioError, UsageError
from trajaudit.record.reviews import read_reviews
from trajaudit.record.rundir import RunDir
from trajaudit.review.policy import load_plan, store_plan
from trajaudit.review.settle import human_decisions

NOW = "2026-11-29T10:00:00.000+00:00"
SCENARIO = """\
trajaudit: 1
agent:
  kind: scripted
  tasks:
    one: [{reply: Paris}]
    two: [{reply: "REPLY"}]
tasks:
  - {id: one, prompt: "Capital of France?", target: Paris}
  - {id: two, prompt: "Capital of Italy?", target: Rome}
"""
Two = Callable[[], tuple[RunDir, RunDir]]


@pytest.fixture
def two(run_text: RunText) -> Two:
    """Two runs of two trials a task, that differ in one reply alone."""

    def made() -> tuple[RunDir, RunDir]:
        replies = ("Rome", "Milan")
        runs = [run_text(SCENARIO.replace("REPLY", one), trials=2).run for one in replies]
        return runs[0], runs[1]

    return made


def rows_of(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def labelled(rows: list[dict[str, str]], path: Path, verdict: str = "pass") -> Path:
    made = [json.dumps({**row, "verdict": verdict, "reviewer": "Ana"}) for row in rows]
    path.write_text("\n".join(made))
    return path


def test_the_same_content_is_one_item_and_its_label_counts_wherever_it_lies(
    two: Two, tmp_path: Path
) -> None:
    first, second = two()

    found = export_items([first, second], tmp_path / "i.jsonl")

    # Four trials say Paris, two Rome, two Milan.
    assert (found.items, found.settled) == (3, 0)
    rows = rows_of(tmp_path / "i.jsonl")
    paris = [row for row in rows if "Paris" in row["transcript"]]
    took = import_labels([first, second], labelled(paris, tmp_path / "l.jsonl"), NOW)
    assert (took.added, [run.run_id for run in took.runs]) == (
        1,
        [first.run_id, second.run_id],
    )
    [label] = read_reviews(second)
    assert list(read_reviews(first)) == [label]
    assert len(getattr(label, "places", ())) == 4


def test_settled_items_are_left_out_of_the_next_export(two: Two, tmp_path: Path) -> None:
    run, _ = two()
    export_items([run], tmp_path / "i.jsonl")
    path = labelled(rows_of(tmp_path / "i.jsonl"), tmp_path / "l.jsonl")
    for who in ("Ana", "Bo"):
        path.write_text(path.read_text().replace("Ana", who))
        import_labels([run], path, NOW)

    found = export_items([run], tmp_path / "again.jsonl")

    assert (found.items, found.settled) == (0, 4)
    assert len(human_decisions(run)) == 4
    assert waiting(run).text == "0 to resolve, 0 to audit"


def test_the_order_of_items_tells_neither_run_nor_queue_and_is_always_the_same(
    two: Two, tmp_path: Path
) -> None:
    runs = two()

    export_items(runs, tmp_path / "a.jsonl")
    export_items(runs, tmp_path / "b.jsonl")

    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def test_a_long_transcript_is_said_of_a_table_alone(run_text: RunText, tmp_path: Path) -> None:
    run = run_text(SCENARIO.replace("REPLY", "x" * 40_000)).run

    assert export_items([run], tmp_path / "i.csv").too_long
    assert not export_items([run], tmp_path / "i.jsonl").too_long


def test_a_wrong_line_leaves_every_run_as_it_was(two: Two, tmp_path: Path) -> None:
    first, second = two()
    export_items([first, second], tmp_path / "i.jsonl")
    rows = rows_of(tmp_path / "i.jsonl")
    path = labelled([*rows, {**rows[0], "item_id": "0" * 64}], tmp_path / "l.jsonl")

    with pytest.raises(ScenarioError, match=r"l\.jsonl:4: item_id: is of no item of these runs"):
        import_labels([first, second], path, NOW)

    assert [list(read_reviews(run)) for run in (first, second)] == [[], []]


def test_labels_of_another_run_are_of_no_item_here(two: Two, tmp_path: Path) -> None:
    first, second = two()
    export_items([first], tmp_path / "i.jsonl")
    rows = [row for row in rows_of(tmp_path / "i.jsonl") if "Rome" in row["transcript"]]

    with pytest.raises(ScenarioError, match="of no item"):
        import_labels([second], labelled(rows, tmp_path / "l.jsonl"), NOW)


def test_a_label_of_an_item_that_is_drawn_no_more_is_kept(two: Two, tmp_path: Path) -> None:
    run, _ = two()
    export_items([run], tmp_path / "i.jsonl")
    rows = rows_of(tmp_path / "i.jsonl")
    store_plan(run, SamplePlan(smoke=1))
    export_items([run], tmp_path / "less.jsonl")
    assert len(rows_of(tmp_path / "less.jsonl")) == 1

    took = import_labels([run], labelled(rows, tmp_path / "l.jsonl"), NOW)

    assert took.added == 2


def test_the_beginning_of_an_id_is_enough(two: Two, tmp_path: Path) -> None:
    run, _ = two()
    export_items([run], tmp_path / "i.jsonl")
    rows = [{**row, "item_id": row["item_id"][:16]} for row in rows_of(tmp_path / "i.jsonl")]

    assert import_labels([run], labelled(rows, tmp_path / "l.jsonl"), NOW).added == 2


def test_the_default_plan_is_written_down_where_there_was_none(two: Two) -> None:
    first, second = two()

    assert [run.run_id for run, _ in draw_where_nobody_did([first, second])] == [
        first.run_id,
        second.run_id,
    ]
    assert load_plan(first) is not None
    assert draw_where_nobody_did([first, second]) == []


def test_runs_with_new_labels_are_found(two: Two, tmp_path: Path) -> None:
    first, second = two()
    folder = first.path.parent
    before = label_marks(folder)
    export_items([second], tmp_path / "i.jsonl")
    rows = [row for row in rows_of(tmp_path / "i.jsonl") if "Milan" in row["transcript"]]

    import_labels([first, second], labelled(rows, tmp_path / "l.jsonl"), NOW)

    assert [run.run_id for run in changed_runs(folder, before)] == [second.run_id]


def test_an_unknown_form_is_refused_before_anything_is_read(two: Two, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"end its name in \.jsonl or \.csv"):
        export_items(two(), tmp_path / "i.xlsx")


@pytest.mark.parametrize("spelling", ["ana", "ANA", "\N{FULLWIDTH LATIN CAPITAL LETTER A}na"])
def test_one_person_under_two_spellings_is_not_two_people(
    two: Two, tmp_path: Path, spelling: str
) -> None:
    first, _ = two()
    export_items([first], tmp_path / "items.jsonl")
    [row, *_] = rows_of(tmp_path / "items.jsonl")
    import_labels([first], labelled([row], tmp_path / "once.jsonl", "task broken"), NOW)
    again = {**row, "verdict": "task broken", "reviewer": spelling}
    (tmp_path / "again.jsonl").write_text(json.dumps(again))

    with pytest.raises(ScenarioError, match=r"again\.jsonl:1: reviewer: may be Ana; got"):
        import_labels([first], tmp_path / "again.jsonl", NOW)

    assert len(list(read_reviews(first))) == 1
