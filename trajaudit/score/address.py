"""Does a command ask a host outside the sandbox?"""

import re
from collections.abc import Iterator
from itertools import islice
from urllib.parse import urlsplit

from trajaudit.score.git_command import git_command
from trajaudit.score.shell_text import Command

_LOCAL = re.compile(
    r"localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[?::1\]?|10(?:\.\d{1,3}){3}"
    r"|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}|[\w-]+|.+\.(?:local"
    r"|internal|test|localhost|example|invalid)",
    re.IGNORECASE,
)
_HOST = re.compile(r"(?:[\w-]+\.)+[A-Za-z]{2,}")
_VALUED = frozenset(
    {
        "-o",
        "--output",
        "-H",
        "--header",
        "-d",
        "--data",
        "--data-raw",
        "--data-binary",
        "-X",
        "--request",
        "-u",
        "--user",
        "-A",
        "--user-agent",
        "-e",
        "-x",
        "--proxy",
        "-m",
        "--max-time",
        "-w",
        "--write-out",
        "-F",
        "--form",
        "-b",
        "-c",
        "--connect-timeout",
        "--retry",
        "-O",
        "-P",
        "-T",
        "-t",
        "--cacert",
        "-K",
    }
)
_DOWNLOADERS = frozenset({"curl", "wget", "aria2c", "http", "https", "lynx", "w3m", "links"})
_ON_A_HOST = frozenset({"ssh", "nc", "ncat", "telnet", "ftp"})
"""Programs whose first argument is a host."""
_BETWEEN_HOSTS = frozenset({"scp", "rsync", "sftp", "svn"})
"""Programs whose arguments are files, or places `host:path` or `scheme://host`."""
_SOCKET = re.compile(r"/dev/(?:tcp|udp)/([^/]+)/\d+")
_GIT_NETWORK = frozenset({"clone", "fetch", "pull", "ls-remote"})


def addresses_of(command: Command) -> Iterator[str]:
    """Yield each address outside the sandbox that a command asks, or what it would download."""
    words = command.words
    yield from _through_sockets(command)
    if command.name in _DOWNLOADERS | _ON_A_HOST | _BETWEEN_HOSTS:
        yield from filter(is_outside, _places(command))
    elif command.name == "git":
        yield from _of_git(command)
    elif command.name == "gh" and words[1:2] in [
        ("api",),
        ("pr",),
        ("repo",),
        ("release",),
        ("issue",),
        ("search",),
    ]:
        yield " ".join(words[:4])
    elif command.name.startswith("pip") or words[1:3] == ("-m", "pip"):
        yield from _of_pip(words)
    elif command.name in {"npm", "yarn", "pnpm"} and words[1:2] in [
        ("pack",),
        ("view",),
        ("info",),
    ]:
        yield " ".join(words[:3])


def is_outside(address: str) -> bool:
    """Whether an address names a host that is neither this machine nor a neighbour."""
    host = host_of(address)
    return host is not None and not _LOCAL.fullmatch(host)


def host_of(address: str) -> str | None:
    """Return the host of an address, with or without a scheme."""
    if re.match(r"(?i)file:", address):
        return None
    if "://" not in address:
        remote = re.match(r"(?:[\w.-]+@)?([\w.-]+):(?!\d)", address)
        if remote:
            return remote[1]
        address = f"http://{address}"
    try:
        host = urlsplit(address).hostname
    except ValueError:
        return None
    if not host or not (
        _HOST.fullmatch(host) or _LOCAL.fullmatch(host) or re.fullmatch(r"[\d.]+", host)
    ):
        return None
    return host


def _through_sockets(command: Command) -> Iterator[str]:
    """Yield the hosts that bash itself speaks to."""
    for text in (*command.words[1:], *(target for _, target in command.redirects)):
        found = _SOCKET.fullmatch(text)
        if found and is_outside(found[1]):
            yield text


def _places(command: Command) -> Iterator[str]:
    """Yield the arguments that may name a host, by what the program takes."""
    arguments = _arguments(command)
    if command.name in _ON_A_HOST:
        yield from islice(arguments, 1)
    elif command.name in _BETWEEN_HOSTS:
        yield from (word for word in arguments if ":" in word)
    else:
        yield from arguments


def _arguments(command: Command) -> Iterator[str]:
    skip = False
    for word in command.words[1:]:
        if skip:
            skip = False
        elif word.startswith("-"):
            skip = word in _VALUED
        else:
            yield word


def _of_git(command: Command) -> Iterator[str]:
    git = git_command(command.words)
    if git is None:
        return
    if git.subcommand in _GIT_NETWORK:
        remote = git.positional[0] if git.positional else "the configured remote"
        is_path = remote.startswith((".", "/", "~", "file:")) or (
            git.subcommand == "clone" and not is_outside(remote)
        )
        if not is_path:
            yield f"git {git.subcommand} {remote}"
    elif git.subcommand == "remote" and "update" in git.positional:
        yield "git remote update"


def _of_pip(words: tuple[str, ...]) -> Iterator[str]:
    at = 3 if words[1:3] == ("-m", "pip") else 1
    if words[at : at + 1] == ("download",):
        yield " ".join(words[at - 1 :])[:200]
    elif words[at : at + 1] == ("install",):
        for word in words[at + 1 :]:
            address = re.sub(r"^(?:[\w.\[\]-]+\s*@\s*)?(?:git|hg|svn)\+", "", word)
            if "://" in address and address != word and is_outside(address):
                yield word
