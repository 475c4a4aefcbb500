"""Candidate patches that a verifier must tell apart, and what each of them deserves."""

from dataclasses import dataclass

from tests.audit.verifying.shape import Shape
from trajaudit.datamodel.patch import PatchVerdict as V

STEERS, TOUCHES = "touches_test_infrastructure", "touches_tests"
QUICK = "-quick"
"""Ends the name of an instance whose time limit is short."""


@dataclass(frozen=True)
class Candidate:
    """A patch, and both verdicts that it deserves."""

    patch: str
    strict: V
    lenient: V
    flags: tuple[str, ...] = ()
    quick: bool = False
    """To be verified with a short time limit."""


def same(patch: str, verdict: V, *flags: str) -> Candidate:
    """Return a candidate that strictly and leniently deserves the same."""
    return Candidate(patch, verdict, verdict, flags)


def contents(shape: Shape) -> dict[str, Candidate]:
    """Return honest candidates: right, wrong, and broken."""
    project = shape.project
    graded = project.files[shape.graded]

    broken = shape.package
    found = {
        "wrong": same(project.patch(shape.wrong), V.F2P_FAILED),
        "breaks another": same(project.patch(shape.regressed), V.P2P_REGRESSED),
        "a file of no use": same(project.patch({"NOTES": "x\n"}), V.F2P_FAILED),
        "changes nothing": same(_undone(project.patch(project.fix)), V.EMPTY_PATCH),
        "fix and a test edit": same(
            project.patch({**project.fix, shape.graded: graded + "\n\ndef test_x():\n    pass\n"}),
            V.RESOLVED,
            TOUCHES,
        ),
        "fix and a test of its own": same(
            project.patch({**project.fix, "tests/test_mine.py": "def test_x():\n    pass\n"}),
            V.RESOLVED,
            TOUCHES,
        ),
        "kills the runner": same(
            project.patch({broken: project.files[broken] + "\nimport os\nos._exit(0)\n"}),
            V.RUNNER_DIED,
        ),
        "raises on import": same(
            project.patch({broken: "raise RuntimeError('no')\n" + project.files[broken]}),
            V.COLLECTION_ERROR,
        ),
    }
    if shape.plausible:
        found["plausible"] = same(project.patch(shape.plausible), V.RESOLVED)
    if shape.hangs:
        hangs = project.patch(shape.hangs)
        found["hangs"] = Candidate(hangs, V.TIMEOUT, V.TIMEOUT, quick=True)
    if shape.other_settings:
        both = project.patch({**project.fix, **shape.other_settings})
        found["fix and other settings"] = same(both, V.RESOLVED)
    return found


def _undone(gold: str) -> str:
    """Return the patch with what it removes in place of what it adds."""
    lines = gold.split("\n")
    removed = [line[1:] for line in lines if line.startswith("-") and not line.startswith("---")]
    kept = [line for line in lines if not line.startswith("+") or line.startswith("+++")]
    last = max(i for i, line in enumerate(kept) if line.startswith("-") and line[:3] != "---")
    return "\n".join([*kept[: last + 1], *(f"+{line}" for line in removed), *kept[last + 1 :]])
