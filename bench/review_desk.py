"""What the desk's calls cost with 100,000 items, half of which one person has labelled.

The items are in the index; what they show is made up, so that it is the desk that is measured, not
the reading of a journal. Labels go to a real `reviews.jsonl`, each brought to the disk.
"""

import random
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TypeVar

from trajaudit.datamodel.review import Place, Review, Reviewer, ReviewPolicy, Role
from trajaudit.datamodel.scenario import Task
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.record.reviews import ReviewLedger
from trajaudit.record.rundir import RunDir
from trajaudit.review.blind import BlindTrial
from trajaudit.review.contents import Shown
from trajaudit.review.desk import Desk
from trajaudit.review.desk_records import PUBLIC, FormVerdict, ReviewForm, RubricShown
from trajaudit.review.place_rows import Found, put_places, update_items
from trajaudit.review.policy import store_policy
from trajaudit.review.rows import PlaceRow

T = TypeVar("T")

ITEMS = 100_000
LABELLED = 50_000
CALLS = 200
PROMISED_MS = 100.0
RUN = "20261129-101500-7f3a"
POLICY = ReviewPolicy(gold_least=0)
PEOPLE = [Reviewer(name=name) for name in ("ann", "ben", "cleo")]


class MadeUp:
    """Contents without files."""

    def show(self, item_id: str, _places: Sequence[Place], *, is_pair: bool) -> Shown | None:
        return None if is_pair else shown(int(item_id[:PUBLIC], 16))

    def rubric(self, name: str, *, is_pair: bool) -> RubricShown:
        return RubricShown(name=name, version=1, description="pair" if is_pair else "trial")


def id_of(number: int) -> str:
    """As items have it: its first digits tell it from all others, as addresses need it."""
    return f"{number:0{PUBLIC}x}".ljust(64, "0")


def shown(number: int) -> BlindTrial:
    task = Task(id="task", prompt=f"Question {number}?")
    return BlindTrial(item_id=id_of(number), task=task, trajectory=Trajectory(task_id="task"))


def main() -> int:
    """Print ms of each call; exit 1 when the promise is broken."""
    with tempfile.TemporaryDirectory() as folder:
        runs = Path(folder)
        (runs / RUN).mkdir()
        (runs / RUN / "run.json").write_text("{}")
        store_policy(runs, POLICY)
        desk = _open(runs)
        _timed("put up, per item", ITEMS, lambda: put_up(desk))
        desk.close()
        write_labels(runs / RUN)
        desk = _timed("catch up, per label", LABELLED, lambda: _open(runs))
        desk.close()
        start = time.perf_counter()
        desk = _open(runs)
        opened = (time.perf_counter() - start) * 1000
        print(f"open, nothing new     {opened:8.1f} ms")
        spent = _calls(desk)
        desk.close()
    worst = max(opened, *(statistics.quantiles(each, n=20)[-1] for each in spent.values()))
    print(f"worst p95             {worst:8.1f} ms (promised: <= {PROMISED_MS:.0f} ms)")
    return 0 if worst <= PROMISED_MS else 1


def _open(runs: Path) -> Desk:
    return Desk.open_at(runs, start=runs, contents=MadeUp(), rng=random.Random(1))


def _timed(name: str, times: int, work: Callable[[], T]) -> T:
    start = time.perf_counter()
    result = work()
    print(f"{name:<21} {(time.perf_counter() - start) * 1000 / times:8.3f} ms")
    return result


def put_up(desk: Desk) -> None:
    rng = random.Random(2)
    for first in range(0, ITEMS, 1000):
        with desk.core.store.write() as tx:
            touched: set[int] = set()
            for number in range(first, first + 1000):
                touched |= put_places(tx, _found(number, rng))
            update_items(tx, touched, POLICY)


def _found(number: int, rng: random.Random) -> Found:
    resolve = rng.random() < 0.3
    stratum = rng.randrange(8)
    place = PlaceRow(
        run_id=RUN,
        task_id=f"t{number % 2000}",
        trial=number // 2000 + 1,
        number=0,
        head=str(number),
        queue="resolve" if resolve else "audit",
        lane=f"resolve/{stratum}" if resolve else "",
        priority=-stratum / 10 if resolve else 0.0,
        turn=rng.random(),
        expected="pass" if rng.random() < 0.5 else "fail",
        panel="" if resolve else "pass",
        seen="1",
    )
    return Found(rows=[place], shown=shown(number), rubric="task_success", rubric_version=1)


def write_labels(run: Path, count: int = LABELLED) -> None:
    ledger = ReviewLedger(RunDir(run))
    lines = [label_of(number) for number in range(count)]
    for at in range(0, count, 5000):
        ledger.append(*lines[at : at + 5000])


def label_of(number: int) -> Review:
    at = datetime.fromtimestamp(1_790_000_000 + number, UTC).isoformat(timespec="milliseconds")
    return Review.model_validate(
        {
            "review_id": f"r{number}",
            "item_id": id_of(number),
            "places": [
                {"run_id": RUN, "task_id": f"t{number % 2000}", "trial": number // 2000 + 1}
            ],
            "reviewer": "ann",
            "verdict": "pass" if number % 10 else "fail",
            "opened": at,
            "saved": at,
            "seconds": 40 + number % 50,
        }
    )


def _calls(desk: Desk) -> dict[str, list[float]]:
    spent: dict[str, list[float]] = defaultdict(list)
    lead = Reviewer(name="lea", role=Role.LEAD)

    def call(name: str, work: Callable[[], T]) -> T:
        start = time.perf_counter()
        result = work()
        spent[name].append((time.perf_counter() - start) * 1000)
        return result

    for count in range(CALLS):
        who = PEOPLE[count % len(PEOPLE)]
        opened = call("next", partial(desk.next, who))
        if opened is None:
            raise SystemExit("nothing was left")
        call("renew", partial(desk.renew, who, opened.lease))
        verdict = FormVerdict.PASS if count % 3 else FormVerdict.FAIL
        form = ReviewForm(item_id=opened.item_id, lease=opened.lease, verdict=verdict, seconds=9)
        call("save", partial(desk.save, who, form))
        call("progress", partial(desk.progress, who))
        call("history", partial(desk.history, who))
        call("conflicts", partial(desk.conflicts, lead))
        call("lead", desk.lead)
    for name, each in spent.items():
        cut = statistics.quantiles(each, n=20)
        print(
            f"{name:<21} p50 {statistics.median(each):7.2f}  p95 {cut[-1]:7.2f}"
            f"  max {max(each):7.2f} ms"
        )
    return spent


if __name__ == "__main__":
    sys.exit(main())
