"""How else may a wanted text be written, and where does it stand in a reply?

Case, accents, punctuation and articles are form; so is a small number as a word or in digits.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from trajaudit.score.extract.glyph import folded
from trajaudit.score.extract.name import singular
from trajaudit.score.extract.number_word import SMALL

_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_ARTICLES = frozenset(("the", "a", "an"))
_INITIALS = re.compile(r"\b(?:[a-z]\.){2,}")
_TOKEN = re.compile(r"[^\W_]+(?:\.\d+)*|[%$\u20ac\u00a3+#]")
_WORDS = re.compile(r"[^\W_]+")
_DIGITS = {word: str(value) for word, value in SMALL.items()}
_NAMES = {value: word for word, value in reversed(_DIGITS.items())}
_NOUN = 5
"""Letters; with or without an `s`, a shorter word may be another one: `new`, `news`."""
_JOINED = r"[\W_]{1,4}"
_WITHIN = r"(?:(?<= [Aa] )|(?<= an )|(?<=[\w,:] [\"'(*_\u201c\u2018]))"
"""Behind another article, or a quotation mark inside of a sentence."""
_ENDS_NAME = r"(?!\s+[\w(])"


def tokens(text: str) -> list[str]:
    """Return what is compared of a text: words in lower case without accents, and signs."""
    bare_text = folded(f"{text} ")
    if "." in bare_text:
        bare_text = _INITIALS.sub(lambda match: match[0].replace(".", ""), bare_text)
    words = _TOKEN.findall(bare_text.replace("'", ""))
    bare = [_DIGITS.get(word, word) for word in words if word not in _ARTICLES]
    return bare or words


def may_stand(spelling: str, lower: str) -> bool:
    """Whether the words of a spelling are in a text in lower case; cheaper than its pattern."""
    return not spelling.isascii() or all(
        word in _ARTICLES or word in lower or _other(word) in lower
        for word in _WORDS.findall(spelling.lower())
    )


@lru_cache(maxsize=2048)
def pattern(
    spelling: str, *, literal: bool = False, plural: bool = False
) -> re.Pattern[str] | None:
    """Return what finds a spelling in a text, and its plural where that is wanted; None: nothing
    can.
    """
    if literal:
        return (
            re.compile(rf"(?<![\w./@#$-]){re.escape(spelling)}(?![\w-]|[./@]\w)")
            if spelling
            else None
        )
    words = _WORDS.findall(spelling)
    if not words or not tokens(spelling):
        return None
    found = f"(?i:{_written(words, spelling)})"
    several = _plural(words[-1].lower()) if plural else ""
    if several:
        # A name has no plural; what begins with a capital may be one.
        found = f"(?:{found}|{_written([*map(str.lower, words[:-1]), several], '')})"
    if len(words) > 1 and words[0].lower() in _ARTICLES and words[1][0].isupper():
        # Without its article a name is known by its capitals, or `The Who` would stand in `who`.
        found = f"(?:{found}|{_WITHIN}{_written(words[1:], spelling)}{_ENDS_NAME})"
    return re.compile(found)


def places(
    spelling: str, text: str, *, literal: bool = False, plural: bool = False
) -> Iterator[re.Match[str]]:
    """Yield where a spelling stands, with or without its accents; see `pattern`."""
    form = pattern(spelling if literal else _unaccented(spelling), literal=literal, plural=plural)
    if not (literal or text.isascii()):
        text = _unaccented(text)
    yield from form.finditer(text) if form else ()


def _unaccented(text: str) -> str:
    """Return Latin letters without their marks; every character keeps its place."""
    return _ACCENTED.sub(lambda match: _base(match[0]), text)


_ACCENTED = re.compile("[\u00c0-\u024f\u1e00-\u1eff]")


@lru_cache(maxsize=1024)
def _base(letter: str) -> str:
    base = unicodedata.normalize("NFD", letter)[0]
    return base if base.isascii() else letter


def _plural(word: str) -> str:
    """Return a noun's plural; nothing where that is not just an `s`."""
    if len(word) < _NOUN or not word.isascii() or not word.isalpha() or word in _DIGITS:
        return ""
    ends = ("s", "x", "z", "ch", "sh", "y")
    return "" if word.endswith(ends) else f"{word}s"


def _written(words: list[str], spelling: str) -> str:
    before = r"(?<![\w.,])" if _is_number(words[0]) else r"(?<!\w)"
    after = r"(?!\w|[.,]\d)" if _is_number(words[-1]) else r"(?!\w)"
    if _HAN.match(words[0]):
        before = r"(?:^|(?<=[\W是为在叫于即]))"
    if _HAN.match(words[-1][-1]):
        after = r"(?=$|[\W的吧呢了])"
    marks = re.search(r"[+#]*$", spelling)
    signs = re.escape(marks[0]) if marks else ""
    joined = _JOINED.join(_word(word, alone=len(words) == 1) for word in words)
    return f"{before}{joined}{signs}{after}(?![+#])"


def _is_number(word: str) -> bool:
    return word[0].isdigit() or word.lower() in _DIGITS


def _word(word: str, *, alone: bool) -> str:
    # `Seventeen` alone, with a capital, is a name.
    other = word.lower() if alone and word[0].isupper() else _other(word.lower())
    return re.escape(word) if other == word.lower() else f"(?:{re.escape(word)}|{other})"


def _other(word: str) -> str:
    """Return a number in its other form, any other word as it is."""
    return _DIGITS.get(word) or _NAMES.get(word, word)


_NUMBERS = frozenset((*_DIGITS, "hundred", "thousand", "million", "billion", "trillion"))
_LAST = re.compile(r"([^\W_]+)(?:[\s-]|\s+and\s+|,)$")
_NEXT = re.compile(r"[\s-]+(?:and\s+)?([^\W_]+)")


def is_in_number(text: str, start: int, end: int) -> bool:
    """Whether a number that a text begins or ends with goes on beside it: `three` in `twenty
    three`, `5` in `5 million`.
    """
    words = _WORDS.findall(text[start:end])
    if not words:
        return False
    before = _LAST.search(text[max(0, start - 30) : start])
    if _is_number(words[0]) and before is not None and _counts(before[1]):
        return True
    after = _NEXT.match(text[end : end + 30])
    return _is_number(words[-1]) and after is not None and _counts(after[1])


def _counts(word: str) -> bool:
    return word.lower() in _NUMBERS


_CLAUSES = re.compile(r"[,;:()]")


def are_near(words: frozenset[str], text: str) -> bool:
    """Whether two words, of which none is a number, have at most one other between them."""
    if any(one.isdigit() for one in words):
        return False
    for clause in _CLAUSES.split(text):
        said = [singular(one) for one in tokens(clause)]
        if any(words <= set(said[at : at + 3]) for at in range(len(said))):
            return True
    return False
