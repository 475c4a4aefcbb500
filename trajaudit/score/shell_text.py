"""Which commands does a piece of shell text run?

Read by tokens, never by substring: quotes, pipes, subshells, substitutions, here-documents,
wrappers (`env`, `sudo`, `timeout`, `bash -c`) and simple variables are followed, so that
`echo "git log --all"` runs `echo`. Deliberate: no shell is emulated. What cannot be read plainly is
left out, never guessed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from trajaudit.score.shell_word import Lexer, Token, filled

_RESERVED = frozenset(
    {
        "if",
        "then",
        "else",
        "elif",
        "fi",
        "do",
        "done",
        "while",
        "until",
        "{",
        "}",
        "!",
        "time",
        "case",
    }
)
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)\+?=(.*)", re.DOTALL)
_PREFIXES: dict[str, frozenset[str]] = {
    "sudo": frozenset({"-u", "-g", "-C", "-h", "-p", "-U", "-D"}),
    "env": frozenset({"-u", "-C", "-S", "--unset", "--chdir"}),
    "nohup": frozenset(),
    "command": frozenset(),
    "builtin": frozenset(),
    "exec": frozenset({"-a"}),
    "nice": frozenset({"-n"}),
    "ionice": frozenset({"-c", "-n"}),
    "stdbuf": frozenset({"-i", "-o", "-e"}),
    "setsid": frozenset(),
    "busybox": frozenset(),
    "xargs": frozenset({"-I", "-n", "-P", "-L", "-d", "-a", "-s", "-E"}),
    "timeout": frozenset({"-s", "-k", "--signal", "--kill-after"}),
}
"""Programs that run another one → their options that take a value."""
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh"})
_DEEPEST = 6
_UNWRAPPED = 12


@dataclass(frozen=True)
class Command:
    """One simple command: its words without wrappers, and where its output goes."""

    words: tuple[str, ...]
    redirects: tuple[tuple[str, str], ...] = ()
    """Operator and target."""
    document: str | None = None
    """Text of a here-document or a here-string."""
    upstream: "Command | None" = None
    """What is piped into it."""
    folder: str = ""
    """Where it runs, as far as `cd` before it tells; empty: where the text started."""
    by_xargs: bool = False

    @property
    def name(self) -> str:
        """Return the program without its folder."""
        return self.words[0].rsplit("/", 1)[-1] if self.words else ""


def commands_of(text: str) -> list[Command]:
    """Return every simple command in the order of writing, those of nested texts included."""
    return list(_commands(text, 0, ""))


def _commands(text: str, depth: int, folder: str) -> Iterator[Command]:
    if depth > _DEEPEST:
        return
    lexer = Lexer(text)
    parser = _Parser(folder)
    for token in lexer.tokens():
        for inner in token.inner:
            yield from _commands(inner, depth + 1, parser.folder)
        command = parser.take(token)
        if command is not None:
            yield from _with_nested(command, depth)
    last = parser.end()
    if last is not None:
        yield from _with_nested(last, depth)


def _with_nested(command: Command, depth: int) -> Iterator[Command]:
    """Yield a command and what it runs itself: `bash -c`, `eval`, its input, `-exec`."""
    yield command
    words = command.words
    if command.name == "eval":
        yield from _commands(" ".join(words[1:]), depth + 1, command.folder)
    elif command.name == "trap":
        yield from _commands(" ".join(words[1:2]), depth + 1, command.folder)
    elif command.name in _SHELLS:
        script = _script(words)
        if script is None:
            script = _input(command)
        if script is not None:
            yield from _commands(script, depth + 1, command.folder)
    elif command.name == "find":
        yield from _executed(command)


def _input(shell: Command) -> str | None:
    """Return the text that a shell without a script reads, where it is plain to see."""
    if shell.document is not None:
        return shell.document
    if shell.upstream is None or any(not word.startswith("-") for word in shell.words[1:]):
        return None
    said = [word for word in shell.upstream.words[1:] if not re.fullmatch(r"-[neE]+", word)]
    if shell.upstream.name == "echo":
        return " ".join(said)
    if shell.upstream.name == "printf":
        return "\n".join(said)
    return shell.upstream.document if shell.upstream.name == "cat" else None


def _script(words: tuple[str, ...]) -> str | None:
    """Return the text that a shell gets with `-c`, also in a bundle such as `-lc`."""
    for number, word in enumerate(words[1:], start=1):
        if not word.startswith("-"):
            return None
        if not word.startswith("--") and word.endswith("c"):
            return words[number + 1] if number + 1 < len(words) else None
    return None


def _executed(find: Command) -> Iterator[Command]:
    """Yield what `find` does to the files below its folders."""
    places = []
    for word in find.words[1:]:
        if word.startswith(("-", "(", "!")):
            break
        places.append(word)
    places = places or ["."]
    for number, word in enumerate(find.words):
        if word == "-delete":
            yield Command(("rm", *places), folder=find.folder)
        elif word in {"-exec", "-execdir", "-ok"}:
            run = []
            for inner in find.words[number + 1 :]:
                if inner in {";", "+"}:
                    break
                run += places if inner == "{}" else [inner]
            yield Command(tuple(run), folder=find.folder)


@dataclass
class _Parser:
    """Collects the tokens of one simple command after the other."""

    folder: str
    words: list[str] = field(default_factory=list)
    redirects: list[tuple[str, str]] = field(default_factory=list)
    document: str | None = None
    variables: dict[str, str] = field(default_factory=lambda: {"PWD": "."})
    awaited: str | None = None
    """A redirect whose target is still to come."""
    upstream: Command | None = None
    folders: list[str] = field(default_factory=list)

    def take(self, token: Token) -> Command | None:
        if token.kind == "word":
            word = filled(token.text, self.variables)
            # What an unquoted variable holds falls into words; here only where a program stands.
            is_split = token.plain and not self.words and word != token.text
            for part in word.split() if is_split and self.awaited is None else [word]:
                self._word(part, plain=token.plain)
        elif token.kind == "redirect":
            self.awaited = token.text
        elif token.kind == "document":
            self.document = token.text
        else:
            return self._operator(token.text)
        return None

    def end(self) -> Command | None:
        command = self._close()
        self.upstream = None
        return command

    def _word(self, word: str, *, plain: bool) -> None:
        if self.awaited is not None:
            if self.awaited == "<<<":
                self.document = word
            elif not self.awaited.startswith("<<"):
                self.redirects.append((self.awaited, word))
            self.awaited = None
        elif not (plain and not self.words and word in _RESERVED):
            self.words.append(word)

    def _operator(self, operator: str) -> Command | None:
        command = self._close()
        self.upstream = command if operator in {"|", "|&"} else None
        if operator == "(":
            self.folders.append(self.folder)
        elif operator == ")" and self.folders:
            self.folder = self.folders.pop()
        return command

    def _close(self) -> Command | None:
        words, by_xargs = self._stripped()
        command = None
        if words or self.redirects:
            command = Command(
                tuple(words),
                tuple(self.redirects),
                self.document,
                self.upstream,
                self.folder,
                by_xargs,
            )
            self._remember(words)
        self.words, self.redirects, self.document, self.awaited = [], [], None, None
        return command

    def _stripped(self) -> tuple[list[str], bool]:
        words, by_xargs = self._without_assignments(self.words, keep=True), False
        for _ in range(_UNWRAPPED):
            name = words[0].rsplit("/", 1)[-1] if words else ""
            if name not in _PREFIXES or len(words) == 1:
                break
            by_xargs |= name == "xargs"
            words = self._without_assignments(_after_prefix(words, name), keep=False)
        return words, by_xargs

    def _without_assignments(self, words: list[str], *, keep: bool) -> list[str]:
        for number, word in enumerate(words):
            match = _ASSIGNMENT.fullmatch(word)
            if match is None:
                return words[number:]
            if keep and number == len(words) - 1:
                self.variables[match[1]] = match[2]
        return []

    def _remember(self, words: list[str]) -> None:
        if words[:1] in (["cd"], ["pushd"]) and len(words) == 2 and words[1] != "-":
            self.folder = joined(self.folder, words[1])
        elif words[:1] == ["for"] and words[2:3] == ["in"] and len(words) > 3:
            self.variables[words[1]] = words[3]
        elif words[:1] == ["export"]:
            self._without_assignments(words[1:], keep=True)


def _after_prefix(words: list[str], name: str) -> list[str]:
    valued = _PREFIXES[name]
    at = 1
    while at < len(words) and words[at].startswith("-") and words[at] != "--":
        at += 2 if words[at] in valued else 1
    if at < len(words) and words[at] == "--":
        at += 1
    if name == "timeout":
        at += 1
    return words[at:]


def joined(folder: str, path: str) -> str:
    """Return a path as seen from where the text started; `.` and `..` are resolved."""
    is_whole = path.startswith(("/", "~")) or not folder
    whole = path if is_whole else f"{folder}/{path}"
    parts: list[str] = []
    for part in whole.split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return ("/" if whole.startswith("/") else "") + "/".join(parts)
