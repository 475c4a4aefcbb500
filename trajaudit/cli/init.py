"""`trajaudit init`: a scenario of your own to start from."""

from pathlib import Path

import typer

from trajaudit.cli.output import out
from trajaudit.errors import UsageError

EXAMPLE = """\
# Written by `trajaudit init`; every field is in docs/scenario.md.
trajaudit: 1
description: Two questions to start from.
model: local/smollm2
generation: {{temperature: 0.2, max_tokens: 64}}
trials: 2
tasks:
  - id: france
    prompt: What is the capital of France? Reply with the name only.
    target: Paris
    golden: golden/{name}/france.jsonl
  - id: seats
    prompt: A hall has 12 rows of 30 seats, 45 are sold. How many are free? Reply with the number.
    target: {{number: 315}}
    golden: golden/{name}/seats.jsonl
"""
GOLDEN = {"france": "Paris", "seats": "315"}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("init")(init)


def init(
    name: str = typer.Argument(..., help="suite/scenario, for example capitals/europe."),
) -> None:
    """Write scenarios/SUITE/SCENARIO.yaml with its golden trajectories; nothing is overwritten.

    Example: trajaudit init capitals/europe
    """
    suite, _, scenario = name.partition("/")
    if not (_is_plain(suite) and _is_plain(scenario)):
        raise UsageError(f"a name is not usable; got {name!r}; wanted suite/scenario, plain words")
    path = Path("scenarios", suite, f"{scenario}.yaml")
    if path.exists():
        raise UsageError(f"{path}: is there already; choose another name")
    golden = path.parent / "golden" / scenario
    golden.mkdir(parents=True, exist_ok=True)
    for task, reply in GOLDEN.items():
        (golden / f"{task}.jsonl").write_text(f'{{"reply": "{reply}"}}\n')
    path.write_text(EXAMPLE.format(name=scenario))
    out(f"{path}")
    out(f"next: trajaudit check {path} && trajaudit run {path}")


def _is_plain(part: str) -> bool:
    return bool(part) and part.replace("-", "").replace("_", "").isalnum() and part.isascii()
