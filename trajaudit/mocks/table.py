"""A tool that looks its answer up by its arguments.

The most specific matching row answers: the row with more arguments that are equal, then the one
with more `"*"`; only between rows that are just as specific does the order of writing decide.
"""

from dataclasses import dataclass

from pydantic import JsonValue

from trajaudit.datamodel.tool import TableRow
from trajaudit.mocks.base import CallContext, ToolReply
from trajaudit.mocks.match import specificity
from trajaudit.mocks.reply import answered, as_text, failed


@dataclass(frozen=True)
class Table:
    """Answers from the most specific row that matches, else with `default`, else an error."""

    rows: tuple[TableRow, ...]
    default: JsonValue | None = None

    def __call__(self, arguments: dict[str, JsonValue], context: CallContext) -> ToolReply:
        row = self._best(arguments)
        if row is not None:
            return failed(row.error) if row.error is not None else answered(row.reply)
        if self.default is not None:
            return answered(self.default)
        return failed(f"{context.tool}: nothing found for {as_text(arguments)}")

    def _best(self, arguments: dict[str, JsonValue]) -> TableRow | None:
        ranked = [
            (rank, -index)
            for index, row in enumerate(self.rows)
            if (rank := specificity(row.args, arguments)) is not None
        ]
        return self.rows[-max(ranked)[1]] if ranked else None
