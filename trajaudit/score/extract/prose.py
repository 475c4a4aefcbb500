"""Which value does text without any marker come to?

Reads sentences from the end: the last one that claims something counts, unless it only explains
or checks what an earlier one had concluded.
"""

import re
from collections.abc import Callable, Sequence

from trajaudit.score.extract.found import Candidate, Found, State
from trajaudit.score.extract.sentence import (
    ATTRIBUTED,
    Sentence,
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

Finder = Callable[[str], Sequence[Candidate]]


def read_prose(
    text: str, find: Finder, *, prepare: Callable[[str], str], exclusive: bool = False
) -> Found | None:
    """The committed value of `text`, or how it stays undecided; None where it names none."""
    read: list[tuple[Sentence, Found, bool]] = []
    denied: Found | None = None
    for sentence in reversed(list(sentences(text))[-_SENTENCES:]):
        claim = after_turn(prepare(sentence.text))
        if sentence.is_question:
            continue
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
        read.append((sentence, found, _is_alone(claim, candidates)))
        if not sentence.explains and not found.weak and (sentence.concludes):
            break
    return _choose(read) or denied


def _own_part(claim: str, find: Finder) -> str:
    """`B is correct, C is a common mistake`: what stands before another's value is claimed."""
    turns = list(re.finditer(r"[,;:]\s|\s(?:and|while|whereas|but|although|though)\s", claim))
    for turn in turns:
        before, after = claim[: turn.start()], claim[turn.end() :]
        if commits_to_nothing(before):
            return ""
        if ATTRIBUTED.search(after) and find(before) and find(after):
            others = [one for one in turns if one.start() > turn.start()]
            if not any(ATTRIBUTED.search(claim[one.end() :]) for one in others):
                return before
    return ""


def _choose(read: list[tuple[Sentence, Found, bool]]) -> Found | None:
    """`read` goes from the last sentence to the first."""
    if not read:
        return None
    first = read[-1]
    if first[2] and len(read) > 1 and all(one.explains for one, _, _ in read[-2:-1]):
        return first[1]
    for sentence, found, _ in read:
        if not sentence.explains and not found.weak:
            return found
    for sentence, found, _ in read:
        if not sentence.explains:
            return found
    return read[0][1]


def _is_alone(claim: str, candidates: Sequence[Candidate]) -> bool:
    """Whether the sentence is nothing but the value, maybe in bold."""
    bare = _BARE.sub("", claim)
    return bool(candidates) and len(bare) <= candidates[-1].end - candidates[0].start + 2
