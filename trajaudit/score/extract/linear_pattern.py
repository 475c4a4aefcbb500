"""Does a pattern fit text, in time linear in the text?

Deliberate: the engine of pydantic-core instead of `re`, which hangs on `(a+)+b`. It knows neither
look-around nor back-references.
"""

from functools import lru_cache

from pydantic_core import SchemaError, SchemaValidator, core_schema


def fits(pattern: str, words: str) -> bool | None:
    """Whether the whole of `words` fits; None for a pattern that is not matched in linear time."""
    validator = _validator(pattern)
    return None if validator is None else validator.isinstance_python(words)


@lru_cache(maxsize=64)
def _validator(pattern: str) -> SchemaValidator | None:
    wanted = core_schema.str_schema(pattern=rf"\A(?:{pattern})\z", regex_engine="rust-regex")
    try:
        return SchemaValidator(wanted)
    except SchemaError:
        return None
