"""What people's labels changed in runs, as `trajaudit review` says it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from trajaudit.cli.output import emit, out
from trajaudit.cli.pages import shown_path

if TYPE_CHECKING:
    from trajaudit.audit.review import TakenBack

_SHOWN = 20
_WORDS = {True: "pass", False: "fail", None: "not graded"}


def show_taken(found: "Sequence[TakenBack]", *, as_json: bool) -> None:
    """Say it of each run."""
    if as_json:
        emit([taken_as_json(one) for one in found])
        return
    for one in found:
        _show(one)


def _show(one: "TakenBack") -> None:
    out(f"{one.run_id}: {len(one.flips)} outcomes flipped")
    for flip in one.flips[:_SHOWN]:
        out(f"  {flip.task_id}/{flip.trial}   {_WORDS[flip.before]} → {_WORDS[flip.after]}")
    if len(one.flips) > _SHOWN:
        out(f"  and {len(one.flips) - _SHOWN} more")
    if one.sent:
        out(f"  {one.sent} more trials go to people: others like them were wrong too often")
    out(f"  {shown_path(one.html)} · trajaudit review rate {one.run_id}")


def taken_as_json(one: "TakenBack") -> dict[str, object]:
    """Return the same for machines."""
    flips = [vars(flip) for flip in one.flips]
    return {"run_id": one.run_id, "flips": flips, "sent": one.sent, "report": str(one.html)}
