r"""Where does a reply announce its answer?

`ANSWER:`, `the answer is`, `#### 42`, `\boxed{42}`, `<answer>42</answer>` and their relatives in
other languages. A marker that is quoted, attributed to someone else or only supposed is none.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from trajaudit.score.extract.caseless import Caseless
from trajaudit.score.extract.latex import closing_braces
from trajaudit.score.extract.sentence import ATTRIBUTED, sentences
from trajaudit.score.recent import Recent

_SEGMENT = 4000
"""Longest segment that is read behind a marker, in characters."""
_EACH = 50
_WORD = Caseless(
    r"(?:\b(?:answers?|ans)\b(?!ed|ing)|(?:^|(?<=\n))[ \t*_#>-]{0,20}(?:final "
    r"|end )?(?:result|solution|conclusion|verdict|output|choice|value)\b(?=[*_ ]{0,5}:)"
    r"|\b(?:antwort|ergebnis|l\u00f6sung|r\u00e9ponse|respuesta|resposta|risposta|antwoord|svar"
    r"|odpowied\u017a|\u043e\u0442\u0432\u0435\u0442)\b|答案|答え|정답|(?:^|(?<=\n))[ *_]{0,9}"
    r"答(?=:)|결과)"
)
_LINK = re.compile(
    r"(?i)(?P<between>[^\n.:=?!]{0,80}?)(?:[*_\"'`\s]{0,8}(?::|=|\uff1a)[*_]{0,6}"
    r"|[*_]{0,6}\s{0,8}\b(?:is|are|was|would be|should be|must be|will be|has to be"
    r"|comes (?:out )?to|equals|lautet|ist|est|es|\u00e9|\u00e8|sera)\b(?:\s{0,4}:)?|\s{0,4}(?:是"
    r"|为|選|选|は|은|는)\s{0,4}:?)"
)
_HEADING = Caseless(
    r"(?m)^[ \t]{0,8}(?:#{1,6}[ \t]{0,4})?[*_]{0,6}(?:the )?(?:final |correct |my )?"
    r"(?:answer|答案|最终答案"
    r"|antwort|r\u00e9ponse|respuesta)[*_ \t]{0,10}:?[*_ \t]{0,10}$"
)
_HASHES = re.compile(r"(?:^|(?<=\n))[ ]*####[ ]+(?=\S)|(?<=\s)####[ ]+(?=[-+$\u20ac]?\d)")
_TAG = re.compile(
    r"(?i)<(answer|final_answer|final|solution|result)>|\[(answer|final_answer|final)\]"
)
_BOX = re.compile(r"\\(?:boxed|fbox)\s*\{")
_BOX_JOIN = re.compile(
    r"(?i)(?:[\s,;$]|\\\\|\\text\s*\{\s*(?:and|or|,)?\s*\}|\\quad|and|or|\\[,;()\[\]])*"
)
_NEXT_QUESTION = Caseless(
    r"(?:^|(?<=\n))[ *_#]{0,12}(?:question|problem|q|exercise|human|user|问题"
    r"|frage)(?:[ ]?\d+)?[*_]*:"
)


class Marked(NamedTuple):
    """Words announced as the answer: `text[start:end]`."""

    segment: str
    start: int
    end: int
    form: str
    """`word`, `heading`, `hashes`, `tag` or `box`."""
    attributed: bool = False
    """Somebody else's, quoted, denied or supposed."""
    boxes: int = 1

    @property
    def claimed(self) -> int:
        """Where the announced sentence ends; what follows in the line comments on it."""
        if self.form not in ("word", "declared"):
            return self.end
        first = next(iter(sentences(self.segment)), None)
        return self.end - len(self.segment) + first.end if first else self.end


def marked_segments(text: str) -> list[Marked]:
    """Every announced answer in order of its place; a recited next question ends the reply."""
    found = [*_inline(text), *_headings(text)]
    found.sort(key=lambda one: (one.start, one.form != "heading"))
    if found:
        for match in _NEXT_QUESTION.finditer(text, found[0].end):
            found = [one for one in found if one.end <= match.start()]
            break
    return found


def with_declared(found: list[Marked], text: str, declared: str | None) -> list[Marked]:
    """Lines that begin with the prefix of the declared format are announcements, too."""
    prefix, _, suffix = (declared or "").partition("{answer}")
    prefix, suffix = prefix.strip(), suffix.strip()
    if not prefix:
        return found
    begin = re.compile(rf"(?im)^[ \t*_`>]{{0,20}}{re.escape(prefix)}")
    lines: list[Marked] = []
    for match in begin.finditer(text):
        end = _line_end(text, match.end())
        segment = text[match.end() : end].rstrip()
        if suffix and segment.endswith(suffix):
            segment = segment[: len(segment) - len(suffix)]
        if segment.strip(" *_`"):
            lines.append(Marked(segment[:_SEGMENT], match.start(), end, "declared"))
    kept = [
        one
        for one in found
        if not any(line.start <= one.start < line.end and one.form == "word" for line in lines)
    ]
    return sorted([*kept, *lines], key=lambda one: one.start)


def reply_end(text: str) -> int:
    """Where the reply ends: before a further question that the model made up after its answer."""
    found = _inline(text)
    if not found:
        return len(text)
    first = min(one.end for one in found)
    match = _NEXT_QUESTION.search(text, first)
    return match.start() if match else len(text)


@Recent
def _inline(text: str) -> tuple[Marked, ...]:
    """Every announcement but headings; kept, since where a reply ends is asked before."""
    return (*_words(text), *_hashes(text), *_tags(text), *_boxes(text))


def _some(matches: Iterator[re.Match[str]]) -> list[re.Match[str]]:
    """The first and the last: nobody announces an answer hundreds of times."""
    found = list(matches)
    return found if len(found) <= 2 * _EACH else [*found[:_EACH], *found[-_EACH:]]


def _words(text: str) -> Iterator[Marked]:
    for match in _some(_WORD.finditer(text)):
        link = _LINK.match(text, match.end())
        if link is None:
            continue
        start = link.end()
        end = _line_end(text, start)
        segment = text[start:end]
        if not segment.strip(" *_`:"):
            start, end = _next_paragraph(text, end)
            segment = text[start:end]
        before = _before(text, match.start())
        attributed = _is_attributed(
            before,
            text[match.start() : link.end()],
            text[max(0, match.start() - 1) : match.start()],
        )
        yield Marked(segment[:_SEGMENT], match.start(), end, "word", attributed)


def _before(text: str, start: int) -> str:
    """The words of the same sentence that stand before a marker."""
    line = text[max(0, start - 200) : start].rpartition("\n")[2]
    return re.split(r"[.!?;]\s|\bbut\b", line)[-1]


def _is_attributed(before: str, marker: str, quote: str) -> bool:
    if ATTRIBUTED.search(f"{before}{marker}") and not re.search(
        r"(?i)\b(?:my|so|thus|therefore) (?:final )?$", before
    ):
        return True
    if re.search(r"(?i)\b(?:not|n't|never|if|whether|doubt|unless)\b[^,]*$", before):
        return True
    return quote in ('"', "'", "`") and bool(before.strip(" \"'`*_-"))


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _next_paragraph(text: str, at: int) -> tuple[int, int]:
    """The next lines with text in them, up to a blank line."""
    start = re.compile(r"[\s*_`]*").match(text, at)
    begin = start.end() if start else at
    stop = text.find("\n\n", begin)
    end = len(text) if stop < 0 else stop
    return begin, min(end, begin + _SEGMENT)


def _headings(text: str) -> Iterator[Marked]:
    for match in _HEADING.finditer(text):
        start, end = _next_paragraph(text, match.end())
        if start < end:
            yield Marked(text[start:end], match.start(), end, "heading")


def _hashes(text: str) -> Iterator[Marked]:
    if "####" not in text:
        return
    for match in _HASHES.finditer(text):
        end = _line_end(text, match.end())
        yield Marked(text[match.end() : end][:_SEGMENT], match.start(), end, "hashes")


def _tags(text: str) -> Iterator[Marked]:
    if "<" not in text and "[" not in text:
        return
    for match in _some(_TAG.finditer(text)):
        name = match[1] or match[2]
        close = re.compile(rf"(?i)[<\[]/{name}\s*[>\]]").search(
            text, match.end(), match.end() + _SEGMENT
        )
        if close:
            yield Marked(text[match.end() : close.start()], match.start(), close.end(), "tag")


def _boxes(text: str) -> Iterator[Marked]:
    """Boxes; several that follow each other (`boxed{2} and boxed{3}`) are one answer."""
    if "boxed" not in text and "fbox" not in text:
        return
    closed = closing_braces(text)
    run: list[tuple[int, int, str]] = []
    for match in _BOX.finditer(text):
        end = closed.get(match.end() - 1)
        if end is None:
            continue
        if run and match.start() < run[-1][1]:
            continue
        join = text[run[-1][1] : match.start()] if run else ""
        if run and not (len(join) < 40 and _BOX_JOIN.fullmatch(join)):
            yield _box(run)
            run = []
        run.append((match.start(), end, text[match.end() : end - 1]))
    if run:
        yield _box(run)


def _box(run: list[tuple[int, int, str]]) -> Marked:
    parts = list(dict.fromkeys(content.strip() for _, _, content in run))
    return Marked(", ".join(parts)[:_SEGMENT], run[0][0], run[-1][1], "box", boxes=len(parts))
