"""Which foreign logs can be read: one file per format; this table is the only list of them.

The first that recognises a source reads it, so that the specific stand before the general.
"""

from trajaudit.record.importers import (
    agentdojo,
    answers,
    atif,
    bfcl,
    claude_code,
    codex_cli,
    codex_exec,
    inspect,
    langchain,
    langsmith,
    mini_swe_agent,
    openai_chat,
    openai_responses,
    openhands,
    otel,
    react_text,
    swe_agent,
    tau2_bench,
    tau_bench,
    who_and_when,
)
from trajaudit.record.importers.base import Importer

_ALL: tuple[Importer, ...] = (
    inspect.IMPORTER,
    swe_agent.IMPORTER,
    mini_swe_agent.IMPORTER,
    openhands.IMPORTER,
    atif.IMPORTER,
    claude_code.IMPORTER,
    codex_cli.IMPORTER,
    codex_exec.IMPORTER,
    agentdojo.IMPORTER,
    bfcl.IMPORTER,
    who_and_when.IMPORTER,
    tau_bench.IMPORTER,
    tau2_bench.IMPORTER,
    react_text.IMPORTER,
    otel.IMPORTER,
    langsmith.IMPORTER,
    langchain.IMPORTER,
    openai_responses.IMPORTER,
    openai_chat.IMPORTER,
    answers.IMPORTER,
)
IMPORTERS: dict[str, Importer] = {one.name: one for one in _ALL}
