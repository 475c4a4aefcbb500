"""An address that may be written down: it holds nothing secret."""

from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator


def without_secret(url: str) -> str:
    """Return an address as it stands.

    Raises:
        ValueError: it holds a user, a password or a query; the message repeats none of them.
    """
    parts = urlsplit(url)
    if "@" in parts.netloc or parts.query:
        raise ValueError(
            f"an address without user, password and query is wanted; got them at {parts.hostname}; "
            "name the variable that holds the key under api_key_env"
        )
    return url


PlainAddress = Annotated[str, AfterValidator(without_secret)]
"""What a record may keep beside what was asked there."""
