"""A group of commands one of which need not be named: `judge RUN` is `judge run RUN`."""

from typing import Any

from typer.core import TyperGroup


def group_with_default(name: str) -> type[TyperGroup]:
    """Return a class for `typer.Typer(cls=...)` whose command `name` is meant where none is named.

    Words that are no command, options included, go to it; `--help` alone is about the group.
    """

    class Group(TyperGroup):
        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            named = not args or args[0] in self.commands or args[0] in ctx.help_option_names
            return super().parse_args(ctx, args if named else [name, *args])

    return Group
