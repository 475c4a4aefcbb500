"""A pytest plug-in that records true test ids where standard output cannot reach.

It is copied into a container and imported there, under another name; it needs nothing but Python,
from 3.6 on, as images of older problems have it.
Each line carries a code over all lines before it, made with a key that is gone from the disk and
from the environment before any code under test is imported.
"""

import hashlib
import hmac
import json
import os
from pathlib import Path
from typing import Any

HOME = "RECORDER_HOME"


class Recorder:
    """Appends what happens to the record."""

    def __init__(self, home: Path) -> None:
        secret = home / "key"
        self._key = secret.read_bytes()
        secret.unlink()
        self._canary = (home / "canary").read_text()
        self._items: list[Any] = []
        self._stream = (home / "record").open("ab", buffering=0)
        self._code = b""

    def pytest_configure(self, config: Any) -> None:
        """Add the canary to whatever was asked for; let no failure end the session early."""
        config.args.append(self._canary)
        config.option.maxfail = 0

    def pytest_pycollect_makeitem(self, collector: Any, name: str, obj: Any) -> Any:
        """Collect the function of the canary, whatever a project calls its own tests."""
        mine = os.path.basename(self._canary) in collector.nodeid  # noqa: PTH119
        if not mine or not name.startswith("test_"):
            return None
        return list(collector._genfunctions(name, obj))  # noqa: SLF001 (there is no public way)

    def pytest_itemcollected(self, item: Any) -> None:
        """Remember the tests of the canary."""
        if os.path.basename(self._canary) in item.nodeid:  # noqa: PTH119 (nothing to resolve)
            self._items.append(item)

    def pytest_collection_finish(self, session: Any) -> None:
        """Put the canary back where a choice by name or mark left it out, changed as it may be."""
        session.items += [item for item in self._items if item not in session.items]

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Record one phase of one test."""
        self._write(
            {
                "test": report.nodeid,
                "when": report.when,
                "outcome": report.outcome,
                "xfail": hasattr(report, "wasxfail"),
            }
        )

    def pytest_collectreport(self, report: Any) -> None:
        """Record what could not be collected."""
        if report.failed:
            self._write({"uncollected": report.nodeid})

    def pytest_sessionfinish(self, exitstatus: Any) -> None:
        """Record that the session came to its end."""
        self._write({"finished": int(exitstatus)})

    def _write(self, event: dict[str, Any]) -> None:
        text = json.dumps(event, sort_keys=True)
        self._code = hmac.new(self._key, self._code + text.encode(), hashlib.sha256).digest()
        self._stream.write(f"{self._code.hex()} {text}\n".encode())


def pytest_addoption(parser: Any, pluginmanager: Any) -> None:
    """Register the recorder once; in processes that tests start there is nothing to record."""
    del parser
    home = os.environ.pop(HOME, None)
    os.environ.pop("PYTEST_ADDOPTS", None)
    # One session is recorded; by the next one, the code under test could know the key.
    if home is not None and (Path(home) / "key").exists():
        pluginmanager.register(Recorder(Path(home)), "trajaudit-recorder")
