"""A made-up pool: what rules and a panel said of each trial, and what people said of some."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from trajaudit.datamodel.review import Framed, HumanDecision, ItemState
from trajaudit.datamodel.run import Outcome
from trajaudit.report.corrected_pool import Pool

TELL = {"p": True, "f": False}


@dataclass(frozen=True)
class Group:
    """Trials of one stratum: the labels of those drawn, and how many others there are.

    `labels`: a letter a trial: p pass, f fail, c cannot tell, b task broken, w waiting, - drawn and
    not looked at.
    """

    stratum: str
    labels: str
    others: int = 0
    panel: bool | None = None
    beside: str = ""
    """Labels of trials that were not drawn."""


def pool(
    groups: Iterable[Group],
    *,
    run_id: str = "r1",
    trials: int = 5,
    scores: Mapping[tuple[str, int], float] | None = None,
    alpha: float | None = None,
) -> Pool:
    """Return the pool; its tasks t00, t01, ... have so many trials each."""
    framed: list[Framed] = []
    outcomes: dict[tuple[str, int], Outcome] = {}
    human: dict[tuple[str, int], HumanDecision] = {}
    pending = set()
    number = 0
    for group in groups:
        said = group.labels + group.beside + "-" * (group.others - len(group.beside))
        for place, letter in enumerate(said):
            key = (f"t{number // trials:02d}", number % trials + 1)
            drawn = place < len(group.labels)
            framed.append(_framed(key, group.stratum, drawn=drawn, share=len(group.labels)))
            outcomes[key] = _outcome(key, group)
            if letter == "w":
                pending.add(key)
            elif letter != "-":
                human[key] = _decision(key, letter)
            number += 1
    return Pool(
        run_id=run_id,
        framed=framed,
        outcomes=outcomes,
        human=human,
        scores=scores or {},
        pending=pending,
        alpha=alpha,
    )


def _framed(key: tuple[str, int], stratum: str, *, drawn: bool, share: int) -> Framed:
    queue = "resolve" if stratum.startswith("resolve/") else "audit"
    return Framed(
        task_id=key[0],
        trial=key[1],
        stratum=stratum,
        queue=queue if drawn else "none",
        rank=0.5,
        inclusion=1.0 if share else 0.5,
    )


def _outcome(key: tuple[str, int], group: Group) -> Outcome:
    lenient = "fail" not in group.stratum
    return Outcome(task_id=key[0], trial=key[1], strict=lenient, lenient=lenient, panel=group.panel)


def _decision(key: tuple[str, int], letter: str) -> HumanDecision:
    return HumanDecision(
        task_id=key[0],
        trial=key[1],
        passed=TELL.get(letter),
        task_broken=letter == "b",
        state=ItemState.UNDECIDED if letter == "c" else ItemState.AGREED,
        item_id=f"{key[0]}-{key[1]}",
    )
