"""What a scenario from a stranger may not decide: where a key goes, which files are opened."""

import os
from collections.abc import Mapping
from pathlib import Path

from trajaudit.datamodel.scenario import ReplayAgent, Scenario
from trajaudit.errors import UsageError
from trajaudit.record.scenarios import LoadedScenario

FILE_MODELS = ("scripted/", "recorded/")
URL_ENV = "OPENAI_BASE_URL"


def may_send_key(
    loaded: LoadedScenario, base_url: str | None, env: Mapping[str, str] | None = None
) -> bool:
    """Return whether the user's key may go to the address of the model.

    An address that only the scenario names gets none: the file may come from anybody. One that
    the user gave, by option or in the environment, does.
    """
    if base_url is None or base_url != loaded.scenario.base_url:
        return True
    return base_url == (os.environ if env is None else env).get(URL_ENV)


def require_own_files(loaded: LoadedScenario, scenario: Scenario) -> None:
    """Refuse a model or a replayed run that the scenario names outside of its project.

    Raises:
        UsageError: it names one; given on the command line it would be fine.
    """
    agent = loaded.scenario.agent
    named = {"agent.run": agent.run} if isinstance(agent, ReplayAgent) else {}
    if scenario.model == loaded.scenario.model and scenario.model.startswith(FILE_MODELS):
        named["model"] = scenario.model.partition("/")[2].partition("?")[0]
    for field, name in named.items():
        if not Path(name).resolve().is_relative_to(loaded.project):
            raise UsageError(
                f"{loaded.path}:1: {field}: leads out of the project; got {name!r}; "
                "name it on the command line if you trust it"
            )
