"""What of a reply is meant for the reader?

Thinking blocks, struck-through text, block quotes and program code are blanked out; positions stay
as they were. An unclosed thinking block hides everything behind it: nothing there was said.
"""

import re
from typing import NamedTuple

from trajaudit.score.extract.glyph import plain
from trajaudit.score.recent import Recent

_NAMES = (
    "think|thinking|thought|thoughts|reasoning|reason|reflection|scratchpad"
    "|analysis|inner_monologue|seed:think"
)
_OPENERS = (
    (re.compile(rf"<({_NAMES})(?:\s[^<>\n]{{0,100}})?>", re.IGNORECASE), r"</{}\s*>"),
    (re.compile(r"\[(THINK|THINKING|REASONING)\]", re.IGNORECASE), r"\[/{}\]"),
    (re.compile(r"\u25c1(think)\u25b7"), "\u25c1/{}\u25b7"),
    (re.compile(r"<\|begin_of_(thought|thinking)\|>"), r"<\|end_of_{}\|>"),
    (re.compile(r"<\|START_(THINKING)\|>"), r"<\|END_{}\|>"),
    (
        re.compile(r"<\|channel\|>(analysis|commentary)\b[^<\n]{0,200}<\|message\|>"),
        r"<\|end\|>|(?=<\|channel\|>final)|(?=<\|start\|>)",
    ),
    (re.compile(r"<\|channel>(thought)\b"), r"<channel\|>"),
)
_STRAY_CLOSER = re.compile(
    rf"</(?:{_NAMES})\s*>|\[/THINK\]|\u25c1/think\u25b7|<\|end_of_thought\|>|<\|END_THINKING\|>",
    re.IGNORECASE,
)
_SIGNS = ("<", "[", "\u25c1")
"""Every opener and every stray closer begins with one of them."""
_TOKENS = re.compile(
    r"<\|(?:im_start|im_end|start|end|message|return|eot_id|endoftext|begin_of_solution"
    r"|end_of_solution"
    r"|START_RESPONSE|END_RESPONSE|channel)\|>(?:final|assistant)?|</?s>(?=\s*$)|<end_of_turn>"
)
_WITHDRAWN = re.compile(r"~~[^~\n]{1,2000}~~|<(del|s|strike)>[^<]{0,2000}</\1>", re.IGNORECASE)
_BOLD = re.compile(r"<(/?)(?:b|strong|code)>", re.IGNORECASE)
_LAYOUT = re.compile(
    r"</?(?:i|em|u|mark|small|big|span|font|center|p|div|tt|br|h[1-6])(?:\s[^<>\n]{0,100})?/?>",
    re.IGNORECASE,
)
_FENCE = re.compile(r"^[ ]{0,3}(?:```+|~~~+)[ ]*([\w+#.-]*)[^\n]*$", re.MULTILINE)
_PROGRAM = frozenset((
    "python", "py", "python3", "javascript", "js", "typescript", "ts", "java", "c", "cpp",
    "c++", "c#", "go", "rust", "bash", "sh", "shell", "sql", "r", "ruby", "php", "html", "css",
    "swift", "kotlin", "matlab", "julia", "haskell", "diff",
))  # fmt: skip


_MARKS = ("<", ">", "[", "~", "```", "\t", "\r")
"""ASCII text without any of them is visible as it stands."""


class Visible(NamedTuple):
    """The text that counts, in plain characters; as long as the reply."""

    text: str
    unclosed: bool = False
    """A thinking block was never closed."""
    thought: bool = False
    """There was a thinking block."""
    withdrawn: bool = False
    """Struck-through text was taken out."""


@Recent
def visible(reply: str) -> Visible:
    """Blank out what the reader is not told."""
    if reply.isascii() and not any(mark in reply for mark in _MARKS):
        return Visible(reply)
    text, unclosed, thought = _without_thinking(reply)
    if "<" in text or "~~" in text:
        struck = _WITHDRAWN.sub(_blank, _without_comments(text))
        text = _TOKENS.sub(_blank, struck)
    text = _without_layout(plain(text))
    text = _without_programs(text)
    withdrawn = ("<" in reply or "~~" in reply) and bool(_WITHDRAWN.search(reply))
    return Visible(_without_quotes(text), unclosed, thought, withdrawn)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _without_thinking(text: str) -> tuple[str, bool, bool]:
    """Blank the blocks of every known form."""
    if not any(sign in text for sign in _SIGNS):
        return text, False, False
    thought = False
    for opener, closer in _OPENERS:
        kept: list[str] = []
        at = 0
        while begin := opener.search(text, at):
            thought = True
            end = _closing(text, begin, closer)
            kept += [text[at : begin.start()], " " * ((end or len(text)) - begin.start())]
            if end is None:
                return "".join(kept), True, True
            at = end
        text = "".join(kept) + text[at:]
    stray = None
    for match in _STRAY_CLOSER.finditer(text):
        stray = match
    if stray is not None:
        return " " * stray.end() + text[stray.end() :], False, True
    return text, False, thought


def _closing(text: str, begin: re.Match[str], closer: str) -> int | None:
    """End of the block; a nested opener of the same name is no new block."""
    found = re.compile(closer.format(re.escape(begin[1])), re.IGNORECASE).search(text, begin.end())
    return found.end() if found else None


def _without_layout(text: str) -> str:
    """HTML that only lays out: bold and code as their signs in markdown, the rest blank."""
    if "</" not in text and "<br" not in text:
        return text
    return _LAYOUT.sub(_blank, _BOLD.sub(_emphasis, text))


def _emphasis(match: re.Match[str]) -> str:
    blank = " " * (len(match[0]) - 2)
    return f"**{blank}" if match[1] else f"{blank}**"


def _without_comments(text: str) -> str:
    """Blank HTML comments; one that never closes is text."""
    kept: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start)) >= 0:
        kept += [text[at:start], " " * (end + 3 - start)]
        at = end + 3
    return "".join(kept) + text[at:]


def _without_programs(text: str) -> str:
    """Drop fence lines; drop program code where anything else was said."""
    fences = list(_FENCE.finditer(text)) if "```" in text or "~~~" in text else []
    if not fences:
        return text
    parts = list(text)
    programs: list[tuple[int, int]] = []
    for begin, end in zip(fences[::2], [*fences[1::2], None], strict=False):
        stop = end.end() if end else len(text)
        if begin[1].lower() in _PROGRAM:
            programs.append((begin.start(), stop))
        for fence in (begin, end):
            if fence:
                parts[fence.start() : fence.end()] = " " * len(fence[0])
    kept = parts[:]
    for start, stop in programs:
        kept[start:stop] = [" " if char != "\n" else char for char in kept[start:stop]]
    bare = "".join(kept)
    return bare if bare.strip() else "".join(parts)


def _without_quotes(text: str) -> str:
    """Drop block quotes (`> ...`) where anything else was said."""
    if ">" not in text:
        return text
    bare = re.sub(r"^[ ]{0,3}>[^\n]*$", _blank, text, flags=re.MULTILINE)
    if bare.strip() or re.fullmatch(r"\s*>=? ?[-\d.,]+\s*", text):
        return bare if bare.strip() else text
    return re.sub(r"^([ ]{0,3})>", r"\1 ", text, flags=re.MULTILINE)
