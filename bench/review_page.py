"""What the review pages cost on the server with 100,000 items, half of which one person labelled.

Requests go over loopback to a real server, one after the other, and are timed by the client. Items
are in the index; what they show is made up, as in `bench.review_desk`: a trial of forty steps.
Promise: the median of every page at most 100 ms.

Run: python -m bench.review_page [TIMES]
"""

import re
import statistics
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import httpx
from uvicorn import Config, Server

from bench.review_desk import LABELLED, POLICY, RUN, MadeUp, label_of, put_up, write_labels
from trajaudit.audit.serve import bound
from trajaudit.datamodel.review import Place, ReviewVerdict, Role
from trajaudit.datamodel.scenario import Task
from trajaudit.datamodel.trajectory import Message, Observation, Step, ToolCall, Trajectory
from trajaudit.record.reviews import ReviewLedger
from trajaudit.record.rundir import RunDir
from trajaudit.review.blind import BlindTrial
from trajaudit.review.contents import Shown
from trajaudit.review.desk import Desk
from trajaudit.review.desk_records import PUBLIC
from trajaudit.review.people import People
from trajaudit.review.policy import store_policy
from trajaudit.web.app import create_app
from trajaudit.web.security import Origin
from trajaudit.web.visit import Settings

PROMISED_MS = 100.0
TIMES = 20
CONFLICTS = 500
STEPS = 40
TOKEN = "token of {}"
WHO = {"ann": Role.REVIEWER, "ben": Role.REVIEWER, "judy": Role.ADJUDICATOR, "lea": Role.LEAD}
OWN = {"sec-fetch-site": "same-origin"}
_FIELD = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
_CONFLICT = re.compile(r'href="(/conflict/\w+)"')


class LongOnes(MadeUp):
    """Trials of forty steps without files."""

    def show(self, item_id: str, _places: Sequence[Place], *, is_pair: bool) -> Shown | None:
        if is_pair:
            return None
        task = Task(id="task", prompt=f"Question {int(item_id[:PUBLIC], 16)}?")
        steps = tuple(_step(number) for number in range(1, STEPS + 1))
        trajectory = Trajectory(task_id="task", steps=steps, final_reply="It is done.")
        return BlindTrial(item_id=item_id, task=task, trajectory=trajectory)


def _step(number: int) -> Step:
    call = ToolCall(
        call_id=f"c{number}", tool="look", arguments_text='{"at": 1}', arguments={"at": 1}, seq=1
    )
    seen = Observation(call_id=f"c{number}", tool="look", content="lorem ipsum " * 80, seq=2)
    said = Message(role="assistant", content=f"I look {number} times.", seq=0)
    return Step(number=number, message=said, tool_calls=(call,), observations=(seen,))


@dataclass
class Visitor:
    """A person's browser, as far as it counts here; `spent`: page → ms of each answer."""

    client: httpx.Client
    spent: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    page: str = ""

    def get(self, name: str, path: str) -> httpx.Response:
        """Time a page."""
        return self._timed(name, "GET", path, None)

    def post(self, name: str, path: str, fields: Mapping[str, str]) -> str:
        """Time a form; return the path that it leads to."""
        answer = self._timed(name, "POST", path, {**self.hidden, **fields})
        if answer.status_code != 303:
            raise SystemExit(f"{path}: {answer.status_code}: {answer.text[:2000]}")
        return answer.headers["location"]

    @property
    def hidden(self) -> dict[str, str]:
        at = max(self.page.find('id="verdict"'), 0)
        return dict(reversed(_FIELD.findall(self.page, at)))

    def _timed(
        self, name: str, method: str, path: str, data: dict[str, str] | None
    ) -> httpx.Response:
        start = time.perf_counter()
        answer = self.client.request(method, path, data=data, headers=OWN)
        self.spent[name].append((time.perf_counter() - start) * 1000)
        if answer.status_code == 200:
            self.page = answer.text
        return answer


def main() -> int:
    """Print ms of each page; exit 1 when the promise is broken."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else TIMES
    with tempfile.TemporaryDirectory() as folder, filled(Path(folder)) as url:
        spent = walk(url, times)
    for name, each in spent.items():
        cut = statistics.quantiles(each, n=20)
        print(f"{name:<20} median {statistics.median(each):6.1f}  p95 {cut[-1]:6.1f} ms")
    worst = max(statistics.median(each) for each in spent.values())
    print(f"worst median         {worst:6.1f} ms (promised: <= {PROMISED_MS:.0f} ms)")
    return int(worst > PROMISED_MS)


@contextmanager
def filled(runs: Path, labelled: int = LABELLED) -> Iterator[str]:
    """Serve a desk of 100,000 items, many labels and 500 conflicts; yields the address."""
    (runs / RUN).mkdir()
    (runs / RUN / "run.json").write_text("{}")
    store_policy(runs, POLICY)
    for name, role in WHO.items():
        People(runs).add(name, role, now=datetime.now(UTC), token=TOKEN.format(name))
    desk = _desk(runs)
    put_up(desk)
    desk.close()
    write_labels(runs / RUN, labelled)
    zoe = [label_of(number).model_copy(update=_denial(number)) for number in range(CONFLICTS)]
    ReviewLedger(RunDir(runs / RUN)).append(*zoe)
    desk = _desk(runs)
    with _served(desk, runs) as url:
        yield url
    desk.close()


def _desk(runs: Path) -> Desk:
    return Desk.open_at(runs, start=runs, contents=LongOnes(), rng=Random(1))


def _denial(number: int) -> dict[str, object]:
    verdict = ReviewVerdict.FAIL if number % 10 else ReviewVerdict.PASS
    return {"review_id": f"z{number}", "reviewer": "zoe", "verdict": verdict}


@contextmanager
def _served(desk: Desk, runs: Path) -> Iterator[str]:
    settings = Settings(
        origin=Origin.of(["127.0.0.1"]),
        clock=lambda: datetime.now(UTC),
        sessions_path=runs / ".review" / "sessions.jsonl",
    )
    app = create_app(desk, People(runs), settings)
    server = Server(Config(app, log_level="error", lifespan="off", ws="none"))
    with bound("127.0.0.1", 0) as listening:
        work = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        work.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            work.join()


def walk(url: str, times: int) -> dict[str, list[float]]:
    """Visit every page some times; return ms by page."""
    spent: dict[str, list[float]] = {}
    with _visitor(url, "ann") as ann, _visitor(url, "ben") as ben:
        for one in (ann, ben):
            _reviews(one, times)
        spent |= {f"{name} (50,000 labels)": each for name, each in ann.spent.items()} | ben.spent
    with _visitor(url, "judy") as judy:
        _adjudicates(judy, times)
        spent |= judy.spent
    with _visitor(url, "lea") as lea:
        for _ in range(times):
            lea.get("lead", "/lead")
        spent |= lea.spent
    return spent


@contextmanager
def _visitor(url: str, name: str) -> Iterator[Visitor]:
    with httpx.Client(base_url=url) as client:
        made = Visitor(client)
        made.get("login", "/login")
        made.post("login", "/login", {"token": TOKEN.format(name)})
        made.spent.clear()
        yield made


def _reviews(who: Visitor, times: int) -> None:
    for count in range(times):
        who.get("home", "/")
        path = who.post("start", "/start", {})
        who.get("item", path)
        who.client.post(f"{path}/draft", data={**who.hidden, "reason": "half"}, headers=OWN)
        form = who.hidden
        who.get("search", f"{path}/search?q=lorem")
        who.post("save", path, {**form, "verdict": "fail" if count % 3 else "pass"})
        who.get("history", "/history")


def _adjudicates(who: Visitor, times: int) -> None:
    for _ in range(times):
        who.get("conflicts", "/conflicts")
        found = _CONFLICT.search(who.page)
        if found is None:
            raise SystemExit("no conflict is left")
        who.get("conflict", found[1])
        who.post("decide", found[1], {"verdict": "pass"})


if __name__ == "__main__":
    sys.exit(main())
