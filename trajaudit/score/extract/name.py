"""Is a word that was found a name of its own, or a part of a longer one?

`York` in `New York` is another place. But what the question says already adds nothing: asked which
school, `Rugby School` is `Rugby`, and asked for Mr Jackson's sister, `Janet Jackson` is `Janet`.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Literal

Standing = Literal["alone", "told", "part"]
"""A name of its own; one beside words that add nothing; a part of another name."""
_LOOK = 40
"""Characters beside a name that are looked at for a word that joins on."""
_BEFORE = re.compile(r"(\w+)([ -])$")
_AFTER = re.compile(r"([ -])(\w+)")
_WORD = re.compile(r"[^\W_]+")
_OPENS = re.compile(r"[.!?:]\s*$")
_OPENERS = frozenset((
    "the", "a", "an", "it", "is", "was", "in", "at", "by", "my", "so", "yes", "no", "answer",
    "he", "she", "they", "that", "this", "of", "city", "capital", "president", "dr", "mr",
    "mrs", "king", "queen",
))  # fmt: skip
_TITLES = frozenset(("sir", "dame", "mr", "mrs", "ms", "dr", "professor"))
"""Before a name of several words they only say who it is."""
_RANKS = frozenset((
    "president", "senator", "general", "admiral", "king", "queen", "emperor", "empress", "pope",
    "prince", "princess", "lord", "lady",
))  # fmt: skip
"""They do where a person is asked for."""
_SHIPS = frozenset(("hms", "rms", "uss", "hmas", "hmcs", "usns"))
"""They do where a ship is asked for."""
_TELLS_APART = frozenset((
    "new", "old", "north", "south", "east", "west", "northern", "southern", "eastern", "western",
    "central", "upper", "lower", "inner", "outer", "great", "greater", "little", "saint", "st",
    "san", "santa", "los", "las", "el", "la", "le", "port", "fort", "mount", "first", "second",
    "third", "half", "step", "anti", "non", "jr", "sr", "junior", "senior", "i", "ii", "iii",
))  # fmt: skip
"""With one of them a name is another one, whatever was asked."""


_ORDINAL = re.compile(r"[IVX]{1,5}|(?:[1-9]|1\d|20)(?=\W*(?:[.!?\"\n]|$))")
"""Of a king, a part or a version."""
_MOST_STEPS = 4
"""Words beside a name that are looked at; behind more of them it is another one."""
_MOST_WORDS = 100
"""A longer text is no question: it may say any word."""
_SMALL = frozenset((
    "of", "in", "on", "at", "for", "to", "and", "or", "by", "with", "from", "i", "wa", "it", "hi",
    "her", "a", "that", "their", "than", "into",
))  # fmt: skip
"""Words, without their `s`, that say little."""
_KIND = re.compile(r"(?i)\b(?:which|what|(?:name|nickname|title|type|kind) (?:of|given to))\b")
_NO_KIND = re.compile(
    r"(?i)[^\w\s'-]|\b(?:is|was|are|were|be|did|does|do|has|had|have|can|will|in|on|for|from|to|that"
    r"|with|who|whose|which|by|at|as|and|or)\b"
)
_KIND_CHARS = 60
_EITHER = re.compile(r"\b([^\W_]+),? (?:or|and/or) (?:the |an? )?([^\W_]+)")
"""What a question offers tells apart."""
_SHIP = re.compile(
    r"(?i)\b(?:(?:war|battle|steam|flag)?ship|vessel|liner|cruiser|destroyer|frigate|submarine|boat"
    r"|carrier|steamer|yacht|galleon)s?\b"
)
_SEVERAL = re.compile(
    r"(?i)\b(?:are|were)\b|\b(?:which|what|how many) (?:[\w-]+ ){0,2}[\w-]{2,}(?<!s)s\b"
)
_PERSON = re.compile(r"(?i)\b(?:who|whom|whose|surname|last name)\b")


class Asked:
    """The words of a question."""

    def __init__(self, question: str) -> None:
        words = _WORD.findall(question)
        if len(words) > _MOST_WORDS:
            question, words = "", []
        self._text = f" {' '.join(words).lower()} "
        offered = {singular(word) for pair in _EITHER.findall(question) for word in pair}
        self._kinds = frozenset(singular(word) for word in _kinds(question)) - offered
        names = (singular(word) for word in words[1:] if word[0].isupper())
        self._names = frozenset(names) - offered
        self.for_person = _PERSON.search(question) is not None
        """It asks who somebody is."""
        self.for_ship = _SHIP.search(question) is not None
        self.for_several = _SEVERAL.search(question) is not None
        """It asks for more than one thing, or for a kind."""

    def untold(self, known: Iterable[str]) -> frozenset[str]:
        """Return the words of an answer, but small ones and those that the question says."""
        return frozenset(
            word
            for word in map(singular, known)
            if word not in _SMALL and f" {word} " not in self._text
        )

    def says(self, word: str, joined: str) -> bool:
        """Whether the question says a word that stands beside a name, as the kind of thing that it
        asks for or as a name, but not both together: what it names itself, it tells apart.
        """
        known = singular(word)
        if known in _TELLS_APART or not (known in self._kinds or known in self._names):
            return False
        return not self.names(joined)

    def names(self, words: str) -> bool:
        """Whether the question holds these words, together."""
        return f" {' '.join(_WORD.findall(words)).lower()} " in self._text


def _kinds(question: str) -> Iterator[str]:
    """Yield the words of what is asked for: of `which type of acid is it?` those up to `is`."""
    for asking in _KIND.finditer(question):
        rest = question[asking.end() : asking.end() + _KIND_CHARS]
        end = _NO_KIND.search(rest)
        yield from _WORD.findall(rest[: end.start()] if end else rest)


def singular(word: str) -> str:
    """Return a word in lower case without the `s` of a plural or a genitive."""
    return word.lower().removesuffix("s")


def standing(text: str, start: int, end: int, asked: Asked) -> Standing:
    """Return how `text[start:end]` stands: a capital word or a hyphen beside it makes it another
    name (`York` in `New York`, `Niger` in `Niger-Congo`), unless that word adds nothing.
    """
    numbered = text[end - 1].isdigit() and text[start].isalpha()
    if not text[start].isupper() and not numbered:
        before, after = _beside(text, start, end)
        joined = (before and before[2] == "-") or (after and after[1] == "-")
        return "part" if joined else "alone"
    several = " " in text[start:end]
    sides = (_behind(text, start, end, asked), _ahead(text, start, end, asked, several=several))
    if "part" in sides:
        return "part"
    if "told" not in sides:
        return "alone"
    return "told" if _is_the_one(text, start, end, asked) else "part"


def _is_the_one(text: str, start: int, end: int, asked: Asked) -> bool:
    """Whether a longer name may stand for the wanted one: the question does not say that itself, no
    other person comes before it, and nothing belongs to it.
    """
    if asked.names(text[start:end]) or _OWNS.match(text, end):
        return False
    before = text[max(0, start - _BACK) : start]
    end = len(before.rstrip())
    others = (one[0] for one in _FULL_NAME.finditer(before) if one.end() < end)
    return all(asked.names(one) for one in others)


def _beside(text: str, start: int, end: int) -> tuple[re.Match[str] | None, re.Match[str] | None]:
    before = _BEFORE.search(text[max(0, start - _LOOK) : start])
    return before, _AFTER.match(text[end : end + _LOOK])


def _behind(text: str, start: int, end: int, asked: Asked) -> Standing:
    so_far: Standing = "alone"
    for _ in range(_MOST_STEPS):
        after = _AFTER.match(text[end : end + _LOOK])
        if after is None:
            return so_far
        word = after[2]
        if after[1] == "-" or _is_ordinal(text, end + 1, word):
            return "part"
        if not word[0].isupper() or word.isupper():
            return so_far
        end += len(after[0])
        if so_far == "told" or not asked.says(word, text[start:end]):
            return "part"
        so_far = "told"
    return "part"


def _is_ordinal(text: str, at: int, word: str) -> bool:
    found = _ORDINAL.match(text[at : at + _LOOK])
    return found is not None and found[0] == word


def _ahead(text: str, start: int, end: int, asked: Asked, *, several: bool) -> Standing:
    so_far: Standing = "alone"
    for _ in range(_MOST_STEPS):
        before = _BEFORE.search(text[max(0, start - _LOOK) : start])
        if before is None:
            return so_far
        if before[2] == "-":
            return "part"
        word, start = before[1], start - len(before[0])
        opens = not text[max(0, start - _LOOK) : start].strip() or _OPENS.search(
            text[max(0, start - 9) : start]
        )
        if not word[0].isupper() or (opens and word.lower() in _OPENERS):
            return so_far
        if _is_title(word, asked, several=several):
            return "told"
        if not asked.says(word, text[start:end]):
            return "part"
        so_far = "told"
    return "part"


def _is_title(word: str, asked: Asked, *, several: bool) -> bool:
    lower = word.lower()
    if word.isupper() and lower in _SHIPS:
        return asked.for_ship
    return several and (lower in _TITLES or (asked.for_person and lower in _RANKS))


def may_be_a_surname(text: str, start: int, end: int, asked: Asked) -> bool:
    """Whether a name of one word ends a longer one, which may be the person who was asked for."""
    before, after = _beside(text, start, end)
    if before is None or before[2] == "-" or " " in text[start:end]:
        return False
    longer = text[start - len(before[0]) : end]
    goes_on = after is not None and (after[1] == "-" or after[2][0].isupper())
    first = before[1]
    apart = first.lower() in _TELLS_APART or not first[0].isupper()
    return not (goes_on or apart or asked.names(longer))


def names_one_person(text: str, asked: Asked) -> bool:
    """Whether a person is asked for, and a text holds one full name that the question does not."""
    if not asked.for_person:
        return False
    return len({one[0] for one in _FULL_NAME.finditer(text) if not asked.names(one[0])}) == 1


_FULL_NAME = re.compile(r"\b[A-Z]\w+(?: [A-Z][\w.]*)+")
_OWNS = re.compile(r"(?: [A-Z]\w+)?['\u2019]s\b")
_BACK = 200
"""Characters before a name in which another one may stand."""
