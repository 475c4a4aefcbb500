"""What writes more than it may is ended, and nothing else."""

import threading
import time
from collections.abc import Sequence
from typing import cast

from trajaudit.errors import SandboxError
from trajaudit.sandbox import disk_watch
from trajaudit.sandbox.disk_watch import DiskWatch
from trajaudit.sandbox.docker import Api


class Engine:
    """Answers how much containers have written, or fails."""

    def __init__(self, **sizes: int) -> None:
        self.sizes = sizes
        self.failures = 0
        self.asked: list[list[str]] = []

    def written(self, containers: Sequence[str]) -> dict[str, int]:
        self.asked.append(list(containers))
        if self.failures:
            self.failures -= 1
            raise SandboxError("engine lost")
        return {name: self.sizes[name] for name in containers if name in self.sizes}


class Container:
    def __init__(self, name: str) -> None:
        self.id = name
        self.killed = ""
        self.gone = threading.Event()

    def kill(self, reason: str) -> None:
        self.killed = reason
        self.gone.set()


def watching(engine: Engine) -> DiskWatch:
    return DiskWatch(cast("Api", engine), most_mb=1, reason="full")


def test_what_is_over_the_limit_is_ended_and_what_is_gone_forgotten() -> None:
    engine = Engine(small=2**20, large=2**20 + 1)
    watch = watching(engine)
    small, large, gone = (Container(name) for name in ("small", "large", "gone"))
    watch._watched = {one.id: one for one in (small, large, gone)}

    watch.look()
    watch.look()

    assert (small.killed, large.killed, gone.killed) == ("", "full", "")
    assert engine.asked == [["small", "large", "gone"], ["small"]]


def test_an_engine_that_fails_once_is_asked_again() -> None:
    engine = Engine(large=2**21)
    engine.failures = 2
    watch = watching(engine)
    container = Container("large")
    began = time.monotonic()
    watch.add(container)
    assert container.gone.wait(10)
    watch.close()

    assert time.monotonic() - began >= 2 * disk_watch.EVERY_S
    assert len(engine.asked) == 3
