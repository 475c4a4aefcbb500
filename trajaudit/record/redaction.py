"""Keeps secrets out of what is written: known values, and what has the form of a credential."""

import base64
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote, quote_plus

MARK = "[REDACTED]"
SHORTEST = 8
"""Characters; a shorter value would be found in words that are no secret."""
_NAMES = re.compile(
    r"KEY|TOKEN|SECRET|PASS|_PW(?:D)?$|CREDENTIAL|AUTH(?!OR(?!IZ)|_SOCK)|COOKIE|DSN$", re.IGNORECASE
)
# Forms that their issuers document, so specific that ordinary text does not have them.
_FORMS = (
    r"\bsk-[A-Za-z0-9_-]{20,}",  # OpenAI, Anthropic and others
    r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",  # AWS access key ids
    r"\bgh[pousr]_[A-Za-z0-9]{36,}\b",  # GitHub
    r"\bgithub_pat_[A-Za-z0-9_]{50,}\b",
    r"\bglpat-[A-Za-z0-9_-]{20,}\b",  # GitLab
    r"\bxox[abprs]-[A-Za-z0-9-]{10,}",  # Slack
    r"\bAIza[A-Za-z0-9_-]{35}\b",  # Google
    r"\bhf_[A-Za-z0-9]{30,}\b",  # Hugging Face
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
)


_CUE = re.compile(r"[A-Za-z0-9_-]+")
_SHORTEST_CUE = 4
_FORM_CUES = tuple(
    map(
        re.compile,
        (
            # Without the word boundary: an escaped line feed before it ends in a letter.
            rb"sk-[A-Za-z0-9_-]{20}",
            rb"A(?:KIA|SIA|Iza)",
            rb"g(?:h[pousr]_|ithub_pat_|lpat-)",
            rb"xox",
            rb"hf_",
            rb"PRIVATE KEY-----",
        ),
    )
)
"""What the forms have in them. Every line goes through these searches; each begins with a certain
letter, which makes all of them faster than one that begins with any of several.
"""


class Redactor:
    """Replaces secrets in texts; the mark stands where each was."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        """Take the values that must never be written; those under `SHORTEST` are passed over."""
        # The longest first: a value may contain another.
        forms = {form for one in values if len(one) >= SHORTEST for form in _written(one)}
        known = sorted(forms, key=len, reverse=True)
        self._pattern = re.compile("|".join([*map(re.escape, known), *_FORMS]))
        self._cues = {max(_CUE.findall(form), key=len, default="") for form in known}
        self._every = any(len(cue) < _SHORTEST_CUE for cue in self._cues)
        self._sought = [cue.encode() for cue in self._cues]

    @classmethod
    def of_environment(cls, env: Mapping[str, str] | None = None) -> "Redactor":
        """Return one that knows the variables whose names tell a secret."""
        variables = os.environ if env is None else env
        return cls(value for name, value in variables.items() if _NAMES.search(name))

    def may_hold(self, line: bytes) -> bool:
        """Return whether a text may hold a secret, however it is escaped: no means no."""
        if self._every or any(cue in line for cue in self._sought):
            return True
        return any(cue.search(line) for cue in _FORM_CUES)

    def text(self, text: str) -> str:
        """Return the text without secrets."""
        return self._pattern.sub(MARK, text)

    def tree(self, value: Any) -> Any:
        """Return a JSON-like value with every text in it, keys included, without secrets."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.tree(key): self.tree(each) for key, each in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.tree(each) for each in value]
        return value


def _written(value: str) -> Iterator[str]:
    """Yield a value as it stands in texts, in JSON, in addresses and in headers."""
    yield value
    yield json.dumps(value)[1:-1]
    yield json.dumps(value, ensure_ascii=False)[1:-1]
    data = value.encode("utf-8", "surrogateescape")
    yield quote(data, safe="")
    yield quote_plus(data, safe="")
    yield base64.b64encode(data).decode().rstrip("=")
