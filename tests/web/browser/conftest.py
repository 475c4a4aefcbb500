"""A real Chromium, and people who sit before it."""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.web.browser.person import Person
from tests.web.browser.served import Served
from trajaudit.datamodel.review import ReviewPolicy, Role

QUIET = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
REVIEWERS = {"ann": Role.REVIEWER, "ben": Role.REVIEWER}
Serve = Callable[..., Served]
Lasting = Callable[[Callable[[Path], object], ReviewPolicy], Served]
Enter = Callable[..., Person]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser for the tests of a module: its event loop must not outlive them."""
    path = shutil.which("chromium")
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("chromium is missing; CI has to install it: make browser")
        pytest.skip("chromium is missing; make browser installs it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        yield browser
        browser.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Serve all runs of `tmp_path/runs` to people, by default two reviewers."""
    started: list[Served] = []

    def begin(policy: ReviewPolicy, people: Mapping[str, Role] = REVIEWERS) -> Served:
        served = Served(tmp_path / "runs", policy, people)
        started.append(served)
        served.start()
        return served

    yield begin
    for one in started:
        one.stop()


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lasting]:
    """Serve runs to all tests of a module; each of them sends somebody else."""
    started: list[Served] = []

    def begin(make: Callable[[Path], object], policy: ReviewPolicy) -> Served:
        runs = tmp_path_factory.mktemp("lasting") / "runs"
        make(runs)
        served = Served(runs, policy, {"lea": Role.LEAD, "judy": Role.ADJUDICATOR})
        started.append(served)
        served.start()
        return served

    yield begin
    for one in started:
        one.stop()


@pytest.fixture
def enter(chromium: Browser) -> Iterator[Enter]:
    """Let a person log in, by typing their token; keywords are those of a browser context."""
    people: list[Person] = []

    def come(served: Served, name: str, *, url: str = "", **context: object) -> Person:
        if name not in served.tokens:
            served.add(name)
        made = chromium.new_context(**{"locale": "en-GB", **context})  # type: ignore[arg-type]
        person = Person(name, made, url or served.url)
        people.append(person)
        person.log_in(served.tokens[name])
        return person

    yield come
    for one in people:
        one.context.close()
