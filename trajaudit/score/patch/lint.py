"""Which warnings of static analysis are new? What they say tells them apart, not where."""

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from trajaudit.datamodel._base import Record
from trajaudit.datamodel.patch_findings import LineRange


class Warned(Record):
    """One warning in one file."""

    path: str
    line: int
    code: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.code} {self.message}"

    @property
    def place(self) -> LineRange:
        return LineRange(path=self.path, first=self.line, last=self.line)


def new_warnings(
    before: Sequence[Warned], after: Sequence[Warned], changed: AbstractSet[int]
) -> list[Warned]:
    """Return the warnings of one file that came with a change, in order of their lines.

    What says the same as often as before is not new, wherever its line went. If it says so more
    often, those on changed lines are taken for the new ones.
    """
    known = Counter((one.code, one.message) for one in before)
    counts = Counter((one.code, one.message) for one in after)
    new: list[Warned] = []
    for said, count in counts.items():
        same = [one for one in after if (one.code, one.message) == said]
        same.sort(key=lambda one: (one.line not in changed, one.line))
        new += same[: max(0, count - known[said])]
    return sorted(new, key=lambda one: (one.line, one.code))
