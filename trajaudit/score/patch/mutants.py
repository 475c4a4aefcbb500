"""Small faults planted into single lines of Python: a test that notices none of them is weak.

Text in, text out: nothing is parsed or run here, so a mutant may turn out to be no Python at all.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

_SWAPS = (
    (r"(?<![<>=!])==(?!=)", "!="),
    (r"!=", "=="),
    (r"<=", ">"),
    (r">=", "<"),
    (r"(?<![<\-])<(?![<=])", ">="),
    (r"(?<![>\-])>(?![>=])", "<="),
    (r"\bis not\b", "is"),
    (r"\bis\b(?! not\b)", "is not"),
    (r"\bnot in\b", "in"),
    (r"\band\b", "or"),
    (r"\bor\b", "and"),
    (r"\bTrue\b", "False"),
    (r"\bFalse\b", "True"),
    (r"(?<=[\w)\]] )\+(?= )", "-"),
    (r"(?<=[\w)\]] )-(?= )", "+"),
    (r"(?<=[\w)\]] )\*(?= )", "+"),
    (r"(?<=[\w)\]] )/(?= )", "*"),
)
_BRANCH = re.compile(r"(\s*(?:el)?if |\s*while )(.+)(:\s*(?:#.*)?)$")
_RETURN = re.compile(r"(\s*return )(?!None\b)\S.*$")
_STATEMENT = re.compile(
    r"(\s*)(?=\S)(?!def |class |async |if |elif |else|for |while |try|except|finally|with |import "
    r"|from |pass\b|return |@|#|global |nonlocal |yield |case |match |[\"')\]}]).*[^\\,(\[{:\s]\s*$"
)
_TEXT = re.compile(r"(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')|#.*$")


@dataclass(frozen=True)
class Mutant:
    """One changed line."""

    line: int
    """Counted from 1."""
    text: str
    """What stands there instead, without its line feed."""


def mutants(source: str, lines: Iterable[int], most: int) -> list[Mutant]:
    """Return at most `most` mutants, spread evenly over the lines: each line's first, then more."""
    texts = source.split("\n")
    by_line = [_of(line, texts[line - 1]) for line in sorted(lines) if line <= len(texts)]
    rounds = max((len(one) for one in by_line), default=0)
    spread = [one[turn] for turn in range(rounds) for one in by_line if turn < len(one)]
    return spread[:most]


def planted(source: str, mutant: Mutant) -> str:
    """Return a source with a mutant in it."""
    texts = source.split("\n")
    end = "\r" if texts[mutant.line - 1].endswith("\r") else ""
    texts[mutant.line - 1] = mutant.text + end
    return "\n".join(texts)


def _of(number: int, text: str) -> list[Mutant]:
    """Return the mutants of one line, the one that changes most first."""
    text = text.rstrip("\r")
    found: list[str] = []
    if branch := _BRANCH.match(text):
        found.append(f"{branch[1]}not ({branch[2]}){branch[3]}")
    if kept := _RETURN.match(text):
        found.append(f"{kept[1]}None")
    elif statement := _STATEMENT.match(text):
        found.append(f"{statement[1]}pass")
    found += _swapped(text)
    return [Mutant(number, one) for one in dict.fromkeys(found) if one != text]


def _swapped(text: str) -> list[str]:
    """Swap one operator each, outside of literals and comments."""
    hidden = _TEXT.sub(lambda one: "\0" * len(one[0]), text)
    return [
        text[: one.start()] + new + text[one.end() :]
        for pattern, new in _SWAPS
        for one in re.finditer(pattern, hidden)
    ]
