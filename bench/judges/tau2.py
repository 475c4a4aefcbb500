"""tau2 runs that one model judged with four prompts, beside what the benchmark recorded.

The vocabulary of the verdicts drifts. Four prompts of one model are one family: whatever they
agree on, no panel is settled by it, and the last rows show why.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.judges.row import Row, kappa, settled, share, vote
from trajaudit.record.meaning import Meaning, meaning_of

Said = dict[str, dict[str, Meaning | None]]
"""Simulation → prompt → verdict."""


def tau2(folder: Path) -> Iterator[Row]:
    """Yield what the words meant, agreements with the recorded result, and flips of prompts."""
    said: Said = defaultdict(dict)
    truth: dict[str, Meaning] = {}
    words: Counter[tuple[str, Meaning | None]] = Counter()
    for path in sorted(folder.glob("*.json")):
        domain, prompt = path.name.split("-")[0], path.name.split(".")[-2]
        report = json.loads(path.read_text(encoding="utf-8"))
        for one in report["entries"]:
            key = f"{domain}/{one['simulation_id']}"
            meant = meaning_of(one["judge_verdict"])
            words[one["judge_verdict"], meant] += 1
            said[key][prompt] = meant
            truth[key] = "pass" if one["tau2_success"] else "fail"
        yield _published(f"{domain}, {prompt}", report)
    yield from _vocabulary(words)
    for prompt in sorted({name for each in said.values() for name in each}):
        yield _prompt(prompt, said, truth)
    yield from _together(said, truth)


def _published(name: str, report: dict[str, Any]) -> Row:
    """Count as the source did: it knew fewer words, and its file says how often they agreed."""
    known = [one for one in report["entries"] if one["agreement"] is not None]
    agree = sum(
        (meaning_of(one["judge_verdict"]) == "pass") == one["tau2_success"] for one in known
    )
    return share(f"{name}: agrees with the record", agree, len(known), str(report["agree_count"]))


def _vocabulary(words: Counter[tuple[str, Meaning | None]]) -> Iterator[Row]:
    total = sum(words.values())
    other = {word for word, _ in words} - {"pass", "fail"}
    drifted = sum(count for (word, _), count in words.items() if word in other)
    listed = ", ".join(sorted(other))
    yield share(f"verdicts in other words than pass and fail ({listed})", drifted, total)
    unread = sum(count for (_, meant), count in words.items() if meant is None)
    named = ", ".join(sorted({word for word, meant in words if meant is None}))
    yield share(f"of all, means neither and goes to a person ({named})", unread, total)


def _prompt(prompt: str, said: Said, truth: dict[str, Meaning]) -> Row:
    pairs = [(each.get(prompt), truth[key]) for key, each in said.items()]
    return kappa(f"{prompt} and the record", [a for a, _ in pairs], [b for _, b in pairs])


def _together(said: Said, truth: dict[str, Meaning]) -> Iterator[Row]:
    apart = [key for key, each in said.items() if {"pass", "fail"} <= set(each.values())]
    yield share("one model, four prompts: turns with the prompt", len(apart), len(said))
    one_family = [settled(_votes(key, each, families=False)) for key, each in said.items()]
    done = sum(result is not None for result in one_family)
    yield share("one family: settled", done, len(said))
    as_many = {key: settled(_votes(key, each, families=True)) for key, each in said.items()}
    taken = [(result, truth[key]) for key, result in as_many.items() if result is not None]
    yield share("were each prompt a family: the first two settle", len(taken), len(said))
    yield share("of those, against the record", _differ(taken), len(taken))


def _votes(key: str, each: dict[str, Meaning | None], *, families: bool) -> list[Any]:
    return [
        vote(key, prompt if families else "one", 1, meant) for prompt, meant in sorted(each.items())
    ]


def _differ(pairs: Sequence[tuple[str | None, str]]) -> int:
    return sum(said != true for said, true in pairs)
