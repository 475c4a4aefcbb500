"""The option, or the options, that a reply chooses: by letter or by content.

Letters inside words, the article `a`, the pronoun `I` and letters of formulas are no choices.
"""

import re
from collections.abc import Mapping

from trajaudit.score.extract.found import Candidate, Found, State
from trajaudit.score.extract.glyph import folded, plain
from trajaudit.score.extract.latex import readable
from trajaudit.score.extract.prose import read_prose
from trajaudit.score.extract.sentence import CORRECTION, sentences
from trajaudit.score.extract.settle import settle

_LETTER = re.compile(r"(?<![A-Za-z0-9_'\\^])([A-Za-z]|\d{1,2})(?![A-Za-z0-9_'])")
_CUE = re.compile(
    r"(?i)(?:\b(?:options?|choices?|letters?|answers?|alternatives?|statements?)(?: (?:is|are"
    r"|:))?|\b(?:choose|chose|pick(?:ed)?|select(?:ed)?|go(?:es|ing)? (?:with|for|to)|vote for"
    r"|opt for|is|are|be|it's|that's)|选项?|选择|是|为|选|[:=]|option)[\s*_`\"'($\[]*$"
)
_CORRECT_AFTER = re.compile(
    r"(?i)^[\s*_`\"')$\].:]*(?:(?:\w+ ){0,3}?(?:is|are|seems|looks|must be) (?:the "
    r"|an? )?(?:\w+ )?(?:correct|right|best|better|answer|true|most|only)"
    r"|[-:\u2013\u2014]? ?(?:correct|right|true|yes)\b"
    r"|[\u2713\u2714\u2705]|fits|matches|applies|works|正确"
    r"|是对的|对)"
)
_ARTICLE_NEXT = re.compile(r"[\s*_`\"'$]+[a-z]")
_ARTICLE_OK = re.compile(
    r"(?i)\s+(?:and|or|because|since|as|is|are|was|seems|fits|but|matches|applies|und|et|y|with"
    r"|though|alone|only|here|,)\b"
)
_PASSED_OVER = re.compile(r"(?i)\bover\s+(?:(?:option|choice)\s+)?[(*_`\"']*$")
_ALTERNATIVES = re.compile(r"(?i)\bbetween\s.{1,60}?\s(?:and|or)\s+[(*_`\"']*")
_NONE = re.compile(r"(?i)\bnone of\b|\bneither\b|\bno option\b|都不")


class ChoiceReader:
    """Reads one option."""

    def __init__(self, right: str, options: Mapping[str, str]) -> None:
        self._options = dict(options) or dict.fromkeys("ABCDEFGHIJ", "")
        self._right = self._key(right)
        self._contents = _contents(self._options)

    def candidates(self, sentence: str) -> list[Candidate]:
        """Letters and contents of options, where they stand as such."""
        letters = [
            one for match in _LETTER.finditer(sentence) if (one := self._letter(sentence, match))
        ]
        named = self._named(sentence)
        letters = [
            one for one in letters if not any(two.start <= one.start < two.end for two in named)
        ]
        return sorted([*letters, *named], key=lambda one: one.start)

    def marked(self, segment: str) -> Found | None:
        text = readable(segment).strip()
        bare = re.sub(r"^[\s*_`\"'(\[$<{]+|[\s*_`\"')\].,;:!$>}]+$", "", text)
        key = self._alone(bare)
        if key is not None:
            return Found(key, key, quote=text[:300])
        head = self._lettered_head(text.partition("\n")[0])
        if head is not None and CORRECTION.search(text) is None:
            return head
        for sentence in sentences(text):
            found = self._settled(sentence.text, head=True)
            if found is not None:
                return found
        return None

    def prose(self, text: str) -> Found | None:
        stripped = text.strip()
        first = stripped.partition("\n")[0]
        bare = re.sub(
            r"^[\s*_`\"'(\[$<{]+|[\s*_`\"')\].,;:!$>}]+$",
            "",
            readable(stripped if len(stripped) < 300 else first),
        )
        key = self._alone(bare) or self._alone(first.strip(" .:)*_`"))
        if key is not None and not _is_revised(stripped, first):
            return Found(key, key, quote=first[:300])
        head = self._lettered_head(readable(first))
        if head is not None and not _is_revised(stripped, first):
            return head
        answered = _ANSWERED.sub(_as_statement, text)
        return read_prose(answered, self._checked, prepare=readable, exclusive=True)

    def matches(self, value: object, plain: str) -> tuple[bool | None, tuple[str, ...], str]:
        right = value == self._right
        return right, (), f"{plain} is {'the' if right else 'not the'} right option"

    def _key(self, written: str) -> str:
        for key in self._options:
            if key.casefold() == written.strip().casefold():
                return key
        for key, content in self._options.items():
            if folded(content) == folded(written):
                return key
        return written

    def _alone(self, bare: str) -> str | None:
        """The whole text is one letter, or one option in full."""
        upper = bare.strip().casefold()
        for key in self._options:
            if key.casefold() == upper:
                return key
        same = [
            key
            for key, content in self._options.items()
            if content and folded(content) == folded(bare)
        ]
        return same[0] if len(same) == 1 else None

    def _lettered_head(self, line: str) -> Found | None:
        """`B) Bergen`, `(B) because ...`, `B. Bergen`, `B - Bergen` at the very start."""
        match = re.match(
            r"[\s*_`>]*[(\[]?([A-Za-z0-9]{1,2})(?:[)\].:]|[*_]+[.:)]?| -|,)(?:[\s*_]+(.*)|$)", line
        )
        key = self.letter_key(match[1]) if match else None
        if match is None or key is None or is_list_of_options(line):
            return None
        rest = self._named(match[2] or "")
        if rest and rest[0].start < 3 and rest[0].value != key:
            return Found(None, None, State.AMBIGUOUS, line[:300])
        own = rest[0].end if rest and rest[0].start < 3 else 0
        return (
            None
            if re.match(
                r"(?i)\s*(?:(?:is|isn't|was|and|or|can|wrong|incorrect|false|no|not|right|correct|true)\b"
                r"|[\u2717\u2718\u274c\u2713\u2714\u2705])",
                (match[2] or "")[own:],
            )
            else Found(key, key, quote=line[:300])
        )

    def letter_key(self, letter: str) -> str | None:
        for key in self._options:
            if key == letter or key.casefold() == letter.casefold():
                return key
        return None

    def _settled(self, sentence: str, *, head: bool) -> Found | None:
        candidates = self._checked(sentence)
        return settle(sentence, candidates, head=head, exclusive=not head)

    def _checked(self, sentence: str) -> list[Candidate]:
        """A letter with its own content is one candidate; with another's, they contradict."""
        merged: list[Candidate] = []
        for one in _without_alternatives(sentence, self.candidates(sentence)):
            last = merged[-1] if merged else None
            between = sentence[last.end : one.start] if last else ""
            if last and last.value == one.value and len(between) < 12:
                merged[-1] = last._replace(end=one.end, weight=max(last.weight, one.weight))
            else:
                merged.append(one)
        return merged

    def _letter(self, sentence: str, match: re.Match[str]) -> Candidate | None:
        letter = match[1]
        key = self.letter_key(letter)
        before, after = (
            sentence[max(0, match.start() - 30) : match.start()],
            sentence[match.end() : match.end() + 40],
        )
        if (
            key is None
            or re.match(r"\s*(?:=|\u2248|<|>|\^|\+|\*(?!\*)|/)", after)
            or re.search(r"[=^+/\\]\s*$", before)
        ):
            return None
        cue = bool(_CUE.search(before))
        wrapped = (
            bool(re.search(r"(?:\(|\[|\*\*|`|\"|')$", before))
            and bool(re.match(r"[)\]*`\"']", after))
        ) or bool(re.match(r"\)", after))
        if not _stands_alone(letter, after, cue=cue, wrapped=wrapped, first=not before.strip()):
            return None
        weight = 2 * cue + 2 * bool(_CORRECT_AFTER.match(after)) + wrapped
        return Candidate(key, match.start(), match.end(), key, weight)

    def _named(self, sentence: str) -> list[Candidate]:
        """Options named by their content; a longer one hides those inside it."""
        if self._contents is None:
            return []
        found: list[Candidate] = []
        for match in self._contents.finditer(sentence):
            key = next(
                (
                    key
                    for key, text in self._options.items()
                    if _squeeze(text) == _squeeze(match[0])
                ),
                None,
            )
            if key is not None:
                after = sentence[match.end() : match.end() + 40]
                weight = 2 * bool(_CORRECT_AFTER.match(after))
                found.append(Candidate(key, match.start(), match.end(), key, weight))
        return found


_ANSWERED = re.compile(
    r"(?i)(?<!\w)([A-Z])\s?(?:\?\s*(?=\w+\b)|[-:\u2013\u2014]\s*(?=\w+\s*(?:[.,;\n]|$)))"
    r"(no|nope|wrong|yes|yep|correct|right)\b"
)
_SEEMS = re.compile(
    r"(?i)\b(?:seems?|looks?|sounds?|appears?|is (?:tempting|close|plausible))\b[^.;]{0,60}?"
    r"\b(?:but|yet|however)\b"
)


def _as_statement(match: re.Match[str]) -> str:
    """`A? No.` says that A is wrong."""
    wrong = match[2].lower() in ("no", "nope", "wrong")
    return f"{match[1]} is {'wrong' if wrong else 'correct'}"


def _is_revised(text: str, first: str) -> bool:
    """Whether words behind the first line correct it."""
    return CORRECTION.search(text[len(first) :]) is not None


def _without_alternatives(sentence: str, found: list[Candidate]) -> list[Candidate]:
    """`Between A and C, I choose C`: what was to be chosen from is no choice."""
    chosen = [one for one in found if not _PASSED_OVER.search(sentence[: one.start])]
    found = chosen or found
    between = _ALTERNATIVES.search(sentence) or _SEEMS.search(sentence)
    if between is None:
        return found
    later = [one for one in found if one.start > between.end()]
    return later or found


def _squeeze(text: str) -> str:
    return " ".join(plain(text).casefold().split())


def _contents(options: Mapping[str, str]) -> re.Pattern[str] | None:
    texts = sorted(
        (plain(text).strip() for text in options.values() if text.strip()), key=len, reverse=True
    )
    if not texts:
        return None
    escaped = (r"\s+".join(re.escape(part) for part in text.split()) for text in texts)
    return re.compile(rf"(?i)(?<![\w-])(?:{'|'.join(escaped)})(?![\w])")


def is_list_of_options(text: str) -> bool:
    return bool(re.match(r"[\s*_`(]*[A-Z](?:\s*[,;&/]\s*|\s+and\s+)[A-Z]\b", text))


def _stands_alone(letter: str, after: str, *, cue: bool, wrapped: bool, first: bool) -> bool:
    """Whether a single letter is meant as a label."""
    ends = not after.strip() or bool(
        re.match(r"[\s*_`\"')\]$]*(?:[.,;:!)\]\n]|$|and\b|or\b|&)", after)
    )
    if letter.islower():
        return (
            wrapped
            or (cue and ends and letter != "a")
            or (first and ends and not after.strip(" .)*"))
        )
    if letter in ("A", "I"):
        return (
            wrapped
            or ends
            or bool(_ARTICLE_OK.match(after))
            or (cue and not _ARTICLE_NEXT.match(after))
        )
    return True
