"""Two reviewers and an adjudicator settle thirty items, and none of them touches a mouse."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import expect

from tests.web.browser.conftest import REVIEWERS, Enter, Serve
from tests.web.browser.person import ITEM, VERDICTS, Person
from tests.web.browser.served import Served, trajaudit
from trajaudit.datamodel.review import Adjudication, ReviewPolicy, Role, Withdrawal
from trajaudit.record.rundir import RunDir

pytestmark = pytest.mark.slow
ITEMS = 30
POLICY = ReviewPolicy(double=1.0, gold=0.0, batch=20)
_NUMBER = re.compile(r"Question (\d+):")


def test_thirty_items_are_settled_by_keyboard_alone(
    tmp_path: Path, serve: Serve, enter: Enter
) -> None:
    run = _a_run(tmp_path)
    served = serve(POLICY, REVIEWERS | {"judy": Role.ADJUDICATOR, "lea": Role.LEAD})
    ann, ben = enter(served, "ann"), enter(served, "ben")
    said = _at_the_same_time(ann, ben)
    assert said == {name: {n: _says(name, n) for n in range(ITEMS)} for name in said}
    assert _on_disk(served, run) == said

    judy = enter(served, "judy")
    decided = _decides_all(judy)
    differ = {n for n in range(ITEMS) if _says("ann", n) != _says("ben", n)}
    assert set(decided) == differ
    _lead_sees(enter(served, "lea"), len(differ))
    assert [one.faults for one in (ann, ben, judy)] == [[], [], []]

    told = served.stop()
    settled = {n: decided.get(n, said["ann"][n]) for n in range(ITEMS)}
    _outcomes_agree(run, settled)
    assert f"{run.run_id}: " in told
    assert len(_adjudications(served)) == len(differ)
    assert sum(isinstance(one, Withdrawal) for one in served.records()) == 1


def _says(name: str, number: int) -> str:
    """What a person thinks of an item; they differ on every third one."""
    differs = name == "ben" and number % 3 == 0
    return VERDICTS[(number + differs) % 4 if number % 5 == 0 else (number // 2 + differs) % 2]


def _a_run(folder: Path) -> RunDir:
    tasks, script = [], {}
    for number in range(ITEMS):
        name = f"t{number}"
        tasks.append({"id": name, "prompt": f"Question {number}: is it on?", "target": "yes"})
        reply = "yes" if number % 2 else "no"
        script[name] = [{"say": f"I look {n} times.", "call": {"look": {}}} for n in (1, 2)]
        script[name].append({"reply": reply})
    made = {
        "trajaudit": 1,
        "tools": [{"name": "look", "effect": "read", "mock": {"static": "the lamp is on"}}],
        "agent": {"kind": "scripted", "tasks": script},
        "tasks": tasks,
    }
    place = folder / "scenarios" / "made" / "made.yaml"
    place.parent.mkdir(parents=True)
    place.write_text(yaml.safe_dump(made))
    trajaudit("run", "made/made", "--out", folder / "runs", cwd=folder)
    (path,) = (folder / "runs").glob("*/run.json")
    run = RunDir(path.parent)
    trajaudit("review", "draw", run.run_id, "--everything", "--runs", folder / "runs", cwd=folder)
    return run


def _number(person: Person) -> int:
    found = _NUMBER.search(person.page.locator("[data-step='0']").inner_text())
    assert found is not None
    return int(found[1])


def _at_the_same_time(*people: Person) -> dict[str, dict[int, str]]:
    """Let people label by turns; number of an item → verdict, by person."""
    turns = zip(*(_labels_all(one) for one in people), strict=True)
    said: dict[str, dict[int, str]] = {one.name: {} for one in people}
    for turn in turns:
        for person, (number, verdict) in zip(people, turn, strict=True):
            said[person.name][number] = verdict
    return said


def _labels_all(person: Person) -> Iterator[tuple[int, str]]:
    """Label every item; the third is put off, and Ann takes her very first label back."""
    path, done, put_off = person.start(), 0, ""
    while ITEM.search(path):
        number = _number(person)
        if done == 2 and not put_off:
            put_off = path
            path = person.press_and_go("d")
            assert path != put_off
            continue
        if person.name == "ann" and done == 0:
            path = _takes_back(person, path)
        path = _labels_one(person, number)
        yield number, _says(person.name, number)
        done += 1
        if path == "/" and done < ITEMS:
            path = person.start()
    person.says("There is nothing left for you")
    assert put_off


def _takes_back(person: Person, path: str) -> str:
    """Say the wrong thing, notice it on the next page, and come back."""
    person.label("task_broken", "a slip")
    back = person.press_and_go("u")
    assert back == path
    assert person.field["reason"] == "a slip"
    person.press("n", "Control+a", "Delete", "Escape")
    return back


def _labels_one(person: Person, number: int) -> str:
    verdict = _says(person.name, number)
    if number % 10 == 0:
        _shows_help(person)
    if verdict == "fail":
        person.press("j", "j", "e", "x")
        assert json.loads(person.field["evidence"]) == [{"step": 2, "hand": None, "quote": ""}]
        assert person.field["first_bad"] == "2"
        person.press("k", "]")
        expect(person.page.locator("#x-s2")).to_be_focused()
    reason = f"{person.name} on {number}" if verdict != "pass" else ""
    return person.label(verdict, reason)


def _shows_help(person: Person) -> None:
    keys = person.page.locator("#keys")
    person.press("?")
    expect(keys).to_be_visible()
    person.press("2", "Escape")
    expect(keys).to_be_hidden()
    assert "verdict" not in person.field


def _decides_all(judy: Person) -> dict[int, str]:
    """Go through the list of conflicts; say what the first of the two letters says."""
    judy.tab_to("a[href='/conflicts']")
    judy.press_and_go("Enter")
    decided: dict[int, str] = {}
    while judy.page.locator("a[href^='/conflict/']").count():
        judy.tab_to("a[href^='/conflict/']")
        judy.press_and_go("Enter")
        number = _number(judy)
        labels = judy.page.locator(".label h3 .pill")
        assert labels.count() == 2
        shown = {str(labels.nth(at).get_attribute("class")).split()[-1] for at in (0, 1)}
        assert shown == {_says("ann", number), _says("ben", number)}
        decided[number] = "task_broken" if number == 15 else "pass" if number % 2 else "fail"
        judy.press("]", "[", "r", "Escape")
        judy.label(decided[number], f"judy on {number}")
        judy.says("Your decision is saved")
    judy.says("No conflict waits for you")
    return decided


def _lead_sees(lea: Person, conflicts: int) -> None:
    lea.tab_to("a[href='/lead']")
    lea.press_and_go("Enter")
    cards = dict(
        zip(
            lea.page.locator(".card dt").all_inner_texts(),
            lea.page.locator(".card dd").all_inner_texts(),
            strict=True,
        )
    )
    assert (cards["Labels"], cards["Conflicts"]) == (str(2 * ITEMS), "0")
    rows = {
        row.locator("th").inner_text(): row.locator("td").all_inner_texts()
        for row in lea.page.locator("section, main").last.locator("table.list tbody tr").all()
    }
    assert {name: rows[name][1] for name in ("ann", "ben")} == {"ann": "30", "ben": "30"}
    assert rows["judy"][5] == str(conflicts)
    assert lea.faults == []


def _on_disk(served: Served, run: RunDir) -> dict[str, dict[int, str]]:
    found: dict[str, dict[int, str]] = {"ann": {}, "ben": {}}
    for one in served.labels():
        (place,) = one.places
        assert place.run_id == run.run_id
        number = int(place.task_id.removeprefix("t"))
        assert number not in found[one.reviewer]
        found[one.reviewer][number] = one.verdict.value
        failed = one.verdict == "fail"
        assert one.reason == (f"{one.reviewer} on {number}" if one.verdict != "pass" else "")
        assert (one.steps, len(one.evidence)) == ((2,) if failed else (), 1 if failed else 0)
    return found


def _adjudications(served: Served) -> list[Adjudication]:
    return [one for one in served.records() if isinstance(one, Adjudication)]


def _outcomes_agree(run: RunDir, settled: dict[int, str]) -> None:
    passed = {"pass": True, "fail": False}
    broken = {f"t{n}" for n, verdict in settled.items() if verdict == "task_broken"}
    human = {one.task_id: one.human for one in run.read_outcomes()}
    assert broken
    assert human == {f"t{n}": passed.get(verdict) for n, verdict in settled.items()}
    final = {one.task_id: one.final for one in run.read_outcomes() if one.human is not None}
    assert final == {task: human[task] for task in final}
