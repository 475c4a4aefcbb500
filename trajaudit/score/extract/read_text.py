"""The words that a reply gives as its answer.

Compared as tokens: case, accents, outer quotes, punctuation and articles are form; a part of a
longer name is another name. Identifiers (`literal`) are compared character by character.
"""

import re
from collections.abc import Sequence

from trajaudit.score.extract.found import Candidate, Found, State
from trajaudit.score.extract.glyph import folded
from trajaudit.score.extract.latex import readable
from trajaudit.score.extract.sentence import after_turn, commits_to_nothing, sentences
from trajaudit.score.extract.settle import is_denied

_OUTER = " \t\r\n*_`\"'.,;:!()[]{}$<>~"
_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_ARTICLES = frozenset(("the", "a", "an"))
_QUALIFIER = re.compile(
    r"^\s*(?:[,;(\u2013\u2014/.\n]|-\s|\b(?:because|since|as|which|who|where|is|was|in|by|and its"
    r"|for)\b|[\"'*_`]+\s*[,(.]|$)"
)
_OR_AFTER = re.compile(
    r"(?i)^[\s*_`\"')]*(?:,\s*)?(?:or|oder|ou|或|and possibly|or maybe)\s+(?!so\b|more\b)"
)
_HEDGE = re.compile(r"(?i)^(?:maybe|perhaps|probably|possibly|surely|likely)[\s,]+")
_MENDED = re.compile(
    r"(?i)[;,.\u2026\u2014-]\s*(?:no,? )?(?:wait|sorry|oops|scratch that|correction|i mean|i meant)"
    r"[,:;\s]+(.{1,80})$"
)
_BUT = re.compile(
    r"(?i)^[\s*_`\"',;]*(?:but(?: rather)?|sondern|mais|sino|而?是|it(?:'s| is)) ?"
    r"([^.;,!?\n]{1,80})"
)
_NOT_THIS = re.compile(
    r"(?i)[\s,;(-]+(?:(?:and|but) )?(?:not|rather than|instead of|而?不是)[\s*_`\"']*$"
)
_SAYS = re.compile(
    r"(?i)^.{0,60}?\b(?:(?:answer|it|this|that|name|city|code|one)\b.{0,30}?\b(?:is|was|be)|it's)\s+"
)
_OR_BEFORE = re.compile(r"(?i)\b(?:or|oder|either|whether)\s+[\"'*_]*$|或$")


class TextReader:
    """Reads words for one target with one or more right spellings."""

    def __init__(self, spellings: Sequence[str], *, literal: bool, question: str = "") -> None:
        self._spellings = tuple(spellings)
        self._literal = literal
        self._tokens = [_tokens(one) for one in self._spellings]
        self._question = set(_tokens(question))

    def marked(self, segment: str) -> Found | None:
        text = segment if self._literal else readable(segment)
        text = text.strip()
        words = _stripped(text)
        if not words:
            return None
        whole = self._whole(words)
        if whole:
            return Found(whole, whole, quote=text[:300], notes=_notes(words, whole))
        for found in self._mentions(text):
            if not text[: found.start].strip(_OUTER + "—–-") and _QUALIFIER.match(
                text[found.end :]
            ):
                return self._found(text, found)
        head = _stripped(re.split(r"\n|(?<=\w\w)[.;](?:\s|$)", text)[0])
        return Found(head, head, quote=text[:300])

    def prose(self, text: str) -> Found | None:
        words = _stripped(text)
        whole = self._whole(words)
        if whole:
            return Found(whole, whole, quote=text.strip()[:300], notes=_notes(words, whole))
        parts = list(sentences(text))
        lines = text.strip().split("\n")
        if (
            len(parts) == 1
            and not parts[0].is_question
            and len(words.split()) <= 3
            and len(lines) == 1
            and not commits_to_nothing(text)
        ):
            words = _HEDGE.sub("", words)
            return self._short(text) or Found(words, words, quote=words[:300])
        return self._claimed([part.text for part in parts if not part.is_question])

    def matches(self, value: object, plain: str) -> tuple[bool | None, tuple[str, ...], str]:
        written = str(value)
        if self._literal:
            right = written in self._spellings
            return right, (), f"{written!r} {'is' if right else 'is not'} the wanted identifier"
        right = _tokens(written) in self._tokens
        exact = written in self._spellings
        return (
            right,
            (() if exact or not right else ("text_form",)),
            f"{plain!r} {'is' if right else 'is not'} the wanted text",
        )

    def _whole(self, words: str) -> str | None:
        if self._literal:
            return words if words in self._spellings else None
        tokens = _tokens(words)
        return next(
            (
                one
                for one, known in zip(self._spellings, self._tokens, strict=True)
                if known == tokens and tokens
            ),
            None,
        )

    def _short(self, text: str) -> Found | None:
        for found in self._mentions(text):
            return self._found(text, found)
        return None

    def _found(self, text: str, one: Candidate) -> Found | None:
        if is_denied(text, one):
            other = _instead(text, one)
            if other:
                return Found(other, other, quote=text.strip()[:300])
            return Found(None, None, State.DENIED, text[:300])
        if _OR_AFTER.match(text[one.end :]) or _OR_BEFORE.search(text[: one.start]):
            return Found(None, None, State.AMBIGUOUS, text[:300])
        return Found(one.value, one.plain, quote=text.strip()[:300], notes=one.notes)

    def _claimed(self, parts: list[str]) -> Found | None:
        """The first sentence that claims something, or a later one that names the right words."""
        said: Found | None = None
        for part, following in zip(parts, (*parts[1:], ""), strict=False):
            claim = after_turn(readable(part)) if not self._literal else part
            if commits_to_nothing(claim):
                continue
            claim = _asked_part(claim)
            for one in self._mentions(claim):
                mended = _MENDED.search(f"{claim} {following.strip()}", one.end)
                if mended and not self._mentions(mended[1]):
                    words = _stripped(mended[1])
                    return Found(words, words, quote=claim.strip()[:300])
                found = self._found(claim, one)
                if found is not None:
                    return found
            words = _stripped(claim)
            said = said or Found(words[:200], words[:200], quote=claim.strip()[:300])
        return said

    def _mentions(self, text: str) -> list[Candidate]:
        """Places where a right spelling stands as a name of its own."""
        found: list[Candidate] = []
        lower = text.lower() if text.isascii() else None
        for spelling, tokens in zip(self._spellings, self._tokens, strict=True):
            if lower is not None and not _may_stand(spelling, lower):
                continue
            pattern = _pattern(spelling, tokens, literal=self._literal)
            if pattern is None:
                continue
            found += [
                Candidate(
                    spelling,
                    match.start(),
                    match.end(),
                    spelling,
                    notes=_notes(text[match.start() : match.end()], spelling),
                )
                for match in pattern.finditer(text)
                if self._literal or not _is_part_of_name(text, match.start(), match.end())
            ]
        return sorted(found, key=lambda one: one.start)


_ASKED = re.compile(
    r"(?i)\b(?:but|however|though)\b,?\s+"
    r"(?:(?:the|this|your|our) (?:actual |real )?(?:question|task)"
    r"|(?:you|we|they) (?:asked|were asked|want\w*)"
    r"|(?:the )?(?:correct |right |real |actual |true )*(?:answer|one))\b"
)


def _asked_part(claim: str) -> str:
    """Of `that is in Paris, but the question is about Germany: Berlin` only what is asked for."""
    turn = None
    for match in _ASKED.finditer(claim):
        turn = match
    if turn is None:
        return claim
    words, _, after = claim[turn.end() :].partition(":")
    return after if after.strip() else words


def _notes(written: str, spelling: str) -> tuple[str, ...]:
    """Name the tolerance under which words are the wanted ones, where they are spelt otherwise."""
    return () if written == spelling else ("text_form",)


def _instead(text: str, denied: Candidate) -> str:
    """What is said in place of a denied value: `Lyon, not Paris`, `not Paris but Lyon`."""
    after = _BUT.match(text[denied.end :])
    if after:
        return _stripped(after[1])
    before = _NOT_THIS.search(text[: denied.start])
    if before is None:
        return ""
    words = _stripped(_SAYS.sub("", text[: before.start()].rpartition("\n")[2]))
    return words if len(words.split()) <= 8 else ""


def _stripped(text: str) -> str:
    previous = None
    words = text
    while words != previous:
        previous, words = words, words.strip(_OUTER)
    return words


_INITIALS = re.compile(r"\b(?:[a-z]\.){2,}")
_TOKEN = re.compile(r"[^\W_]+(?:\.\d+)*|[%$\u20ac\u00a3+#]")
_WORDS = re.compile(r"[^\W_]+")


def _tokens(text: str) -> list[str]:
    bare_text = folded(f"{text} ")
    if "." in bare_text:
        bare_text = _INITIALS.sub(lambda match: match[0].replace(".", ""), bare_text)
    words = _TOKEN.findall(bare_text.replace("'", ""))
    bare = [word for word in words if word not in _ARTICLES]
    return bare or words


def _may_stand(spelling: str, lower: str) -> bool:
    """Whether the words of a spelling are in a text at all; cheaper than making its pattern."""
    return not spelling.isascii() or all(word in lower for word in _WORDS.findall(spelling.lower()))


def _pattern(spelling: str, tokens: list[str], *, literal: bool) -> re.Pattern[str] | None:
    if literal:
        return (
            re.compile(rf"(?<![\w./@#$-]){re.escape(spelling)}(?![\w-]|[./@]\w)")
            if spelling
            else None
        )
    if not tokens:
        return None
    words = _WORDS.findall(spelling)
    if not words:
        return None
    before, after = r"(?<![\w.,])" if words[0][0].isdigit() else r"(?<!\w)", r"(?!\w)"
    if _HAN.match(words[0]):
        before = r"(?:^|(?<=[\W是为在叫于即]))"
    if _HAN.match(words[-1][-1]):
        after = r"(?=$|[\W的吧呢了])"
    joined = r"[\W_]{1,4}".join(map(re.escape, words))
    marks = re.search(r"[+#]*$", spelling)
    signs = re.escape(marks[0]) if marks else ""
    return re.compile(f"(?i){before}{joined}{signs}{after}(?![+#])")


def _is_part_of_name(text: str, start: int, end: int) -> bool:
    """`York` in `New York`, `Niger` in `Niger-Congo`: a capital word or hyphen joins on."""
    before = re.search(r"(\w+)([ -])$", text[max(0, start - 40) : start])
    after = re.match(r"([ -])(\w+)", text[end : end + 40])
    numbered = text[end - 1].isdigit() and text[start].isalpha()
    if not text[start].isupper() and not numbered:
        return bool((before and before[2] == "-") or (after and after[1] == "-"))
    if after and (after[1] == "-" or (after[2][0].isupper() and not after[2].isupper())):
        return True
    if before is None:
        return False
    opens = not text[: start - len(before[0])].strip() or re.search(
        r"[.!?:]\s*$", text[: start - len(before[0])]
    )
    return before[2] == "-" or (
        before[1][0].isupper() and not (opens and before[1].lower() in _OPENERS)
    )


_OPENERS = frozenset((
    "the", "a", "an", "it", "is", "was", "in", "at", "by", "my", "so", "yes", "no", "answer",
    "he", "she", "they", "that", "this", "of", "city", "capital", "president", "dr", "mr",
    "mrs", "king", "queen",
))  # fmt: skip
