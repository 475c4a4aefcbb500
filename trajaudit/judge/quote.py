"""Do the words that a judge quotes stand in the step that it names?"""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from trajaudit.datamodel.judging import Citation
from trajaudit.judge.reply import visible

_DOTS = re.compile(r"\s*(?:\[?\.\.\.\]?|\[?…\]?)\s*")


def is_supported(cited: Citation, texts: Mapping[int, str]) -> bool:
    """Whether the words stand in the step; parts around an ellipsis in their order."""
    text = plain(texts.get(cited.step, ""))
    parts = [plain(part) for part in _DOTS.split(cited.quote)]
    at = 0
    for part in filter(None, parts):
        at = text.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return any(parts)


def plain(text: str) -> str:
    """Return a text without what differs between ways to copy it: case, blanks, quotation marks."""
    clean = unicodedata.normalize("NFKC", visible(text)).casefold()
    clean = re.sub(r"[\"'`“”„‘’*\\]", "", clean)
    return " ".join(clean.split())


def step_of(written: Any) -> Any:
    """Return what was written for a step, without the marks around its number."""
    if isinstance(written, str):
        return written.strip().removeprefix("[").removeprefix("S").removesuffix("]")
    return written
