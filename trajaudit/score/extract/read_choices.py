"""The options that a reply chooses where several are right: by letter or by content."""

import re
from collections.abc import Mapping

from trajaudit.score.extract.found import Found, State
from trajaudit.score.extract.latex import readable
from trajaudit.score.extract.read_choice import ChoiceReader
from trajaudit.score.extract.sentence import sentences
from trajaudit.score.extract.settle import undenied

_ALL_BUT = re.compile(r"(?i)\b(?:all|every(?:thing)?)\b.{0,20}\b(?:except|but)\b|\u9664")
_ALL = re.compile(
    r"(?i)\b(?:all (?:of (?:the|them|these)|four|three|five|options|the above)|every option)\b|全部"
    r"|都(?:对|正确|选)"
)


class ChoicesReader(ChoiceReader):
    """Reads a set of options."""

    def __init__(self, right: tuple[str, ...], options: Mapping[str, str]) -> None:
        super().__init__(right[0] if right else "", options)
        self._all = frozenset(self._key(one) for one in right)

    def marked(self, segment: str) -> Found | None:
        return self._collect(readable(segment).strip(), announced=True)

    def prose(self, text: str) -> Found | None:
        lines = text.strip()
        if len(lines) < 200:
            found = self._collect(readable(lines), announced=True)
            if found is not None:
                return found
        for sentence in reversed(list(sentences(text))[-100:]):
            if sentence.is_question or sentence.explains:
                continue
            found = self._collect(readable(sentence.text), announced=False)
            if found is not None:
                return found
        return None

    def matches(self, value: object, plain: str) -> tuple[bool | None, tuple[str, ...], str]:
        right = value == self._all
        wanted = ", ".join(sorted(self._all))
        return right, (), f"{plain} {'are' if right else 'are not'} the right options ({wanted})"

    def _collect(self, text: str, *, announced: bool) -> Found | None:
        if not text:
            return None
        keys = self._only_letters(text) if announced else None
        if keys is None:
            head = re.split(r"(?i),?\s+(?:since|because|as)\s", text)[0]
            text = head if self.candidates(head) else text
            live = undenied(text, self.candidates(text))
            keys = list(dict.fromkeys(str(one.value) for one in live))
            if (
                re.search(r"(?i)\bor\b|或", text)
                and len(keys) == 2
                and not re.search(r"(?i)\band\b", text)
            ):
                return Found(None, None, State.AMBIGUOUS, text[:300])
        if not keys and _ALL_BUT.search(text):
            named = {one.value for one in self.candidates(text)}
            keys = [key for key in self._options if named and key not in named]
        if not keys and _ALL.search(text):
            keys = list(self._options)
        if not keys:
            return None
        order = [key for key in self._options if key in keys]
        return Found(frozenset(keys), ", ".join(order), quote=text[:300])

    def _only_letters(self, text: str) -> list[str] | None:
        """`a, c`, `ACD`, `A/C/D`, `[A, C]`: nothing but labels."""
        text = re.sub(r"^[\s*_]*(?:我|应|该|应该|故|所以|因此)*选择?", "", text)
        bare = re.sub(r"(?i)[\s*_`\"'()\[\]{}$.,;/&+|:-]|\band\b|\bund\b|和|与", " ", text)
        parts = bare.split()
        if len(parts) == 1 and parts[0].isalpha() and (parts[0].isupper() or len(parts[0]) == 1):
            parts = list(parts[0])
        keys = [self.letter_key(part) for part in parts]
        known = [key for key in keys if key is not None]
        return list(dict.fromkeys(known)) if known and len(known) == len(keys) else None
