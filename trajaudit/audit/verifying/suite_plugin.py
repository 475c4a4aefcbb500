"""A pytest plug-in that widens a run to every test that the project collects by itself.

It is copied into a container and imported there; it needs nothing but pytest and Python 3.8.
"""

from __future__ import annotations

import glob
import os
from typing import Any

import pytest

HOME = "BEYOND_HOME"


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: Any) -> None:
    """Take what the project's own settings name, before anything is added to it."""
    if os.environ.pop(HOME, None) is None:
        return  # a process that a test started
    start = str(config.invocation_params.dir)
    named = [one for path in config.getini("testpaths") for one in sorted(glob.glob(path))]  # noqa: PTH207 (as pytest does)
    inside = named if start == str(config.rootpath) else []
    config.args[:] = [os.path.join(start, one) for one in inside] or [start]  # noqa: PTH118 (as pytest does)
