"""Keeps secrets out of what is written: known values, and what has the form of a credential."""

import base64
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any
from urllib.parse import quote, quote_plus

from pydantic_core import SchemaValidator, core_schema

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
_LONGEST_CUE = 64
_AT_ONCE = 32
"""Cues that one search looks for; the memory of a search that looks for many more grows with it."""
# Without the word boundaries: an escaped line feed before it ends in a letter.
_FORM_CUES = (*(form.replace(r"\b", "") for form in _FORMS[:-1]), "PRIVATE KEY-----")


class Redactor:
    """Replaces secrets in texts; the mark stands where each was."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        """Take the values that must never be written; those under `SHORTEST` are passed over."""
        # The longest first: a value may contain another.
        forms = {form for one in values if len(one) >= SHORTEST for form in _written(one)}
        known = sorted(forms, key=len, reverse=True)
        self._known = known
        cues = [max(_CUE.findall(form), key=len, default="") for form in known]
        self._every = any(len(cue) < _SHORTEST_CUE for cue in cues)
        sought = list(dict.fromkeys((*_FORM_CUES, *(cue[:_LONGEST_CUE] for cue in cues))))
        self._searches = [
            _search(sought[start : start + _AT_ONCE]) for start in range(0, len(sought), _AT_ONCE)
        ]

    @classmethod
    def of_environment(cls, env: Mapping[str, str] | None = None) -> "Redactor":
        """Return one that knows the variables whose names tell a secret."""
        variables = os.environ if env is None else env
        return cls(value for name, value in variables.items() if _NAMES.search(name))

    def may_hold(self, line: bytes) -> bool:
        """Return whether a text in UTF-8 may hold a secret, however it is escaped: no means no."""
        return self._every or any(search.isinstance_python(line) for search in self._searches)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """What finds secrets; made when a text may hold one, which few do."""
        return re.compile("|".join([*map(re.escape, self._known), *_FORMS]))

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


def _search(cues: Iterable[str]) -> SchemaValidator:
    """Return what finds any of the cues. By the engine of pydantic-core, which looks for all of
    them at once, many times as fast as `re` or `in` for each; every line goes through it.
    """
    wanted = core_schema.str_schema(pattern="|".join(cues), regex_engine="rust-regex")
    return SchemaValidator(wanted)


def _written(value: str) -> Iterator[str]:
    """Yield a value as it stands in texts, in JSON, in addresses and in headers."""
    yield value
    yield json.dumps(value)[1:-1]
    yield json.dumps(value, ensure_ascii=False)[1:-1]
    data = value.encode("utf-8", "surrogateescape")
    yield quote(data, safe="")
    yield quote_plus(data, safe="")
    yield base64.b64encode(data).decode().rstrip("=")
