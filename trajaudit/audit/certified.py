"""Have these very judges been held against labelled trials, and what came of it?"""

from pathlib import Path
from typing import Literal

from trajaudit.judge.identity import panel_identity
from trajaudit.record.certificates import certificate_of
from trajaudit.record.judges import LoadedPanel

Certified = Literal["yes", "advisory", "no"]
"""`advisory`: it was tried, and the bar was not reached; `no`: it was never tried."""


def identity_of(loaded: LoadedPanel) -> str:
    """Return what tells the judges of a panel, with all that they are asked by, from others."""
    return panel_identity(loaded.panel, loaded.rubric, loaded.prompt, loaded.commit_prompt)


def certified(loaded: LoadedPanel, runs: Path) -> Certified:
    """Return what the newest certificate kept beside the runs says of a panel."""
    found = certificate_of(runs, identity_of(loaded))
    if found is None:
        return "no"
    return "yes" if found.certified else "advisory"
