"""A real browser and a real server, for the tests of what people do and see."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest
from playwright.sync_api import Browser, Page, Response, sync_playwright

from tests.review.desked import START
from trajaudit.datamodel.review import ReviewPolicy, Role
from trajaudit.review.people import People
from trajaudit.review.policy import store_policy

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""
# CI has to have one: there the tests run, and fail without it.
needs_browser = pytest.mark.skipif(
    not CHROMIUM and "CI" not in os.environ, reason="chromium is missing; make browser installs it"
)


@contextmanager
def chromium() -> Iterator[Browser]:
    switches = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=switches)
        try:
            yield browser
        finally:
            browser.close()


class Server:
    """`trajaudit review` in a process of its own."""

    def __init__(self, runs: Path, policy: ReviewPolicy, people: Sequence[str] = ()) -> None:
        self.runs = runs
        store_policy(runs, policy)
        for name in people:
            role = {"judy": Role.ADJUDICATOR, "lea": Role.LEAD}.get(name, Role.REVIEWER)
            People(runs).add(name, role, now=START, token=f"token-of-{name}")
        self.port = 0
        self.start()

    def start(self) -> None:
        """Start it, again on the same port."""
        names = sorted(path.parent.name for path in self.runs.glob("*/run.json"))
        command = [sys.executable, "-m", "trajaudit", "review", "serve", *names]
        command += ["--runs", str(self.runs), "--port", str(self.port)]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        said = []
        assert self.process.stdout is not None
        for line in self.process.stdout:
            said.append(line)
            if found := re.search(r"http://127\.0\.0\.1:(\d+)", line):
                self.port = int(found[1])
                return
        raise AssertionError("".join(said))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self._gone()

    def _gone(self) -> str:
        said, _ = self.process.communicate(timeout=60)
        return said

    def stop(self) -> tuple[int, str]:
        """End it as Ctrl-C does; return its exit code and what it said."""
        self.process.send_signal(signal.SIGINT)
        said = self._gone()
        return self.process.returncode, said

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.kill()


@dataclass
class Wire:
    """Everything that came to one browser."""

    said: list[str] = field(default_factory=list)
    hosts: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)

    def note(self, response: Response) -> None:
        headers = "\n".join(f"{name}: {value}" for name, value in response.all_headers().items())
        body = "" if 300 <= response.status < 400 else response.text()
        self.said.append(f"{response.url}\n{headers}\n{body}".casefold())
        self.hosts.add(response.url.split("/")[2])


def person(
    browser: Browser, server: Server, name: str = "", **options: object
) -> tuple[Page, Wire]:
    """A page of somebody with cookies of their own, logged in."""
    context = browser.new_context(**{"locale": "en-GB", **options})  # type: ignore[arg-type]
    page, wire = context.new_page(), Wire()
    page.on("response", wire.note)
    page.on("pageerror", lambda error: wire.faults.append(str(error)))
    page.set_default_timeout(15_000)
    page.goto(server.url)
    if name:
        page.fill("#token", f"token-of-{name}")
        page.keyboard.press("Enter")
        page.wait_for_url(f"{server.url}/")
    return page, wire


def begin(page: Page) -> str:
    """Start by keyboard; return the item's address."""
    page.wait_for_selector("#start")
    page.keyboard.press("Enter")
    page.wait_for_selector("#timer")
    return page.url


def submit(page: Page, *keys: str) -> str:
    """Press keys, submit, and wait for what comes; return its address."""
    before = page.input_value("[name=lease]")
    for key in keys:
        page.keyboard.press(key)
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(f"html:not(:has([name=lease][value='{before}']))", state="attached")
    return page.url
