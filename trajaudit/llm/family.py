"""Who made a model, seen through routers and aliases: a judge never judges its own family."""

import re

# Pattern in the model's name → family. The first that matches counts, so fine-tunes that carry
# their maker's and their base's name are listed by what they were tuned from last.
_NAMES: tuple[tuple[str, str], ...] = (
    (r"claude", "anthropic"),
    (r"deepseek", "deepseek"),
    (r"gemini|gemma|palm-|learnlm", "google"),
    (r"gpt-?neo|gpt-?j|pythia", "eleutherai"),
    (r"gpt|chatgpt|davinci|codex|(?<![a-z0-9])o[134](?![a-z0-9])", "openai"),
    (r"qwen|qwq|qvq|tongyi", "alibaba"),
    (r"mistral|mixtral|ministral|magistral|devstral|codestral|pixtral|zephyr", "mistral"),
    (r"grok", "xai"),
    (r"command-?(?:r|a|x|light|nightly)|cohere|aya-", "cohere"),
    (r"phi-?\d|orca-2|wizardlm", "microsoft"),
    (r"kimi|moonlight", "moonshot"),
    (r"glm", "zhipu"),
    (r"smollm", "huggingface"),
    (r"granite", "ibm"),
    (r"olmo|tulu", "ai2"),
    (r"nova-(?:micro|lite|pro|premier)|titan-", "amazon"),
    (r"falcon", "tii"),
    (r"minimax|abab", "minimax"),
    (r"hunyuan", "tencent"),
    (r"ernie", "baidu"),
    (r"doubao|seed-oss", "bytedance"),
    (r"jamba|jurassic", "ai21"),
    (r"sonar", "perplexity"),
    (r"(?<![a-z])yi-", "01ai"),
    (r"internlm", "shanghai-ai-lab"),
    (r"exaone", "lg"),
    # Last: tunes of Llama by others often carry both names.
    (r"llama|vicuna|alpaca|hermes|nemotron|tinyllama", "meta"),
)
# A path segment that names a maker and no router.
_MAKERS: dict[str, str] = {
    "anthropic": "anthropic",
    "google": "google",
    "meta-llama": "meta",
    "mistralai": "mistral",
    "cohere": "cohere",
    "deepseek-ai": "deepseek",
    "x-ai": "xai",
    "qwen": "alibaba",
    "moonshotai": "moonshot",
    "microsoft": "microsoft",
    "allenai": "ai2",
    "amazon": "amazon",
    "nousresearch": "meta",
    "nvidia": "nvidia",
}
_NOT_MODELS = frozenset({"recorded", "scripted"})


def family_of(model_id: str) -> str:
    """Return the maker's family; for an unknown model its own name, which then is its family.

    The name decides, then a maker's path segment, so `openrouter/anthropic/claude-x` and
    `bedrock/eu.anthropic.claude-x` are one family, and `azure/gpt-x` is OpenAI's. The first
    segment is the adapter (`openai/` is how a model is spoken to, not who made it).
    """
    adapter, _, rest = model_id.lower().partition("/")
    name = rest or adapter
    if adapter.split(":")[0] in _NOT_MODELS:
        return adapter.split(":")[0]
    last = name.rsplit("/", 1)[-1]
    for text in (last, name):
        for pattern, family in _NAMES:
            if re.search(pattern, text):
                return family
    for segment in re.split(r"[/.]", name):
        if segment in _MAKERS:
            return _MAKERS[segment]
    return last
