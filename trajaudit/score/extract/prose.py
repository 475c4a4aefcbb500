"""Which value does text without any marker come to?

Reads sentences from the end: the last one that claims something counts, unless it only explains
or checks what an earlier one had concluded.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from trajaudit.score.extract.found import Candidate, Found, State
from trajaudit.score.extract.sentence import (
    ATTRIBUTED,
    after_turn,
    commits_to_nothing,
    sentences,
)
from trajaudit.score.extract.settle import settle

_SENTENCES = 400
"""So many sentences from the end are read: an answer lies no further back."""
_READ = 40
"""So many claims from the end are weighed."""
_BARE = re.compile(r"^[\s*_`#>$(\[\"'~=\-\u2022]*|[\s*_`$)\]\"'.!~]*$")

_PART = re.compile(r"[,;:]\s|\s(?:and|while|whereas|but|although|though)\s")

Finder = Callable[[str], Sequence[Candidate]]


class _Read(NamedTuple):
    """A sentence that names a value."""

    found: Found
    explains: bool
    claim: str
    candidates: Sequence[Candidate]

    @property
    def is_alone(self) -> bool:
        """Whether the sentence is nothing but the value, maybe in bold."""
        bare = _BARE.sub("", self.claim)
        return bool(self.candidates) and (
            len(bare) <= self.candidates[-1].end - self.candidates[0].start + 2
        )


def read_prose(
    text: str, find: Finder, *, prepare: Callable[[str], str], exclusive: bool = False
) -> Found | None:
    """The committed value of `text`, or how it stays undecided; None where it names none."""
    read: list[_Read] = []
    denied: Found | None = None
    for sentence in reversed(list(sentences(text))[-_SENTENCES:]):
        if sentence.is_question:
            continue
        claim = after_turn(prepare(sentence.text))
        if commits_to_nothing(claim):
            claim = _own_part(claim, find)
        candidates = find(claim)
        found = settle(claim, candidates, head=False, exclusive=exclusive)
        if found is None:
            continue
        if found.state is State.DENIED:
            denied = denied or found
            continue
        if len(read) > _READ:
            break
        explains = sentence.explains
        read.append(_Read(found, explains, claim, candidates))
        if not explains and not found.weak and sentence.concludes:
            break
    return _choose(read) or denied


def _own_part(claim: str, find: Finder) -> str:
    """`B is correct, C is a common mistake`: what stands before another's value is claimed."""
    turns = list(_PART.finditer(claim))
    for turn in turns:
        before, after = claim[: turn.start()], claim[turn.end() :]
        if commits_to_nothing(before):
            return ""
        if ATTRIBUTED.search(after) and find(before) and find(after):
            others = [one for one in turns if one.start() > turn.start()]
            if not any(ATTRIBUTED.search(claim[one.end() :]) for one in others):
                return before
    return ""


def _choose(read: list[_Read]) -> Found | None:
    """`read` goes from the last sentence to the first."""
    if not read:
        return None
    if len(read) > 1 and read[-2].explains and read[-1].is_alone:
        return read[-1].found
    for one in read:
        if not one.explains and not one.found.weak:
            return one.found
    for one in read:
        if not one.explains:
            return one.found
    return read[0].found
