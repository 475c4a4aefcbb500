"""Turns records into pages: every value made harmless, then escaped."""

import hashlib
import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from trajaudit.report.block import Block
from trajaudit.report.text import one_line, visible
from trajaudit.web.language import NAMES, Words

TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
"""Suffix → media type of the files that are served as they are."""
_NUMBER = re.compile(r"[\d,]*\d")


@cache
def static_files() -> Mapping[str, tuple[str, bytes]]:
    """Name → media type and content; a name that is no key is no file, whatever dots it holds."""
    own = (files("trajaudit.web") / "static").iterdir()
    # The report's style: both look like parts of one thing.
    shared = files("trajaudit.report") / "templates" / "report.css"
    found = {one.name: one.read_bytes() for one in (*own, shared)}
    return {
        name: (TYPES[suffix], content)
        for name, content in found.items()
        if (suffix := name.rpartition(".")[2]) in TYPES
    }


def static_url(name: str) -> str:
    """Return the address of a static file; another content has another address."""
    _, content = static_files()[name]
    return f"/static/{name}?v={hashlib.sha256(content).hexdigest()[:12]}"


@cache
def environment() -> Environment:
    """Return the templates."""
    made = Environment(
        loader=PackageLoader("trajaudit.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_harmless,
    )
    made.filters.update(
        one_line=one_line,
        clock=_clock,
        day=_day,
        seconds=_seconds,
        percent=_percent,
        fixed=_fixed,
        size=_size,
    )
    made.globals.update(static=static_url, languages=NAMES)
    return made


def render(template: str, words: Words, values: Mapping[str, object]) -> str:
    """Return a page in one language."""
    return environment().get_template(template).render(t=words, **values)


def _harmless(value: Any) -> Any:
    """What every expression of a template passes before it is escaped."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return visible(value)
    return value


def _size(block: Block, words: Words) -> str:
    """How long a text is, in the language of the page."""
    characters, lines = _NUMBER.findall(block.size)
    return words("size", n=int(lines.replace(",", "")), characters=characters, lines=lines)


def _moment(value: datetime | str) -> datetime:
    return datetime.fromisoformat(value) if isinstance(value, str) else value


def _clock(value: datetime | str) -> str:
    """Time of day in UTC; the script of the page turns it into that of the reader."""
    return f"{_moment(value):%H:%M} UTC"


def _day(value: datetime | str) -> str:
    return f"{_moment(value):%Y-%m-%d %H:%M} UTC"


def _seconds(value: float) -> str:
    whole = round(value)
    return f"{whole // 60}:{whole % 60:02d}"


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"


def _fixed(value: float | None) -> str:
    return "—" if value is None else f"{value:.2f}"
