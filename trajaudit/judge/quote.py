"""Do the words that a judge quotes stand in the step that it names?"""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from trajaudit.datamodel.judging import Citation
from trajaudit.judge.reply import visible

_MARK = re.compile(
    r"^\s*\[?S\d+\]?\s*(?:final answer|agent said|(?:result|error) of [^:]*|\w+ said)?\s*:?\s*"
    r"|^\s*(?:final answer|agent said):\s*",
    re.IGNORECASE,
)
"""What the view puts before a text; by itself it is nobody's words."""
_LONG = 24
_DOTS = re.compile(r"\s*(?:\[?\.\.\.\]?|\[?…\]?)\s*")


def is_supported(cited: Citation, texts: Mapping[int, str]) -> bool:
    """Whether the words stand in the step, whole; parts around an ellipsis in their order."""
    text = plain(texts.get(cited.step, ""))
    parts = [plain(part) for part in _DOTS.split(cited.quote)]
    at = 0
    for part in filter(None, parts):
        found = _whole(part).search(text, at)
        if found is None:
            return False
        at = found.end()
    return re.search(r"\w", _MARK.sub("", cited.quote)) is not None


def _whole(part: str) -> re.Pattern[str]:
    """Return a pattern that finds no part of a word or a number: `0 EUR` is not in `10 EUR`."""
    # A long quotation may be cut by the room that its field has.
    signs = r"[\da-z]" if len(part) < _LONG else r"\d"
    before = rf"(?<!{signs})(?<!\d[.,])" if re.match(signs, part) else ""
    after = rf"(?!{signs})(?![.,]\d)" if re.search(f"{signs}$", part) else ""
    return re.compile(before + re.escape(part) + after)


def plain(text: str) -> str:
    """Return a text without what differs between ways to copy it: case, blanks, quotation marks."""
    clean = unicodedata.normalize("NFKC", visible(text)).casefold()
    clean = re.sub(r"[\"'`“”„‘’*\\]", "", clean)
    return " ".join(clean.split())


def step_of(written: Any) -> Any:
    """Return what was written for a step, without the marks around its number."""
    if isinstance(written, bool):
        return None
    if isinstance(written, str):
        return written.strip().removeprefix("[").removeprefix("S").removesuffix("]")
    return written
