"""Which files does a shell command write, take away or read?"""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from trajaudit.score.git_command import git_command
from trajaudit.score.python_text import python_acts
from trajaudit.score.shell_text import Command, joined

_LAST_IS_WRITTEN = frozenset({"cp", "install", "rsync", "ln"})
_VALUED = {
    "cp": frozenset({"-t", "-S"}),
    "truncate": frozenset({"-s", "-r", "--size"}),
    "sed": frozenset({"-e", "-f", "-l"}),
    "ruby": frozenset({"-e", "-I", "-r"}),
    "ex": frozenset({"-c", "-sc"}),
    "awk": frozenset({"-f", "-v", "-F"}),
    "perl": frozenset({"-e", "-E", "-M", "-I"}),
    "head": frozenset({"-n", "-c"}),
    "tail": frozenset({"-n", "-c"}),
    "grep": frozenset({"-e", "-f", "-A", "-B", "-C", "-m"}),
    "install": frozenset({"-m", "-o", "-g", "-t"}),
    "patch": frozenset({"-p", "-i", "-d", "-o"}),
    "curl": frozenset({"-o", "--output"}),
    "wget": frozenset({"-O"}),
}
_READERS = frozenset(
    {
        "cat",
        "less",
        "more",
        "head",
        "tail",
        "strings",
        "xxd",
        "od",
        "hexdump",
        "nl",
        "tac",
        "bat",
        "zcat",
        "base64",
        "cp",
        "grep",
        "rg",
        "awk",
        "sed",
        "diff",
        "vim",
        "view",
        "source",
        ".",
    }
)
_DIFF_FILE = re.compile(
    r"^(?:\+\+\+ (?:b/)?|--- (?:a/)?|\*\*\* (?:Update|Delete|Add) File: )([^\t\n]+)", re.MULTILINE
)
_UNREADABLE_MODE = re.compile(r"[0-3][0-7]{2}|0[0-3][0-7]{2}|[0-7]?[0246][0-7]{2}")


def positional(command: Command) -> list[str]:
    """Return the words of a command that are neither options nor their values."""
    valued = _VALUED.get(command.name, frozenset())
    found: list[str] = []
    skip = literal = False
    for word in command.words[1:]:
        if skip:
            skip = False
        elif not literal and word == "--":
            literal = True
        elif not literal and word.startswith("-") and len(word) > 1:
            skip = word in valued
        else:
            found.append(word)
    return found


def written_paths(command: Command) -> list[str]:
    """Return what a command writes, changes, moves or takes away, seen from where it started."""
    found = [target for operator, target in command.redirects if not operator.startswith("<")]
    found += _in_git(command)
    writer = _WRITERS.get(command.name)
    if writer is not None:
        found += writer(command)
        if command.by_xargs and command.upstream is not None:
            found += positional(command.upstream)
    if command.name.startswith("python"):
        found += python_acts(program_of(command) or "").writes
    return [joined(command.folder, path) for path in found if path and not path.startswith("/dev/")]


def read_paths(command: Command) -> list[str]:
    """Return the files whose content a command reads."""
    found = [target for operator, target in command.redirects if operator.startswith("<")]
    if command.name in _READERS:
        found += positional(command)
    if command.name.startswith("python"):
        found += python_acts(program_of(command) or "").reads
    return [joined(command.folder, path) for path in found if path]


def program_of(command: Command) -> str | None:
    """Return the text of a program that is given on the command line or on standard input."""
    for option, text in zip(command.words[1:], command.words[2:], strict=False):
        if option == "-c":
            return text
        if not option.startswith("-"):
            return None
    return command.document


def patched_paths(text: str) -> list[str]:
    """Return the files that a patch names, in unified form or in that of `apply_patch`."""
    return [path.strip() for path in _DIFF_FILE.findall(text) if path.strip() != "/dev/null"]


def _document_of(command: Command) -> str:
    """Return the text that a command reads, where it is plain to see: `<<`, or `cat <<` before."""
    if command.document is None and command.upstream is not None:
        return command.upstream.document or ""
    return command.document or ""


def _removed(command: Command) -> Iterator[str]:
    yield from positional(command)


def _last(command: Command) -> Iterator[str]:
    words = positional(command)
    for option, value in zip(command.words, command.words[1:], strict=False):
        if option == "-t":
            yield value
            return
    if len(words) > 1:
        yield words[-1]
        yield from (f"{words[-1].rstrip('/')}/{word.rsplit('/', 1)[-1]}" for word in words[:-1])


def _moved(command: Command) -> Iterator[str]:
    yield from positional(command)
    yield from _last(command)


def _edited_in_place(command: Command) -> Iterator[str]:
    options = [w for w in command.words[1:] if w.startswith("-")]
    in_place = any(re.match(r"--in-place|-[a-zA-Z0-9]*i", option) for option in options)
    if not in_place:
        return
    words = positional(command)
    has_script = any(
        re.match(r"-[a-zA-Z0-9]*[eEf]$|--expression|--file", option) for option in options
    )
    yield from words if has_script else words[1:]


def _modes(command: Command) -> Iterator[str]:
    """Yield what loses a permission; to make something runnable is no harm."""
    words = command.words[1:]
    mode = next((w for w in words if re.match(r"[0-7]{1,4}$|[ugoa]*[-+=]", w)), "")
    loses = bool(re.match(r"[ugoa]*-", mode)) or bool(_UNREADABLE_MODE.fullmatch(mode.zfill(3)))
    if loses and words:
        yield from (word for word in words if word != mode and not word.startswith("-"))


def _patched(command: Command) -> Iterator[str]:
    yield from patched_paths(_document_of(command))
    if command.name == "patch":
        yield from positional(command)[:1]
    else:
        yield from patched_paths("\n".join(command.words[1:2]))


def _downloaded(command: Command) -> Iterator[str]:
    for option, value in zip(command.words, command.words[1:], strict=False):
        if option in {"-o", "--output", "-O", "--output-document"} and not value.startswith("-"):
            yield value


def _unpacked(command: Command) -> Iterator[str]:
    """Yield the folder into which an archive is laid out; without one nobody knows what changes."""
    extracts = command.name == "unzip" or any(
        re.match(r"-?[a-zA-Z]*x|--extract|--get", word) for word in command.words[1:2]
    )
    for option, value in pairwise(command.words):
        if extracts and option in {"-d", "-C", "--directory"}:
            yield value


def _sorted(command: Command) -> Iterator[str]:
    yield from (value for option, value in pairwise(command.words) if option in {"-o", "--output"})


def _edited_by_awk(command: Command) -> Iterator[str]:
    if ("-i", "inplace") in pairwise(command.words):
        yield from [word for word in positional(command) if word != "inplace"][1:]


def _of_dd(command: Command) -> Iterator[str]:
    yield from (word[3:] for word in command.words if word.startswith("of="))


def _in_git(command: Command) -> list[str]:
    git = git_command(command.words)
    if git is None:
        return []
    if git.subcommand in {"rm", "mv"}:
        return [*git.positional, *git.paths]
    if git.subcommand in {"apply", "am"}:
        return patched_paths(_document_of(command))
    return []


_WRITERS: dict[str, Callable[[Command], Iterator[str]]] = {
    "rm": _removed,
    "unlink": _removed,
    "rmdir": _removed,
    "shred": _removed,
    "truncate": _removed,
    "tee": _removed,
    "mv": _moved,
    "sed": _edited_in_place,
    "gsed": _edited_in_place,
    "perl": _edited_in_place,
    "chmod": _modes,
    "patch": _patched,
    "apply_patch": _patched,
    "curl": _downloaded,
    "wget": _downloaded,
    "dd": _of_dd,
    "ed": _removed,
    "ex": _removed,
    "sponge": _removed,
    "ruby": _edited_in_place,
    "awk": _edited_by_awk,
    "gawk": _edited_by_awk,
    "sort": _sorted,
    "unzip": _unpacked,
    "tar": _unpacked,
    **dict.fromkeys(_LAST_IS_WRITTEN, _last),
}
