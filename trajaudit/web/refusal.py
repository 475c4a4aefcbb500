"""Why a page is not given, and with which status."""

from collections.abc import Mapping
from types import MappingProxyType

from trajaudit.review.desk_records import DeskError, Refusal


class Refused(Exception):  # noqa: N818 (an answer, not a failure)
    """A request gets a page that says why instead of what it asked for; `key` names the text."""

    def __init__(
        self,
        status: int,
        key: str,
        *,
        kept: Mapping[str, str] = MappingProxyType({}),
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.status = status
        self.key = key
        self.kept = kept
        """What was typed, shown again so that it is not lost."""
        self.headers = dict(headers)
        super().__init__(key)


class LoginNeeded(Refused):
    """Nobody is logged in."""

    def __init__(self, kept: Mapping[str, str] = MappingProxyType({})) -> None:
        super().__init__(401, "login_needed", kept=kept)


_STATUS = {
    # One answer for what does not exist and what is not theirs: it tells nothing.
    Refusal.NO_SUCH_ITEM: (404, "not_found"),
    Refusal.NOT_ALLOWED: (404, "not_found"),
    Refusal.NOT_FOUND: (404, "not_found"),
    Refusal.NOT_SETTLED: (404, "not_found"),
    Refusal.NOT_IN_CONFLICT: (404, "not_found"),
    Refusal.OWN_CONFLICT: (404, "not_found"),
    Refusal.PAUSED: (403, "paused"),
    Refusal.BAD_FORM: (422, "bad_form"),
    Refusal.CONTENT_CHANGED: (410, "content_changed"),
}


def refused(error: DeskError, kept: Mapping[str, str] = MappingProxyType({})) -> Refused:
    """Return the answer for what the desk refuses."""
    status, key = _STATUS.get(error.reason, (409, error.reason.value))
    return Refused(status, key, kept=kept)
