"""A tool whose n-th call gets the n-th reply."""

from dataclasses import dataclass

from pydantic import JsonValue

from trajaudit.mocks.base import CallContext, ToolReply
from trajaudit.mocks.reply import answered, failed


@dataclass(frozen=True)
class Sequence:
    """Answers call n with reply n; after the last, with an error and a warning."""

    replies: tuple[JsonValue, ...]

    def __call__(self, arguments: dict[str, JsonValue], context: CallContext) -> ToolReply:
        del arguments
        if context.call_number <= len(self.replies):
            return answered(self.replies[context.call_number - 1])
        text = f"{context.tool}: call {context.call_number} of a sequence of {len(self.replies)}"
        return failed(f"{context.tool} has no further data", ("sequence_exhausted", text))
