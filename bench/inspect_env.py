"""Environments of their own for inspect-ai, whose dependencies nobody else should have to take.

`python -m bench.inspect_env` makes all of them; each takes about a minute and 300 MB below the
user's cache. INSPECT_PYTHON names another Python for the newest version.
"""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

VERSION = "0.3.285"
"""The one that is measured against."""
LAYOUTS = {
    "0.3.46": "first archives: deflate, steps instead of spans, messages without ids",
    "0.3.100": "spans",
    VERSION: "zstd, pools of messages, chunked samples",
}
"""Version → what its logs were the first to hold, or hold still."""
MORE = ("0.3.70", "0.3.140", "0.3.180", "0.3.210", "0.3.250")
"""Versions between them, whose logs are read where somebody made their environment."""


def inspect_home(version: str = VERSION) -> Path:
    """Return the folder of a version's environment."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "trajaudit" / f"inspect-{version}"


def found_python(version: str = VERSION) -> Path | None:
    """Return the Python that has this version of inspect-ai; None: nobody made it yet."""
    named = os.environ.get("INSPECT_PYTHON")
    if named and version == VERSION:
        return Path(named)
    home = inspect_home(version)
    return home / "bin" / "python" if (home / "ready").exists() else None


def inspect_python(version: str = VERSION) -> Path | None:
    """Return the Python that has it, made where there is none yet; None: it cannot be installed."""
    found = found_python(version)
    if found is not None:
        return found
    home = inspect_home(version)
    home.parent.mkdir(parents=True, exist_ok=True)
    with home.with_name(f"{home.name}.lock").open("w") as lock:
        # Two that want it at once would install into the same folder.
        fcntl.flock(lock, fcntl.LOCK_EX)
        return found_python(version) or _made(home, version)


def _made(home: Path, version: str) -> Path | None:
    python = home / "bin" / "python"
    try:
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        wanted = [f"inspect-ai=={version}", "zstandard"]
        subprocess.run([str(python), "-m", "pip", "install", "-q", *wanted], check=True)
        subprocess.run([str(python), "-c", "import inspect_ai"], check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    (home / "ready").touch()
    return python


if __name__ == "__main__":
    missing = [version for version in (*LAYOUTS, *MORE) if inspect_python(version) is None]
    sys.exit(f"cannot be installed here: {', '.join(missing)}" if missing else 0)
