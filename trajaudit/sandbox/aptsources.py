"""Which mirror and suite of Debian does this host use?"""

import re
from dataclasses import dataclass
from pathlib import Path

DEFAULT_SUITE = "bookworm"


@dataclass(frozen=True, kw_only=True)
class Mirror:
    """Where packages come from."""

    uri: str | None
    """None: the one that the bootstrap program knows by itself."""
    suite: str


def host_mirror(root: Path = Path("/")) -> Mirror:
    """Return the host's mirror and suite if it is a Debian, else Debian's own default."""
    suite = _suite(root / "etc/os-release")
    if suite is None:
        return Mirror(uri=None, suite=DEFAULT_SUITE)
    files = [
        root / "etc/apt/sources.list",
        *sorted((root / "etc/apt/sources.list.d").glob("*.list")),
        *sorted((root / "etc/apt/sources.list.d").glob("*.sources")),
    ]
    for path in files:
        uri = _uri(path, suite)
        if uri:
            return Mirror(uri=uri, suite=suite)
    return Mirror(uri=None, suite=suite)


def _suite(os_release: Path) -> str | None:
    try:
        pairs = (line.partition("=") for line in os_release.read_text().splitlines())
    except OSError:
        return None
    values = {key: value.strip("\"'") for key, _, value in pairs}
    return values.get("VERSION_CODENAME") if values.get("ID") == "debian" else None


def _uri(path: Path, suite: str) -> str | None:
    """Return the address that serves exactly `suite` and its section main."""
    try:
        text = path.read_text()
    except OSError:
        return None
    if path.suffix == ".list":
        for line in text.splitlines():
            found = re.match(
                rf"deb\s+(?:\[[^\]]*\]\s+)?(\S+)\s+{re.escape(suite)}\s.*\bmain\b", line
            )
            if found:
                return found[1]
        return None
    for stanza in re.split(r"\n\s*\n", text):
        fields = dict(re.findall(r"^([A-Za-z-]+):[ \t]*(.*)$", stanza, flags=re.MULTILINE))
        served = suite in fields.get("Suites", "").split()
        if served and "main" in fields.get("Components", "").split() and fields.get("URIs"):
            return str(fields["URIs"].split()[0])
    return None
