"""A person before a browser. Their mouse is unplugged: all that they do is press keys."""

import re
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Response, expect

ITEM = re.compile(r"/item/[0-9a-f]{16}$")
VERDICTS = ("pass", "fail", "cannot_tell", "task_broken")
WAIT_MS = 20_000


class Person:
    """One browser context, with one tab that is looked at."""

    def __init__(self, name: str, context: BrowserContext, url: str) -> None:
        self.name, self.context, self.url = name, context, url
        context.set_default_timeout(WAIT_MS)
        self.page = context.new_page()
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda said: self._heard(said.type, said.text))

    def log_in(self, token: str) -> None:
        """Type the token into the field that is waiting for it."""
        self.page.goto(f"{self.url}/")
        expect(self.page.locator("#token")).to_be_focused()
        self.page.keyboard.insert_text(token)
        self.press_and_go("Enter", re.compile(r"/$"))

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def write(self, text: str) -> None:
        """Write a note, and leave its field."""
        self.press("n")
        expect(self.page.locator("[name=reason]")).to_be_focused()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)
        self.press("Escape")

    def choose(self, verdict: str) -> None:
        """Choose a verdict by its number."""
        self.press(str(VERDICTS.index(verdict) + 1))
        expect(self.page.locator(f"input[value={verdict}]")).to_be_checked()

    def press_and_go(self, key: str, where: re.Pattern[str] | None = None) -> str:
        """Press a key that leads to another page; return its path."""
        with self.page.expect_navigation(url=where, wait_until="load"):
            self.press(key)
        return self.path

    def start(self) -> str:
        """Press Enter on the page one starts from; return the path of the item."""
        expect(self.page.locator("#start")).to_be_focused()
        return self.press_and_go("Enter")

    def submit(self) -> str:
        """Send the form; return the path of what comes next."""
        return self.press_and_go("Control+Enter")

    def label(self, verdict: str, reason: str = "") -> str:
        """Choose, write and send."""
        self.choose(verdict)
        if reason:
            self.write(reason)
        return self.submit()

    def tab_to(self, what: str, most: int = 60) -> None:
        """Press Tab until something is focused."""
        for _ in range(most):
            if self.page.locator(what).first.evaluate("it => it === document.activeElement"):
                return
            self.press("Tab")
        raise AssertionError(f"{most} times Tab did not lead to {what}")

    @property
    def path(self) -> str:
        return urlsplit(self.page.url).path

    @property
    def field(self) -> dict[str, str]:
        """What the form would send."""
        script = "form => Object.fromEntries(new FormData(form))"
        found: dict[str, str] = self.page.locator("#verdict").evaluate(script)
        return found

    @property
    def kept(self) -> dict[str, str]:
        """What a page that refused a form gives back, by the names of the fields."""
        found = self.page.locator("main .field").all()
        return {
            one.locator("label").inner_text(): one.locator("textarea").input_value()
            for one in found
        }

    def says(self, text: str) -> None:
        """Wait until the page shows some words."""
        expect(self.page.locator("body")).to_contain_text(text)

    def go(self, path: str) -> Response:
        """Open an address, as from a bookmark."""
        answer = self.page.goto(f"{self.url}{path}")
        assert answer is not None
        return answer

    def _heard(self, kind: str, text: str) -> None:
        # Answers of 4xx are told as errors, too; tests look at these themselves.
        if kind == "error" and "Failed to load resource" not in text:
            self.faults.append(text)
