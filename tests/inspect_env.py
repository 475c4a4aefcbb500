"""The environments that have inspect-ai, for tests: made in CI, elsewhere used where they are."""

import os
from pathlib import Path

import pytest

from bench.inspect_env import LAYOUTS, VERSION, found_python, inspect_python


def require_inspect(version: str = VERSION) -> Path:
    """Return the Python that has a version of inspect-ai; without one the test is passed over.

    In CI the versions of `LAYOUTS` are installed, and it is a failure when they cannot be.
    """
    found = found_python(version)
    if found is None and os.environ.get("CI") and version in LAYOUTS:
        found = inspect_python(version)
        if found is None:
            pytest.fail(f"inspect-ai {version} cannot be installed")
    if found is None:
        pytest.skip(f"no environment with inspect-ai {version}; python -m bench.inspect_env")
    return found
