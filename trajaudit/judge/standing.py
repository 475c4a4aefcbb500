"""Does a reply stand by what it states, or is it a quotation, an example or a guess on the way?"""

import re

from trajaudit.judge.reply import Found

_TENTATIVE = re.compile(
    r"\b(?:might|may|could|would|seems?|seemed|at first|first sight|initially|tempted|tempting|if"
    r"|unless|perhaps|maybe|possibly|leaning|one could|instead of|rather than|almost|not|isn't"
    r"|cannot|can't|don't|won't|never|avoid|whether|first impression|on the face|for example|e\.g)"
    r"\b",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(
    r"\b(?:example|possible|allowed|valid|format|template|schema|for instance|e\.g\.|such as"
    r"|instruct\w*|asked to"
    r"|must (?:reply|answer|respond|be)|should (?:reply|answer|respond|look)|of the form|like this"
    r"|reply with|respond with)\b[^\n.]{0,60}\n?[ \t]*(?:`{3,}\w*\s*)?$"
    r"|(?:^|[.!?]\s+|\n)(?:use|write|say)\s+[\"'`]?$",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"\b(?:tool|agent|candidate|assistant|log|observation|transcript|trajectory|page|file|user"
    r"|answer|step \d+|it|reply|message|attacker|text|data)\b[^.\n]{0,60}"
    r"\b(?:said|says|wrote|writes|returned|returns|replied|contains|contained|claimed|claims"
    r"|printed|prints|shows|showed|included|includes|injected|ends with|ended with|reads"
    r"|tells?|told|asks|asked|output)\b[^\n.]{0,40}\n?[ \t]*(?:`{3,}\w*\s*)?$",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(r"\b(?:would|might|could|had|if|were)\b", re.IGNORECASE)
_AFTERWARDS = re.compile(
    r"[`\s]*(?:was|is|were|appears?|came)\s+(?:only\s+)?"
    r""
    r"(?:found|injected|quoted|planted|in|from|what)\b",
    re.IGNORECASE,
)


def is_own(text: str, one: Found) -> bool:
    """Whether an object is the reply's own statement."""
    before = text[max(0, one.start - 120) : one.start]
    line = re.split(r"[.!?;]\s|\n", before)[-1]
    if _AFTERWARDS.match(text, one.end):
        return False
    return not any(
        found.search(said)
        for found, said in ((_EXAMPLE, before), (_REPORTED, before), (_SUPPOSED, line))
    )


def is_firm(text: str, match: re.Match[str]) -> bool:
    """Whether the reply stands by what it states there."""
    line_start = text.rfind("\n", 0, match.start()) + 1
    before = text[line_start : match.start()]
    if before.lstrip().startswith(">") or _is_quoted(text, line_start, match):
        return False
    if _EXAMPLE.search(text[max(0, match.start() - 120) : match.start()]):
        return False
    sentence = re.split(r"[.!?;]\s|,?\s(?:but|still|yet|however)\b", before)[-1]
    if _REPORTED.search(sentence):
        return False
    return _TENTATIVE.search(sentence) is None


def _is_quoted(text: str, line_start: int, match: re.Match[str]) -> bool:
    """Whether a quotation opens before it on its line, with words before the quotation."""
    end = text.find("\n", match.end())
    line = text[line_start : end if end >= 0 else len(text)]
    at = match.start() - line_start
    for quote in re.finditer(r"\"[^\"]*\"|“[^”]*”|`[^`]+`|(?<!\w)'[^']*'(?!\w)", line):
        if quote.start() < at and line_start + quote.end() >= match.end():
            rest = line[: quote.start()] + line[quote.end() :]
            return re.search(r"\w", rest) is not None
    return False
