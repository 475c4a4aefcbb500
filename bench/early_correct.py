"""How well are states found that were right and got lost? Against labels of failed dialogues.

`python -m bench.early_correct FOLDER`, where FOLDER holds tau-bench runs
(`gpt-4o-airline.json`), labels (`early_correct_labels.jsonl`) and `env/reservations.json`.

Deliberate: the airline's database is replayed in a simplified form, one overlay a reservation. Two
states are equal exactly if the same changes lead to them, which is all that the labels ask.
"""

import argparse
import copy
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Message, Step, ToolCall, Trajectory, WorldChange
from trajaudit.mocks.world import diff
from trajaudit.score.early_correct import early_correct

RUNS = "gpt-4o-airline.json"
_NEW = {"book_reservation": "booked", "send_certificate": "certificates"}
_CHANGES = ("cancel_reservation", "update_reservation_")
World = dict[str, Any]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args(arguments).folder
    known = json.loads((folder / "env" / "reservations.json").read_text(encoding="utf-8"))
    lines = (folder / "early_correct_labels.jsonl").read_text(encoding="utf-8").splitlines()
    labels = {(one["task_id"], one["trial"]): one for one in map(json.loads, lines)}
    counts: Counter[tuple[str, str]] = Counter()
    for run in json.loads((folder / RUNS).read_text(encoding="utf-8")):
        label = labels.get((run["task_id"], run["trial"]))
        if label is not None:
            counts[said_of(run, known), labelled(label)] += 1
    for (said, wanted), number in sorted(counts.items()):
        print(f"said {said:10} labelled {wanted:10} {number:4}")
    wrong = sum(number for (said, wanted), number in counts.items() if said != wanted)
    print(f"{wrong} of {counts.total()} differ from the label")
    return 1 if wrong else 0


def labelled(label: dict[str, Any]) -> str:
    if label["early_correct_late_fail"]:
        return "lost"
    return "right" if label["final_db_correct_but_failed"] else "never"


def said_of(run: dict[str, Any], known: World) -> str:
    golden: World = {}
    for action in run["info"]["task"]["actions"]:
        golden = changed(golden, action["name"], action["kwargs"], known)
    accept = {"golden_state": True, "golden_world": golden}
    task = Task.model_validate({"id": "task", "prompt": "(none)", "accept": accept})
    trajectory = trajectory_of(run["traj"], known)
    verdicts = early_correct(Scenario(trajaudit=1, tasks=(task,)), task, trajectory)
    if not verdicts:
        return "right"
    return "never" if verdicts[0].passed else "lost"


def changed(world: World, tool: str, arguments: dict[str, Any], known: World) -> World:
    """The world after a call; a call that only reads leaves it as it is."""
    world = copy.deepcopy(world)
    reservation = arguments.get("reservation_id")
    if tool in _NEW:
        world.setdefault(_NEW[tool], []).append(arguments)
    elif tool.startswith(_CHANGES) and reservation in known:
        entry = world.setdefault(reservation, copy.deepcopy(known[reservation]))
        entry.update(status="cancelled") if tool.startswith("cancel") else None
        for name, value in arguments.items():
            if name == "payment_id":
                entry.setdefault("paid", []).append([tool, value])
            elif name == "flights":
                keys = ("flight_number", "date")
                entry[name] = [{key: flight.get(key) for key in keys} for flight in value]
            else:
                entry[name] = value
    return world


def trajectory_of(messages: list[dict[str, Any]], known: World) -> Trajectory:
    steps: list[Step] = []
    changes: list[WorldChange] = []
    calls: dict[str, ToolCall] = {}
    world: World = {}
    for message in messages:
        content = message.get("content") or ""
        if message["role"] == "assistant":
            made = [call_of(item) for item in message.get("tool_calls") or []]
            calls |= {call.call_id: call for call in made}
            said = Message(role="assistant", content=content)
            steps.append(Step(number=len(steps) + 1, message=said, tool_calls=tuple(made)))
        call = calls.get(message.get("tool_call_id", ""))
        if message["role"] == "tool" and call is not None and not content.startswith("Error"):
            arguments = call.arguments if isinstance(call.arguments, dict) else {}
            after = changed(world, call.tool, arguments, known)
            changes.append(WorldChange(step=len(steps), patch=diff(world, after)))
            world = after
    return Trajectory(
        task_id="task",
        steps=tuple(steps),
        world_start={},
        world_end=world,
        world_changes=tuple(changes),
    )


def call_of(item: dict[str, Any]) -> ToolCall:
    text = item["function"]["arguments"]
    try:
        arguments = json.loads(text)
    except ValueError:
        arguments = None
    name = item["function"]["name"]
    return ToolCall(call_id=item["id"], tool=name, arguments_text=text, arguments=arguments)


if __name__ == "__main__":
    sys.exit(main())
