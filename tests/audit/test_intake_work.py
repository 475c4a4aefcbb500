"""One import comes out the same, however many processes read it and whenever it is scored."""

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.record.importers.inspect_logs import HEADER, members, sample, write
from trajaudit.audit import intake
from trajaudit.audit.imports import Imported, import_logs
from trajaudit.audit.intake import ImportOptions, tapered
from trajaudit.audit.score import score_run
from trajaudit.record.importers import inspect
from trajaudit.record.importers.archive import Archive
from trajaudit.record.importers.base import Share
from trajaudit.record.importers.inspect_members import SampleFile, members_of

FILES = ("verdicts.jsonl", "findings.jsonl", "outcomes.jsonl", "failures.jsonl")


@pytest.fixture
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An archive of two epochs with odd samples in it, files of one trial each, one of many."""
    monkeypatch.setattr(intake, "SMALL_BYTES", 1)
    folder = tmp_path / "logs"
    folder.mkdir()
    samples = [
        sample(id=f"s{number}", epoch=epoch, target=str(12 + number % 2))
        for epoch in (1, 2)
        for number in range(11)
    ]
    samples[4]["input"] = "another question under the same id " + samples[3]["id"]
    samples[7] |= {"id": "secret-\ud800", "metadata": {"key": "sk-" + "a" * 30}}
    write(folder / "log.eval", members(*samples[:7], *samples[8:], header=HEADER))
    for number in range(5):
        _chats(folder / f"one{number}.jsonl", 1, number)
    _chats(folder / "many.jsonl", 40, 7)
    (folder / "broken.eval").write_bytes(b"PK\x03\x04 cut")
    return folder


def _chats(path: Path, count: int, answer: int) -> None:
    def one(number: int) -> dict[str, Any]:
        said = {"role": "assistant", "content": f"It is {answer}. \ud83d\ude00 {'word ' * number}"}
        return {"id": f"sum{number % 3}", "messages": [{"role": "user", "content": "?"}, said]}

    path.write_text("".join(json.dumps(one(number)) + "\n" for number in range(count)))


def _imported(logs: Path, runs: Path, **options: Any) -> Imported:
    return import_logs([logs], ImportOptions(runs_dir=runs, **options))


def _content(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "run.json"
    }


def test_it_does_not_depend_on_how_many_processes_read(logs: Path, tmp_path: Path) -> None:
    one = _imported(logs, tmp_path / "r1", processes=1, score=True)
    three = _imported(logs, tmp_path / "r3", processes=3, score=True)

    assert one.report.sources == three.report.sources
    assert sum(source.trials for source in one.report.sources) == 21 + 5 + 40
    assert _content(one.run.path) == _content(three.run.path)


def test_the_index_of_an_archive_is_read_once_and_then_forgotten(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        shutil.copy(logs / "log.eval", logs / f"log{number}.eval")
    (tmp_path / "read").touch()

    def read(archive: Archive) -> list[SampleFile]:
        with (tmp_path / "read").open("a") as told:
            told.write(".")
        return members_of(archive)

    monkeypatch.setattr("trajaudit.record.importers.inspect.members_of", read)

    _imported(logs, tmp_path / "runs", processes=1)

    assert (tmp_path / "read").read_text() == "." * 4
    assert not inspect._kept


@given(st.integers(0, 200), st.integers(1, 20))
def test_shares_that_are_halved_hold_the_same_records(count: int, size: int) -> None:
    shares = [Share(start, min(start + size, count)) for start in range(0, count, size)]

    some = tapered(shares)

    assert [one for share in some for one in range(share.start, share.end)] == list(range(count))
    assert all(share.start < share.end for share in some)
    assert all(share.end - share.start <= (size + 1) // 2 for share in some[-2:])


def test_scored_on_the_way_is_scored_afterwards(logs: Path, tmp_path: Path) -> None:
    fused = _imported(logs, tmp_path / "fused", processes=2, score=True).run
    later = _imported(logs, tmp_path / "later", processes=1).run
    assert not (later.path / "verdicts.jsonl").exists()

    score_run(later, processes=3)

    for name in FILES:
        assert (fused.path / name).read_bytes() == (later.path / name).read_bytes(), name
    assert score_run(fused, processes=1) == []
    assert not fused.history("verdicts")


def test_what_is_not_written_as_it_was_is_scored_as_it_is_written(tmp_path: Path) -> None:
    """A secret, half a surrogate pair and a text beyond a line: the file says otherwise."""
    odd = ["sk-" + "a" * 30, "4 \ud800", "word " * 20_000 + "so it is 4"]
    path = tmp_path / "odd.jsonl"
    records = [
        {"question": "2 + 2?", "reference": "4", "output": f"It is 4, says {text}."} for text in odd
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))

    fused = _imported(path, tmp_path / "fused", format="answers", score=True).run
    later = _imported(path, tmp_path / "later", format="answers").run
    score_run(later)

    for name in FILES:
        assert (fused.path / name).read_bytes() == (later.path / name).read_bytes(), name
    assert b"aaaa" not in (fused.path / "verdicts.jsonl").read_bytes()


def test_a_killed_import_leaves_no_process_and_no_run(logs: Path, tmp_path: Path) -> None:
    _chats(logs / "many.jsonl", 4_000, 7)
    program = (
        "import sys; from pathlib import Path\n"
        "from trajaudit.audit.imports import import_logs\n"
        "from trajaudit.audit.intake import ImportOptions\n"
        "import_logs([Path(sys.argv[1])], ImportOptions(runs_dir=Path(sys.argv[2]), processes=3))\n"
    )
    runs = tmp_path / "runs"
    killed = subprocess.Popen([sys.executable, "-c", program, str(logs), str(runs)])
    while not list(runs.glob(".import-*/trials/*")) and not list(runs.glob(".*/trials/*")):
        assert killed.poll() is None
        time.sleep(0.01)
    children = Path(f"/proc/{killed.pid}/task/{killed.pid}/children").read_text().split()

    killed.kill()
    killed.wait()

    assert len(children) == 2
    end = time.monotonic() + 20
    while any(_lives(pid) for pid in children):
        assert time.monotonic() < end
        time.sleep(0.05)
    assert not [entry for entry in runs.iterdir() if not entry.name.startswith(".")]
    shutil.rmtree(runs)


def _lives(pid: str) -> bool:
    try:
        return Path("/proc", pid, "stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_losses_that_are_too_many_to_name_do_not_depend_on_how_many_processes_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "SMALL_BYTES", 1)
    samples = [
        sample(id=f"s{number}", **{f"key-{number}-{key}": 1 for key in range(300)})
        for number in range(20)
    ]
    content = {**members(*samples), "summaries.json": [{"id": "gone", "epoch": 1}]}
    log = write(tmp_path / "log.eval", content)

    alone, many = (
        _imported(log, tmp_path / f"r{count}", processes=count).report.losses for count in (1, 3)
    )

    assert alone == many
    assert sum(one.count for one in alone if one.kind == "dropped") == 20 * 300
