"""Real projects, from the source archives that they publish; nothing of them is kept here.

Archives are fetched through pip where the tests run, and cached.
"""

import os
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.audit.verifying.planting import Source, plant, searching
from tests.audit.verifying.projects import write
from tests.audit.verifying.shape import Shape
from trajaudit.sandbox.docker_verifier import DockerVerifier

SHIPPED = Path(__file__).parents[3] / "sandboxes"
SOUND = "real-projects"
BROKEN = "real-projects-broken"
NEEDED = "hatchling\nflit_core\npoetry-core\neditables\nsimplejson\ntzdata\n"
"""To build the projects, and for their tests."""
DOCKERFILE = """ARG BASE
FROM ${BASE} AS build
COPY build-settings /build-settings
COPY requirements.txt /build-settings/
RUN PIP_CONFIG_FILE=/build-settings/pip.conf /opt/venv/bin/pip install --no-cache-dir \\
      --disable-pip-version-check -q -r /build-settings/requirements.txt
COPY repositories /repositories
# The context has no times, and no wheel may hold a file from before 1980.
RUN find /repositories -exec touch -d 2024-01-01 {} +
RUN for name in /repositories/*; do /opt/venv/bin/pip install --no-cache-dir --no-deps -q \\
      --disable-pip-version-check --no-build-isolation --no-index -e "$name" || exit 1; done
FROM ${BASE}
COPY --from=build /opt/venv /opt/venv
COPY --from=build /repositories /repositories
"""
BROKEN_DOCKERFILE = """ARG BASE
FROM ${BASE}
COPY repositories /repositories
COPY gone /gone
RUN cd /repositories && xargs -r rm < /gone && for name in *; do cd "/repositories/$name" \\
 && git init -q && git add -A -f && git -c user.name=n -c user.email=e commit -qm base \\
 || exit 1; done
"""
SOURCES = (
    Source(
        "sqlparse", "0.6.1", "sqlparse/engine/statement_splitter.py",
        "sqlparse/__init__.py", "tests/test_split.py", "tests/test_utils.py",
    ),
    Source(
        "tomlkit", "0.15.2", "tomlkit/_utils.py",
        "tomlkit/__init__.py", "tests/test_utils.py", "tests/test_build.py",
    ),
    Source(
        "click", "8.5.1", "src/click/formatting.py",
        "src/click/__init__.py", "tests/test_formatting.py", "tests/test_parser.py",
    ),
    Source(
        "marshmallow", "4.4.0", "src/marshmallow/validate.py",
        "src/marshmallow/__init__.py", "tests/test_validate.py", "tests/test_exceptions.py",
    ),
)  # fmt: skip


class NotToBeHadError(Exception):
    """An archive cannot be fetched here."""


def cache() -> Path:
    """Return the folder in which archives are kept."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return home / "trajaudit" / "archives"


def archive(source: Source) -> Path:
    """Return the archive of a project, fetched through pip unless it is in the cache.

    Raises:
        NotToBeHadError: pip cannot fetch it.
    """
    stem = f"{source.name.replace('-', '_')}-{source.version}.tar.gz"
    path = cache() / stem
    if not path.exists():
        cache().mkdir(parents=True, exist_ok=True)
        pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(cache())]
        wanted = ["--no-binary", source.name, f"{source.name}=={source.version}"]
        done = subprocess.run([*pip, *wanted], check=False, capture_output=True, text=True)
        if done.returncode or not path.exists():
            raise NotToBeHadError(f"{stem} cannot be fetched; pip says: {done.stderr[-300:]}")
    return path


def unpacked(source: Source, folder: Path) -> Path:
    """Unpack an archive as `<folder>/<name of the project>`."""
    with tarfile.open(archive(source)) as tar:
        tar.extractall(folder, filter="data")
        top = tar.getnames()[0].partition("/")[0]
    return (folder / top).rename(folder / source.name)


def planted(folder: Path, sources: Sequence[Source]) -> tuple[str, dict[str, Shape]]:
    """Build an image of projects with one bug each; return its id and what is in it.

    Raises:
        NotToBeHadError: an archive cannot be fetched.
    """
    inside = folder / SOUND / "repositories"
    inside.mkdir(parents=True)
    trees = {one.name: unpacked(one, inside) for one in sources}
    settings = {"Dockerfile": DOCKERFILE, "sandbox.yaml": "base: pytest-base\n"}
    write(folder / SOUND, {**settings, "requirements.txt": NEEDED})
    containers = DockerVerifier([folder, SHIPPED])
    try:
        image = containers.prepare(SOUND)
        with ThreadPoolExecutor(2) as pool:
            found = pool.map(lambda one: _planted(containers, image, one, trees[one.name]), sources)
            shapes = {shape.project.name: shape for shape in found}
        changed = {
            f"repositories/{name}/{path}": text
            for name, shape in shapes.items()
            for path, text in shape.project.files.items()
        }
        gone = "".join(f"{name}/{shape.added}\n" for name, shape in shapes.items())
        settings = {"Dockerfile": BROKEN_DOCKERFILE, "sandbox.yaml": f"base: {SOUND}\n"}
        write(folder / BROKEN, {**settings, **changed, "gone": gone})
        return containers.prepare(BROKEN), shapes
    finally:
        containers.close()


def _planted(containers: DockerVerifier, image: str, source: Source, tree: Path) -> Shape:
    with searching(containers, image, source) as run:
        return plant(source, tree, run)
