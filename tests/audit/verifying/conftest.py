"""An image with the repositories of `projects.py`, and what verifies in it."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.audit.verifying.projects import PROJECTS, Project, write
from trajaudit.audit.verifying.container import Verifier
from trajaudit.errors import NoEngineError
from trajaudit.sandbox.docker_verifier import DockerVerifier

SHIPPED = Path(__file__).parents[3] / "sandboxes"
IMAGE = "verified-repositories"
DOCKERFILE = """ARG BASE
FROM ${BASE}
COPY repositories /repositories
RUN for name in /repositories/*; do cd "$name" && git init -q && git add -A -f \\
 && git -c user.name=n -c user.email=e commit -qm base || exit 1; done
"""


@pytest.fixture(scope="session")
def containers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DockerVerifier]:
    folder = tmp_path_factory.mktemp("definitions")
    define(folder, IMAGE, PROJECTS)
    try:
        found = DockerVerifier([folder, SHIPPED])
    except NoEngineError as e:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(e))
    found.prepare(IMAGE)
    yield found
    found.close()


@pytest.fixture(scope="session")
def verifier(containers: DockerVerifier) -> Verifier:
    return Verifier(containers=containers, run_id="test-verify")


def define(folder: Path, image: str, projects: Sequence[Project]) -> None:
    """Write the definition of an image with repositories in `/repositories/<name>`."""
    write(
        folder, {f"{image}/Dockerfile": DOCKERFILE, f"{image}/sandbox.yaml": "base: pytest-base\n"}
    )
    for project in projects:
        write(folder / image / "repositories" / project.name, project.files)


def repositories(folder: Path, image: str, projects: Sequence[Project]) -> str:
    """Build an image with repositories, and return its id."""
    define(folder, image, projects)
    found = DockerVerifier([folder, SHIPPED])
    try:
        return found.prepare(image)
    finally:
        found.close()
