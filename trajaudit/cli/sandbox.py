"""`trajaudit sandbox build|ls|prune`."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from trajaudit.cli.output import emit, out, say

if TYPE_CHECKING:
    from trajaudit.sandbox.images import BuiltImage, Images

app = typer.Typer(
    help="Images in which agents run, and what is left of them.", no_args_is_help=True
)
MEBIBYTE = 1024 * 1024


@app.command("build")
def build(
    names: list[str] = typer.Argument(None, help="Folders below sandboxes/; default: all."),
    as_json: bool = typer.Option(False, "--json", help="Print the images as JSON."),
) -> None:
    """Build image definitions whose inputs changed.

    Example: trajaudit sandbox build agent-base
    """
    from trajaudit.sandbox.definition import names as known

    images, folders = _images()
    _show([images.build(name) for name in names or known(folders)], as_json=as_json)


@app.command("ls")
def ls(as_json: bool = typer.Option(False, "--json", help="Print the images as JSON.")) -> None:
    """List the images that were built here.

    Example: trajaudit sandbox ls
    """
    _show(_images()[0].ls(), as_json=as_json)


@app.command("prune")
def prune(
    everything: bool = typer.Option(False, "--all", help="Current images as well."),
    as_json: bool = typer.Option(False, "--json", help="Print what was removed as JSON."),
) -> None:
    """Remove outdated images, and containers whose owner is dead.

    Example: trajaudit sandbox prune
    """
    from trajaudit.record.project import sandbox_folders
    from trajaudit.sandbox import SANDBOXES

    provider = SANDBOXES["docker"](sandbox_folders(Path.cwd()), say)
    try:
        containers = provider.reap()
    finally:
        provider.close()
    removed = _images()[0].prune(all=everything)
    if not as_json:
        out(f"removed {containers} containers and {len(removed)} images")
    _show(removed, as_json=as_json)


def _images() -> "tuple[Images, list[Path]]":
    from trajaudit.record.project import sandbox_folders
    from trajaudit.sandbox.docker import Api
    from trajaudit.sandbox.engine import find_engine
    from trajaudit.sandbox.images import Images

    folders = sandbox_folders(Path.cwd())
    return Images(Api(find_engine()), folders, say), folders


def _show(images: "list[BuiltImage]", *, as_json: bool) -> None:
    if as_json:
        emit(
            [
                {
                    "name": one.name,
                    "reference": one.reference,
                    "image_id": one.image_id,
                    "size": one.size,
                    "current": one.current,
                }
                for one in images
            ]
        )
        return
    for one in images:
        state = "" if one.current else "  outdated"
        out(f"{one.name:20} {one.reference:40} {one.size // MEBIBYTE:6} MiB{state}")
