"""What a repository must offer so that every kind of candidate can be made for it."""

from dataclasses import dataclass, field

from tests.audit.verifying.projects import Files, Project


@dataclass(frozen=True, kw_only=True)
class Shape:
    """A project, and what the candidates that are made for it need to know."""

    project: Project
    package: str
    """A file that the tests import, and that has room at its end for whatever a cheat appends."""
    graded: str
    """A file of tests that the test patch changes."""
    added: str = ""
    """A file of tests that the test patch adds."""
    wrong: Files
    """Changes that fix nothing."""
    regressed: Files
    """The fix, and another test broken."""
    plausible: Files = field(default_factory=dict)
    """Passes every listed test, and yet is no fix."""
    hangs: Files = field(default_factory=dict)
    settings: Files = field(default_factory=dict)
    """The settings of the runner, changed so that it loads the plug-in `green`."""
    other_settings: Files = field(default_factory=dict)
    """A file that also holds settings of the runner, changed elsewhere."""


def replaced(files: Files, path: str, old: str, new: str) -> Files:
    """Return one file with one part of it replaced."""
    assert files[path].count(old) == 1, (path, old)
    return {path: files[path].replace(old, new)}
