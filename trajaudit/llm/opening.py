"""Opens a provider's model: where it is, and with which key."""

import os

from trajaudit.errors import UsageError
from trajaudit.llm.base import ChatModel
from trajaudit.llm.family import family_of
from trajaudit.llm.openai import OpenAIModel
from trajaudit.llm.options import ModelOptions

KEY_ENV = "OPENAI_API_KEY"
URL_ENV = "OPENAI_BASE_URL"
OPENAI_URL = "https://api.openai.com/v1"


def open_openai(model_id: str, name: str, options: ModelOptions) -> ChatModel:
    """Open `openai/<name>`.

    Raises:
        UsageError: neither an address nor a key is configured, so that no host was chosen.
    """
    if not name:
        raise UsageError(f"a model needs a name; got {model_id!r}; right is openai/<name>")
    key_env = options.api_key_env or KEY_ENV
    key = os.environ.get(key_env, "") if options.send_key else ""
    if options.api_key_env and not key:
        raise UsageError(f"the environment variable {key_env} holds no key for {model_id}")
    base_url = options.base_url or os.environ.get(URL_ENV) or (OPENAI_URL if key else "")
    if not base_url:
        raise UsageError(
            f"no address for {model_id}; give a base URL "
            f"(for example http://127.0.0.1:8000/v1) or set ${URL_ENV} or ${key_env}"
        )
    if not base_url.startswith(("http://", "https://")):
        raise UsageError(f"a base URL starts with http:// or https://; got {base_url!r}")
    return OpenAIModel(
        model_id, family=family_of(model_id), base_url=base_url, api_key=key, options=options
    )
