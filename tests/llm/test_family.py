"""A family is seen through routers, aliases and versions."""

import pytest

from trajaudit.llm import family_of


@pytest.mark.parametrize(
    ("model_id", "family"),
    [
        ("openai/gpt-9", "openai"),
        ("openai/azure/gpt-9-eastus", "openai"),
        ("openai/o3-mini", "openai"),
        ("openai/openrouter/anthropic/claude-x", "anthropic"),
        ("openai/bedrock/eu.anthropic.claude-x-v1:0", "anthropic"),
        ("openai/vertex_ai/gemini-4-flash", "google"),
        ("openai/google/gemma-4-12b", "google"),
        ("openai/meta-llama/Llama-5-8B-Instruct", "meta"),
        ("openai/NousResearch/Hermes-5", "meta"),
        ("openai/deepseek-r1-distill-llama-70b", "deepseek"),
        ("openai/Qwen/Qwen4-32B", "alibaba"),
        ("openai/mistralai/Devstral-2", "mistral"),
        ("local/smollm2", "huggingface"),
        ("recorded/x.jsonl", "recorded"),
        ("openai/my-finetune", "my-finetune"),
    ],
)
def test_family(model_id: str, family: str) -> None:
    assert family_of(model_id) == family
