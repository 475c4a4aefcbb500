"""How shell text falls into words, operators, redirects and here-documents."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

_BLANK = re.compile(r"(?:[ \t\r]|\\\n)+")
_REDIRECT = re.compile(r"(?:\d{1,3}|&)?(?:<<<|<<-?|>>|>\||>&|<&|<>|>|<)")
_OPERATOR = re.compile(r"&&|\|\||\|&|;;|[|&;()\n]")
_PLAIN = re.compile(r"[^ \t\r\n\\'\"$`|&;()<>]+")
_VARIABLE = re.compile(r"\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})")
_MARK = "\x00"
_HERE = re.compile(r"\$\( *pwd *\)|` *pwd *`")
_FILLED = re.compile(f"{_MARK}([A-Za-z_]\\w*){_MARK}")


@dataclass(frozen=True)
class Token:
    """One piece; `inner` are the texts of substitutions in it, which run before it."""

    kind: Literal["word", "operator", "redirect", "document"]
    text: str
    plain: bool = False
    """Nothing in it was quoted."""
    inner: tuple[str, ...] = ()


def filled(word: str, variables: Mapping[str, str]) -> str:
    """Put the values of known variables into a word; others keep their name."""
    word = _HERE.sub(".", word)
    return _FILLED.sub(lambda match: variables.get(match[1], f"${match[1]}"), word)


@dataclass
class Lexer:
    """Cuts one text; whatever the text, it ends, and each character is looked at a few times."""

    text: str
    at: int = 0
    inner: list[str] = field(default_factory=list)
    plain: bool = True
    wants_end: bool | None = None
    """The next word ends a here-document; true: tabs before its lines are stripped."""
    resume: int | None = None
    """Where the text goes on behind the here-documents of this line."""

    def tokens(self) -> Iterator[Token]:
        self.text = self.text.replace(_MARK, " ")
        while self.at < len(self.text):
            token = self._next()
            if token is None:
                continue
            yield token
            if token.kind == "word" and self.wants_end is not None:
                yield self._document(token, strips=self.wants_end)
                self.wants_end = None
            elif token.text == "\n" and self.resume is not None:
                self.at, self.resume = max(self.at, self.resume), None

    def _next(self) -> Token | None:
        blank = _BLANK.match(self.text, self.at)
        if blank:
            self.at = blank.end()
            return None
        if self.text[self.at] == "#" and (self.at == 0 or self.text[self.at - 1] in " \t\n;&|("):
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end
            return None
        redirect = _REDIRECT.match(self.text, self.at)
        if redirect:
            return self._redirect(redirect)
        operator = _OPERATOR.match(self.text, self.at)
        if operator:
            self.at = operator.end()
            return Token("operator", operator[0])
        return self._whole_word()

    def _redirect(self, match: re.Match[str]) -> Token | None:
        self.at = match.end()
        text = match[0].lstrip("0123456789&")
        if text in {"<<", "<<-"}:
            self.wants_end = text == "<<-"
        descriptor = re.compile(r"\d+|-").match(self.text, self.at)
        if text in {">&", "<&"} and descriptor:
            self.at = descriptor.end()
            return None
        return Token("redirect", text)

    def _whole_word(self) -> Token:
        self.inner, self.plain = [], True
        parts: list[str] = []
        while self.at < len(self.text):
            part = self._part()
            if part is None:
                break
            parts.append(part)
        return Token("word", "".join(parts), self.plain, tuple(self.inner))

    def _part(self) -> str | None:
        char = self.text[self.at]
        plain = _PLAIN.match(self.text, self.at)
        if plain:
            self.at = plain.end()
            return plain[0]
        if char == "'":
            return self._single_quoted()
        if char == '"':
            return self._double_quoted()
        if char == "\\":
            self.at += 2
            self.plain = False
            return self.text[self.at - 1 : self.at].replace("\n", "")
        if char in "$`":
            return self._dollar()
        return None

    def _single_quoted(self) -> str:
        self.plain = False
        end = self.text.find("'", self.at + 1)
        end = len(self.text) if end < 0 else end
        part = self.text[self.at + 1 : end]
        self.at = end + 1
        return part

    def _double_quoted(self) -> str:
        self.plain = False
        self.at += 1
        parts: list[str] = []
        while self.at < len(self.text) and self.text[self.at] != '"':
            char = self.text[self.at]
            if char == "\\":
                following = self.text[self.at + 1 : self.at + 2]
                parts.append(following if following in '"\\$`' else f"\\{following}")
                self.at += 2
            elif char in "$`":
                parts.append(self._dollar())
            else:
                parts.append(char)
                self.at += 1
        self.at += 1
        return "".join(parts)

    def _dollar(self) -> str:
        """Read `$name`, `$(text)` or a text in backticks; anything else is a plain character."""
        start = self.at
        if self.text.startswith("$(", start) and not self.text.startswith("$((", start):
            self.at = _closing(self.text, start + 2)
            self.inner.append(self.text[start + 2 : self.at])
            self.at += 1
            return self.text[start : self.at]
        if self.text[start] == "`":
            end = self.text.find("`", start + 1)
            self.at = (len(self.text) if end < 0 else end) + 1
            self.inner.append(self.text[start + 1 : self.at - 1])
            return self.text[start : self.at]
        variable = _VARIABLE.match(self.text, start)
        if variable:
            self.at = variable.end()
            return f"{_MARK}{variable[1] or variable[2]}{_MARK}"
        self.at += 1
        return "$"

    def _document(self, end: Token, *, strips: bool) -> Token:
        """Read a body that begins on the next line, or behind the body before it.

        Substitutions in it run unless its end was written in quotes.
        """
        at = self.resume
        if at is None:
            line_end = self.text.find("\n", self.at)
            at = len(self.text) if line_end < 0 else line_end + 1
        lines: list[str] = []
        while at < len(self.text):
            stop = self.text.find("\n", at)
            stop = len(self.text) if stop < 0 else stop
            line = self.text[at:stop].rstrip("\r")
            at = stop + 1
            line = line.lstrip("\t") if strips else line
            if line == end.text:
                break
            lines.append(line)
        self.resume = at
        body = "\n".join(lines)
        return Token("document", body, inner=tuple(_substitutions(body)) if end.plain else ())


def _substitutions(text: str) -> Iterator[str]:
    """Yield what stands in each `$(...)` of a text; one in another comes with the outer one."""
    at = 0
    while (start := text.find("$(", at)) >= 0:
        at = start + 2
        is_plain = start == 0 or text[start - 1] != "\\"
        if is_plain and not text.startswith("(", at):
            end = _closing(text, at)
            yield text[at:end]
            at = end


def _closing(text: str, at: int) -> int:
    """Return where the parenthesis that was opened before `at` closes."""
    depth, quote = 1, ""
    while at < len(text):
        char = text[at]
        if char == "\\" and quote != "'":
            at += 1
        elif quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char in "()":
            depth += 1 if char == "(" else -1
            if depth == 0:
                return at
        at += 1
    return len(text)
