"""Tokens of leases, which a desk knows for its own even where its index was lost."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from pathlib import Path

from trajaudit.record.stored import storing, write_atomic
from trajaudit.review.policy import make_review_dir

KEY = "desk.key"
_BYTES = 32
_NONCE = 32
_SIGN = 16


@dataclass(frozen=True)
class Tokens:
    """Signs what is random with a key that no reviewer sees; `key`: 32 bytes."""

    key: bytes

    def sign(self, nonce: str, who: str) -> str:
        """Return the token of a person: 32 random hex digits and 16 that follow from them."""
        said = f"{nonce}\0{who}".encode("utf-8", "surrogatepass")
        return nonce + hmac.new(self.key, said, hashlib.sha256).hexdigest()[:_SIGN]

    def is_own(self, token: str, who: str) -> bool:
        """Whether a desk over these runs once gave a token to a person."""
        wanted = self.sign(token[:_NONCE], who)
        return hmac.compare_digest(
            wanted.encode("utf-8", "surrogatepass"), token.encode("utf-8", "surrogatepass")
        )


def tokens_of(runs: Path) -> Tokens:
    """Return the tokens of a folder of runs; its key is made where there was none.

    Raises:
        StorageError: the key cannot be read or made.
    """
    path = make_review_dir(runs) / KEY
    with storing(path):
        if not path.exists() or path.stat().st_size != _BYTES:
            write_atomic(path, [secrets.token_bytes(_BYTES)])
        return Tokens(path.read_bytes())
