"""Yes or no, as a reply means it."""

import re

from trajaudit.score.extract.found import Candidate, Found, State
from trajaudit.score.extract.latex import readable
from trajaudit.score.extract.prose import read_prose
from trajaudit.score.extract.sentence import CORRECTION, sentences
from trajaudit.score.extract.settle import settle

_YES = re.compile(
    r"(?i)(?<![\w-])(?:yes|yeah|yep|true|correct|affirmative|indeed|ja|oui|s\u00ed|si|sim|vrai"
    r"|wahr|richtig|verdadero|of course(?! not)"
    r"|that(?:'s| is) right|(?:certainly|absolutely|definitely)(?! (?:no|not|false)\b))(?![\w-])"
    r"|(?<!不)(?<!是不)(?:是的|是(?!否)"
    r"|对(?!于)|正确|真)"
)
_NO = re.compile(
    r"(?i)(?<![\w-])(?:no(?=\s*(?:[,.!;:)\"'*_`\u2014\u2013-]|$|\n|it\b|they\b|there\b|he\b|she\b"
    r"|this\b|that\b|the\b|and\b|or\b))|nope|false|incorrect|negative|nein|non|n\u00e3o|faux"
    r"|falsch|falso|not really|of course not|absolutely not|definitely not|certainly not"
    r"|not (?:necessarily|always|at all)|no way|by no means|never(?=\s*[.!,]|$))(?![\w-])"
    r"|不是|不对|不正确|错误"
    r"|否|假(?!设)"
)
_BOTH = re.compile(
    r"(?i)\b(?:yes and no|both yes and no|it depends|yes or no|yes/no|true or false|true/false"
    r"|maybe|partly|in part)\b|视情况|看情况"
)
_AUXILIARY = re.compile(
    r"(?i)(?:^|[,;:.]\s*)(?:is|are|does|do|did|was|were|can|could|will|has|have|should"
    r"|would)\s+(.+?)\?"
)
_NEGATION = re.compile(
    r"(?i)\b(?:not|never|cannot|no longer|neither|nor|fails? to)\b|n't\b|不|没有|非"
)
_SHORT = re.compile(
    r"(?i)^\W*(?:(?:it|they|he|she|this|that|i|we|you) (?:does|do|did|is|are|was|were|can|will"
    r"|has|have|could|should|would)(?:n't| not)?|cannot|不?(?:可以|能|会|行|存在|成立)|没有|有)"
    r"[\s.!*_]*(?:$|\n|(?<=[.!])\s)"
)
_STOP = frozenset((
    "the", "a", "an", "is", "are", "does", "do", "did", "was", "were", "can", "could", "will",
    "has", "have", "should", "would", "it", "this", "that", "to", "of", "in", "on",
))  # fmt: skip


_OPENED = re.compile(
    r"(?i)\W*(?:yes|no|yep|nope),\s*(?:that|it|this)(?:'s| is| was)"
    r" (?:in)?(?:correct|right|true|false|wrong)\b"
)
"""`Yes, that is incorrect`: the first word answers, the others say to what."""


_QUALIFIED = re.compile(
    r"(?i)\b(?:in general|generally|otherwise),? (?:it is |it does )?(?:no|not|yes)\b"
    r"|(?<=\w, )not in general\b"
)


class BoolReader:
    """Reads yes or no."""

    def __init__(self, *, right: bool, question: str = "") -> None:
        self._right = right
        asked = _AUXILIARY.search(question)
        self._asked = _stems(asked[1]) if asked and not _NEGATION.search(question) else frozenset()

    def candidates(self, sentence: str) -> list[Candidate]:
        found = [Candidate(True, one.start(), one.end(), "yes") for one in _YES.finditer(sentence)]
        taken = [(one.start, one.end) for one in found]
        for one in _NO.finditer(sentence):
            inside = [pair for pair in taken if one.start() < pair[1] and pair[0] < one.end()]
            found = [two for two in found if (two.start, two.end) not in inside]
            found.append(Candidate(False, one.start(), one.end(), "no"))
        return sorted(found, key=lambda one: one.start)

    def marked(self, segment: str) -> Found | None:
        text = readable(segment)
        if _BOTH.search(text[:60]):
            return Found(None, None, State.AMBIGUOUS, text.strip()[:300])
        for sentence in sentences(text):
            found = settle(sentence.text, self._heads(sentence.text), head=True)
            if found is not None:
                return found
            break
        return self._echoed(text)

    def prose(self, text: str) -> Found | None:
        plain = readable(text)
        head = next(iter(sentences(plain)), None)
        if head is not None and _BOTH.search(head.text[:80]):
            return Found(None, None, State.AMBIGUOUS, head.text.strip()[:300])
        if _says_both(plain) or _QUALIFIED.search(plain[:300]):
            return Found(None, None, State.AMBIGUOUS, plain.strip()[:300])
        opened = _OPENED.match(plain)
        start = opened.end() if opened else 1 if head is None else head.start + 1
        if head is not None and not CORRECTION.search(plain[start:]):
            first = self._heads(head.text)
            if first and not head.text[: first[0].start].strip(" *_`\"'(\n"):
                if opened:
                    return Found(first[0].value, first[0].plain, quote=head.text.strip()[:300])
                return settle(head.text, first[:1], head=True)
        found = read_prose(plain, self._heads, prepare=str)
        return found or self._echoed(plain)

    def matches(self, value: object, plain: str) -> tuple[bool | None, tuple[str, ...], str]:
        right = value is self._right
        return right, (), f"the reply means {plain}"

    def _heads(self, sentence: str) -> list[Candidate]:
        """`definitely not` and `not true` mean no."""
        return [_turned(sentence, one) for one in self.candidates(sentence)]

    def _echoed(self, text: str) -> Found | None:
        """`It does not converge.` answers `Does it converge?`."""
        short = _SHORT.match(text)
        if short:
            yes = not _NEGATION.search(short[0])
            return Found(yes, "yes" if yes else "no", quote=text.strip()[:300])
        if not self._asked:
            return None
        for sentence in reversed(list(sentences(text))[-20:]):
            shared = self._asked & _stems(sentence.text)
            if len(shared) * 2 > len(self._asked) and not sentence.is_question:
                yes = not _NEGATION.search(sentence.text)
                return Found(yes, "yes" if yes else "no", quote=sentence.text.strip()[:300])
        return None


def _says_both(text: str) -> bool:
    """`yes` in one line and `no` in another, and nothing else."""
    lines = {line.strip(" *_`.!").lower() for line in text.split("\n") if line.strip()}
    return lines in ({"yes", "no"}, {"true", "false"})


def _turned(sentence: str, one: Candidate) -> Candidate:
    before = sentence[max(0, one.start - 12) : one.start]
    if (
        one.value is True
        and re.search(r"(?i)\b(?:not|isn't|n't)\s+$", before)
        and re.match(r"(?i)(?:true|correct|right)", sentence[one.start : one.end])
    ):
        return one._replace(value=False, plain="no", start=one.start - len(before))
    return one


def _stems(text: str) -> frozenset[str]:
    words = re.findall(r"[a-z]+", text.lower())
    return frozenset(re.sub(r"(?:e?s|ing|ed|e)$", "", word) for word in words if word not in _STOP)
