"""A tool that always answers the same."""

from dataclasses import dataclass

from pydantic import JsonValue

from trajaudit.mocks.base import CallContext, ToolReply
from trajaudit.mocks.reply import answered


@dataclass(frozen=True)
class Static:
    """Answers every call with `reply`."""

    reply: JsonValue

    def __call__(self, arguments: dict[str, JsonValue], context: CallContext) -> ToolReply:
        del arguments, context
        return answered(self.reply)
