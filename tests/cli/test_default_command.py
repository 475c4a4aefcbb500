"""`judge RUN` means `judge run RUN`, options before the run included; others stay theirs."""

import pytest
import typer
from typer.testing import CliRunner

from trajaudit.cli.default_command import group_with_default


@pytest.fixture
def app() -> typer.Typer:
    inner = typer.Typer(cls=group_with_default("run"), no_args_is_help=True)

    @inner.command("run")
    def run(name: str, loud: bool = typer.Option(False, "--loud")) -> None:
        typer.echo(f"ran {name} {loud}")

    @inner.command("other")
    def other(name: str = "nobody") -> None:
        typer.echo(f"other {name}")

    outer = typer.Typer()
    outer.add_typer(inner, name="judge")
    outer.command("else")(lambda: None)
    return outer


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["latest"], "ran latest False"),
        (["latest", "--loud"], "ran latest True"),
        (["--loud", "latest"], "ran latest True"),
        (["run", "latest"], "ran latest False"),
        (["run", "other"], "ran other False"),
        (["other", "--name", "x"], "other x"),
    ],
)
def test_a_command_that_is_not_named_is_the_default(
    app: typer.Typer, words: list[str], said: str
) -> None:
    assert CliRunner().invoke(app, ["judge", *words]).output == f"{said}\n"


@pytest.mark.parametrize("words", [[], ["--help"]])
def test_help_is_about_the_group(app: typer.Typer, words: list[str]) -> None:
    shown = CliRunner().invoke(app, ["judge", *words]).output

    assert "other" in shown
    assert "--loud" not in shown
